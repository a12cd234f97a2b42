//! The close of a day on paper: its figures, the unfinished work and its sales.
//!
//! Owns its content. It names no customer.

use super::figures::text;
use super::filling::Lines;
use super::{Paper, PaperGroup, PaperLine, PaperNotice, Shop, Standing};
use crate::day::{CloseLine, CloseOfDay, Date, Day, DayPart, DaySale};
use crate::display::grouped;
use crate::interface::Personal;
use crate::texts::{self, named};

/// Most sales that are printed; the exported list has all of them.
pub const MOST_SALES: usize = 200;

impl Shop<'_> {
    /// The close of a day; `sales` are its first [`MOST_SALES`], and `more` says whether there are
    /// others.
    pub fn of_day(&self, day: &Day, sales: &[DaySale], more: bool) -> Paper {
        let mut groups = vec![self.figures(day), self.closing(&day.closing)];
        for (title, parts) in [
            ("day.byStaff", &day.by_staff),
            ("day.byCategory", &day.by_category),
        ] {
            if !parts.is_empty() {
                groups.push(self.group(title, parts.iter().map(|part| self.part(part))));
            }
        }
        if !sales.is_empty() {
            let lines = (1..).zip(sales);
            let lines = lines.map(|(number, sale)| self.sale(number, sale));
            groups.push(PaperGroup {
                text: more.then(|| self.say("day.onlyFirst")),
                ..self.group("day.registrations", lines)
            });
        }
        let blank = line(self.say("day.checkedBy"), "＿".repeat(12));
        groups.push(self.group("day.checked", [blank]));
        let paper = self.blank(Standing::Report);
        Paper {
            title: format!("{} {}", paper.title, self.day_written(day.figures.date)),
            practice: paper.practice.map(|_| self.say("day.practice")),
            notice: (!day.closing.closed).then(|| PaperNotice {
                mark: self.say("day.open"),
                text: self.say("day.openWhat"),
            }),
            groups,
            ..paper
        }
    }

    fn figures(&self, day: &Day) -> PaperGroup {
        let (figures, states) = (&day.figures, &day.states);
        let rate = figures
            .counts
            .attach_permille
            .map_or_else(|| "—".to_owned(), rate);
        let count = |count: u32| grouped(i64::from(count));
        // On one line, so that a usual day fits on one page.
        let states = [
            ("day.confirmed", states.confirmed),
            ("day.inProgress", states.waiting),
            ("day.toCheck", states.attention),
            ("day.refused", states.refused),
        ];
        let states = states.map(|(name, of)| format!("{} {}", self.say(name), count(of)));
        let values = [
            ("day.contracts", count(figures.counts.contracts)),
            ("day.fees", self.amount(figures.counts.fees)),
            ("day.leads", count(figures.counts.leads)),
            ("day.attachRate", rate),
            ("day.states", states.join(" / ")),
        ];
        let lines = values.map(|(name, value)| line(self.say(name), value));
        self.group("day.figures", lines)
    }

    fn closing(&self, closing: &CloseOfDay) -> PaperGroup {
        let (left, done): (Vec<&CloseLine>, Vec<&CloseLine>) =
            closing.lines.iter().partition(|line| line.count > 0);
        let left = left.into_iter().map(|left| {
            let count = grouped(i64::from(left.count));
            line(named(self.language, "today.item", &left.item), count)
        });
        // With the sales, the finished items are one line, so that they fit on one page.
        let done = done
            .iter()
            .map(|done| named(self.language, "today.item", &done.item));
        let done: Vec<String> = done.collect();
        let done = done.join(&self.say("day.and"));
        let done = line(self.say("day.nothingLeft"), done);
        self.group("day.left", left.chain([done]))
    }

    fn group(&self, title: &str, lines: impl IntoIterator<Item = PaperLine>) -> PaperGroup {
        Lines {
            language: self.language,
            lines: lines.into_iter().collect(),
        }
        .under(title)
    }

    fn part(&self, part: &DayPart) -> PaperLine {
        let name = part.name.as_deref().map(text);
        let name = name.unwrap_or_else(|| self.say("day.notKnown"));
        let contracts = grouped(i64::from(part.counts.contracts));
        let fees = self.amount(part.counts.fees);
        let leads = grouped(i64::from(part.counts.leads));
        let values: &texts::Values<'_> = &[
            ("contracts", &contracts),
            ("fees", &fees),
            ("leads", &leads),
        ];
        line(name, texts::text(self.language, "printed.day.part", values))
    }

    fn sale(&self, number: u32, sale: &DaySale) -> PaperLine {
        let at = self.zone.at(sale.entered_at.get().to_utc());
        let product = sale.product_title.as_ref();
        let product = product.unwrap_or(&sale.product_reference_id);
        let mut value = format!(
            "{} / {} / {} / {}",
            text(&sale.transaction_id),
            text(product),
            self.amount(sale.fee),
            named(self.language, "state", &sale.state)
        );
        if sale.duplicate_possible {
            value += &format!(" / {}", texts::text(self.language, "duplicate.mark", &[]));
        }
        line(format!("{number}. {}", at.format("%H:%M")), value)
    }

    fn day_written(&self, date: Date) -> String {
        let midnight = date.get().and_time(chrono::NaiveTime::MIN);
        match self.zone.of_local(midnight) {
            Some(begins) => super::figures::day(begins, self.language),
            None => date.to_string(),
        }
    }
}

/// Converts tenths of a percent to percent.
fn rate(permille: u32) -> String {
    format!("{}.{}%", permille / 10, permille % 10)
}

fn line(name: String, value: String) -> PaperLine {
    PaperLine {
        name,
        value: Personal::new(value),
        code: false,
    }
}
