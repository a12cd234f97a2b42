//! The token of a profile: in once, never out.
//!
//! Owns the calls that bring it to the vault and take it away, and the fingerprint that tells one
//! token from another where the token itself must not be.

use sha2::{Digest, Sha256};
use warranty_api::Token;

use super::{Profile, ProfileKind, TokenState};
use crate::store::{profiles, settings};
use crate::vault::VaultError;
use crate::{Desk, Error};

/// Bytes of the digest kept: enough to tell tokens apart, useless to guess one by.
const DIGEST_BYTES: usize = 12;

/// Tells one token from another without being one: a salted digest, cut short. The salt belongs to
/// this data folder.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct TokenFingerprint(String);

impl TokenFingerprint {
    /// The fingerprint of a token.
    pub(crate) fn of(token: &Token, salt: &str) -> Self {
        let mut digest = Sha256::new();
        digest.update((salt.len() as u64).to_le_bytes());
        digest.update(salt);
        digest.update(token.expose());
        Self(
            digest
                .finalize()
                .iter()
                .take(DIGEST_BYTES)
                .map(|byte| format!("{byte:02x}"))
                .collect(),
        )
    }

    /// The form it is kept in.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Desk {
    /// Keeps a live profile's token in the vault, in place of another.
    ///
    /// # Errors
    /// [`Error::UnknownProfile`]; [`Error::NotLawful`] for the practice profile, whose service
    /// brings its own; [`Error::TokenMayBeKept`] when the vault did not answer in time;
    /// [`Error::Vault`] when it cannot keep it: then it is kept nowhere.
    pub async fn token_set(&self, profile_id: &str, token: Token) -> Result<(), Error> {
        self.writable()?;
        let profile = self.live_profile(profile_id).await?;
        let (action, kept) = match self.inner.vault.keep(&profile.id, token).await {
            Ok(()) => ("token.set", Ok(())),
            Err(VaultError::Slow) => ("token.unanswered", Err(Error::TokenMayBeKept)),
            Err(error @ (VaultError::NoKeychain | VaultError::Locked | VaultError::Failed)) => {
                return Err(error.into());
            }
        };
        // What waits for a token tries the one there is, be it the new one or the old.
        self.outbox_token_changed(&profile.id);
        self.journal_write(action, &profile.name, None).await?;
        kept
    }

    /// Whether a profile's token is there. The practice service, once it runs, brings its own.
    ///
    /// # Errors
    /// [`Error::UnknownProfile`]; [`Error::Store`] when the desk's own file cannot be read.
    pub async fn token_state(&self, profile_id: &str) -> Result<TokenState, Error> {
        let profile = self.profile_by_id(profile_id).await?;
        Ok(match profile.kind {
            ProfileKind::Practice => match self.practice_service() {
                Ok(_) => TokenState::Present,
                Err(_) => TokenState::Absent,
            },
            ProfileKind::Live => match self.inner.vault.token(&profile.id).await {
                Ok(Some(_)) => TokenState::Present,
                Ok(None) => TokenState::Absent,
                Err(_) => TokenState::Unavailable,
            },
        })
    }

    /// Whether the token of the profile to work under is there, and what is wrong with the keychain.
    pub(crate) async fn token_and_keychain(
        &self,
        profile: Option<&Profile>,
    ) -> Result<(TokenState, Option<VaultError>), Error> {
        let vault = &self.inner.vault;
        let Some(profile) = profile else {
            return Ok((TokenState::Absent, vault.trouble().await));
        };
        if profile.kind == ProfileKind::Practice {
            return Ok((self.token_state(&profile.id).await?, vault.known_trouble()));
        }
        let (token, trouble) = tokio::join!(self.token_state(&profile.id), vault.trouble());
        let token = token?;
        let trouble = match (token, trouble) {
            // It worked before and does not now.
            (TokenState::Unavailable, None) => vault.trouble().await,
            (TokenState::Present | TokenState::Absent | TokenState::Unavailable, found) => found,
        };
        Ok((token, trouble))
    }

    /// Removes a live profile's token from the vault; none there is fine.
    ///
    /// # Errors
    /// As [`Desk::token_set`].
    pub async fn token_remove(&self, profile_id: &str) -> Result<(), Error> {
        self.writable()?;
        let profile = self.live_profile(profile_id).await?;
        let forgotten = self.inner.vault.forget(&profile.id).await;
        // Whatever the vault said, and before anything else can fail: nothing more sets out with it.
        self.outbox_token_changed(&profile.id);
        forgotten?;
        self.journal_write("token.removed", &profile.name, None)
            .await
    }

    /// The fingerprint of a token under this folder's salt.
    pub(super) async fn fingerprint(&self, token: &Token) -> Result<TokenFingerprint, Error> {
        let fresh = self.inner.ids.uuid().to_string();
        let read_only = self.inner.read_only;
        let store = &self.inner.store;
        let kept = store
            .call(|connection| settings::get(connection, settings::FINGERPRINT_SALT))
            .await?;
        let salt = match kept {
            Some(salt) => salt,
            // A reader compares fingerprints with nothing that was kept.
            None if read_only => fresh,
            None => {
                store
                    .write(move |transaction| {
                        let name = settings::FINGERPRINT_SALT;
                        let salt = settings::get_or_set(&transaction, name, &fresh)?;
                        transaction.commit()?;
                        Ok(salt)
                    })
                    .await?
            }
        };
        Ok(TokenFingerprint::of(token, &salt))
    }

    /// The profile of exactly this id.
    pub(crate) async fn profile_by_id(&self, id: &str) -> Result<Profile, Error> {
        let wanted = id.to_owned();
        self.inner
            .store
            .call(move |connection| profiles::by_id_or_name(connection, &wanted))
            .await?
            .filter(|profile| profile.id == id)
            .ok_or_else(|| Error::UnknownProfile(id.to_owned()))
    }

    async fn live_profile(&self, id: &str) -> Result<Profile, Error> {
        let profile = self.profile_by_id(id).await?;
        match profile.kind {
            ProfileKind::Live => Ok(profile),
            ProfileKind::Practice => Err(Error::NotLawful),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_fingerprint_tells_tokens_apart_and_shows_nothing_of_them() {
        let token = Token::new("secret-token").unwrap();
        let one = TokenFingerprint::of(&token, "salt");
        assert_eq!(one, TokenFingerprint::of(&token, "salt"));
        assert_ne!(one, TokenFingerprint::of(&token, "other"));
        assert_ne!(
            one,
            TokenFingerprint::of(&Token::new("secret-token2").unwrap(), "salt")
        );
        assert_ne!(
            TokenFingerprint::of(&Token::new("bc").unwrap(), "a"),
            TokenFingerprint::of(&Token::new("c").unwrap(), "ab")
        );
        assert_eq!(one.as_str().len(), DIGEST_BYTES * 2);
    }
}
