//! `wdesk day`: the figures of a day, and the work to finish before it is closed.

use warranty_core::Desk;
use warranty_core::day::{CloseOfDay, Day, DayFigures, DayPart};
use warranty_core::export::{DayList, List};

use crate::args::DayArgs;
use crate::{Context, Exit, Failure, KeyValues, Table, export, grouped, named, text};

/// Shows a day. The exit code says whether work is unfinished now, of any day.
pub async fn run(context: &Context, arguments: DayArgs) -> Result<Exit, Failure> {
    let DayArgs { date, export: file } = arguments;
    let look = async |desk: &Desk| {
        let day = desk.days.day(date).await?;
        if file.is_none() {
            context.result(&day, || day_text(&day))?;
        }
        let exit = Exit::first(&[(!day.closing.closed, Exit::Person)]);
        Ok((day.figures.date, exit))
    };
    let (date, exit) = context.reading(look).await?;
    if let Some(file) = &file {
        let list = DayList::Sales;
        let written = export::list(context, &List::Day { date, list }, file).await?;
        return Ok(if written == Exit::Done { exit } else { written });
    }
    Ok(exit)
}

fn day_text(day: &Day) -> String {
    let as_part = |day: &DayFigures| DayPart {
        name: Some(day.date.to_string()),
        counts: day.counts,
    };
    let days: Vec<DayPart> = day.days.iter().map(as_part).collect();
    let parts = [
        figures(day),
        parts("date", &days),
        parts("staff", &day.by_staff),
        parts("category", &day.by_category),
        closing(&day.closing),
    ];
    let shown: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    shown.join("\n")
}

fn figures(day: &Day) -> String {
    let (figures, states) = (&day.figures, &day.states);
    let mut fields = KeyValues::default();
    fields.line(word("date"), figures.date);
    for (name, count) in [
        ("contracts", figures.counts.contracts),
        ("sold", figures.sold),
        ("confirmed", states.confirmed),
        ("waiting", states.waiting),
        ("attention", states.attention),
        ("refused", states.refused),
        ("leads", figures.counts.leads),
    ] {
        fields.line(word(name), grouped(count));
    }
    fields
        .line(word("fees"), grouped(figures.counts.fees))
        .line(word("attachRate"), rate(figures.counts.attach_permille));
    fields.text()
}

/// A table of parts; empty if there are none.
fn parts(name: &str, parts: &[DayPart]) -> String {
    if parts.is_empty() {
        return String::new();
    }
    Table::of(parts)
        .column(&word(name), |part| {
            part.name.clone().unwrap_or_else(|| word("notKnown"))
        })
        .column(&word("contracts"), |part| grouped(part.counts.contracts))
        .column(&word("fees"), |part| grouped(part.counts.fees))
        .column(&word("leads"), |part| grouped(part.counts.leads))
        .column(&word("attachRate"), |part| {
            rate(part.counts.attach_permille)
        })
        .text()
}

fn closing(closing: &CloseOfDay) -> String {
    if closing.closed {
        return text("wdesk.day.closed", &[]) + "\n";
    }
    let mut fields = KeyValues::default();
    for line in closing.lines.iter().filter(|line| line.count > 0) {
        fields.line(named("wdesk.day.left", &line.item), grouped(line.count));
    }
    format!("{}\n{}", text("wdesk.day.open", &[]), fields.text())
}

fn word(name: &str) -> String {
    text(&format!("wdesk.day.{name}"), &[])
}

fn rate(permille: Option<u32>) -> String {
    permille.map_or_else(
        || "-".to_owned(),
        |permille| format!("{}.{}%", permille / 10, permille % 10),
    )
}
