//! Output: the result on stdout, as text or as one JSON document, and everything else on stderr.
//!
//! Only results are written to stdout.

use std::io::{self, Write};

use serde::Serialize;

use crate::failure::Failure;

/// Writes a result, as one JSON document or as text; `text` is called for text only.
pub fn result<T: Serialize>(
    json: bool,
    value: &T,
    text: impl FnOnce() -> String,
) -> Result<(), Failure> {
    if !json {
        return write(&text());
    }
    let document = serde_json::to_string_pretty(value)
        .map_err(|error| Failure::Print(io::Error::other(error)))?;
    write(&(document + "\n"))
}

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
