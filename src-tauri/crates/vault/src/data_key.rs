//! A data key: encryption, decryption, and its form in the keychain.
//!
//! Guarantees that data encrypted for one row cannot be decrypted for another: the associated data
//! names the row and is authenticated.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use rand::{RngCore as _, TryRngCore as _};
use serde::Serialize;
use uuid::Uuid;
use warranty_model::encrypted::{AssociatedData, Encrypted};
use warranty_model::interface::Token;
use zeroize::Zeroizing;

use super::VaultError;

const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 24;

/// Known text, encrypted with each new key, to recognise a different key stored under the same
/// name.
const CHECK: &[u8] = b"Warranty Desk";

/// A key of 32 random bytes; wiped from memory on drop, never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct DataKey {
    id: String,
    bytes: Zeroizing<[u8; KEY_BYTES]>,
}

impl std::fmt::Debug for DataKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DataKey({}, …)", self.id)
    }
}

impl DataKey {
    /// Creates a random key under an id.
    pub fn mint(id: Uuid) -> Result<Self, VaultError> {
        let mut bytes = Zeroizing::new([0; KEY_BYTES]);
        rand::rngs::OsRng
            .try_fill_bytes(bytes.as_mut())
            .map_err(|_| VaultError::Failed)?;
        Ok(Self {
            id: id.to_string(),
            bytes,
        })
    }

    /// The key of an id, parsed from its form in the keychain: 64 hexadecimal digits.
    pub fn from_secret(id: &str, secret: &Token) -> Option<Self> {
        let mut bytes = Zeroizing::new([0; KEY_BYTES]);
        hex::decode_to_slice(secret.expose(), bytes.as_mut()).ok()?;
        Some(Self {
            id: id.to_owned(),
            bytes,
        })
    }

    /// Its form in the keychain.
    pub fn secret(&self) -> Result<Token, VaultError> {
        let text = Zeroizing::new(hex::encode(self.bytes.as_slice()));
        Token::new(&text).map_err(|_| VaultError::Failed)
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    pub fn name(&self) -> String {
        keychain_name(&self.id)
    }

    /// Encrypts a text for one place.
    ///
    /// # Errors
    /// [`VaultError::Failed`] when the system provides no random numbers.
    pub fn encrypt(&self, place: AssociatedData<'_>, text: &[u8]) -> Result<Encrypted, VaultError> {
        let mut nonce = [0; NONCE_BYTES];
        rand::rng().fill_bytes(&mut nonce);
        let payload = Payload {
            msg: text,
            aad: &place.bound_to(&self.id),
        };
        let encrypted = self.cipher().encrypt(&XNonce::from(nonce), payload);
        let encrypted = encrypted.map_err(|_| VaultError::Failed)?;
        Ok(Encrypted {
            key_id: self.id.clone(),
            bytes: [nonce.as_slice(), &encrypted].concat(),
        })
    }

    /// Encrypts a value as JSON for one place.
    pub fn encrypt_json<T: Serialize + ?Sized>(
        &self,
        place: AssociatedData<'_>,
        value: &T,
    ) -> Result<Encrypted, VaultError> {
        let text = Zeroizing::new(serde_json::to_vec(value).map_err(|_| VaultError::Failed)?);
        self.encrypt(place, &text)
    }

    /// Decrypts a text; `None` if another key or another place was used, or if the data was
    /// changed.
    pub fn decrypt(
        &self,
        place: AssociatedData<'_>,
        encrypted: &[u8],
    ) -> Option<Zeroizing<Vec<u8>>> {
        let (nonce, text) = encrypted.split_first_chunk::<NONCE_BYTES>()?;
        let payload = Payload {
            msg: text,
            aad: &place.bound_to(&self.id),
        };
        let decrypted = self.cipher().decrypt(&XNonce::from(*nonce), payload);
        decrypted.ok().map(Zeroizing::new)
    }

    /// The encrypted known text, stored beside the id.
    pub fn check_value(&self) -> Result<Vec<u8>, VaultError> {
        Ok(self.encrypt(AssociatedData::Check, CHECK)?.bytes)
    }

    /// Whether the check value was made with this key.
    pub fn fits(&self, check_value: &[u8]) -> bool {
        self.decrypt(AssociatedData::Check, check_value)
            .is_some_and(|text| *text == CHECK)
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new((&*self.bytes).into())
    }
}

pub fn keychain_name(key_id: &str) -> String {
    format!("customers {key_id}")
}

#[cfg(test)]
mod tests {
    use warranty_model::encrypted::{BatchBinding, StoreBinding};

    use super::*;

    fn key(number: u128) -> DataKey {
        DataKey::mint(Uuid::from_u128(number)).unwrap()
    }

    const BODY: BatchBinding<'_> = BatchBinding {
        id: "a",
        profile_id: "profile",
        base_url: "https://service.example",
        key: Uuid::from_u128(7),
    };

    const STORE: StoreBinding<'_> = StoreBinding {
        id: "a",
        profile_id: "profile",
        base_url: "https://service.example/a/",
        store_id: "s",
    };

    #[test]
    fn what_is_encrypted_is_decrypted_at_no_other_place_and_with_no_other_key() {
        let key = key(1);
        let own = AssociatedData::Customer("a");
        let encrypted = key.encrypt(own, b"customer").unwrap().bytes;
        for place in [
            AssociatedData::Customer("b"),
            AssociatedData::Body(BODY),
            AssociatedData::Run(STORE),
            AssociatedData::Draft {
                profile_id: "submission_customer",
                name: "a",
            },
            AssociatedData::Practice,
            AssociatedData::Check,
        ] {
            assert!(key.decrypt(place, &encrypted).is_none(), "{place:?}");
        }
        let renamed = DataKey {
            id: "other".into(),
            ..key
        };
        for other in [self::key(1), renamed] {
            assert!(other.decrypt(own, &encrypted).is_none());
        }
    }

    #[test]
    fn a_changed_or_shortened_text_is_not_decrypted() {
        let key = key(1);
        let place = AssociatedData::Body(BODY);
        let encrypted = key.encrypt(place, b"body").unwrap().bytes;
        for at in 0..encrypted.len() {
            let mut changed = encrypted.clone();
            changed[at] ^= 1;
            assert!(key.decrypt(place, &changed).is_none(), "byte {at}");
            assert!(key.decrypt(place, &encrypted[..at]).is_none());
        }
    }

    #[test]
    fn the_same_text_is_never_encrypted_alike() {
        let key = key(1);
        let encrypt = || key.encrypt(AssociatedData::Body(BODY), b"body").unwrap();
        assert_ne!(encrypt(), encrypt());
    }

    #[test]
    fn a_key_comes_back_from_its_form_in_the_keychain() {
        let key = key(1);
        let secret = key.secret().unwrap();
        assert_eq!(secret.expose().len(), 64);
        assert_eq!(DataKey::from_secret(key.id(), &secret), Some(key.clone()));
        for other in ["short", &"g".repeat(64), &"0".repeat(65)] {
            let other = Token::new(other).unwrap();
            assert!(DataKey::from_secret(key.id(), &other).is_none());
        }
    }

    #[test]
    fn a_key_cannot_be_printed() {
        let key = key(1);
        let printed = format!("{key:?}");
        assert!(!printed.contains(key.secret().unwrap().expose()));
        assert_eq!(printed, format!("DataKey({}, …)", key.id()));
    }
}
