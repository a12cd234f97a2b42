//! A vault that records whether it works.
//!
//! Owns when the keychain is tested, which writes a secret: at the first need and after a failure,
//! not each time the status is shown.

use std::sync::{Arc, Mutex, PoisonError};

use warranty_model::interface::Token;

use super::{Vault, VaultError};

#[derive(Debug)]
pub struct WatchedVault {
    vault: Arc<dyn Vault>,
    /// `None` before the first call, and once something was read after a failure.
    last: Mutex<Option<Result<(), VaultError>>>,
}

impl WatchedVault {
    /// Wraps a vault; nothing is known of it yet.
    pub fn new(vault: Arc<dyn Vault>) -> Self {
        Self {
            vault,
            last: Mutex::new(None),
        }
    }

    pub async fn token(&self, name: &str) -> Result<Option<Token>, VaultError> {
        let found = self.noted(self.vault.token(name).await)?;
        if found.is_some() && self.known_trouble().is_some() {
            self.set(None);
        }
        Ok(found)
    }

    pub async fn keep(&self, name: &str, token: Token) -> Result<(), VaultError> {
        self.noted(self.vault.keep(name, token).await)
    }

    pub async fn forget(&self, name: &str) -> Result<(), VaultError> {
        self.noted(self.vault.forget(name).await)
    }

    pub fn forget_later(&self, name: &str) {
        self.vault.forget_later(name);
    }

    /// The vault's error; `None` when it works. Tests it, unless it has worked and not failed
    /// since.
    pub async fn trouble(&self) -> Option<VaultError> {
        if self.last() == Some(Ok(())) {
            return None;
        }
        self.try_now().await.err()
    }

    /// Tests the vault, whatever its last result.
    pub async fn try_now(&self) -> Result<(), VaultError> {
        let tried = self.vault.probe().await;
        self.set(Some(tried));
        tried
    }

    /// The error of the last call that failed, until one has read something since, without a new one.
    pub fn known_trouble(&self) -> Option<VaultError> {
        self.last().and_then(Result::err)
    }

    fn noted<T>(&self, answer: Result<T, VaultError>) -> Result<T, VaultError> {
        if let Err(error) = &answer {
            self.set(Some(Err(*error)));
        }
        answer
    }

    fn last(&self) -> Option<Result<(), VaultError>> {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, now: Option<Result<(), VaultError>>) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }
}
