//! The token of a profile: stored in and deleted from the vault, never shown.
//!
//! Owns the rule that a token is sent only to the server it was entered for, and the fingerprint that
//! distinguishes tokens without holding them.

use sha2::{Digest, Sha256};
use warranty_api::{BaseUrl, Token};
use zeroize::Zeroizing;

use super::connection::{address_of, web_address};
use super::{Profile, ProfileKind, Profiles, TokenState};
use crate::{Error, Field, Result};
use warranty_runtime::policy::{ManagedProfile, PolicyState};
use warranty_store::settings::FINGERPRINT_SALT;
use warranty_vault::{Vault, VaultError};

/// First word of a vault entry: the version of its form.
const ENTRY_FORM: &str = "v1";

/// Hexadecimal digits of the shortened digest: they distinguish tokens, but do not help to guess one.
const DIGITS: usize = 24;

/// Identifies a token without revealing it: a shortened digest with the salt of this data folder.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct TokenFingerprint(String);

impl TokenFingerprint {
    pub(crate) fn of(token: &Token, salt: &str) -> Self {
        let digest = Sha256::new()
            .chain_update((salt.len() as u64).to_le_bytes())
            .chain_update(salt)
            .chain_update(token.expose())
            .finalize();
        Self(format!("{digest:x}").chars().take(DIGITS).collect())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Stores the token of a managed profile, by its key, in a keychain, without any data folder: its
/// id and its server are known from the policy. A running desk takes it at its next attempt. Returns
/// the name of the profile; `None` when the policy has no such profile, or when a person named
/// another one so, whose id `named` is.
///
/// # Errors
/// As [`Profiles::set_token`].
pub async fn set_managed_token(
    vault: &dyn Vault,
    policy: &PolicyState,
    key: &str,
    named: Option<String>,
    token: &Token,
) -> Result<Option<String>> {
    let profiles: Vec<ManagedProfile> = policy.value("profiles").unwrap_or_default();
    let Some(managed) = profiles.into_iter().find(|managed| managed.key == key) else {
        return Ok(None);
    };
    if named.is_some_and(|id| id != managed.id()) {
        return Ok(None);
    }
    let base_url = web_address(&managed.base_url)?;
    confirmed(vault.keep(&managed.id(), bind(token, &base_url)?).await)?;
    Ok(Some(managed.name))
}

/// What was begun is not stopped: the keychain may do it once its password is typed.
fn confirmed(done: Result<(), VaultError>) -> Result<()> {
    match done {
        Err(VaultError::Slow) => Err(Error::TokenNotConfirmed),
        other => Ok(other?),
    }
}

impl Profiles {
    /// Stores a live profile's token in the vault, replacing an earlier one.
    ///
    /// # Errors
    /// [`Error::UnknownProfile`]; [`Error::NotAllowed`] for the practice profile, because its
    /// service provides the token; [`Error::TokenNotConfirmed`] when the vault did not answer in time;
    /// [`Error::Vault`] when it cannot store the token: then it is not stored.
    pub async fn set_token(&self, profile_id: &str, token: Token) -> Result<()> {
        self.context.writable()?;
        let profile = self.live_profile(profile_id).await?;
        let entry = bind(&token, &address_of(&profile)?)?;
        let kept = confirmed(self.keep_token(&profile.id, entry).await);
        let action = match kept {
            Ok(()) => "token.set",
            Err(Error::TokenNotConfirmed) => "token.unanswered",
            Err(error) => return Err(error),
        };
        // Work that waits for a token tries the stored one, new or old.
        self.token_changed(&profile.id);
        // Entering the same token again confirms that it is the right one.
        if kept.is_ok()
            && let Some(subscribers) = self.context.subscribers()
        {
            subscribers.token_given(&profile).await?;
        }
        self.context
            .journal_write(action, &profile.name, None)
            .await?;
        kept
    }

    /// Stores a token's entry. The one before may have been lost with the data key, when the keychain
    /// was reset.
    pub(super) async fn keep_token(&self, id: &str, entry: Token) -> Result<(), VaultError> {
        self.encryption.doubt_key();
        self.context.vault.keep(id, entry).await?;
        self.encryption.give_key_back().await;
        Ok(())
    }

    /// A profile's entry in the vault.
    async fn entry_of(&self, profile_id: &str) -> Result<Option<Token>, VaultError> {
        let entry = self.context.vault.token(profile_id).await?;
        match entry {
            // Another program may have stored it after the keychain was reset.
            Some(_) => self.encryption.give_key_back().await,
            None => self.encryption.doubt_key(),
        }
        Ok(entry)
    }

    /// Whether a profile's token is available. The practice service provides its own while it runs.
    ///
    /// # Errors
    /// [`Error::UnknownProfile`]; [`Error::Store`] when the desk's own file cannot be read.
    pub async fn token_state(&self, profile_id: &str) -> Result<TokenState> {
        let profile = self.context.profile_by_id(profile_id).await?;
        Ok(match profile.kind {
            ProfileKind::Practice if self.practice_service().is_ok() => TokenState::Present,
            ProfileKind::Practice => TokenState::Absent,
            ProfileKind::Live => match self.entry_of(&profile.id).await {
                Ok(Some(entry)) if bound(&entry, &address_of(&profile)?).is_some() => {
                    TokenState::Present
                }
                Ok(Some(_)) => TokenState::OtherServer,
                Ok(None) => TokenState::Absent,
                Err(_) => TokenState::Unavailable,
            },
        })
    }

    /// Whether the current profile's token is available, and the error of the keychain.
    pub(crate) async fn token_and_keychain(
        &self,
        profile: Option<&Profile>,
    ) -> Result<(TokenState, Option<VaultError>)> {
        let vault = &self.context.vault;
        let Some(profile) = profile else {
            return Ok((TokenState::Absent, vault.trouble().await));
        };
        if profile.kind == ProfileKind::Practice {
            return Ok((self.token_state(&profile.id).await?, vault.known_trouble()));
        }
        let (token, mut trouble) = tokio::join!(self.token_state(&profile.id), vault.trouble());
        let token = token?;
        if token == TokenState::Unavailable && trouble.is_none() {
            // The keychain worked before and does not now.
            trouble = vault.trouble().await;
        }
        Ok((token, trouble))
    }

    /// Deletes a live profile's token from the vault; succeeds if there is none.
    ///
    /// # Errors
    /// As [`Profiles::set_token`].
    pub async fn remove_token(&self, profile_id: &str) -> Result<()> {
        self.context.writable()?;
        let profile = self.live_profile(profile_id).await?;
        self.delete_token(&profile.id).await?;
        self.context
            .journal_write("token.removed", &profile.name, None)
            .await
    }

    /// A live profile's token, if it was given for this server.
    pub(super) async fn token_for(
        &self,
        profile_id: &str,
        base_url: &BaseUrl,
    ) -> Result<Option<Token>, VaultError> {
        let entry = self.entry_of(profile_id).await?;
        Ok(entry.and_then(|entry| bound(&entry, base_url)))
    }

    /// Deletes a profile's token from the vault, if any. Some unreachable keychains report success:
    /// a test write verifies that the keychain works.
    pub(super) async fn delete_token(&self, profile_id: &str) -> Result<()> {
        let vault = &self.context.vault;
        let mut deleted = vault.forget(profile_id).await;
        // Done first, so that no further request uses the token even if the deletion fails.
        self.token_changed(profile_id);
        if deleted.is_ok() {
            deleted = vault.try_now().await;
        }
        confirmed(deleted)
    }

    /// The fingerprint of a token under this folder's salt.
    pub(super) async fn fingerprint(&self, token: &Token) -> Result<TokenFingerprint> {
        let fresh = self.context.ids.uuid().to_string();
        let read_only = self.context.read_only;
        let store = &self.context.store;
        let salt = match store.setting(FINGERPRINT_SALT).await? {
            Some(salt) => salt,
            // A read-only desk stores no salt; it compares its fingerprints with no stored one.
            None if read_only => fresh,
            None => {
                // Another task may have stored one meanwhile.
                let first = |kept: Option<String>| kept.unwrap_or(fresh);
                store.change_setting(FINGERPRINT_SALT, first).await?
            }
        };
        Ok(TokenFingerprint::of(token, &salt))
    }

    /// The token of a profile was set or removed: its waiting work may be sent.
    pub(crate) fn token_changed(&self, profile_id: &str) {
        self.context.work.drop_breaker(profile_id);
        self.overviews.clear_blocker(profile_id);
        self.overviews.token_changed(profile_id);
        self.context.work.bump();
    }

    async fn live_profile(&self, id: &str) -> Result<Profile> {
        let profile = self.context.profile_by_id(id).await?;
        Error::ensure_allowed(profile.kind == ProfileKind::Live)?;
        Ok(profile)
    }
}

/// The entry for the keychain: the format version, the origin the token is for, and the token. At
/// most 2,048 bytes, which every keychain accepts.
pub(super) fn bind(token: &Token, base_url: &BaseUrl) -> Result<Token> {
    let origin = base_url.origin();
    let entry = Zeroizing::new([ENTRY_FORM, &origin, token.expose()].join(" "));
    Token::new(&entry).map_err(|error| Error::input(Field::Token, error.into()))
}

/// The token of an entry, if it was entered for this server.
fn bound(entry: &Token, base_url: &BaseUrl) -> Option<Token> {
    let before = [ENTRY_FORM, &base_url.origin(), ""].join(" ");
    Token::new(entry.expose().strip_prefix(&before)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Problem;

    fn address(text: &str) -> BaseUrl {
        BaseUrl::parse(text).unwrap()
    }

    #[test]
    fn a_token_is_used_for_the_server_it_was_given_for_and_for_no_other() {
        let token = Token::new("a token with spaces").unwrap();
        let entry = bind(&token, &address("https://service.example/base")).unwrap();
        for same in [
            "https://service.example",
            "https://SERVICE.example:443/other",
        ] {
            let found = bound(&entry, &address(same)).unwrap();
            assert_eq!(found.expose(), token.expose(), "{same}");
        }
        for other in [
            "https://service.example:8443/base",
            "https://service.example.evil.invalid/base",
            "https://127.0.0.1/base",
            "http://localhost",
        ] {
            assert!(bound(&entry, &address(other)).is_none(), "{other}");
        }
    }

    #[test]
    fn an_entry_that_names_no_server_is_used_for_none() {
        let here = address("https://service.example");
        for entry in [
            "token",
            "v1",
            "v1 https://service.example",
            "v2 https://service.example token",
        ] {
            assert!(
                bound(&Token::new(entry).unwrap(), &here).is_none(),
                "{entry}"
            );
        }
    }

    #[test]
    fn a_token_too_long_for_every_keychain_is_named_at_once() {
        let here = address("https://service.example");
        let room = 2048 - "v1 https://service.example ".len();
        let longest = Token::new(&"x".repeat(room)).unwrap();
        let entry = bind(&longest, &here).unwrap();
        assert_eq!(bound(&entry, &here).unwrap().expose(), longest.expose());
        let Err(Error::Input(problems)) = bind(&Token::new(&"x".repeat(room + 1)).unwrap(), &here)
        else {
            unreachable!("it was taken")
        };
        assert_eq!(
            (problems[0].field, problems[0].problem),
            (Field::Token, Problem::TooLong)
        );
    }

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
        // It is stored, and compared with that of a later version.
        assert_eq!(one.as_str(), "89e86f7be1d4e7f933bdcb29");
    }
}
