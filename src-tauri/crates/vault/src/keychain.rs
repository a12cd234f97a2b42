//! The OS keychain.
//!
//! Owns the one thread that calls it. A keychain call can wait for a user who never answers, so
//! each caller waits at most five seconds, and a call that nobody waits for any more is not
//! started. The exception is deleting a secret that a late call may have stored.

use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use keyring::Error as KeyringError;
use tokio::sync::oneshot;
use warranty_model::interface::Token;
use zeroize::Zeroizing;

use super::{Vault, VaultError};

/// The service name of our entries, which users see in their keychain.
const SERVICE: &str = "Warranty Desk";

/// Longest wait for one call.
const LIMIT: Duration = Duration::from_secs(5);

type Job = Box<dyn FnOnce() + Send>;

/// Secrets in the keychain of the operating system, under the service name "Warranty Desk".
#[derive(Debug)]
pub struct KeychainVault {
    jobs: Sender<Job>,
    limit: Duration,
}

impl KeychainVault {
    /// Starts the keychain thread; the keychain itself is opened by the first call, or by
    /// [`KeychainVault::open_soon`].
    pub fn new() -> Self {
        let (jobs, waiting) = channel::<Job>();
        let started = std::thread::Builder::new()
            .name("keychain".to_owned())
            .spawn(move || {
                for job in waiting {
                    job();
                }
            });
        if let Err(error) = started {
            // The thread owned the receiver, so every call returns `Failed`.
            tracing::error!(%error, "the keychain thread could not be started");
        }
        Self { jobs, limit: LIMIT }
    }

    /// Opens the keychain without asking for anything in it, so that the first call need not wait
    /// for that. No person is asked, and a failure is left to the first call.
    pub fn open_soon(&self) {
        self.later(|| drop(platform::entry("open")));
    }

    /// Runs a call on the keychain thread and waits for it within the limit.
    fn ask<T: Send + 'static>(
        &self,
        call: impl FnOnce() -> Result<T, VaultError> + Send + 'static,
    ) -> BoxFuture<'_, Result<T, VaultError>> {
        let (answer, answered) = oneshot::channel();
        let sent = self.jobs.send(Box::new(move || {
            if !answer.is_closed() {
                // The caller may have stopped waiting and then needs no answer.
                drop(answer.send(call()));
            }
        }));
        let limit = self.limit;
        async move {
            if sent.is_err() {
                return Err(VaultError::Failed);
            }
            match tokio::time::timeout(limit, answered).await {
                Ok(Ok(result)) => result,
                Ok(Err(_)) => Err(VaultError::Failed),
                Err(_) => Err(VaultError::Slow),
            }
        }
        .boxed()
    }

    /// Queues a call on the keychain thread after all earlier ones; nobody waits for it.
    fn later(&self, call: impl FnOnce() + Send + 'static) {
        if self.jobs.send(Box::new(call)).is_err() {
            tracing::warn!("the keychain thread is not there");
        }
    }
}

impl Default for KeychainVault {
    fn default() -> Self {
        Self::new()
    }
}

impl Vault for KeychainVault {
    fn token(&self, name: &str) -> BoxFuture<'_, Result<Option<Token>, VaultError>> {
        let name = name.to_owned();
        self.ask(move || read(&name))
    }

    fn keep(&self, name: &str, token: Token) -> BoxFuture<'_, Result<(), VaultError>> {
        let name = name.to_owned();
        self.ask(move || write(&name, token.expose()))
    }

    fn forget(&self, name: &str) -> BoxFuture<'_, Result<(), VaultError>> {
        let name = name.to_owned();
        self.ask(move || delete(&name))
    }

    fn forget_later(&self, name: &str) {
        let name = name.to_owned();
        self.later(move || {
            if let Err(error) = delete(&name) {
                tracing::warn!(%error, "a token without a profile stays in the keychain");
            }
        });
    }

    fn probe(&self) -> BoxFuture<'_, Result<(), VaultError>> {
        self.ask(|| {
            let name = format!("probe {}", uuid::Uuid::new_v4());
            let secret = uuid::Uuid::new_v4().to_string();
            write(&name, &secret)?;
            let found = read(&name);
            delete(&name)?;
            match found? {
                Some(token) if token.expose() == secret => Ok(()),
                Some(_) | None => Err(VaultError::Failed),
            }
        })
    }
}

/// Stored as bytes: stored as a password, Windows would use two bytes for each character, and it
/// allows 2,560 bytes.
fn write(name: &str, secret: &str) -> Result<(), VaultError> {
    on_entry(name, |entry| entry.set_secret(secret.as_bytes()))
}

fn read(name: &str) -> Result<Option<Token>, VaultError> {
    let found = on_entry(name, |entry| match entry.get_secret() {
        Err(KeyringError::NoEntry) => Ok(None),
        other => other.map(|secret| Some(Zeroizing::new(secret))),
    })?;
    let Some(secret) = found else { return Ok(None) };
    let text = std::str::from_utf8(&secret).map_err(|_| VaultError::Failed)?;
    Token::new(text).map(Some).map_err(|_| VaultError::Failed)
}

fn delete(name: &str) -> Result<(), VaultError> {
    on_entry(name, |entry| match entry.delete_credential() {
        Err(KeyringError::NoEntry) => Ok(()),
        other => other,
    })
}

/// Runs an operation on an entry. All operations may be repeated safely, so if the store is gone it
/// is opened again and the operation is tried once more: a keychain may start, or restart, after
/// this program.
fn on_entry<T>(
    name: &str,
    call: impl Fn(&platform::Entry) -> keyring::Result<T>,
) -> Result<T, VaultError> {
    let once = || platform::entry(name).and_then(|entry| call(&entry));
    let result = match once() {
        Err(KeyringError::NoDefaultStore | KeyringError::PlatformFailure(_))
            if platform::reopen() =>
        {
            once()
        }
        other => other,
    };
    result.map_err(|error| {
        let (meaning, kind) = meaning(&error);
        tracing::warn!(%kind, "the keychain refused");
        meaning
    })
}

/// What an error means, and its kind for the log: its message may quote an entry.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the foreign enum is non-exhaustive; what it gains later is a failure"
)]
fn meaning(error: &KeyringError) -> (VaultError, &'static str) {
    match error {
        KeyringError::NoDefaultStore => (VaultError::NoKeychain, "no store"),
        KeyringError::NoStorageAccess(_) => (VaultError::Locked, "no access"),
        KeyringError::PlatformFailure(_) => (VaultError::Failed, "platform failure"),
        KeyringError::BadEncoding(_) => (VaultError::Failed, "bad encoding"),
        KeyringError::TooLong(..) => (VaultError::Failed, "too long"),
        KeyringError::Ambiguous(_) => (VaultError::Failed, "ambiguous"),
        _ => (VaultError::Failed, "other"),
    }
}

/// The store of the system: always there on Windows and macOS; on Linux it can be opened again.
mod platform {
    #[cfg(not(any(target_os = "linux", windows)))]
    pub(super) use keyring::Entry;
    #[cfg(any(target_os = "linux", windows))]
    pub(super) use keyring_core::Entry;

    use super::SERVICE;

    #[cfg(target_os = "linux")]
    pub(super) fn entry(name: &str) -> keyring::Result<Entry> {
        // The first call starts the store; if that fails, `NoDefaultStore` shows below, unless a
        // later attempt succeeded.
        if keyring::Entry::store_status().is_err() && keyring_core::get_default_store().is_none() {
            return Err(keyring::Error::NoDefaultStore);
        }
        Entry::new(SERVICE, name)
    }

    /// Kept on this computer only: by default Windows copies an entry to every computer that its
    /// user signs in to.
    #[cfg(windows)]
    pub(super) fn entry(name: &str) -> keyring::Result<Entry> {
        if keyring::Entry::store_status().is_err() {
            return Err(keyring::Error::NoDefaultStore);
        }
        let local = std::collections::HashMap::from([("persistence", "local")]);
        Entry::new_with_modifiers(SERVICE, name, &local)
    }

    #[cfg(not(any(target_os = "linux", windows)))]
    pub(super) fn entry(name: &str) -> keyring::Result<Entry> {
        Entry::new(SERVICE, name)
    }

    #[cfg(target_os = "linux")]
    pub(super) fn reopen() -> bool {
        let store = zbus_secret_service_keyring_store::Store::new();
        store
            .map(|store| keyring_core::set_default_store(store))
            .is_ok()
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn reopen() -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn impatient() -> KeychainVault {
        KeychainVault {
            limit: Duration::from_millis(500),
            ..KeychainVault::new()
        }
    }

    #[tokio::test]
    async fn a_keychain_that_hangs_is_slow_and_what_nobody_waits_for_is_not_begun() {
        let vault = impatient();
        let (release, held) = channel::<()>();
        let (begun, begins) = channel::<&'static str>();
        let late = begun.clone();
        let hung = vault.ask(move || {
            begun.send("first").unwrap();
            held.recv().unwrap();
            Ok(())
        });
        assert_eq!(hung.await, Err(VaultError::Slow));
        let behind = vault.ask(move || {
            late.send("second").unwrap();
            Ok(())
        });
        assert_eq!(behind.await, Err(VaultError::Slow));
        release.send(()).unwrap();
        // Poll until the thread has finished the abandoned calls.
        let deadline = std::time::Instant::now() + Duration::from_secs(60);
        while vault.ask(|| Ok(())).await.is_err() {
            assert!(std::time::Instant::now() < deadline);
        }
        assert_eq!(begins.try_iter().collect::<Vec<_>>(), ["first"]);
    }

    #[tokio::test]
    async fn what_is_to_be_done_later_is_done_once_the_hanging_call_is_through() {
        let vault = impatient();
        let (release, held) = channel::<()>();
        let (done, ends) = channel::<&'static str>();
        let late = done.clone();
        let hung = vault.ask(move || {
            held.recv().unwrap();
            done.send("kept").unwrap();
            Ok(())
        });
        assert_eq!(hung.await, Err(VaultError::Slow));
        vault.later(move || late.send("forgotten").unwrap());
        release.send(()).unwrap();
        for expected in ["kept", "forgotten"] {
            assert_eq!(ends.recv_timeout(Duration::from_secs(60)), Ok(expected));
        }
    }

    #[test]
    fn a_keychain_is_waited_for_at_most_five_seconds() {
        assert!(KeychainVault::new().limit <= Duration::from_secs(5));
    }

    #[test]
    fn each_answer_of_the_store_has_its_meaning() {
        let because = || Box::new(std::io::Error::other("x"));
        for (answer, expected) in [
            (KeyringError::NoDefaultStore, VaultError::NoKeychain),
            (KeyringError::NoStorageAccess(because()), VaultError::Locked),
            (KeyringError::PlatformFailure(because()), VaultError::Failed),
        ] {
            assert_eq!(meaning(&answer).0, expected);
        }
    }
}
