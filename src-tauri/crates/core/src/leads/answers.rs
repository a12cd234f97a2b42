//! Tokens of answers that are stored, because the service may never return them again: of an answer
//! that names another transaction or product, until a person decides about it, and of a lead that was
//! created, until a person has seen it.
//!
//! Owns the encryption of the token. Sends no request.

use warranty_api::Personal;

use super::{LeadMismatch, LeadState, LeadView, Leads};
use crate::encryption::{AssociatedData, Encrypted, text};
use crate::profile::Profile;
use crate::{Error, Result};
use warranty_runtime::work::lock;
use warranty_store::journal::Line;
use warranty_store::leads::{KeptLead, LeadOutcome};

impl Leads {
    /// Returns the stored token of a lead to a person; it is stored until [`Leads::token_shown`]. One
    /// of an answer that named another transaction or product is thereby accepted: the lead then counts
    /// as created.
    ///
    /// # Errors
    /// [`Error::NotKnown`]; [`Error::NotAllowed`] when no token is stored; [`Error::Vault`]
    /// and [`Error::NotOpened`] when the token cannot be read, and then nothing has changed.
    pub async fn token(&self, id: &str) -> Result<LeadView> {
        self.context.writable()?;
        let profile_id = self.kept_lead(id).await?.profile_id;
        let guard = self.context.work.begin_lead(id, &profile_id);
        let _guard = guard.ok_or(Error::NotAllowed)?;
        let kept = self.kept_lead(id).await?;
        let has_one = matches!(kept.view.state, LeadState::Unknown | LeadState::Created);
        let Some(sealed) = kept.token.as_ref().filter(|_| has_one) else {
            return Err(Error::NotAllowed);
        };
        let place = AssociatedData::LeadToken(id);
        let token = self.encryption.decrypt(place, sealed, text).await?;
        let token = token.readable()?;
        lock(&self.tokens).insert(id.to_owned(), token.clone());
        if kept.view.state == LeadState::Unknown {
            let stored = (LeadMismatch::default(), kept.token.clone());
            let line = self.context.journal_line("lead.answerTaken", id, None);
            self.count_as_created(&kept, Some(stored), Some(line))
                .await?;
        }
        Ok(LeadView {
            token: Some(token),
            ..self.lead(id).await?
        })
    }

    /// Makes a lead a created one, with nothing stored of its answer but this.
    pub(super) async fn count_as_created(
        &self,
        kept: &KeptLead,
        answer: Option<(LeadMismatch, Option<Encrypted>)>,
        line: Option<Line>,
    ) -> Result<()> {
        let LeadView {
            id, state, status, ..
        } = &kept.view;
        let outcome = LeadOutcome {
            status: status.clone(),
            answer,
            ..LeadOutcome::of(LeadState::Created)
        };
        let store = &self.context.store;
        Error::ensure_allowed(store.step_lead(id, *state, outcome, line).await?)?;
        self.changed(id).await;
        Ok(())
    }

    /// The encrypted token of an answer. Without a key it is `None`, and the token stays in memory
    /// and in the history until this process ends.
    pub(super) async fn encrypt_token(
        &self,
        profile: &Profile,
        id: &str,
        token: &Personal,
    ) -> Option<Encrypted> {
        let sealed = async {
            let key = self.encryption.key_for(profile).await?;
            Ok::<_, Error>(key.encrypt(AssociatedData::LeadToken(id), token.expose().as_bytes())?)
        };
        let sealed = sealed.await.inspect_err(|error| {
            tracing::warn!(%error, "the token of a lead's answer is held in memory alone");
            lock(&self.tokens).insert(id.to_owned(), token.clone());
        });
        sealed.ok()
    }
}
