//! Rows of a run, which hold customers, encrypted and decrypted.

use super::Bulk;
use super::Layout;
use crate::Result;
use crate::encryption::{AssociatedData, Decrypted, json};
pub(super) use warranty_files::layout::NumberedRow;
use warranty_store::runs::KeptRun;
use warranty_store::runs::chunks::Chunk;

impl Bulk {
    pub(super) async fn rows_in(
        &self,
        run: &KeptRun,
        chunk: &Chunk,
    ) -> Result<Decrypted<Vec<NumberedRow>>> {
        let place = AssociatedData::Chunk(run.place(), chunk.number);
        if chunk.cells.bytes.is_empty() {
            return Ok(Decrypted::Deleted);
        }
        Ok(self.encryption.decrypt(place, &chunk.cells, json).await?)
    }

    pub(super) async fn layout_of(&self, run: &KeptRun) -> Result<Decrypted<Layout>> {
        if run.layout.bytes.is_empty() {
            return Ok(Decrypted::Deleted);
        }
        let place = AssociatedData::Run(run.place());
        Ok(self.encryption.decrypt(place, &run.layout, json).await?)
    }
}
