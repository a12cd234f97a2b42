//! Output: the result on stdout, as text or as one JSON document, and everything else on stderr.
//!
//! Only results are written to stdout.

use std::io::{self, Write};

use serde::Serialize;

use crate::exit::Exit;
use crate::failure::Failure;

/// How results are written.
#[derive(Debug, Clone, Copy)]
pub struct Output {
    /// One JSON document instead of text.
    pub json: bool,
}

impl Output {
    /// Writes a result. `text` is called only without `--json`.
    ///
    /// # Errors
    /// [`Failure::Print`] when stdout cannot be written.
    pub fn result<T: Serialize>(
        self,
        value: &T,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if self.json {
            let mut document = serde_json::to_string_pretty(value)
                .map_err(|error| Failure::Print(io::Error::other(error)))?;
            document.push('\n');
            write(&document)
        } else {
            write(&text())
        }
    }

    /// Writes the result of a command that did everything it was asked to do.
    ///
    /// # Errors
    /// As [`Output::result`].
    pub fn done<T: Serialize>(
        self,
        value: &T,
        text: impl FnOnce(&T) -> String,
    ) -> Result<Exit, Failure> {
        self.result(value, || text(value))?;
        Ok(Exit::Done)
    }
}

/// Writes a line to stderr.
pub fn say(text: impl AsRef<str>) {
    // A closed stderr is ignored.
    let _ = writeln!(io::stderr().lock(), "{}", text.as_ref());
}

fn write(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        // The reader, for instance `head`, closed the pipe: no failure.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::Print(error)),
        Ok(()) => Ok(()),
    }
}
