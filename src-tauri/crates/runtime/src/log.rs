//! The log: JSON lines in `logs/` of the data folder, one file a day, and stderr for who asks for it.
//!
//! Owns what a line in the folder may hold: events of this program, with fields from a list. Texts in
//! quotes may come from people or the service and are left out, and the home folder is named `~`.

use std::fs::DirEntry;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use chrono::{DateTime, Days, NaiveDate, SecondsFormat, Utc};
use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer, fmt};
use warranty_store::data_folder::{LOGS, take_logs};
use warranty_store::files::{append, make_folder};

use crate::policy;

/// Longest text of a field, in characters.
const LONGEST: usize = 500;
/// The fields that a line may have.
const FIELDS: [&str; 8] = [
    "message",
    "error",
    "code",
    "customers",
    "kind",
    "number",
    "place",
    "reason",
];

static FOLDER: OnceLock<Folder> = OnceLock::new();
static BOUNDS: OnceLock<Bounds> = OnceLock::new();

/// Starts the log of this process. `variable` names the environment variable with the filter for
/// stderr, `usual` is the filter without it; with neither, nothing is written there. The folder is
/// written from the moment a desk is open.
pub fn start(variable: &str, usual: Option<&str>) {
    let filter = EnvFilter::try_from_env(variable)
        .ok()
        .or_else(|| usual.map(EnvFilter::new));
    let is_silent = filter.is_none();
    let stderr = filter.map(|filter| fmt::layer().with_writer(io::stderr).with_filter(filter));
    // Fails only when a log was started before.
    let _ = tracing_subscriber::registry()
        .with(stderr)
        .with(Lines.with_filter(LevelFilter::INFO))
        .try_init();
    // The message of a fault may hold data, and the system may keep what is on stderr.
    let usual = cfg!(debug_assertions).then(std::panic::take_hook);
    std::panic::set_hook(Box::new(move |panic| {
        if let Some(place) = panic.location() {
            tracing::error!(%place, "a task ended by a fault of the program");
            if is_silent {
                let _ = writeln!(io::stderr(), "error: a fault of the program, at {place}");
            }
        }
        if let Some(usual) = &usual {
            usual(panic);
        }
    }));
}

/// Keeps the log in a data folder that was found fit for use; the first one of a process counts.
/// A folder of the log that is not this user's own is left alone: selling goes on without a log.
pub fn keep_in(data_dir: &Path) {
    if !take_logs(data_dir) {
        tracing::warn!("the folder of the log is not this user's own; no log is kept");
        return;
    }
    let _ = FOLDER.set(Folder(data_dir.join(LOGS)));
}

/// Keeps the log within what the policy sets; the first policy of a process counts.
pub fn obey(set: &policy::Log) {
    let bounds = *BOUNDS.get_or_init(|| Bounds::of(set));
    if let Some(folder) = FOLDER.get() {
        // What cannot be deleted now is tried again with the next line.
        let _ = folder.trim(bounds, Utc::now(), 0);
    }
}

/// How many days of the log are kept, and most MiB of them together, where nothing is set.
pub(crate) const USUAL_DAYS: u32 = 14;
pub(crate) const USUAL_MIB: u32 = 20;

/// How much is written and kept.
#[derive(Clone, Copy)]
struct Bounds {
    level: Level,
    /// Days kept, today's included.
    days: u64,
    /// Most bytes of all days together; one day has at most a quarter.
    bytes: u64,
}

/// The widest bounds that a policy can set: used until one is read, so that nothing it keeps is deleted.
const WIDEST: policy::Log = policy::Log {
    level: None,
    keep_days: Some(policy::LOG_DAYS),
    max_mib: Some(policy::LOG_MIB),
};

impl Bounds {
    fn of(set: &policy::Log) -> Self {
        let level = set.level.as_deref().and_then(|level| level.parse().ok());
        Self {
            level: level.unwrap_or(Level::INFO),
            days: set.keep_days.unwrap_or(USUAL_DAYS).into(),
            bytes: u64::from(set.max_mib.unwrap_or(USUAL_MIB)) << 20,
        }
    }
}

/// Writes the events of this program to [`FOLDER`].
struct Lines;

impl<S: Subscriber> Layer<S> for Lines {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let target = event.metadata().target();
        let bounds = BOUNDS.get().copied().unwrap_or_else(|| Bounds::of(&WIDEST));
        if let Some(folder) = FOLDER.get()
            && target.starts_with("warranty_")
            && *event.metadata().level() <= bounds.level
        {
            let now = Utc::now();
            let mut fields = Fields::default();
            event.record(&mut fields);
            let mut line = fields.0;
            let level = event.metadata().level().to_string();
            let at = now.to_rfc3339_opts(SecondsFormat::Millis, true);
            line.insert("at".to_owned(), at.into());
            line.insert("level".to_owned(), level.into());
            line.insert("target".to_owned(), target.into());
            line.insert("pid".to_owned(), std::process::id().into());
            // There is no better place to say that the log cannot be written.
            let _ = folder.write(bounds, now, &format!("{}\n", Value::Object(line)));
        }
    }
}

#[derive(Default)]
struct Fields(Map<String, Value>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if FIELDS.contains(&field.name()) {
            let text = without_quoted(&format!("{value:?}"));
            self.0.insert(field.name().to_owned(), text.into());
        }
    }
}

/// A text without what stands in double quotes and without the name of the home folder.
fn without_quoted(text: &str) -> String {
    let text = match dirs::home_dir().as_deref().and_then(Path::to_str) {
        Some(home) if home.len() > 1 => without_home(text, home, cfg!(windows)),
        Some(_) | None => text.to_owned(),
    };
    let mut plain = String::new();
    let (mut quoted, mut escaped) = (false, false);
    for character in text.chars().take(LONGEST) {
        if character == '"' && !escaped {
            quoted = !quoted;
            plain.push_str(if quoted { "\"…" } else { "\"" });
        } else if !quoted {
            plain.push(character);
        }
        escaped = quoted && character == '\\' && !escaped;
    }
    if quoted {
        // A quote within a quoted text: nobody knows what is inside.
        let end = plain.find('"').unwrap_or_default();
        plain.truncate(end);
        plain.push_str("\"…");
    }
    plain
}

/// A text with `~` for a folder; on Windows capitals and the direction of slashes make no other folder.
fn without_home(text: &str, home: &str, is_windows: bool) -> String {
    let fold = |text: &str| match is_windows {
        true => text.to_ascii_lowercase().replace('/', r"\"),
        false => text.to_owned(),
    };
    let (folded, home) = (fold(text), fold(home));
    let mut plain = text.to_owned();
    for (at, found) in folded.rmatch_indices(&home) {
        plain.replace_range(at..at + found.len(), "~");
    }
    plain
}

/// The folder of the log. Several processes may write: a line is one append.
struct Folder(PathBuf);

impl Folder {
    /// Appends a line to the day's file after making room for it.
    fn write(&self, bounds: Bounds, now: DateTime<Utc>, line: &str) -> io::Result<()> {
        make_folder(&self.0).map_err(io::Error::other)?;
        self.trim(bounds, now, line.len() as u64)?;
        append(&self.file(now.date_naive()), line.as_bytes()).map_err(io::Error::other)
    }

    /// Makes room for so many bytes: older days go first, and the older half of a day that fills its
    /// share. What cannot be deleted stays.
    fn trim(&self, bounds: Bounds, now: DateTime<Utc>, needed: u64) -> io::Result<()> {
        let today = now.date_naive();
        let oldest = today - Days::new(bounds.days - 1);
        let file = self.file(today);
        let share = bounds.bytes / 4;
        if std::fs::metadata(&file).is_ok_and(|found| found.len() + needed > share) {
            keep_newer_half(&file)?;
        }
        let days = days(&self.0)?;
        let mut total: u64 = days.iter().map(|(_, bytes)| bytes).sum();
        for (day, bytes) in days {
            if day != today
                && (day < oldest || total + needed > bounds.bytes)
                && std::fs::remove_file(self.file(day)).is_ok()
            {
                total -= bytes;
            }
        }
        Ok(())
    }

    fn file(&self, day: NaiveDate) -> PathBuf {
        self.0.join(format!("{day}.jsonl"))
    }
}

/// The days that have a file in the folder of a log, oldest first, with their sizes in bytes.
///
/// # Errors
/// When the folder cannot be read.
pub fn days(folder: &Path) -> io::Result<Vec<(NaiveDate, u64)>> {
    let day = |entry: io::Result<DirEntry>| -> Option<(NaiveDate, u64)> {
        // Another process may delete a day meanwhile.
        let entry = entry.ok()?;
        let name = entry.file_name();
        let day = name.to_str()?.strip_suffix(".jsonl")?.parse().ok()?;
        Some((day, entry.metadata().ok()?.len()))
    };
    let mut days: Vec<_> = std::fs::read_dir(folder)?.filter_map(day).collect();
    days.sort_unstable();
    Ok(days)
}

fn keep_newer_half(path: &Path) -> io::Result<()> {
    let lines = std::fs::read(path)?;
    let (_, newer) = lines.split_at(lines.len() / 2);
    let begun = newer.iter().position(|byte| *byte == b'\n');
    std::fs::write(path, begun.map_or(&[][..], |end| &newer[end + 1..]))
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone as _;
    use warranty_api::ServiceError;

    use super::*;

    fn usual() -> Bounds {
        Bounds::of(&policy::Log::default())
    }

    fn day(number: u32) -> DateTime<Utc> {
        Utc.with_ymd_and_hms(2026, 11, number, 12, 0, 0).unwrap()
    }

    fn names(folder: &Folder) -> Vec<String> {
        let days = days(&folder.0).unwrap();
        days.iter().map(|(day, _)| day.to_string()).collect()
    }

    #[test]
    fn a_day_older_than_the_days_kept_goes_with_the_first_line_of_a_new_day() {
        let data = tempfile::TempDir::new().unwrap();
        let folder = Folder(data.path().join(LOGS));
        for number in 1..=14 {
            folder.write(usual(), day(number), "{}\n").unwrap();
        }
        assert_eq!(names(&folder).len(), 14);
        folder.write(usual(), day(15), "{}\n").unwrap();
        let kept = names(&folder);
        assert_eq!((kept.len(), &*kept[0]), (14, "2026-11-02"));
    }

    #[test]
    fn the_folder_never_grows_beyond_its_size_and_the_oldest_day_goes_first() {
        let data = tempfile::TempDir::new().unwrap();
        let folder = Folder(data.path().join(LOGS));
        let bounds = Bounds {
            bytes: 100,
            ..usual()
        };
        for number in [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5] {
            folder.write(bounds, day(number), "1234567\n").unwrap();
        }
        let kept = ["2026-11-02", "2026-11-03", "2026-11-04", "2026-11-05"];
        assert_eq!(names(&folder), kept);
        // A day with much to say takes nothing from the others and keeps its newest lines.
        for number in 0..50 {
            let line = format!("line {number:02}\n");
            folder.write(bounds, day(5), &line).unwrap();
        }
        assert_eq!(names(&folder), kept);
        let today = std::fs::read_to_string(folder.file(day(5).date_naive())).unwrap();
        let ends = today.ends_with("line 48\nline 49\n");
        assert!(today.len() <= 25 && ends, "{today}");
    }

    #[test]
    fn a_day_that_cannot_be_deleted_does_not_stop_the_log() {
        let data = tempfile::TempDir::new().unwrap();
        let folder = Folder(data.path().join(LOGS));
        std::fs::create_dir_all(folder.file(day(1).date_naive()).join("held")).unwrap();
        folder.write(usual(), day(20), "{}\n").unwrap();
        assert_eq!(names(&folder), ["2026-11-01", "2026-11-20"]);
    }

    #[test]
    fn a_text_in_quotes_is_left_out_and_so_is_the_home_folder() {
        let said = without_quoted(r#"there is no profile "Sample \"Hanako\" of Ginza" here"#);
        assert_eq!(said, r#"there is no profile "…" here"#);
        let said = without_quoted(r#"there is no profile "Sample" Hanako" here"#);
        assert_eq!(said, r#"there is no profile "…"#);
        let refused = warranty_api::Error::Refused {
            status: 422,
            error: ServiceError {
                request_id: "r-1".to_owned(),
                code: "sample-code".to_owned(),
                error: "no customer \"Sample Hanako\"".to_owned(),
            },
            retry_after: None,
        };
        let said = without_quoted(&refused.to_string());
        assert_eq!(said, r#"refused with HTTP 422: "…" ("…")"#);
        let home = dirs::home_dir().unwrap();
        let path = format!("{}/data is a link", home.display());
        assert_eq!(without_quoted(&path), "~/data is a link");
    }

    #[test]
    fn the_home_folder_of_windows_is_left_out_however_it_is_written() {
        let path = r"C:/Users/hanako/a and c:\users\Hanako\b are links";
        let said = without_home(path, r"C:\Users\Hanako", true);
        assert_eq!(said, r"~/a and ~\b are links");
    }
}
