//! Answers to leads that name another transaction or product. Each is stored with its token, which
//! may be the only one the service ever returns, until a person decides about it.
//!
//! Owns the encryption of the token. Sends no request.

use warranty_api::Personal;

use super::{LeadState, LeadView, Leads};
use crate::encryption::{AssociatedData, Encrypted, text};
use crate::profile::Profile;
use crate::{Error, Result};
use warranty_runtime::work::lock;
use warranty_store::leads::LeadOutcome;

impl Leads {
    /// Accepts the token of an answer that named another transaction or product, because a person
    /// decided that it belongs to this lead. The lead then counts as created, and its stored token
    /// is deleted.
    ///
    /// # Errors
    /// [`Error::NotKnown`]; [`Error::NotAllowed`] when no such answer is stored; [`Error::Vault`]
    /// and [`Error::NotOpened`] when the token cannot be read, and then nothing has changed.
    pub async fn token(&self, id: &str) -> Result<LeadView> {
        self.context.writable()?;
        let profile_id = self.kept_lead(id).await?.profile_id;
        let _guard = self
            .context
            .work
            .begin_lead(id, &profile_id)
            .ok_or(Error::NotAllowed)?;
        let kept = self.kept_lead(id).await?;
        let Some(sealed) = kept.token.filter(|_| kept.view.state == LeadState::Unknown) else {
            return Err(Error::NotAllowed);
        };
        let place = AssociatedData::LeadToken(id);
        let token = self.encryption.decrypt(place, &sealed, text).await?;
        let token = token.readable()?;
        // Keeps the token readable in the history until this process ends, in case the window
        // crashes.
        lock(&self.tokens).insert(id.to_owned(), token.clone());
        let outcome = LeadOutcome::of(LeadState::Created);
        let line = self.context.journal_line("lead.answerTaken", id, None);
        let store = &self.context.store;
        let taken = store
            .step_lead(id, LeadState::Unknown, outcome, Some(line))
            .await?;
        Error::ensure_allowed(taken)?;
        self.changed(&profile_id, id).await;
        Ok(LeadView {
            token: Some(token),
            ..self.lead(id).await?
        })
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
        match sealed.await {
            Ok(sealed) => Some(sealed),
            Err(error) => {
                tracing::warn!(%error, "the token of a lead's answer is held in memory alone");
                lock(&self.tokens).insert(id.to_owned(), token.clone());
                None
            }
        }
    }
}
