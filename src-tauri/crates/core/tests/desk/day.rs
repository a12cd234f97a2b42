//! The day of the store: what is left of it is what the header counts, and what is being typed.

use std::time::Duration;

use warranty_core::day::{CloseItem, Date, Day};
use warranty_core::export::{DayList, List};
use warranty_core::files::Format;
use warranty_core::files::private_file::Existing;
use warranty_core::notice::Notice;
use warranty_core::print::{PaperOf, Standing};
use warranty_core::settings::Language;

use crate::harness::Stage;
use crate::sales::sale;
use crate::steps::Steps;

async fn today(stage: &Stage) -> Day {
    stage.days.day(None).await.unwrap()
}

fn left(day: &Day, item: CloseItem) -> u32 {
    let line = day.closing.lines.iter().find(|line| line.item == item);
    line.unwrap().count
}

#[tokio::test]
async fn what_is_being_typed_in_a_form_keeps_the_day_open_and_the_header_true() {
    let (stage, profile) = Stage::live().await;
    for draft in ["counter/1", "sheet/1"] {
        stage.keep_draft(&profile, draft, "typed", 0).await;
    }
    let day = today(&stage).await;
    assert!(!day.closing.closed);
    assert_eq!(left(&day, CloseItem::Drafts), 1);
    assert_eq!(left(&day, CloseItem::SheetRows), 0);
    // Nothing that was submitted waits.
    assert!(stage.overview().await.all_done);

    stage.drop_draft(&profile, "counter/1").await;
    for (draft, item) in [
        ("lead/form", CloseItem::LeadDrafts),
        ("follow-up/lead", CloseItem::LeadDrafts),
        ("product/form", CloseItem::ProductDrafts),
    ] {
        stage.keep_draft(&profile, draft, "typed", 0).await;
        let day = today(&stage).await;
        assert!(!day.closing.closed, "{draft}");
        assert_eq!(left(&day, item), 1, "{draft}");
        stage.drop_draft(&profile, draft).await;
    }
    assert!(today(&stage).await.closing.closed);
    stage.keep_draft(&profile, "sheet/1", "typed", 3).await;
    assert_eq!(left(&today(&stage).await, CloseItem::SheetRows), 3);
}

#[tokio::test]
async fn a_day_is_not_closed_while_another_live_profile_has_something_left() {
    let (stage, first) = Stage::live().await;
    stage.register(&sale(0)).await;
    let second = stage.connect("二号店").await;
    stage.profiles.choose(&second.id).await.unwrap();
    let day = today(&stage).await;
    assert!(!day.closing.closed);
    assert_eq!(left(&day, CloseItem::OtherProfiles), 1);
    assert_eq!(left(&day, CloseItem::Waiting), 0);
    // Nor does the header call everything sent.
    let overview = stage.overview().await;
    assert_eq!((overview.all_done, overview.other_profiles), (false, 1));
    stage.keep_draft(&first, "counter/1", "typed", 1).await;
    assert_eq!(stage.overview().await.other_profiles, 1);
    stage.profiles.choose(&first.id).await.unwrap();
    stage.drop_draft(&first, "counter/1").await;
    stage.run_confirmed().await;
    assert!(stage.overview().await.all_done);
    assert_eq!(left(&today(&stage).await, CloseItem::OtherProfiles), 0);
}

#[tokio::test]
async fn the_header_hears_that_another_profile_is_done() {
    let (stage, _) = Stage::live().await;
    stage.register(&sale(0)).await;
    let second = stage.connect("二号店").await;
    stage.profiles.choose(&second.id).await.unwrap();
    let mut notices = stage.desk.notices();
    stage.outbox.start();
    let all_done = |notice: Notice| {
        matches!(notice, Notice::OverviewChanged { profile_id, overview }
            if profile_id == second.id && overview.all_done)
    };
    let heard = async { while !all_done(notices.recv().await.unwrap()) {} };
    tokio::time::timeout(Duration::from_secs(60), heard)
        .await
        .unwrap();
}

#[tokio::test]
async fn the_close_of_a_day_is_printed_with_its_sales_and_without_customers() {
    let stage = Stage::practising().await;
    let sold = sale(0);
    stage.register(&sold).await;
    let date = today(&stage).await.today;
    let of = PaperOf::Day { date };
    for (language, open) in [
        (Language::En, "Not finished"),
        (Language::Ja, "未完了があります"),
    ] {
        let paper = stage.printing.paper(&of, language).await.unwrap();
        assert_eq!(paper.standing, Standing::Report);
        assert_eq!(paper.notice.unwrap().mark, open);
        let lines: Vec<_> = paper.groups.iter().flat_map(|group| &group.lines).collect();
        let says = |text: &str| lines.iter().any(|line| line.value.expose().contains(text));
        assert!(says(&sold.transaction_id));
        assert!(!says(&sold.customer_name));
    }
    stage.run_confirmed().await;
    let paper = stage.printing.paper(&of, Language::En).await.unwrap();
    assert_eq!(paper.notice, None);
}

#[tokio::test]
async fn every_list_of_a_day_goes_into_a_file() {
    let stage = Stage::practising().await;
    stage.register(&sale(0)).await;
    let day = today(&stage).await;
    for (list, rows) in [
        (DayList::Sales, 1),
        (DayList::Days, day.days.len()),
        (DayList::Staff, 1),
        (DayList::Categories, 1),
        (DayList::Closing, day.closing.lines.len()),
    ] {
        let date = day.today;
        let list = List::Day { date, list };
        let path = stage.file(&format!("{}.csv", list.name()));
        let written = stage
            .exports
            .list(&list, &path, Format::Csv, Existing::Refuse)
            .await;
        assert_eq!(written.unwrap().rows, rows as u64, "{list:?}");
        let text = std::fs::read_to_string(path).unwrap();
        assert_eq!(text.lines().count(), rows + 1, "{text}");
        if list.name() == "day-sales" {
            // On the clock of the store, as on screen.
            let entered = text.lines().last().unwrap().split(',').next().unwrap();
            assert!(entered.ends_with("+09:00\""), "{entered}");
        }
    }
}

#[tokio::test]
async fn a_possible_duplicate_is_marked_in_the_list_of_a_day_on_paper_and_in_a_file() {
    let (stage, _) = Stage::live().await;
    stage.register(&sale(0)).await;
    stage.run_confirmed().await;
    let twice = "UPDATE submission SET duplicate_possible = 1";
    stage.database().execute(twice, []).unwrap();
    let date = today(&stage).await.today;
    for (language, mark) in [
        (Language::En, "Confirmed / Possible duplicate"),
        (Language::Ja, "登録完了 / 重複の可能性"),
    ] {
        let of = PaperOf::Day { date };
        let paper = stage.printing.paper(&of, language).await.unwrap();
        let mut lines = paper.groups.iter().flat_map(|group| &group.lines);
        assert!(lines.any(|line| line.value.expose().ends_with(mark)));
    }
    let text = written(&stage, date, DayList::Sales).await;
    let mut lines = text.lines();
    assert!(lines.next().unwrap().ends_with("duplicatePossible\""));
    assert!(lines.next().unwrap().ends_with("\"yes\""), "{text}");
}

#[tokio::test]
async fn a_day_is_not_closed_for_a_live_profile_that_can_sell_nothing() {
    let (stage, profile) = Stage::live().await;
    assert!(today(&stage).await.closing.closed);
    stage.profiles.remove_token(&profile.id).await.unwrap();
    let day = today(&stage).await;
    assert!(!day.closing.closed);
    assert_eq!(left(&day, CloseItem::Connection), 1);
    let of = PaperOf::Day { date: day.today };
    let paper = stage.printing.paper(&of, Language::En).await.unwrap();
    assert_eq!(paper.notice.unwrap().mark, "Not finished");
    let text = written(&stage, day.today, DayList::Closing).await;
    assert!(text.contains("\"connection\",\"1\""), "{text}");
}

/// A list of a day as it is written into a file.
async fn written(stage: &Stage, date: Date, list: DayList) -> String {
    let list = List::Day { date, list };
    let path = stage.file(&format!("{}.csv", list.name()));
    let written = stage
        .exports
        .list(&list, &path, Format::Csv, Existing::Refuse);
    written.await.unwrap();
    std::fs::read_to_string(path).unwrap()
}
