//! The keys a spreadsheet is worked with, pressed on the display's own keyboard: what they copy, cut
//! and paste goes over the display's clipboard, past everything a test could hand to the page.

use fantoccini::key::Key;

use crate::harness::{Desk, Setup, Stroke, journey, until};
use crate::sheet::line;

/// The column of the transaction id.
const TRANSACTION: usize = 4;

impl Desk {
    /// The transaction ids from the first row on, until one is empty.
    async fn transactions_are(&self, wanted: &[&str]) {
        for (row, transaction) in wanted.iter().enumerate() {
            self.cell_shows(row, TRANSACTION, transaction).await;
        }
        self.cell_shows(wanted.len(), TRANSACTION, "").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_copied_and_cut_by_keys_is_pasted_by_keys() {
    journey(Setup::default(), async |desk: &mut Desk| {
        desk.practise().await;
        desk.opens_the_sheet().await;
        let two = [
            line("K-1", "a@sample.invalid"),
            line("K-2", "b@sample.invalid"),
        ];
        desk.pastes(&two.join("\r\n")).await;
        desk.transactions_are(&["K-1", "K-2"]).await;

        // Both rows whole, and pasted below themselves.
        desk.presses_by_hand(&["ctrl+Home", "shift+Down", "shift+End", "ctrl+c"]);
        desk.presses_by_hand(&["Home", "Down", "ctrl+v"]);
        desk.transactions_are(&["K-1", "K-1", "K-2"]).await;
        desk.cell_shows(2, 8, "b@sample.invalid").await;
        desk.presses_by_hand(&["ctrl+z"]);
        desk.transactions_are(&["K-1", "K-2"]).await;
        desk.presses_by_hand(&["ctrl+y"]);
        desk.transactions_are(&["K-1", "K-1", "K-2"]).await;

        // One cell cut and put elsewhere, and one filled down over the rows selected.
        desk.presses_by_hand(&["ctrl+Home", "Tab", "Tab", "Tab", "Tab", "ctrl+x"]);
        desk.cell_shows(0, TRANSACTION, "").await;
        desk.presses_by_hand(&["Down", "Down", "ctrl+v"]);
        desk.cell_shows(2, TRANSACTION, "K-1").await;
        desk.presses_by_hand(&["Up", "K", "9", "Return", "Up", "shift+Down", "ctrl+d"]);
        desk.cell_shows(1, TRANSACTION, "K9").await;
        desk.cell_shows(2, TRANSACTION, "K9").await;

        // A part of a cell's own text, and the text of a box that is no cell.
        desk.presses_by_hand(&["F2", "BackSpace", "7", "Escape"]);
        desk.cell_shows(1, TRANSACTION, "K9").await;
        desk.presses_by_hand(&["F2", "shift+Home", "ctrl+c", "Escape", "Up", "Up", "ctrl+v"]);
        desk.transactions_are(&["K9", "K9", "K9"]).await;
        desk.presses_by_hand(&["ctrl+f"]);
        desk.see("sheet-find").await;
        desk.presses_by_hand(&["P", "5", "ctrl+a", "ctrl+c", "Escape", "Delete", "ctrl+v"]);
        desk.cell_shows(0, TRANSACTION, "P5").await;

        shows_the_end_of_a_growing_selection_and_the_cursor_once_it_is_typed_in(desk).await;
    })
    .await;
}

async fn shows_the_end_of_a_growing_selection_and_the_cursor_once_it_is_typed_in(desk: &Desk) {
    desk.keys(&[Stroke::Control(Key::Home)]).await;
    let many: Vec<String> = (1..=200)
        .map(|number| line(&format!("V-{number}"), "a@sample.invalid"))
        .collect();
    desk.pastes(&many.join("\r\n")).await;
    desk.cell_shows(0, TRANSACTION, "V-1").await;
    desk.presses_by_hand(&["ctrl+Home", "ctrl+shift+Down"]);
    until("the selection is told", async || {
        let told = desk.script_at("grid-selected", "return it.textContent");
        told.await == "200 × 1 cells selected"
    })
    .await;
    desk.cell_shows(199, TRANSACTION, "V-200").await;
    assert_eq!(
        desk.cell(0, TRANSACTION).await,
        "",
        "the first row is far away"
    );
    desk.presses_by_hand(&["9"]);
    desk.cell_shows(0, TRANSACTION, "V-1").await;
    desk.presses_by_hand(&["Escape"]);
    desk.cell_shows(0, TRANSACTION, "V-1").await;

    // Undo brings back the rows and the cursor below them, where the short sheet ended before.
    desk.presses_by_hand(&["ctrl+End", "ctrl+a", "ctrl+minus"]);
    desk.cell_shows(0, TRANSACTION, "").await;
    desk.presses_by_hand(&["ctrl+z"]);
    desk.cell_shows(199, TRANSACTION, "V-200").await;
}
