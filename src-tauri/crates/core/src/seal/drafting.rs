//! Drafts sealed and opened: each at its place, so that none opens under another name or profile.

use warranty_api::Personal;

use super::key::{NotSealed, Place, SealKey, Sealed};
use super::state::Opened;
use crate::drafts::DraftName;
use crate::vault::VaultError;
use crate::{Desk, StoreError};

impl SealKey {
    /// Seals the text of a draft.
    pub(crate) fn seal_draft(
        &self,
        profile_id: &str,
        name: &DraftName,
        text: &Personal,
    ) -> Result<Sealed, VaultError> {
        let name = name.as_str();
        self.seal(Place::Draft { profile_id, name }, text.expose().as_bytes())
            .map_err(|NotSealed| VaultError::Failed)
    }
}

impl Desk {
    /// The text of a draft.
    pub(crate) async fn open_draft(
        &self,
        profile_id: &str,
        name: &DraftName,
        sealed: &Sealed,
    ) -> Result<Opened<Personal>, StoreError> {
        let name = name.as_str();
        Ok(match self.key(&sealed.key_id).await? {
            Ok(key) => key
                .open(Place::Draft { profile_id, name }, &sealed.bytes)
                .and_then(|text| Some(Personal::new(std::str::from_utf8(&text).ok()?)))
                .map_or(Opened::Lost, Opened::Known),
            Err(closed) => closed.into(),
        })
    }
}
