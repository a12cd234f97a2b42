//! Drafts: input that is not submitted yet, stored encrypted to survive crashes and restarts.
//!
//! Owns how a draft moves between memory and `desk.db`, and its limits. Does not know its content.

use std::collections::BTreeMap;
use std::sync::Arc;

use warranty_api::Personal;
pub use warranty_model::drafts::{BadDraftName, Draft, DraftName, DraftPlace, DraftState};

use crate::Result;
use crate::encryption::{AssociatedData, DataKey, Decrypted, Encryption, text as text_of};
use warranty_runtime::context::Context;
use warranty_runtime::overview::Overviews;
use warranty_runtime::work::{DraftKey, MOST_IN_PROFILE, UnsavedDraft};
use warranty_store::drafts::KeptDraft;

/// Longest text of one draft, in bytes of UTF-8. Longer input is stored in several drafts.
pub const MOST_IN_DRAFT: usize = 1024 * 1024;
fn place<'a>(profile_id: &'a str, name: &'a DraftName) -> AssociatedData<'a> {
    let name = name.as_str();
    AssociatedData::Draft { profile_id, name }
}

/// Input that is not submitted yet.
#[derive(Debug, Clone)]
pub struct Drafts {
    pub(crate) context: Arc<Context>,
    pub(crate) encryption: Encryption,
    pub(crate) overviews: Overviews,
}

impl Drafts {
    /// Stores a draft under a name, replacing an earlier one; `entries` is how many of its entries
    /// are not submitted. Without the encryption key it stays in memory; the next call for the profile
    /// writes all that stayed so once the key is loaded, and its own draft last: a head is never in the
    /// file before the parts it names.
    ///
    /// # Errors
    /// [`Error::InUse`]; [`Error::UnknownProfile`]; [`Error::Store`] when the file cannot be
    /// written: then it stays in memory.
    pub async fn keep(
        &self,
        profile_id: &str,
        name: &DraftName,
        text: Personal,
        entries: u32,
    ) -> Result<DraftPlace> {
        self.counted(profile_id, async {
            self.context.writable()?;
            if text.expose().len() > MOST_IN_DRAFT {
                return Ok(DraftPlace::Nowhere);
            }
            self.context.profile_by_id(profile_id).await?;
            let whose = (profile_id.to_owned(), name.clone());
            let drafts = &self.overviews.unsaved;
            if !drafts.insert(&whose, (text, entries, self.context.now())) {
                return Ok(DraftPlace::Nowhere);
            }
            let _turn = drafts.write_lock.lock().await;
            let Some(key) = self.encryption.key_for_drafts().await? else {
                return Ok(DraftPlace::Memory);
            };
            let mut place = DraftPlace::File;
            for (draft_key, draft) in drafts.due(&whose) {
                let written = self.write(&key, &draft_key, &draft).await?;
                self.context.backups.back_up_soon();
                let own = draft_key == whose;
                if written || own {
                    drafts.remove_written(&draft_key, &draft.0);
                }
                if own && !written {
                    place = DraftPlace::Nowhere;
                }
            }
            Ok(place)
        })
        .await
    }

    /// Writes a draft; `false` when the profile's drafts would be too long with it.
    async fn write(
        &self,
        key: &DataKey,
        (profile_id, name): &DraftKey,
        (text, entries, kept_at): &UnsavedDraft,
    ) -> Result<bool> {
        let draft = KeptDraft {
            name: name.clone(),
            encrypted: key.encrypt(place(profile_id, name), text.expose().as_bytes())?,
            entries: *entries,
            kept_at: *kept_at,
        };
        let store = &self.context.store;
        Ok(store.keep_draft(profile_id, draft, MOST_IN_PROFILE).await?)
    }

    /// Makes a change of the drafts, and announces their counts when it changed them.
    async fn counted<T>(
        &self,
        profile_id: &str,
        change: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let before = self.overviews.draft_counts(profile_id).await?;
        let done = change.await?;
        if before != self.overviews.draft_counts(profile_id).await? {
            self.overviews.notify(profile_id).await;
        }
        Ok(done)
    }

    /// All drafts whose name has this prefix, by name. If there are several of a name, the newest that
    /// can be read.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn all(&self, profile_id: &str, prefix: &DraftName) -> Result<Vec<Draft>> {
        let mut found: BTreeMap<DraftName, Draft> = BTreeMap::new();
        for (draft, _) in self.drafts_in_file(profile_id, prefix).await? {
            let known = |draft: &Draft| draft.state == DraftState::Known;
            let newer = found.get(&draft.name);
            if newer.is_none_or(|newer| !known(newer) && known(&draft)) {
                found.insert(draft.name.clone(), draft);
            }
        }
        for ((profile, name), (text, _, kept_at)) in self.overviews.unsaved.all().iter() {
            if profile == profile_id && name.as_str().starts_with(prefix.as_str()) {
                let draft = Draft {
                    name: name.clone(),
                    state: DraftState::Known,
                    text: Some(text.clone()),
                    kept_at: *kept_at,
                };
                found.insert(name.clone(), draft);
            }
        }
        Ok(found.into_values().collect())
    }

    /// Deletes the draft of a name. Unreadable drafts are deleted only if the name has no readable
    /// one, because their key may return.
    ///
    /// # Errors
    /// [`Error::InUse`]; [`Error::Store`] when the desk's own file cannot be written.
    pub async fn remove(&self, profile_id: &str, name: &DraftName) -> Result<()> {
        self.context.writable()?;
        self.counted(profile_id, async {
            let drafts = &self.overviews.unsaved;
            let _turn = drafts.write_lock.lock().await;
            let held = drafts.all().remove(&(profile_id.to_owned(), name.clone()));
            let mut found = self.drafts_in_file(profile_id, name).await?;
            found.retain(|(draft, _)| draft.name == *name);
            let known = |draft: &Draft| draft.state == DraftState::Known;
            if held.is_some() || found.iter().any(|(draft, _)| known(draft)) {
                found.retain(|(draft, _)| known(draft));
            }
            if found.is_empty() {
                return Ok(());
            }
            let found = found.into_iter();
            let deleted = found.map(|(draft, key_id)| (draft.name, key_id));
            let store = &self.context.store;
            Ok(store.drop_drafts(profile_id, deleted.collect()).await?)
        })
        .await
    }

    /// The drafts in `desk.db`, each with the id of its key.
    async fn drafts_in_file(
        &self,
        profile_id: &str,
        prefix: &DraftName,
    ) -> Result<Vec<(Draft, String)>> {
        let kept = self.context.store.drafts(profile_id, prefix).await?;
        let mut opened = Vec::with_capacity(kept.len());
        for kept in kept {
            let (place, encrypted) = (place(profile_id, &kept.name), &kept.encrypted);
            let text = self.encryption.decrypt(place, encrypted, text_of).await?;
            let (state, text) = match text {
                Decrypted::Known(text) => (DraftState::Known, Some(text)),
                Decrypted::Locked(_) => (DraftState::Locked, None),
                Decrypted::Deleted | Decrypted::Lost => (DraftState::Lost, None),
            };
            let draft = Draft {
                name: kept.name,
                state,
                text,
                kept_at: kept.kept_at,
            };
            opened.push((draft, kept.encrypted.key_id));
        }
        Ok(opened)
    }
}
