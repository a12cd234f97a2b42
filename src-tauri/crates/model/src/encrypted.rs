//! Encrypted text in its stored form, and the place it is bound to.
//!
//! Guarantees that two places never share associated data. Does not contain the cipher.

use uuid::Uuid;

/// The place an encrypted text belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssociatedData<'a> {
    /// The customer of the entry of this id.
    Customer(&'a str),
    Body(BatchBinding<'a>),
    /// The columns of a run.
    Run(StoreBinding<'a>),
    /// The rows of a run in the chunk of this number.
    Chunk(StoreBinding<'a>, u32),
    /// Proves which profile and store a lead was entered for.
    Lead(StoreBinding<'a>),
    /// A draft of this name under the profile of this id.
    Draft {
        profile_id: &'a str,
        name: &'a str,
    },
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

impl StoreBinding<'_> {
    fn place(self, table: &str, part: &str) -> String {
        let Self {
            id,
            profile_id,
            base_url,
            store_id,
        } = self;
        format!("{table}\0{id}\0{profile_id}\0{base_url}\0{store_id}\0{part}")
    }
}

impl AssociatedData<'_> {
    /// The associated data to authenticate. Ids and addresses contain no NUL, so no two places
    /// share it.
    pub fn bound_to(self, key_id: &str) -> Vec<u8> {
        let place = match self {
            Self::Customer(id) => format!("submission_customer\0{id}"),
            Self::Body(BatchBinding {
                id,
                profile_id,
                base_url,
                key,
            }) => format!("batch\0{id}\0{profile_id}\0{base_url}\0{key}"),
            Self::Draft { profile_id, name } => format!("draft\0{profile_id}\0{name}"),
            Self::Run(run) => run.place("run", ""),
            Self::Chunk(run, chunk) => run.place("chunk", &chunk.to_string()),
            Self::Lead(lead) => lead.place("lead_store", ""),
            Self::LeadToken(id) => format!("lead\0{id}"),
            Self::LeadNote(id) => format!("lead_note\0{id}"),
            Self::Practice => "practice\0".to_owned(),
            Self::Check => "encryption_key\0".to_owned(),
        };
        format!("{place}\0{key_id}").into_bytes()
    }
}

/// Encrypted text in its stored form: nonce (24 bytes), text and tag (16 bytes), and the id of its
/// key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encrypted {
    pub key_id: String,
    pub bytes: Vec<u8>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_written_as_in_the_files_that_exist() {
        let store = StoreBinding {
            id: "id",
            profile_id: "profile",
            base_url: "url",
            store_id: "store",
        };
        let body = BatchBinding {
            id: "id",
            profile_id: "profile",
            base_url: "url",
            key: Uuid::nil(),
        };
        let draft = AssociatedData::Draft {
            profile_id: "profile",
            name: "name",
        };
        for (place, words) in [
            (AssociatedData::Customer("id"), "submission_customer|id|key"),
            (
                AssociatedData::Body(body),
                "batch|id|profile|url|00000000-0000-0000-0000-000000000000|key",
            ),
            (draft, "draft|profile|name|key"),
            (AssociatedData::Run(store), "run|id|profile|url|store||key"),
            (
                AssociatedData::Chunk(store, 7),
                "chunk|id|profile|url|store|7|key",
            ),
            (
                AssociatedData::Lead(store),
                "lead_store|id|profile|url|store||key",
            ),
            (AssociatedData::LeadToken("id"), "lead|id|key"),
            (AssociatedData::LeadNote("id"), "lead_note|id|key"),
            (AssociatedData::Practice, "practice||key"),
            (AssociatedData::Check, "encryption_key||key"),
        ] {
            assert_eq!(place.bound_to("key"), words.replace('|', "\0").as_bytes());
        }
    }
}
