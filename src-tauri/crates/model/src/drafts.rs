//! Input that is not sent yet. The page that owns a draft defines its content.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::interface::{Personal, Timestamp};

/// Longest name, in characters.
const MOST_IN_NAME: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a draft's name has 1 to 64 of the characters a-z, 0-9, '-', '.' and '/'")]
pub struct BadDraftName;

/// The name of a draft: 1 to 64 of the characters a-z, 0-9, `-`, `.` and `/`. It is not encrypted,
/// so it must not contain personal data.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(try_from = "String")]
#[specta(type = String)]
pub struct DraftName(String);

impl DraftName {
    /// Accepts a name without changing it.
    pub fn new(text: impl Into<String>) -> Result<Self, BadDraftName> {
        let text = text.into();
        let sound = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || b"-./".contains(&c);
        if (1..=MOST_IN_NAME).contains(&text.len()) && text.bytes().all(sound) {
            Ok(Self(text))
        } else {
            Err(BadDraftName)
        }
    }

    /// The form that it is of: what stands before the first `/`.
    pub fn form(&self) -> &str {
        self.0.split('/').next().unwrap_or_default()
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for DraftName {
    type Error = BadDraftName;
    fn try_from(text: String) -> Result<Self, BadDraftName> {
        Self::new(text)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum DraftPlace {
    /// In the desk's file, encrypted.
    File,
    /// In this process only: the key that encrypts customers' data is not available now.
    Memory,
    /// Not stored: the text is longer than a draft may be, or the profile has too many drafts.
    Nowhere,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum DraftState {
    Known,
    /// The keychain does not return its key now.
    Locked,
    /// Its key is lost, or the stored draft was changed from outside.
    Lost,
}

/// Input that is not sent yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    pub name: DraftName,
    pub state: DraftState,
    /// The text; `None` unless it can be read.
    pub text: Option<Personal>,
    pub kept_at: Timestamp,
}
