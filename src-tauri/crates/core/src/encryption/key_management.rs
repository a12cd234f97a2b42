//! The key in the keychain: made once, read once a process, never made over one that is gone.

use std::sync::Arc;

use warranty_vault::keychain_name;

use super::Encryption;
use super::{AssociatedData, Closed, Customers, DataKey};
use crate::{Error, StoreError};
use warranty_model::profile::{Profile, ProfileKind};
use warranty_store::encryption_keys::KeyRow;
use warranty_store::reencryption::NoRandomness;
use warranty_vault::VaultError;

impl Encryption {
    /// Takes a new key, because the old one is gone or shall not be used any more. What an old key
    /// still opens is encrypted with the new one, and the old key is deleted from the keychain. What
    /// was encrypted with a key that is gone stays as it is, and is read again should that come back.
    ///
    /// # Errors
    /// [`Error::InUse`] on a desk opened to read; [`Error::Vault`] when the keychain cannot keep
    /// it: then nothing has changed; also when it keeps the new key and cannot delete an old one:
    /// then the new one is in use, and the old one is left for the next time; [`Error::Store`].
    pub async fn renew_key(&self) -> Result<Customers, Error> {
        self.context.writable()?;
        let key = {
            let _turn = self.keys.turn.lock().await;
            self.make_key().await?
        };
        self.keys.ask_again();
        self.retire_older_keys(&key).await?;
        self.forget_when_due().await;
        self.context.work.wake();
        Ok(Customers::Readable)
    }

    /// Encrypts with a key what older ones open, takes a copy of the desk's file, and only then
    /// deletes those from the keychain: copies from before can be read with an old key alone. One
    /// that does not come from the keychain now is left for the next time, and so are all when no
    /// copy can be taken.
    async fn retire_older_keys(&self, key: &Arc<DataKey>) -> Result<(), Error> {
        let store = &self.context.store;
        let older = store.older_keys(key.id()).await?;
        let mut unused = Vec::new();
        for id in older {
            let Ok(old) = self.key(&id).await? else {
                continue;
            };
            let new = Arc::clone(key);
            let change = move |place: AssociatedData<'_>, bytes: &[u8]| {
                let Some(text) = old.decrypt(place, bytes) else {
                    return Ok(None);
                };
                new.encrypt(place, &text)
                    .map(|encrypted| Some(encrypted.bytes))
                    .map_err(|_| NoRandomness)
            };
            store.reencrypt(&id, key.id(), change).await?;
            // This process keeps it: what was read before this change is opened with it still. One
            // that something still needs stays in the keychain too.
            if !self.context.store.is_key_used(&id).await? {
                unused.push(id);
            }
        }
        if unused.is_empty() || !self.context.backups.keep_now().await {
            return Ok(());
        }
        for id in unused {
            self.context.vault.forget(&keychain_name(&id)).await?;
        }
        Ok(())
    }

    /// Whether customers can be read here: asked of the keychain, when that was not done before.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn state(&self) -> Result<Customers, Error> {
        self.customers(true).await
    }

    /// Whether customers can be read under a profile: while practising, no keychain is asked.
    pub(crate) async fn state_under(&self, profile: Option<&Profile>) -> Result<Customers, Error> {
        self.customers(profile.is_some_and(|profile| profile.kind == ProfileKind::Live))
            .await
    }

    async fn customers(&self, ask: bool) -> Result<Customers, Error> {
        let keys = &self.keys;
        let Some(id) = self.context.store.current_key().await? else {
            // Nothing is encrypted yet.
            return Ok(Customers::Readable);
        };
        if keys.opened(&id).is_some() {
            return Ok(Customers::Readable);
        }
        let closed = if ask {
            self.key(&id).await?.err()
        } else {
            keys.last_closed(&id)
        };
        Ok(match closed {
            Some(Closed::Lost) if !self.context.store.is_key_used(&id).await? => {
                Customers::Readable
            }
            Some(closed) => closed.into(),
            None => Customers::Readable,
        })
    }

    /// The key to encrypt new entries of a profile with, made now when there never was one. While
    /// practising without a keychain it is one of this process alone.
    ///
    /// # Errors
    /// [`Error::Vault`] when the keychain does not give or keep it; [`Error::KeyLost`] when it is
    /// gone while something is encrypted with it; [`Error::Store`].
    pub(crate) async fn key_for(&self, profile: &Profile) -> Result<Arc<DataKey>, Error> {
        self.key_for_kind(profile.kind).await
    }

    /// The same for a kind of profile.
    pub(super) async fn key_for_kind(&self, kind: ProfileKind) -> Result<Arc<DataKey>, Error> {
        match kind {
            ProfileKind::Live => {
                // A person waits who may have unlocked the keychain just now.
                self.keys.ask_again();
                self.kept_key().await
            }
            ProfileKind::Practice => match self.keys.own() {
                Some(own) => Ok(own),
                None => match self.kept_key().await {
                    Err(Error::Vault(_) | Error::KeyLost) => self.own_key().await,
                    other => other,
                },
            },
        }
    }

    /// The key that the keychain keeps for new entries, made now when there never was one.
    pub(super) async fn kept_key(&self) -> Result<Arc<DataKey>, Error> {
        let current = self.context.store.current_key().await?;
        let lost = match &current {
            Some(id) => match self.key(id).await? {
                Ok(key) => return Ok(key),
                Err(Closed::Keychain(error)) => return Err(error.into()),
                Err(Closed::Lost) => Some(id),
            },
            None => None,
        };
        let _turn = self.keys.turn.lock().await;
        // Another may have made one while this one waited for its turn.
        let now = self.context.store.current_key().await?;
        if now != current
            && let Some(key) = now.and_then(|id| self.keys.opened(&id))
        {
            return Ok(key);
        }
        if let Some(lost) = lost
            && self.context.store.is_key_used(lost).await?
        {
            return Err(Error::KeyLost);
        }
        if let Some(error) = self.keys.unkept(self.context.clock.monotonic()) {
            return Err(error.into());
        }
        self.make_key().await
    }

    /// The key to encrypt drafts with; `None` while there is none. Typing must not make a keychain ask
    /// for its password again and again: one that refused is asked anew by others only.
    pub(crate) async fn key_for_drafts(&self) -> Result<Option<Arc<DataKey>>, Error> {
        let keys = &self.keys;
        let refused = match self.context.store.current_key().await? {
            Some(id) => keys.opened(&id).is_none() && keys.last_closed(&id).is_some(),
            None => keys.last_unkept().is_some(),
        };
        if refused {
            return Ok(None);
        }
        match self.kept_key().await {
            Ok(key) => Ok(Some(key)),
            Err(Error::Vault(_) | Error::KeyLost) => Ok(None),
            Err(other) => Err(other),
        }
    }

    /// A key by its id: from this process, or from the keychain and held against its check value.
    pub(crate) async fn key(&self, id: &str) -> Result<Result<Arc<DataKey>, Closed>, StoreError> {
        let keys = &self.keys;
        if let Some(key) = keys.opened(id) {
            return Ok(Ok(key));
        }
        let _turn = keys.turn.lock().await;
        if let Some(key) = keys.opened(id) {
            return Ok(Ok(key));
        }
        if let Some(closed) = keys.closed(id, self.context.clock.monotonic()) {
            return Ok(Err(closed));
        }
        let found = match self.context.store.encryption_key(id).await? {
            Some(row) if row.kept => self.key_from_vault(&row).await,
            // A key of a process that has ended, or of none.
            Some(_) | None => Err(Closed::Lost),
        };
        Ok(match found {
            Ok(key) => Ok(keys.remember(key)),
            Err(closed) => {
                keys.close(id, closed, self.context.clock.monotonic());
                Err(closed)
            }
        })
    }

    async fn key_from_vault(&self, row: &KeyRow) -> Result<DataKey, Closed> {
        let answer = self.context.vault.token(&keychain_name(&row.id)).await;
        let secret = answer.map_err(Closed::Keychain)?;
        let key = secret
            .and_then(|secret| DataKey::from_secret(&row.id, &secret))
            .filter(|key| key.fits(&row.check_value));
        match key {
            Some(key) => Ok(key),
            // Some keychains say that nothing is kept when they are not there at all: only one that
            // works has lost something.
            None => Err(match self.context.vault.try_now().await {
                Ok(()) => Closed::Lost,
                Err(error) => Closed::Keychain(error),
            }),
        }
    }

    /// Makes a key, has it kept, reads it back, and takes it for new entries. Within a turn.
    async fn make_key(&self) -> Result<Arc<DataKey>, Error> {
        let key = self.new_key()?;
        let kept = self.give_to_vault(&key).await;
        let now = self.context.clock.monotonic();
        self.keys.note_kept(kept.err(), now);
        kept?;
        self.add_key(&key, true).await?;
        Ok(self.keys.remember(key))
    }

    /// Gives a key to the keychain and makes sure that it comes back.
    async fn give_to_vault(&self, key: &DataKey) -> Result<(), VaultError> {
        let (vault, name) = (&self.context.vault, key.name());
        let secret = key.secret()?;
        if let Err(error) = vault.keep(&name, secret).await {
            // It may be kept too late; nothing is encrypted with it.
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

    /// A key for this process alone.
    async fn own_key(&self) -> Result<Arc<DataKey>, Error> {
        let _turn = self.keys.turn.lock().await;
        if let Some(own) = self.keys.own() {
            return Ok(own);
        }
        let key = self.new_key()?;
        self.add_key(&key, false).await?;
        let key = self.keys.remember(key);
        self.keys.set_own(Arc::clone(&key));
        Ok(key)
    }

    fn new_key(&self) -> Result<DataKey, VaultError> {
        DataKey::mint(uuid::Uuid::new_v4())
    }

    async fn add_key(&self, key: &DataKey, kept: bool) -> Result<(), Error> {
        let row = KeyRow {
            id: key.id().to_owned(),
            check_value: key.check_value()?,
            kept,
        };
        let line = kept.then(|| {
            self.context
                .journal_line("customers.keyMade", key.id(), None)
        });
        let at = self.context.clock.now().timestamp_millis();
        Ok(self.context.store.add_key(row, at, line).await?)
    }
}
