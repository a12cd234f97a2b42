//! The close of a day on paper: its figures, the unfinished work and its sales.
//!
//! Owns its content and its texts. It names no customer.

use super::figures::text;
use super::words::Text;
use super::{Paper, PaperGroup, PaperLine, PaperNotice, Shop, Standing};
use crate::day::{CloseItem, CloseLine, CloseOfDay, Date, Day, DayPart, DaySale};
use crate::display::grouped;
use crate::interface::Personal;
use crate::settings::Language;
use crate::submission_state::SubmissionState;

/// Most sales that are printed; the exported list has all of them.
pub const MOST_SALES: usize = 200;

impl Shop<'_> {
    /// The close of a day; `sales` are its first [`MOST_SALES`], and `more` says whether there are
    /// others.
    pub fn of_day(&self, day: &Day, sales: &[DaySale], more: bool) -> Paper {
        let mut groups = vec![self.figures(day), self.closing(&day.closing)];
        for (title, parts) in [
            (("担当者別", "By staff member"), &day.by_staff),
            (("カテゴリー別", "By category"), &day.by_category),
        ] {
            if !parts.is_empty() {
                groups.push(self.group(title, parts.iter().map(|part| self.part(part))));
            }
        }
        if !sales.is_empty() {
            let lines = (1..).zip(sales);
            let lines = lines.map(|(number, sale)| self.sale(number, sale));
            groups.push(PaperGroup {
                text: more.then(|| {
                    self.say((
                        "先頭の200件のみ印刷しています。全件は一覧の書き出しをご利用ください。",
                        "Only the first 200 are printed. Export the list for all of them.",
                    ))
                }),
                ..self.group(("登録一覧", "Registrations"), lines)
            });
        }
        let blank = line(self.say(("確認者", "Checked by")), "＿".repeat(12));
        groups.push(self.group(("確認", "Checked"), [blank]));
        let paper = self.blank(
            Standing::Report,
            format!("close-of-day-{}", day.figures.date),
        );
        Paper {
            title: format!("{} {}", paper.title, self.day_written(day.figures.date)),
            practice: paper.practice.map(|_| {
                self.say((
                    "練習用（SANDBOX） 実際の売上ではありません。",
                    "SANDBOX: practice data. Nothing was really sold.",
                ))
            }),
            notice: (!day.closing.closed).then(|| PaperNotice {
                mark: self.say(("未完了があります", "Not finished")),
                text: self.say((
                    "下の「未完了の確認」に残りがあります。すべて0件になってから締めてください。",
                    "Something is left under “Left to do”. Close the day once every line is 0.",
                )),
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
            (("登録完了", "Confirmed"), states.confirmed),
            (("処理中", "In progress"), states.waiting),
            (("結果要確認", "Outcome to check"), states.attention),
            (("受付エラー", "Refused"), states.refused),
        ];
        let states = states.map(|(name, of)| format!("{} {}", self.say(name), count(of)));
        let values = [
            (("保証契約", "Contracts"), count(figures.counts.contracts)),
            (
                ("保証料合計", "Warranty fees"),
                self.amount(figures.counts.fees),
            ),
            (("後日加入", "Leads"), count(figures.counts.leads)),
            (("付帯率", "Attach rate"), rate),
            (("状態", "Status"), states.join(" / ")),
        ];
        let lines = values.map(|(name, value)| line(self.say(name), value));
        self.group(("当日の実績", "Figures of the day"), lines)
    }

    fn closing(&self, closing: &CloseOfDay) -> PaperGroup {
        let (left, done): (Vec<&CloseLine>, Vec<&CloseLine>) =
            closing.lines.iter().partition(|line| line.count > 0);
        let left = left.into_iter().map(|left| {
            let count = grouped(i64::from(left.count));
            line(self.say(item(left.item)), count)
        });
        // With the sales, the finished items are one line, so that they fit on one page.
        let done: Vec<String> = done.iter().map(|done| self.say(item(done.item))).collect();
        let done = done.join(self.language.of(("、", "; ")));
        let done = line(self.say(("残りなし", "Nothing left")), done);
        self.group(
            ("未完了の確認（発行時点）", "Left to do, as of issue"),
            left.chain([done]),
        )
    }

    fn group(&self, title: Text, lines: impl IntoIterator<Item = PaperLine>) -> PaperGroup {
        PaperGroup {
            title: self.say(title),
            text: None,
            lines: lines.into_iter().collect(),
        }
    }

    fn part(&self, part: &DayPart) -> PaperLine {
        let name = part.name.as_deref().map(text);
        let name = name.unwrap_or_else(|| self.say(("不明", "Not known")));
        let contracts = grouped(i64::from(part.counts.contracts));
        let fees = self.amount(part.counts.fees);
        let leads = grouped(i64::from(part.counts.leads));
        let value = match self.language {
            Language::Ja => format!("{contracts} 件 / {fees} / 後日加入 {leads} 件"),
            Language::En => format!("contracts: {contracts}; fees: {fees}; leads: {leads}"),
        };
        line(name, value)
    }

    fn sale(&self, number: u32, sale: &DaySale) -> PaperLine {
        let at = self.zone.at(sale.entered_at.get().to_utc());
        let product = sale.product_title.as_ref();
        let product = product.unwrap_or(&sale.product_reference_id);
        let value = format!(
            "{} / {} / {} / {}",
            text(&sale.transaction_id),
            text(product),
            self.amount(sale.fee),
            self.say(state(sale.state))
        );
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

fn item(item: CloseItem) -> Text {
    match item {
        CloseItem::NeedsPerson => (
            "結果の確認が必要な契約",
            "Contracts with an outcome to check",
        ),
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
        CloseItem::Drafts => ("入力途中の契約登録", "Unfinished sales at the counter"),
        CloseItem::LeadDrafts => ("入力途中の後日加入", "Leads being typed"),
        CloseItem::ProductDrafts => ("入力途中の商品", "Products being typed"),
        CloseItem::OtherProfiles => (
            "未完了の作業があるほかのプロファイル",
            "Other profiles with unfinished work",
        ),
        CloseItem::Report => ("未確認の復旧レポート", "Unread recovery report"),
        CloseItem::Connection => (
            "サービスとの接続の問題",
            "Problems with the service connection",
        ),
    }
}

fn state(state: SubmissionState) -> Text {
    match state {
        SubmissionState::Confirmed => ("登録完了", "Confirmed"),
        SubmissionState::Draft
        | SubmissionState::Queued
        | SubmissionState::InFlight
        | SubmissionState::Held
        | SubmissionState::Accepted => ("処理中", "In progress"),
        SubmissionState::Unknown => ("結果不明", "Outcome unknown"),
        SubmissionState::NeedsPerson => ("結果要確認", "Outcome to check"),
        SubmissionState::Rejected => ("受付エラー", "Refused"),
        SubmissionState::Cancelled => ("取消済み", "Cancelled"),
    }
}
