//! `--export FILE`: writes a list to a file.

use std::path::{Path, PathBuf};

use serde::Serialize;
use warranty_core::Error;
use warranty_core::export::List;
use warranty_core::files::private_file::{self, Existing};
use warranty_core::files::{Format, WriteError};
use warranty_core::plans::PlanList;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::messages::text;
use crate::session::{Context, Session};
use crate::signals::StopSignal;

/// The file of an exported list. Its extension decides the format.
#[derive(Debug, Clone)]
pub struct ListFile {
    path: PathBuf,
    format: Format,
}

/// The result of an export.
#[derive(Debug, Serialize)]
struct Exported<'a> {
    file: &'a Path,
    rows: u64,
}

/// Reads the argument of `--export`.
///
/// # Errors
/// When the extension is neither .csv nor .xlsx.
pub fn list_file(text: &str) -> Result<ListFile, String> {
    let path = PathBuf::from(text);
    match Format::named(&path) {
        Some(format) => Ok(ListFile { path, format }),
        None => Err("its name must end in .csv or .xlsx".to_owned()),
    }
}

/// Writes all rows of a list to a file that must not exist yet.
///
/// # Errors
/// [`Failure::Export`]; errors of the core.
pub async fn list(context: &Context, list: &List, file: &ListFile) -> Result<Exit, Failure> {
    file.try_place()?;
    // Exports are recorded in the journal where this process may write it.
    context
        .remembering(async |session| {
            let ListFile { path, format } = file;
            let mut stop = StopSignal::new().map_err(Failure::Runtime)?;
            // A stopped export leaves no partial file.
            let written = tokio::select! {
                written = session.desk.exports.list(list, path, *format, Existing::Refuse) => written,
                () = stop.received() => return Err(Failure::Stopped),
            };
            file.finish(context, written)?;
            Ok(Exit::Done)
        })
        .await
}

/// Writes a product's plans to a file that must not exist yet.
///
/// # Errors
/// As [`list`].
pub async fn plan_list(
    context: &Context,
    session: &Session,
    plan_list: &PlanList,
    file: &ListFile,
) -> Result<(), Failure> {
    let ListFile { path, format } = file;
    let export = session
        .desk
        .exports
        .plan_list(plan_list, path, *format, Existing::Refuse);
    file.finish(context, export.await)
}

impl ListFile {
    /// Checks in advance that the file can be created.
    ///
    /// # Errors
    /// [`Failure::Export`].
    pub fn try_place(&self) -> Result<(), Failure> {
        private_file::try_place(&self.path).map_err(|error| self.failure(WriteError::Io(error)))
    }

    fn finish(&self, context: &Context, written: Result<u64, Error>) -> Result<(), Failure> {
        let file = self.path.as_path();
        let rows = match written {
            Ok(rows) => rows,
            Err(Error::Write(source)) => return Err(self.failure(source)),
            Err(error) => return Err(error.into()),
        };
        context.output.result(&Exported { file, rows }, || {
            let (count, path) = (rows.to_string(), file.to_string_lossy());
            text("wdesk.exported", &[("count", &count), ("path", &path)]) + "\n"
        })
    }

    fn failure(&self, source: WriteError) -> Failure {
        Failure::Export {
            path: self.path.clone(),
            source,
        }
    }
}
