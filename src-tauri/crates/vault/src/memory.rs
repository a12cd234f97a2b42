//! A vault in memory; its secrets are lost when the process ends.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use warranty_model::interface::Token;

use super::{Vault, VaultError};

/// Secrets in memory: for tests.
#[derive(Debug, Default)]
pub struct MemoryVault {
    kept: Mutex<HashMap<String, Token>>,
    broken: Mutex<Option<VaultError>>,
}

impl MemoryVault {
    /// Makes every call from now on fail with this error, or work again with `None`; simulates a
    /// keychain that is locked, slow or missing.
    pub fn fail_with(&self, error: Option<VaultError>) {
        *unpoisoned(&self.broken) = error;
    }

    /// The names of all stored secrets.
    pub fn names(&self) -> Vec<String> {
        unpoisoned(&self.kept).keys().cloned().collect()
    }

    fn answer<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut HashMap<String, Token>) -> T,
    ) -> BoxFuture<'_, Result<T, VaultError>> {
        ready(match *unpoisoned(&self.broken) {
            Some(error) => Err(error),
            None => Ok(work(&mut unpoisoned(&self.kept))),
        })
        .boxed()
    }
}

fn unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Vault for MemoryVault {
    fn token(&self, name: &str) -> BoxFuture<'_, Result<Option<Token>, VaultError>> {
        self.answer(|kept| kept.get(name).cloned())
    }

    fn keep(&self, name: &str, token: Token) -> BoxFuture<'_, Result<(), VaultError>> {
        self.answer(|kept| drop(kept.insert(name.to_owned(), token)))
    }

    fn forget(&self, name: &str) -> BoxFuture<'_, Result<(), VaultError>> {
        self.answer(|kept| drop(kept.remove(name)))
    }

    fn forget_later(&self, name: &str) {
        unpoisoned(&self.kept).remove(name);
    }

    fn probe(&self) -> BoxFuture<'_, Result<(), VaultError>> {
        self.answer(|_| ())
    }
}
