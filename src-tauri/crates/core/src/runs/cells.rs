//! Rows of a run, sealed and opened: they hold customers.

use serde::{Deserialize, Deserializer, Serialize};
use zeroize::Zeroizing;

use super::{Layout, RowCells};
use crate::contracts::Confirmed;
use crate::seal::{Opened, Place, SealKey, Sealed, StorePlace};
use crate::store::runs::KeptRun;
use crate::store::runs::chunks::Chunk;
use crate::vault::VaultError;
use crate::{Desk, Error};

/// A row with its number, from 1.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NumberedRow {
    #[serde(rename = "n")]
    pub number: u32,
    #[serde(rename = "l")]
    pub line: u32,
    #[serde(rename = "c")]
    pub cells: Vec<String>,
    #[serde(rename = "u", default, skip_serializing_if = "Vec::is_empty")]
    pub unclear: Vec<u32>,
    #[serde(
        rename = "y",
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "known_answers"
    )]
    pub confirmed: Vec<Confirmed>,
}

impl NumberedRow {
    /// A row handed in, under its number.
    pub(super) fn new(number: u32, row: RowCells) -> Self {
        let RowCells {
            line,
            cells,
            unclear,
            confirmed,
        } = row.bounded();
        Self {
            number,
            line: if line == 0 { number } else { line },
            cells,
            unclear,
            confirmed,
        }
    }
}

/// Answers as they are written now; one in an older form is asked for again, and costs no row.
fn known_answers<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Confirmed>, D::Error> {
    let written = Vec::<serde_json::Value>::deserialize(from)?;
    let known = written.into_iter().map(serde_json::from_value);
    Ok(known.filter_map(Result::ok).collect())
}

/// Seals rows for a chunk of a run.
pub(super) fn seal_rows(
    seal: &SealKey,
    run: StorePlace<'_>,
    chunk: u32,
    rows: &[NumberedRow],
) -> Result<Sealed, VaultError> {
    let text = Zeroizing::new(serde_json::to_vec(rows).map_err(|_| VaultError::Failed)?);
    seal.seal(Place::Chunk(run, chunk), &text)
        .map_err(|_| VaultError::Failed)
}

/// Seals the columns of a run.
pub(super) fn seal_layout(
    seal: &SealKey,
    run: StorePlace<'_>,
    layout: &Layout,
) -> Result<Sealed, VaultError> {
    let text = Zeroizing::new(serde_json::to_vec(layout).map_err(|_| VaultError::Failed)?);
    seal.seal(Place::Run(run), &text)
        .map_err(|_| VaultError::Failed)
}

impl Desk {
    /// The rows of a chunk.
    pub(super) async fn rows_in(
        &self,
        run: &KeptRun,
        chunk: &Chunk,
    ) -> Result<Opened<Vec<NumberedRow>>, Error> {
        let place = Place::Chunk(run.place(), chunk.number);
        self.opened(place, &chunk.cells).await
    }

    /// The columns of a run.
    pub(super) async fn layout_of(&self, run: &KeptRun) -> Result<Opened<Layout>, Error> {
        self.opened(Place::Run(run.place()), &run.layout).await
    }

    async fn opened<T: serde::de::DeserializeOwned>(
        &self,
        place: Place<'_>,
        sealed: &Sealed,
    ) -> Result<Opened<T>, Error> {
        if sealed.bytes.is_empty() {
            return Ok(Opened::Forgotten);
        }
        Ok(match self.key(&sealed.key_id).await? {
            Ok(key) => key
                .open(place, &sealed.bytes)
                .and_then(|text| serde_json::from_slice(&text).ok())
                .map_or(Opened::Lost, Opened::Known),
            Err(closed) => closed.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn an_answer_in_an_older_form_costs_no_row() {
        let written = r#"[{"n":1,"l":2,"c":["a"],"y":["changedPrice",{"kind":"secondContract","submissionId":"e"}]}]"#;
        let rows: Vec<NumberedRow> = serde_json::from_str(written).unwrap();
        let shown = Some("e".to_owned());
        let known = Confirmed::SecondContract {
            submission_id: shown,
        };
        assert_eq!(rows[0].confirmed, [known]);
    }
}
