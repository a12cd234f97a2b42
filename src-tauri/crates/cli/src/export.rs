//! Lists into files: `--export FILE` of every command that lists.

use std::path::{Path, PathBuf};

use serde::Serialize;
use warranty_core::Error;
use warranty_core::files::private_file::{self, Existing};
use warranty_core::files::{Format, WriteError};
use warranty_core::lists::List;
use warranty_core::plans::PlanShelf;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::{Context, Session};
use crate::signals::StopSignal;

/// Where a list goes, by a name that says in which form.
#[derive(Debug, Clone)]
pub struct ListFile {
    path: PathBuf,
    format: Format,
}

/// What was written.
#[derive(Debug, Serialize)]
struct Exported<'a> {
    file: &'a Path,
    rows: u64,
}

/// Reads the argument of `--export`.
///
/// # Errors
/// Words for a name that does not say what the file is to be.
pub fn list_file(text: &str) -> Result<ListFile, String> {
    let path = PathBuf::from(text);
    match Format::named(&path) {
        Some(format) => Ok(ListFile { path, format }),
        None => Err("its name must end in .csv or .xlsx".to_owned()),
    }
}

/// Writes all that a list's filter finds into a file that must not exist yet.
///
/// # Errors
/// [`Failure::Export`]; the desk's own.
pub async fn list(context: &Context, list: &List, file: &ListFile) -> Result<Exit, Failure> {
    file.try_place()?;
    // It is noted in the journal, where this process may write it.
    context
        .remembering(async |session| {
            let ListFile { path, format } = file;
            let mut stop = StopSignal::new().map_err(Failure::Runtime)?;
            // What is given up leaves no half of a file behind.
            let written = tokio::select! {
                written = session.desk.list_export(list, path, *format, Existing::Refuse) => written,
                () = stop.received() => return Err(Failure::Stopped),
            };
            file.tell(context, written)?;
            Ok(Exit::Done)
        })
        .await
}

/// Writes the plans that were read of a product into a file that must not exist yet.
///
/// # Errors
/// As [`list`].
pub async fn shelf(
    context: &Context,
    session: &Session,
    shelf: &PlanShelf,
    file: &ListFile,
) -> Result<(), Failure> {
    let ListFile { path, format } = file;
    let export = session
        .desk
        .shelf_export(shelf, path, *format, Existing::Refuse);
    file.tell(context, export.await)
}

impl ListFile {
    /// Sees to it before anything is asked or read that the file can be put there.
    ///
    /// # Errors
    /// [`Failure::Export`].
    pub fn try_place(&self) -> Result<(), Failure> {
        private_file::try_place(&self.path).map_err(|error| self.failure(WriteError::Io(error)))
    }

    fn tell(&self, context: &Context, written: Result<u64, Error>) -> Result<(), Failure> {
        let file = self.path.as_path();
        let rows = match written {
            Ok(rows) => rows,
            Err(Error::Write(source)) => return Err(self.failure(source)),
            Err(error) => return Err(error.into()),
        };
        context.output.result(&Exported { file, rows }, || {
            let noun = if rows == 1 { "row is" } else { "rows are" };
            format!("{rows} {noun} in {}.\n", file.display())
        })
    }

    fn failure(&self, source: WriteError) -> Failure {
        Failure::Export {
            path: self.path.clone(),
            source,
        }
    }
}
