//! A key, what is sealed with it, and the form it has in the keychain. Pure but for randomness.
//!
//! Owns that what was sealed for one place opens nowhere else: table, row and key are part of it, and
//! of a body also what it is sent with.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use rand::{RngCore as _, TryRngCore as _};
use uuid::Uuid;
use warranty_api::Token;
pub(crate) use warranty_model::encrypted::{BodyPlace, Place, Sealed, StorePlace};
use zeroize::Zeroizing;

const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 24;

/// Known text, sealed with each key when it is made: it tells the key from another of its name.
const CHECK: &[u8] = b"Warranty Desk";

/// Something could not be sealed: the system gave no randomness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotSealed;

/// A key: 32 random bytes, wiped when it goes, never printed.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SealKey {
    id: String,
    bytes: Zeroizing<[u8; KEY_BYTES]>,
}

impl std::fmt::Debug for SealKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SealKey({}, …)", self.id)
    }
}

impl SealKey {
    /// A new key under an id, of the system's randomness.
    pub(crate) fn mint(id: Uuid) -> Result<Self, NotSealed> {
        let mut bytes = Zeroizing::new([0; KEY_BYTES]);
        rand::rngs::OsRng
            .try_fill_bytes(bytes.as_mut())
            .map_err(|_| NotSealed)?;
        Ok(Self {
            id: id.to_string(),
            bytes,
        })
    }

    /// The key of an id from its form in the keychain: 64 hexadecimal digits.
    pub(crate) fn from_secret(id: &str, secret: &Token) -> Option<Self> {
        let text = secret.expose().as_bytes();
        if text.len() != 2 * KEY_BYTES {
            return None;
        }
        let mut bytes = Zeroizing::new([0; KEY_BYTES]);
        for (byte, digits) in bytes.iter_mut().zip(text.chunks_exact(2)) {
            let digit = |at: usize| char::from(digits[at]).to_digit(16);
            *byte = u8::try_from(digit(0)? * 16 + digit(1)?).ok()?;
        }
        Some(Self {
            id: id.to_owned(),
            bytes,
        })
    }

    /// Its form in the keychain.
    pub(crate) fn secret(&self) -> Result<Token, NotSealed> {
        let mut text = Zeroizing::new(String::with_capacity(2 * KEY_BYTES));
        for byte in self.bytes.iter() {
            for digit in [byte >> 4, byte & 15] {
                text.extend(char::from_digit(digit.into(), 16));
            }
        }
        Token::new(&text).map_err(|_| NotSealed)
    }

    /// Its id.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// The name it has in the keychain.
    pub(crate) fn name(&self) -> String {
        name_of(&self.id)
    }

    /// Seals a text for its place.
    pub(crate) fn seal(&self, place: Place<'_>, text: &[u8]) -> Result<Sealed, NotSealed> {
        let mut nonce = [0; NONCE_BYTES];
        rand::rng().fill_bytes(&mut nonce);
        let sealed = self
            .cipher()
            .encrypt(
                &XNonce::from(nonce),
                Payload {
                    msg: text,
                    aad: &place.bound_to(&self.id),
                },
            )
            .map_err(|_| NotSealed)?;
        Ok(Sealed {
            key_id: self.id.clone(),
            bytes: [nonce.as_slice(), &sealed].concat(),
        })
    }

    /// Opens what was sealed with this key for this place; `None` when it was not, or was changed.
    pub(crate) fn open(&self, place: Place<'_>, sealed: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let (nonce, text) = sealed.split_first_chunk::<NONCE_BYTES>()?;
        self.cipher()
            .decrypt(
                &XNonce::from(*nonce),
                Payload {
                    msg: text,
                    aad: &place.bound_to(&self.id),
                },
            )
            .ok()
            .map(Zeroizing::new)
    }

    /// The known text, sealed, to be kept beside the id.
    pub(crate) fn check_value(&self) -> Result<Vec<u8>, NotSealed> {
        Ok(self.seal(Place::Check, CHECK)?.bytes)
    }

    /// Whether this is the key that check value was made with.
    pub(crate) fn fits(&self, check_value: &[u8]) -> bool {
        self.open(Place::Check, check_value)
            .is_some_and(|text| *text == CHECK)
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new((&*self.bytes).into())
    }
}

/// The name the key of an id has in the keychain.
pub(crate) fn name_of(key_id: &str) -> String {
    format!("customers {key_id}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    fn key(number: u128) -> SealKey {
        SealKey::mint(Uuid::from_u128(number)).unwrap()
    }

    const BODY: BodyPlace<'_> = BodyPlace {
        id: "a",
        profile_id: "profile",
        base_url: "https://service.example",
        key: Uuid::from_u128(7),
    };

    const STORE: StorePlace<'_> = StorePlace {
        id: "a",
        profile_id: "profile",
        base_url: "https://service.example/a/",
        store_id: "s",
    };

    #[test]
    fn what_is_sealed_opens_with_its_key_at_its_place() {
        let key = key(1);
        let sealed = key.seal(Place::Customer("a"), b"customer").unwrap();
        assert_eq!(sealed.key_id, key.id());
        let opened = key.open(Place::Customer("a"), &sealed.bytes).unwrap();
        assert_eq!(*opened, b"customer");
    }

    #[test]
    fn what_is_sealed_opens_at_no_other_place_and_with_no_other_key() {
        let key = key(1);
        let sealed = key.seal(Place::Customer("a"), b"customer").unwrap().bytes;
        for place in [
            Place::Customer("b"),
            Place::Body(BODY),
            Place::Run(STORE),
            Place::Draft {
                profile_id: "submission_customer",
                name: "a",
            },
            Place::Practice,
            Place::Check,
        ] {
            assert!(key.open(place, &sealed).is_none(), "{place:?}");
        }
        let other = SealKey::mint(Uuid::from_u128(1)).unwrap();
        assert!(other.open(Place::Customer("a"), &sealed).is_none());
        let renamed = SealKey {
            id: "other".into(),
            ..key.clone()
        };
        assert!(renamed.open(Place::Customer("a"), &sealed).is_none());
    }

    #[test]
    fn a_changed_or_shortened_text_does_not_open() {
        let key = key(1);
        let place = Place::Body(BODY);
        let sealed = key.seal(place, b"body").unwrap().bytes;
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert!(key.open(place, &changed).is_none(), "byte {at}");
            assert!(key.open(place, &sealed[..at]).is_none());
        }
    }

    #[test]
    fn a_body_opens_only_for_its_profile_its_address_and_its_idempotency_key() {
        let key = key(1);
        let sealed = key.seal(Place::Body(BODY), b"body").unwrap().bytes;
        for other in [
            BodyPlace { id: "b", ..BODY },
            BodyPlace {
                profile_id: "other",
                ..BODY
            },
            BodyPlace {
                base_url: "https://elsewhere.example",
                ..BODY
            },
            BodyPlace {
                key: Uuid::from_u128(8),
                ..BODY
            },
        ] {
            assert!(key.open(Place::Body(other), &sealed).is_none(), "{other:?}");
        }
        assert!(key.open(Place::Body(BODY), &sealed).is_some());
    }

    #[test]
    fn a_run_and_a_lead_open_only_for_their_profile_its_address_and_its_store() {
        let key = key(1);
        let kinds = |place| {
            [
                Place::Run(place),
                Place::Chunk(place, 1),
                Place::Lead(place),
            ]
        };
        let others = [
            StorePlace { id: "b", ..STORE },
            StorePlace {
                profile_id: "other",
                ..STORE
            },
            StorePlace {
                base_url: "https://service.example/b/",
                ..STORE
            },
            StorePlace {
                store_id: "t",
                ..STORE
            },
        ];
        for (at, kind) in kinds(STORE).into_iter().enumerate() {
            let sealed = key.seal(kind, b"text").unwrap().bytes;
            let opens = |other| key.open(other, &sealed).is_some();
            for (other_at, other) in kinds(STORE).into_iter().enumerate() {
                assert_eq!(opens(other), at == other_at, "{kind:?} as {other:?}");
            }
            for other in others {
                assert!(!opens(kinds(other)[at]), "{kind:?} at {other:?}");
            }
            assert!(!opens(Place::Chunk(STORE, 2)));
        }
    }

    #[test]
    fn the_same_text_is_never_sealed_alike() {
        let key = key(1);
        let once = key.seal(Place::Body(BODY), b"body").unwrap();
        assert_ne!(once, key.seal(Place::Body(BODY), b"body").unwrap());
    }

    #[test]
    fn a_key_comes_back_from_its_form_in_the_keychain() {
        let key = key(1);
        let secret = key.secret().unwrap();
        assert_eq!(secret.expose().len(), 64);
        assert_eq!(SealKey::from_secret(key.id(), &secret), Some(key.clone()));
        for other in ["short", &"g".repeat(64), &"0".repeat(65)] {
            let other = Token::new(other).unwrap();
            assert!(SealKey::from_secret(key.id(), &other).is_none());
        }
    }

    #[test]
    fn a_check_value_tells_a_key_from_another_of_its_name() {
        let key = key(1);
        let check = key.check_value().unwrap();
        assert!(key.fits(&check));
        assert!(!SealKey::mint(Uuid::from_u128(1)).unwrap().fits(&check));
    }

    #[test]
    fn a_key_cannot_be_printed() {
        let key = key(1);
        let printed = format!("{key:?}");
        assert!(!printed.contains(key.secret().unwrap().expose()));
        assert_eq!(printed, format!("SealKey({}, …)", key.id()));
    }
}
