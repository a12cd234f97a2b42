//! The close of a day on paper: its figures, the unfinished work and its sales.
//!
//! Owns its content and its texts. It names no customer.

use chrono::Timelike;

use super::figures::{amount, moment, text};
use super::words::{title, words};
use super::{Paper, PaperGroup, PaperLine, PaperNotice, Shop, Standing};
use crate::day::{CloseItem, CloseLine, CloseOfDay, Date, Day, DayPart};
use crate::display::grouped;
use crate::interface::{Amount, Personal, Timestamp};
use crate::profile::ProfileKind;
use crate::settings::Language;
use crate::submission_state::SubmissionState;

/// Most sales that are printed; the exported list has all of them.
pub const MOST_SALES: usize = 200;

/// The data of a sale that is printed.
#[derive(Debug, Clone, Copy)]
pub struct PrintedSale<'a> {
    /// When it was entered.
    pub entered_at: Timestamp,
    /// Its transaction.
    pub transaction_id: &'a str,
    /// The title of the product, or its reference.
    pub product: &'a str,
    /// Its fee.
    pub fee: Amount,
    /// Its state.
    pub state: SubmissionState,
}

impl Shop<'_> {
    /// The close of a day; `sales` are its first [`MOST_SALES`], and `more` says whether there are
    /// others.
    #[must_use]
    pub fn of_day(&self, day: &Day, sales: &[PrintedSale<'_>], more: bool) -> Paper {
        let say = |ja: &'static str, en: &'static str| match self.language {
            Language::Ja => ja,
            Language::En => en,
        };
        let words = words(self.language);
        let mut groups = vec![self.figures(day), self.closing(&day.closing)];
        for (title, parts) in [
            (say("担当者別", "By staff member"), &day.by_staff),
            (say("カテゴリ別", "By category"), &day.by_category),
        ] {
            if !parts.is_empty() {
                let lines = parts.iter().map(|part| self.part(part)).collect();
                groups.push(group(title, lines));
            }
        }
        if !sales.is_empty() {
            let lines = (1..)
                .zip(sales)
                .map(|(number, sale)| self.sale(number, sale));
            let mut list = group(say("登録一覧", "Registrations"), lines.collect());
            list.text = more.then(|| {
                say(
                    "先頭の200件のみ印刷しています。全件は一覧の書き出しをご利用ください。",
                    "Only the first 200 are printed. Export the list for all of them.",
                )
                .to_owned()
            });
            groups.push(list);
        }
        let blank = "＿".repeat(12);
        groups.push(group(
            say("確認", "Checked"),
            vec![line(say("確認者", "Checked by"), &blank)],
        ));
        Paper {
            name: format!("close-of-day-{}", day.figures.date),
            language: self.language,
            standing: Standing::Report,
            shop: text(&self.profile.name),
            issued: format!(
                "{} {}",
                words.issued,
                moment(self.now, self.zone, self.language)
            ),
            title: format!(
                "{} {}",
                title(self.language, Standing::Report),
                self.day_written(day.figures.date)
            ),
            practice: (self.profile.kind == ProfileKind::Practice).then(|| {
                say(
                    "練習用（SANDBOX） 実際の売上ではありません。",
                    "SANDBOX: practice data. Nothing was really sold.",
                )
                .to_owned()
            }),
            notice: (!day.closing.closed).then(|| PaperNotice {
                mark: say("未完了があります", "Not finished").to_owned(),
                text: say(
                    "下の「未完了の確認」に残りがあります。すべて0件になってから締めてください。",
                    "Something is left under “Left to do”. Close the day once every line is 0.",
                )
                .to_owned(),
            }),
            customer: None,
            codes: Vec::new(),
            qr: None,
            groups,
            inquire: None,
        }
    }

    fn figures(&self, day: &Day) -> PaperGroup {
        let (figures, states) = (&day.figures, &day.states);
        let rate = figures.attach_permille.map_or_else(|| "—".to_owned(), rate);
        let count = |count: u32| grouped(i64::from(count));
        // On one line, so that a usual day fits on one page.
        let states = [
            (("登録完了", "Confirmed"), states.confirmed),
            (("処理中", "In progress"), states.waiting),
            (("要対応", "Needs attention"), states.attention),
            (("受付エラー", "Refused"), states.refused),
        ];
        let states = states.map(|(name, of)| format!("{} {}", self.said(name), count(of)));
        let values = [
            ("保証契約", "Contracts", count(figures.contracts)),
            ("保証料合計", "Warranty fees", self.priced(figures.fees)),
            ("後日加入", "Leads", count(figures.leads)),
            ("付帯率", "Attach rate", rate),
            ("状態", "Status", states.join(" / ")),
        ];
        self.lines(("当日の数字", "Figures of the day"), values)
    }

    fn closing(&self, closing: &CloseOfDay) -> PaperGroup {
        let (left, done): (Vec<&CloseLine>, Vec<&CloseLine>) =
            closing.lines.iter().partition(|line| line.count > 0);
        let left = left.into_iter().map(|line| {
            let (ja, en) = item(line.item);
            (ja, en, grouped(i64::from(line.count)))
        });
        // With the sales, the finished items are one line, so that they fit on one page.
        let done: Vec<&str> = done.iter().map(|line| self.said(item(line.item))).collect();
        let done = done.join(self.said(("、", "; ")));
        self.lines(
            ("未完了の確認（発行時点）", "Left to do, as of issue"),
            left.chain([("残りなし", "Nothing left", done)]),
        )
    }

    fn lines(
        &self,
        title: (&str, &str),
        values: impl IntoIterator<Item = (&'static str, &'static str, String)>,
    ) -> PaperGroup {
        let lines = values
            .into_iter()
            .map(|(ja, en, value)| line(self.said((ja, en)), &value))
            .collect();
        group(self.said(title), lines)
    }

    fn part(&self, part: &DayPart) -> PaperLine {
        let name = part.name.as_deref().map(text);
        let name = name.unwrap_or_else(|| self.said(("不明", "Not known")).to_owned());
        let value = match self.language {
            Language::Ja => format!(
                "{} 件 / {} / 後日加入 {} 件",
                grouped(i64::from(part.contracts)),
                self.priced(part.fees),
                grouped(i64::from(part.leads))
            ),
            Language::En => format!(
                "contracts: {}; fees: {}; leads: {}",
                grouped(i64::from(part.contracts)),
                self.priced(part.fees),
                grouped(i64::from(part.leads))
            ),
        };
        line(&name, &value)
    }

    fn sale(&self, number: u32, sale: &PrintedSale<'_>) -> PaperLine {
        let at = self.zone.at(sale.entered_at.get().to_utc());
        let name = format!("{number}. {:02}:{:02}", at.hour(), at.minute());
        let value = format!(
            "{} / {} / {} / {}",
            text(sale.transaction_id),
            text(sale.product),
            self.priced(sale.fee),
            self.said(state(sale.state))
        );
        line(&name, &value)
    }

    fn priced(&self, price: Amount) -> String {
        amount(price, &self.profile.display.currency)
    }

    fn day_written(&self, date: Date) -> String {
        let begins = self
            .zone
            .of_local(date.get().and_time(chrono::NaiveTime::MIN));
        begins.map_or_else(
            || date.to_string(),
            |begins| super::figures::day(begins, self.language),
        )
    }

    fn said<'t>(&self, (ja, en): (&'t str, &'t str)) -> &'t str {
        match self.language {
            Language::Ja => ja,
            Language::En => en,
        }
    }
}

/// Converts tenths of a percent to percent.
fn rate(permille: u32) -> String {
    format!("{}.{}%", permille / 10, permille % 10)
}

fn group(title: &str, lines: Vec<PaperLine>) -> PaperGroup {
    PaperGroup {
        title: title.to_owned(),
        text: None,
        lines,
    }
}

fn line(name: &str, value: &str) -> PaperLine {
    PaperLine {
        name: name.to_owned(),
        value: Personal::new(value),
        code: false,
    }
}

fn item(item: CloseItem) -> (&'static str, &'static str) {
    match item {
        CloseItem::NeedsPerson => ("要対応の契約", "Contracts that need attention"),
        CloseItem::Rejected => ("受付エラーの契約", "Refused contracts"),
        CloseItem::PossibleDuplicates => ("重複の可能性がある契約", "Possible duplicates"),
        CloseItem::Unknown => ("結果不明の契約", "Contracts with unknown outcome"),
        CloseItem::Waiting => ("送信待ちの契約", "Contracts waiting to be sent"),
        CloseItem::Accepted => ("登録の確認待ち", "Accepted, not yet confirmed"),
        CloseItem::LeadsUnanswered => ("応答のない後日加入", "Leads without a response"),
        CloseItem::LeadsRejected => ("受付エラーの後日加入", "Refused leads"),
        CloseItem::LeadsWaiting => ("送信待ちの後日加入", "Leads waiting to be sent"),
        CloseItem::SheetRows => ("一括入力の未登録行", "Sheet rows not registered"),
        CloseItem::Runs => (
            "未完了・要修正行のあるファイル取込",
            "Imports unfinished or with rows to correct",
        ),
        CloseItem::Drafts => ("入力途中の契約登録", "Sales not registered at the counter"),
        CloseItem::OtherProfiles => (
            "残りのある他のプロファイル",
            "Other profiles with unfinished work",
        ),
        CloseItem::Report => ("未確認の復旧レポート", "Unread recovery report"),
        CloseItem::Connection => ("サービスとの接続", "Problems with the service connection"),
    }
}

fn state(state: SubmissionState) -> (&'static str, &'static str) {
    match state {
        SubmissionState::Confirmed => ("登録完了", "Confirmed"),
        SubmissionState::Draft
        | SubmissionState::Queued
        | SubmissionState::InFlight
        | SubmissionState::Held
        | SubmissionState::Accepted => ("処理中", "In progress"),
        SubmissionState::Unknown => ("結果不明", "Outcome unknown"),
        SubmissionState::NeedsPerson => ("要対応", "Needs attention"),
        SubmissionState::Rejected => ("受付エラー", "Refused"),
        SubmissionState::Cancelled => ("取消", "Cancelled"),
    }
}
