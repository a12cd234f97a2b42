//! Two of one product in one transaction, from the sheet and from a file: each row but the first is asked
//! about, and sold with a yes. The service's ledger is the judge.

use fantoccini::key::Key;
use warranty_sandbox::sample;

use crate::harness::{Desk, Language, Sale, Service, Setup, Stroke, journey};
use crate::sheet::{line, sold};

#[tokio::test(flavor = "multi_thread")]
async fn equal_rows_of_the_sheet_are_asked_about_and_sold_each_once() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let service = Service::start().await;
        desk.connect(&service).await;
        desk.opens_the_sheet().await;
        let email = Sale::of_a_refrigerator().email;
        let rows = |transactions: &[&str]| {
            let lines = transactions.iter().map(|id| line(id, email));
            lines.collect::<Vec<_>>().join("\r\n")
        };
        let yes = [Stroke::Key(Key::F8), Stroke::Alt('y')];

        // Without a yes the first of them is sold, and the other asks about that one.
        desk.pastes(&rows(&["E-1", "E-2", "E-1"])).await;
        desk.rows_are_ready(2).await;
        desk.hands_in().await;
        desk.rows_are_marked("state.confirmed", 2).await;
        desk.rows_are_marked("sheet.mark.asks", 1).await;
        assert_eq!(sold(&service).await["E-1"], 1);
        desk.keys(&yes[..1]).await;
        let before = desk.language().word("sheet.soldBefore");
        desk.reads("grid-note", before).await;
        desk.keys(&yes).await;
        desk.rows_are_ready(1).await;
        desk.hands_in().await;
        desk.rows_are_marked("state.confirmed", 3).await;
        assert_eq!(sold(&service).await["E-1"], 2);

        // With a yes both are handed in at once.
        desk.keys(&[Stroke::Control(Key::End), Stroke::Key(Key::Down)])
            .await;
        desk.keys(&[Stroke::Key(Key::Home)]).await;
        desk.pastes(&rows(&["E-3", "E-3"])).await;
        desk.rows_are_ready(1).await;
        desk.keys(&yes[..1]).await;
        let same = desk.language().word("sheet.sameAsRow");
        desk.reads("grid-note", &same.replace("{{row}}", "4")).await;
        desk.shot("sheet-equal-rows").await;
        desk.keys(&yes[1..]).await;
        desk.rows_are_ready(2).await;
        desk.hands_in().await;
        desk.rows_are_marked("state.confirmed", 5).await;
        let sold = sold(&service).await;
        let times: Vec<usize> = ["E-1", "E-2", "E-3"].map(|id| sold[id]).to_vec();
        assert_eq!((times, sold.len()), (vec![2, 1, 2], 3));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_and_unusual_rows_of_a_file_are_named_and_stay_known() {
    let setup = Setup::speaking(Language::Japanese);
    journey(setup, async |desk: &mut Desk| {
        let service = Service::start().await;
        let file = desk.folder().join("sales.csv");
        let row = |transaction: &str, total: &str| {
            let (product, plan) = (
                sample::PRODUCT_REFRIGERATOR,
                sample::REFRIGERATOR_PLAN_5_YEARS,
            );
            format!(
                "{transaction},{total},2026-11-20,見本　太郎,a@sample.invalid,{product},189800,{plan},9490\n"
            )
        };
        let headers = "transactionId,transactionTotal,transactionDate,customerName,customerEmail,\
                       productReferenceId,productPurchasePrice,planId,planPurchasePrice\n";
        let rows = [headers.to_owned(), row("E-1", "208780"), row("E-2", "1"), row("E-1", "208780")];
        std::fs::write(&file, rows.concat()).expect("the file can be written");

        desk.connect(&service).await;
        desk.go_to("import").await;
        desk.chooses(&file).await;
        desk.press("import-check").await;
        desk.counts_rows("good", 2).await;
        desk.counts_rows("rejected", 1).await;
        let asked = desk.language().word("import.repeatedRow");
        desk.page_says(&asked.replace("{{line}}", "2")).await;
        desk.shot("import-equal-rows").await;
        // What is unusual stands beside it, and keeps nothing out.
        desk.counts_rows("warned", 1).await;
        let unusual = desk.text("import-warning").await;
        let less = desk.language().word("warning.totalBelowPrice");
        assert!(unusual.contains(less), "{unusual}");
        // Each is answered for itself: there is no yes to all of them.
        assert!(!desk.shows("import-answer-all-repeatedRow").await);
        desk.press("import-answer").await;
        desk.counts_rows("good", 3).await;
        desk.press("import-start").await;
        desk.counts_rows("confirmed", 3).await;

        desk.press("import-another").await;
        desk.chooses(&file).await;
        desk.press("import-check").await;
        desk.see("import-all-before").await;
        let sold = sold(&service).await;
        assert_eq!((sold["E-1"], sold["E-2"], sold.len()), (2, 1, 2));
    })
    .await;
}
