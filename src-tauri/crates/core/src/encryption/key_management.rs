//! Creates, reads and replaces data keys in the keychain. Only a person may replace a lost key.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use warranty_vault::{VaultError, keychain_name};

use super::{Customers, DataKey, Encrypted, Encryption, KeyUnavailable};
use crate::{Error, Result, StoreError};
use warranty_model::profile::{Profile, ProfileKind};
use warranty_runtime::high_water;
use warranty_store::encryption_keys::KeyRow;

impl Encryption {
    /// Creates a new key in place of a lost one. Data of the lost key is kept; it can be read if that
    /// key returns.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] while the current key can be read; [`Error::InUse`] on a desk opened to
    /// read; [`Error::Vault`] when the keychain cannot tell whether the key is lost, or cannot save the
    /// new one; [`Error::Store`]. Then nothing has changed.
    pub async fn renew_key(&self) -> Result<Customers> {
        self.context.writable()?;
        // A key that was missing may be there again.
        self.keys.clear_failures();
        if let Some(current) = self.context.store.current_key().await? {
            match self.key(&current).await? {
                Ok(_) => return Err(Error::NotAllowed),
                Err(KeyUnavailable::Keychain(error)) => return Err(error.into()),
                Err(KeyUnavailable::Lost) => {}
            }
        }
        let key = {
            let _access = self.keys.keychain_access.lock().await;
            self.make_key().await?
        };
        self.keys.clear_failures();
        self.delete_expired().await;
        // What waits for a lost key waits no longer.
        self.context.store.decide_other_keys_now(key.id()).await?;
        self.context.work.wake();
        Ok(Customers::Readable)
    }

    /// Whether customers can be read here; asks the keychain unless the key is already loaded.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn state(&self) -> Result<Customers> {
        self.customers(true).await
    }

    /// As [`Encryption::state`]; without `ask`, the keychain is not asked.
    pub(crate) async fn customers(&self, ask: bool) -> Result<Customers> {
        let keys = &self.keys;
        let Some(id) = self.context.store.current_key().await? else {
            // Nothing is encrypted yet.
            return Ok(Customers::Readable);
        };
        if keys.loaded(&id).is_some() {
            return Ok(Customers::Readable);
        }
        let reason = if ask {
            self.key(&id).await?.err()
        } else {
            keys.last_unavailable(&id)
        };
        Ok(match reason {
            Some(KeyUnavailable::Keychain(error)) => Customers::Keychain(error),
            Some(KeyUnavailable::Lost) if self.context.store.is_key_used(&id).await? => {
                Customers::KeyLost
            }
            Some(KeyUnavailable::Lost) | None => Customers::Readable,
        })
    }

    /// The key for new entries of a profile, created if there never was one. A practice profile
    /// without a keychain uses a key of this process only.
    pub(crate) async fn key_for(&self, profile: &Profile) -> Result<Arc<DataKey>> {
        self.key_for_kind(profile.kind).await
    }

    pub(super) async fn key_for_kind(&self, kind: ProfileKind) -> Result<Arc<DataKey>> {
        match kind {
            ProfileKind::Live => {
                // The user may have just unlocked the keychain.
                self.keys.clear_failures();
                self.keychain_key().await
            }
            ProfileKind::Practice => match self.keys.process_key() {
                Some(key) => Ok(key),
                None => match self.keychain_key().await {
                    Err(Error::Vault(_) | Error::KeyLost) => self.process_key().await,
                    other => other,
                },
            },
        }
    }

    /// The key in the keychain for new entries, created if there never was one.
    pub(super) async fn keychain_key(&self) -> Result<Arc<DataKey>> {
        let current = self.context.store.current_key().await?;
        let lost = match &current {
            Some(id) => match self.key(id).await? {
                Ok(key) => return Ok(key),
                Err(KeyUnavailable::Keychain(error)) => return Err(error.into()),
                Err(KeyUnavailable::Lost) => Some(id),
            },
            None => None,
        };
        let _access = self.keys.keychain_access.lock().await;
        // Another task may have created one while this one waited for the lock.
        let newest = self.context.store.current_key().await?;
        if newest != current
            && let Some(key) = newest.and_then(|id| self.keys.loaded(&id))
        {
            return Ok(key);
        }
        if let Some(lost) = lost
            && self.context.store.is_key_used(lost).await?
        {
            return Err(Error::KeyLost);
        }
        let now = self.context.clock.monotonic();
        if let Some(error) = self.keys.recent_save_failure(now) {
            return Err(error.into());
        }
        self.make_key().await
    }

    /// The key to encrypt drafts with; `None` if unavailable. After a failure, drafts do not ask the
    /// keychain again, so that typing does not trigger repeated password prompts.
    pub(crate) async fn key_for_drafts(&self) -> Result<Option<Arc<DataKey>>> {
        let keys = &self.keys;
        let refused = match self.context.store.current_key().await? {
            Some(id) => keys.loaded(&id).is_none() && keys.last_unavailable(&id).is_some(),
            None => keys.last_save_failure().is_some(),
        };
        if refused {
            return Ok(None);
        }
        match self.keychain_key().await {
            Ok(key) => Ok(Some(key)),
            Err(Error::Vault(_) | Error::KeyLost) => Ok(None),
            Err(other) => Err(other),
        }
    }

    /// Whether a key was read before, without asking the keychain.
    pub(crate) fn is_loaded(&self, id: &str) -> bool {
        self.keys.loaded(id).is_some()
    }

    /// Whether something cannot be read because the keychain does not hold its key, and no person has
    /// replaced that key: it may be in another keychain, or come back from a backup.
    pub(crate) async fn waits_for_key(&self, kept: &Option<Encrypted>) -> Result<bool, StoreError> {
        let Some(kept) = kept else {
            return Ok(false);
        };
        let current = self.context.store.current_key().await?;
        Ok(current.as_ref() == Some(&kept.key_id) && self.key(&kept.key_id).await?.is_err())
    }

    /// A key by its id, from the cache or from the keychain; checked against its check value.
    pub(crate) async fn key(
        &self,
        id: &str,
    ) -> Result<Result<Arc<DataKey>, KeyUnavailable>, StoreError> {
        let keys = &self.keys;
        if let Some(key) = keys.loaded(id) {
            return Ok(Ok(key));
        }
        let _access = keys.keychain_access.lock().await;
        if let Some(key) = keys.loaded(id) {
            return Ok(Ok(key));
        }
        if let Some(reason) = keys.unavailable(id, self.context.clock.monotonic()) {
            return Ok(Err(reason));
        }
        let found = match self.context.store.encryption_key(id).await? {
            Some(row) if row.kept => self.key_from_vault(&row).await,
            // A key of an ended process, or an unknown one.
            Some(_) | None => Err(KeyUnavailable::Lost),
        };
        let now = self.context.clock.monotonic();
        let found = found.map(|key| keys.insert(key));
        Ok(found.inspect_err(|reason| keys.set_unavailable(id, *reason, now)))
    }

    async fn key_from_vault(&self, row: &KeyRow) -> Result<DataKey, KeyUnavailable> {
        let answer = self.context.vault.token(&keychain_name(&row.id)).await;
        let secret = answer.map_err(KeyUnavailable::Keychain)?;
        let key = secret
            .and_then(|secret| DataKey::from_secret(&row.id, &secret))
            .filter(|key| key.fits(&row.check_value));
        match key {
            Some(key) => Ok(key),
            // Some unreachable keychains report an absent key: it is lost only if a test write works.
            None => Err(match self.context.vault.try_now().await {
                Ok(()) => KeyUnavailable::Lost,
                Err(error) => KeyUnavailable::Keychain(error),
            }),
        }
    }

    /// Something shows that the keychain may have lost the key that this process has.
    pub(crate) fn doubt_key(&self) {
        self.keys.in_doubt.store(true, Ordering::SeqCst);
    }

    /// After a doubt: saves the current key again if this process has it and the keychain, which
    /// answers, does not. Without it, all customers would be unreadable from the next start on.
    pub(crate) async fn give_key_back(&self) {
        if !self.keys.in_doubt.swap(false, Ordering::SeqCst) {
            return;
        }
        match self.save_missing_key().await {
            Ok(false) => {}
            Ok(true) => tracing::warn!("the keychain had lost the data key and has it again"),
            Err(error) => {
                self.doubt_key();
                tracing::warn!(%error, "it is not known whether the keychain has the data key");
            }
        }
    }

    /// Returns whether the key was missing. Never replaces what the keychain holds.
    async fn save_missing_key(&self) -> Result<bool> {
        let _access = self.keys.keychain_access.lock().await;
        let current = self.context.store.current_key().await?;
        let Some(key) = current.and_then(|id| self.keys.loaded(&id)) else {
            return Ok(false);
        };
        let (vault, name) = (&self.context.vault, key.name());
        let missing = vault.token(&name).await?.is_none();
        if missing {
            vault.keep(&name, key.secret()?).await?;
        }
        Ok(missing)
    }

    /// Creates a key, saves it, reads it back and makes it current. Sales up to now are asked about from
    /// then on where the keychain lost the high-water mark too. Needs `keychain_access`.
    async fn make_key(&self) -> Result<Arc<DataKey>> {
        let key = DataKey::mint(uuid::Uuid::new_v4())?;
        let saved = self.save_in_keychain(&key).await;
        let now = self.context.clock.monotonic();
        self.keys.record_save(saved.err(), now);
        saved?;
        if high_water::is_lost(&self.context).await? {
            self.context.store.note_gap(self.context.now()).await?;
        }
        self.add_key(&key, true).await?;
        Ok(self.keys.insert(key))
    }

    /// Saves a key in the keychain and verifies it by reading it back.
    async fn save_in_keychain(&self, key: &DataKey) -> Result<(), VaultError> {
        let (vault, name) = (&self.context.vault, key.name());
        let secret = key.secret()?;
        if let Err(error) = vault.keep(&name, secret).await {
            // The keychain may still save it later; nothing is encrypted with it.
            vault.forget_later(&name);
            return Err(error);
        }
        match vault.token(&name).await? {
            Some(secret) if DataKey::from_secret(key.id(), &secret).as_ref() == Some(key) => Ok(()),
            Some(_) | None => {
                vault.forget_later(&name);
                Err(VaultError::Failed)
            }
        }
    }

    /// The key of this process only, created on first use.
    async fn process_key(&self) -> Result<Arc<DataKey>> {
        let _access = self.keys.keychain_access.lock().await;
        if let Some(key) = self.keys.process_key() {
            return Ok(key);
        }
        let key = DataKey::mint(uuid::Uuid::new_v4())?;
        self.add_key(&key, false).await?;
        let key = self.keys.insert(key);
        self.keys.set_process_key(Arc::clone(&key));
        Ok(key)
    }

    async fn add_key(&self, key: &DataKey, kept: bool) -> Result<()> {
        let row = KeyRow {
            id: key.id().to_owned(),
            check_value: key.check_value()?,
            kept,
        };
        let context = &self.context;
        let line = kept.then(|| context.journal_line("customers.keyMade", key.id(), None));
        let at = context.clock.now().timestamp_millis();
        Ok(context.store.add_key(row, at, line).await?)
    }
}
