//! How a file is to be read, as far as a person knows better than the detection.
//!
//! Owns these options of every command that takes a file, and which column is meant by them.

use std::path::Path;

use clap::{Args, ValueEnum};
use warranty_core::Error;
use warranty_core::files::{Detected, Mapping, ReadOptions, RowKind, Separator};
use warranty_core::imports::FileToStage;
use warranty_core::runs::RunKind;

use crate::desk::Session;
use crate::failure::Failure;
use crate::values::EncodingArg;

/// What may be said of any file.
#[derive(Debug, Clone, Args)]
pub struct FileArgs {
    /// How a text file is written
    #[arg(long, value_enum, default_value = "detect")]
    pub encoding: EncodingArg,
    /// What parts the cells of a text file [default: what its first lines have most of]
    #[arg(long, value_enum)]
    pub separator: Option<SeparatorArg>,
    /// The sheet of a workbook [default: the first that has these columns]
    #[arg(long, value_name = "NAME")]
    pub sheet: Option<String>,
    /// The line with the headers; 0 when there are none [default: the line that names most columns]
    #[arg(long, value_name = "LINE")]
    pub header_line: Option<u32>,
    /// Read a field from this column, by its header or its number from 1; may be repeated
    #[arg(long, value_name = "FIELD=COLUMN", value_parser = mapped)]
    pub map: Vec<(String, String)>,
}

/// What parts the cells.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum SeparatorArg {
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// The tabulator
    Tab,
}

impl FileArgs {
    /// The file of these rows as it is to be read: its columns are those chosen here, else those
    /// that were chosen in the window for the same headers, else what the headers say.
    ///
    /// # Errors
    /// [`Failure::Map`]; the desk's own, for files that cannot be read.
    pub async fn file(
        &self,
        session: &Session,
        path: &Path,
        kind: RunKind,
    ) -> Result<FileToStage, Failure> {
        let profile_id = session.profile().await?.id;
        let file = session.desk.file_open(path, kind, self.options()).await?;
        let chosen = self.chosen(kind.into(), file.detected())?;
        let mapping = file.mapping_with(&chosen).map_err(Error::File)?;
        Ok(FileToStage {
            profile_id,
            file,
            mapping,
            // What was said for one run of a script does not count for the window's next file.
            remember: false,
        })
    }

    fn options(&self) -> ReadOptions {
        ReadOptions {
            encoding: self.encoding.into(),
            separator: self.separator.map(|separator| match separator {
                SeparatorArg::Comma => Separator::Comma,
                SeparatorArg::Semicolon => Separator::Semicolon,
                SeparatorArg::Tab => Separator::Tab,
            }),
            sheet: self.sheet.clone(),
            header_line: self.header_line,
            kind: None,
        }
    }

    fn chosen(&self, kind: RowKind, file: &Detected) -> Result<Mapping, Failure> {
        let mut chosen = Mapping::default();
        for (name, column) in &self.map {
            let field = kind.fields().find(|(_, known, _)| known == name);
            let Some((field, ..)) = field else {
                return Err(Failure::Map(format!("{name:?} is no field of these rows")));
            };
            let Some(column) = index(file, column) else {
                return Err(Failure::Map(format!("the file has no column {column:?}")));
            };
            chosen.set(field, Some(column));
        }
        Ok(chosen)
    }
}

/// A column by its header, else by its number from 1.
fn index(file: &Detected, column: &str) -> Option<u32> {
    let headers = file.headers.iter();
    let named = headers
        .map(|header| header.trim())
        .position(|header| header == column.trim());
    let at = match named {
        Some(at) => at,
        None => column.parse::<usize>().ok()?.checked_sub(1)?,
    };
    (at < file.headers.len())
        .then(|| u32::try_from(at).ok())
        .flatten()
}

fn mapped(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((field, column)) if !field.is_empty() && !column.is_empty() => {
            Ok((field.trim().to_owned(), column.to_owned()))
        }
        Some(_) | None => Err("write it like planId=プラン".to_owned()),
    }
}
