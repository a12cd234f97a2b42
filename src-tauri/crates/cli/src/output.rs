//! Output: the result on stdout, as text or as one JSON document, and everything else on stderr.
//!
//! Only results are written to stdout.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::OnceLock;

use serde::Serialize;

use crate::table::visible;
use crate::{Exit, Failure};

/// Writes a result, as one JSON document or as text; `text` is called for text only.
pub fn result<T: Serialize>(
    json: bool,
    value: &T,
    text: impl FnOnce() -> String,
) -> Result<(), Failure> {
    let printed = if json {
        serde_json::to_string_pretty(value).map_err(lost)? + "\n"
    } else {
        for_profile(text())
    };
    match write(&printed) {
        // The reader, for instance `head`, closed the pipe: no failure.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(lost),
    }
}

/// What the command did is done, and its result is not shown.
fn lost(error: impl Display) -> Failure {
    Failure::own(Exit::Person, "stdout", "stdout", &[("reason", &error)])
}

/// How a command of `wdesk` begins in a message, where this one was given a profile.
static NAMED: OnceLock<String> = OnceLock::new();

/// From here on the commands that are named are for this profile too, but for those about profiles.
pub fn name_profile(name: &str) {
    NAMED.get_or_init(|| format!("`wdesk --profile \"{}\" ", visible(name)));
}

pub fn say(text: impl AsRef<str>) {
    let text = for_profile(text.as_ref().to_owned());
    // A closed stderr is ignored.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

fn for_profile(text: String) -> String {
    let Some(named) = NAMED.get() else {
        return text;
    };
    let text = text.replace("`wdesk ", named);
    ["--profile ", "profile "].iter().fold(text, |text, own| {
        text.replace(&format!("{named}{own}"), &format!("`wdesk {own}"))
    })
}

fn write(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}
