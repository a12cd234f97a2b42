//! Rows of a run, which hold customers, encrypted and decrypted.

use serde::{Deserialize, Serialize};

use super::Bulk;
use super::{Layout, RowCells};
use crate::Error;
use crate::contracts::Confirmed;
use crate::encryption::{AssociatedData, Opened, json};
use warranty_store::runs::KeptRun;
use warranty_store::runs::chunks::Chunk;

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
    #[serde(rename = "y", default, skip_serializing_if = "Vec::is_empty")]
    pub confirmed: Vec<Confirmed>,
}

impl NumberedRow {
    /// A submitted row, under its number.
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

impl Bulk {
    /// The rows of a chunk.
    pub(super) async fn rows_in(
        &self,
        run: &KeptRun,
        chunk: &Chunk,
    ) -> Result<Opened<Vec<NumberedRow>>, Error> {
        let place = AssociatedData::Chunk(run.place(), chunk.number);
        if chunk.cells.bytes.is_empty() {
            return Ok(Opened::Forgotten);
        }
        Ok(self.encryption.decrypt(place, &chunk.cells, json).await?)
    }

    /// The columns of a run.
    pub(super) async fn layout_of(&self, run: &KeptRun) -> Result<Opened<Layout>, Error> {
        if run.layout.bytes.is_empty() {
            return Ok(Opened::Forgotten);
        }
        let place = AssociatedData::Run(run.place());
        Ok(self.encryption.decrypt(place, &run.layout, json).await?)
    }
}
