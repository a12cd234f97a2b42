//! Remembers how a person mapped columns to fields, by a hash of the headers.
//!
//! Stores no headers: in a file without any, they would be the first row of customers.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use warranty_files::{Mapping, guess};
use warranty_model::search_text::fold;

use super::Bulk;
use crate::Result;
use crate::bulk::RunKind;
use warranty_store::settings::COLUMN_MAPPINGS;

/// How many sets of headers are remembered.
const MOST: usize = 50;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Remembered {
    kind: RunKind,
    headers: String,
    mapping: Mapping,
}

impl Bulk {
    /// The columns of a file with these headers, as a person mapped them the last time.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn mapping_remembered(
        &self,
        kind: RunKind,
        headers: &[String],
    ) -> Result<Option<Mapping>> {
        let all = self.context.store.setting(COLUMN_MAPPINGS).await?;
        let print = fingerprint(headers);
        let mut all = read(all.as_deref()).into_iter();
        let found = all.find(|one| one.kind == kind && one.headers == print);
        Ok(found.map(|one| one.mapping))
    }

    /// Remembers how a person mapped a file with these headers; a mapping
    /// that the headers give by themselves is not stored.
    ///
    /// # Errors
    /// [`Error::InUse`] on a desk opened to read; [`Error::Store`] when it cannot be kept.
    pub async fn mapping_remember(
        &self,
        kind: RunKind,
        headers: &[String],
        mapping: &Mapping,
    ) -> Result<()> {
        self.context.writable()?;
        let one = Remembered {
            kind,
            headers: fingerprint(headers),
            mapping: mapping.clone(),
        };
        let plain = guess(headers, kind).mapping.same_as(mapping);
        let change = move |all: Option<String>| {
            let mut all = read(all.as_deref());
            all.retain(|other| other.kind != one.kind || other.headers != one.headers);
            if !plain {
                all.insert(0, one);
            }
            all.truncate(MOST);
            // Plain data whose maps have text keys: it can always be written as JSON.
            serde_json::to_string(&all).unwrap_or_default()
        };
        let store = &self.context.store;
        store.change_setting(COLUMN_MAPPINGS, change).await?;
        Ok(())
    }
}

/// Ignores a text that another version wrote in another form.
fn read(text: Option<&str>) -> Vec<Remembered> {
    text.and_then(|text| serde_json::from_str(text).ok())
        .unwrap_or_default()
}

/// Of each header whole: "(tax included)" tells two columns apart.
fn fingerprint(headers: &[String]) -> String {
    let mut hash = Sha256::new();
    for header in headers {
        hash.update(fold(header.trim()));
        hash.update([0]);
    }
    format!("{:x}", hash.finalize())
}
