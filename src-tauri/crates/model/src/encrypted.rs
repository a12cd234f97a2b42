//! Encrypted text in its stored form, and the place it is bound to.
//!
//! Guarantees that two places never share associated data. Does not contain the cipher.

use uuid::Uuid;

/// The place an encrypted text belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssociatedData<'a> {
    /// The customer of the entry of this id.
    Customer(&'a str),
    /// The body of this batch.
    Body(BatchBinding<'a>),
    /// The columns of a run.
    Run(StoreBinding<'a>),
    /// The rows of a run in the chunk of this number.
    Chunk(StoreBinding<'a>, u32),
    /// Proves which profile and store a lead was entered for.
    Lead(StoreBinding<'a>),
    /// A draft of this name under the profile of this id.
    Draft { profile_id: &'a str, name: &'a str },
    /// The token of an answer to the lead of this id.
    LeadToken(&'a str),
    /// The note of staff about the lead of this id.
    LeadNote(&'a str),
    /// Anything in the practice service's own file.
    Practice,
    /// The known text beside the key's own id.
    Check,
}

/// The place of a batch's body: it cannot be decrypted after a move to another profile, address or
/// key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchBinding<'a> {
    pub id: &'a str,
    pub profile_id: &'a str,
    /// The base address it was built for.
    pub base_url: &'a str,
    pub key: Uuid,
}

/// The place of data entered for a store: it cannot be decrypted under another profile, or after
/// its profile moved to another store or address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreBinding<'a> {
    pub id: &'a str,
    pub profile_id: &'a str,
    /// The base address it was entered for.
    pub base_url: &'a str,
    pub store_id: &'a str,
}

impl<'a> StoreBinding<'a> {
    fn words(self, table: &'a str, part: &'a str) -> [&'a str; 6] {
        let Self {
            id,
            profile_id,
            base_url,
            store_id,
        } = self;
        [table, id, profile_id, base_url, store_id, part]
    }
}

impl AssociatedData<'_> {
    /// The associated data to authenticate. Ids and addresses contain no NUL, so no two places
    /// share it.
    pub fn bound_to(self, key_id: &str) -> Vec<u8> {
        let idempotency_key;
        let (number, stored);
        let place: &[&str] = match self {
            Self::Customer(id) => &["submission_customer", id],
            Self::Body(body) => {
                idempotency_key = body.key.to_string();
                &[
                    "batch",
                    body.id,
                    body.profile_id,
                    body.base_url,
                    &idempotency_key,
                ]
            }
            Self::Draft { profile_id, name } => &["draft", profile_id, name],
            Self::Run(run) => {
                stored = run.words("run", "");
                &stored
            }
            Self::Chunk(run, chunk) => {
                number = chunk.to_string();
                stored = run.words("chunk", &number);
                &stored
            }
            Self::Lead(lead) => {
                stored = lead.words("lead_store", "");
                &stored
            }
            Self::LeadToken(id) => &["lead", id],
            Self::LeadNote(id) => &["lead_note", id],
            Self::Practice => &["practice", ""],
            Self::Check => &["encryption_key", ""],
        };
        [place, &[key_id]].concat().join("\0").into_bytes()
    }
}

/// Encrypted text in its stored form: nonce (24 bytes), text and tag (16 bytes), and the id of its
/// key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encrypted {
    pub key_id: String,
    pub bytes: Vec<u8>,
}
