//! `wdesk day`: the figures of a day, and the work to finish before it is closed.

use warranty_core::api::Amount;
use warranty_core::day::{CloseOfDay, Day, DayFigures, DayPart};
use warranty_core::export::{DayList, List};

use crate::args::DayArgs;
use crate::exit::Exit;
use crate::export;
use crate::failure::Failure;
use crate::messages::{named, text};
use crate::session::Context;
use crate::table::{KeyValues, Table, grouped};

/// Shows a day. The exit code says whether work is unfinished now, of any day.
///
/// # Errors
/// Errors of the core.
pub async fn run(context: &Context, arguments: DayArgs) -> Result<Exit, Failure> {
    let DayArgs { date, export: file } = arguments;
    let (date, exit) = context
        .reading(async |session| {
            let day = session.desk.days.day(date).await?;
            if file.is_none() {
                context.output.result(&day, || day_text(&day))?;
            }
            let exit = if day.closing.closed {
                Exit::Done
            } else {
                Exit::Person
            };
            Ok((day.figures.date, exit))
        })
        .await?;
    if let Some(file) = file {
        let list = DayList::Sales;
        let written = export::list(context, &List::Day { date, list }, &file).await?;
        return Ok(if written == Exit::Done { exit } else { written });
    }
    Ok(exit)
}

fn day_text(day: &Day) -> String {
    let parts = [
        figures(day),
        days(&day.days),
        parts("wdesk.day.staff", &day.by_staff),
        parts("wdesk.day.category", &day.by_category),
        closing(&day.closing),
    ];
    let shown: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    shown.join("\n")
}

fn figures(day: &Day) -> String {
    let (figures, states) = (&day.figures, &day.states);
    let mut fields = KeyValues::default();
    fields.line(&word("date"), figures.date.to_string());
    for (name, value) in [
        ("contracts", figures.contracts),
        ("sold", figures.sold),
        ("confirmed", states.confirmed),
        ("waiting", states.waiting),
        ("attention", states.attention),
        ("refused", states.refused),
        ("leads", figures.leads),
    ] {
        fields.line(&word(name), count(value));
    }
    fields
        .line(&word("fees"), fees(figures.fees))
        .line(&word("attachRate"), rate(figures.attach_permille));
    fields.text()
}

fn days(days: &[DayFigures]) -> String {
    let mut table = table(&word("date"));
    for day in days {
        table.row([
            day.date.to_string(),
            count(day.contracts),
            fees(day.fees),
            count(day.leads),
            rate(day.attach_permille),
        ]);
    }
    table.text()
}

/// A table of the parts of a day; empty if there are none.
fn parts(key: &str, parts: &[DayPart]) -> String {
    if parts.is_empty() {
        return String::new();
    }
    let mut table = table(&text(key, &[]));
    for part in parts {
        table.row([
            part.name.clone().unwrap_or_else(|| word("notKnown")),
            count(part.contracts),
            fees(part.fees),
            count(part.leads),
            rate(part.attach_permille),
        ]);
    }
    table.text()
}

fn table(first: &str) -> Table {
    let [contracts, fees, leads, rate] = ["contracts", "fees", "leads", "attachRate"].map(word);
    Table::new(&[first, &contracts, &fees, &leads, &rate])
}

fn closing(closing: &CloseOfDay) -> String {
    if closing.closed {
        return text("wdesk.day.closed", &[]) + "\n";
    }
    let mut fields = KeyValues::default();
    for line in closing.lines.iter().filter(|line| line.count > 0) {
        fields.line(&named("wdesk.day.left", &line.item), count(line.count));
    }
    format!("{}\n{}", text("wdesk.day.open", &[]), fields.text())
}

fn word(name: &str) -> String {
    text(&format!("wdesk.day.{name}"), &[])
}

fn count(count: u32) -> String {
    grouped(i64::from(count))
}

fn fees(fees: Amount) -> String {
    grouped(fees.get())
}

/// Converts tenths of a percent to percent.
fn rate(permille: Option<u32>) -> String {
    permille.map_or_else(
        || "-".to_owned(),
        |permille| format!("{}.{}%", permille / 10, permille % 10),
    )
}
