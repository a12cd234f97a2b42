//! Two of one product in one transaction, from the sheet: each row but the first is asked about, and sold with
//! a yes. The service's ledger is the judge.

use fantoccini::key::Key;

use crate::harness::{Desk, Sale, Service, Setup, Stroke, journey};
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
