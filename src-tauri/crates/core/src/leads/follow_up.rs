//! The follow-up of a lead: when to contact its customer, and a note.
//!
//! Owns the encryption of the note. Both are known only at this desk and never sent.

use warranty_api::Personal;
use warranty_model::day::Date;
use warranty_runtime::work::lock;
use warranty_store::leads::KeptLead;

use super::{LeadState, LeadView, Leads, validation};
use crate::encryption::{AssociatedData, Decrypted, KeyUnavailable, text};
use crate::{Error, Result};

impl Leads {
    /// Keeps the day on which to contact the customer of a lead, and its note. Without a day there is
    /// nothing left to do; without a note the one that is kept stays as it is, and an empty one
    /// deletes it.
    ///
    /// # Errors
    /// [`Error::Input`]; [`Error::NotKnown`]; [`Error::Vault`] and [`Error::KeyLost`] when the note
    /// cannot be encrypted; [`Error::Store`]. Then nothing has changed.
    pub async fn follow_up(
        &self,
        id: &str,
        due: Option<Date>,
        note: Option<&Personal>,
    ) -> Result<LeadView> {
        self.context.writable()?;
        let profile_id = self.kept_lead(id).await?.profile_id;
        let note = note.map(validation::note).transpose();
        let note = note.map_err(|problem| Error::Input(vec![problem]))?;
        let encrypted = match note {
            Some(Some(note)) => {
                let profile = self.context.profile_by_id(&profile_id).await?;
                let key = self.encryption.key_for(&profile).await?;
                let place = AssociatedData::LeadNote(id);
                Some(Some(key.encrypt(place, note.expose().as_bytes())?))
            }
            Some(None) => Some(None),
            None => None,
        };
        let line = self.context.journal_line("lead.followUp", id, None);
        let store = &self.context.store;
        if !store.follow_up(id, due, encrypted, line).await? {
            return Err(Error::NotKnown(id.to_owned()));
        }
        self.changed(id).await;
        self.lead(id).await
    }

    /// A lead as it is shown, with its token and note if they can be decrypted now, and whether it can leave.
    pub(crate) async fn shown(&self, kept: KeptLead) -> Result<LeadView> {
        let (mut view, mut token) = (kept.view, kept.token);
        // Until its outcome is written, the only copy of its token is in memory.
        if let Some((outcome, _)) = lock(&self.context.work.unwritten_leads).get(&view.id) {
            (view.state, token) = (outcome.state, outcome.token.clone());
        }
        if let (LeadState::Queued, Some(bound)) = (view.state, &kept.entered_for) {
            let key = self.encryption.key(&bound.key_id).await?;
            view.key_lost = matches!(key, Err(KeyUnavailable::Lost));
        }
        if let Some(encrypted) = &token {
            let place = AssociatedData::LeadToken(&view.id);
            let token = self.encryption.decrypt(place, encrypted, text).await?;
            view.token = token.readable().ok();
            view.token_unreadable = view.token.is_none();
        }
        if let Some(encrypted) = &kept.note {
            let place = AssociatedData::LeadNote(&view.id);
            match self.encryption.decrypt(place, encrypted, text).await? {
                Decrypted::Known(note) => {
                    view.note = Some(note);
                    view.note_unreadable = false;
                }
                Decrypted::Locked(_) => {}
                Decrypted::Deleted | Decrypted::Lost => view.note_lost = true,
            }
        }
        Ok(view)
    }
}
