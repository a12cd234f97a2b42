//! The sheet in the real window: many sales at once, by keyboard, from the clipboard, after a crash.
//! The service's ledger judges what was sold.

use std::collections::BTreeMap;

use fantoccini::key::Key;
use serde_json::json;
use warranty_sandbox::sample;

use crate::harness::{Desk, Sale, Service, Setup, Stroke, journey, typed, until};

/// The fee of the sample sale's plan, as the service has it.
fn fee() -> String {
    let sale = Sale::of_a_refrigerator();
    sample::catalogue()
        .iter()
        .flat_map(|product| &product.plans)
        .find(|plan| plan.id == sale.plan)
        .map(|plan| plan.price.to_string())
        .expect("the plan is in the catalogue")
}

/// A line as a spreadsheet copies it: one sale under this transaction id.
pub fn line(transaction_id: &str, email: &str) -> String {
    let sale = Sale::of_a_refrigerator();
    let fee = fee();
    [
        sale.product,
        sale.price,
        sale.plan,
        &fee,
        transaction_id,
        sale.total,
        "",
        sale.customer,
        email,
    ]
    .join("\t")
}

/// Pastes a text at the cursor, as the clipboard hands it to the page.
const PASTE: &str = "
    const paste = (text) => {
        const data = new DataTransfer();
        data.setData('text/plain', text);
        document.querySelector('[data-testid=grid-box]').dispatchEvent(
            new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    };";

impl Desk {
    pub async fn opens_the_sheet(&self) {
        self.go_to("sheet").await;
        self.focus_is_at("grid-box").await;
    }

    pub async fn pastes(&self, text: &str) {
        self.script(&format!("{PASTE} paste({})", json!(text)))
            .await;
    }

    /// What a cell shows, both counted from 0.
    pub async fn cell(&self, row: usize, column: usize) -> String {
        let text = self
            .script(&format!(
                "return document.querySelector(
                     '[aria-rowindex=\"{}\"] > [aria-colindex=\"{}\"]')?.innerText ?? ''",
                row + 2,
                column + 2
            ))
            .await;
        text.as_str().unwrap_or_default().trim().to_owned()
    }

    pub async fn cell_shows(&self, row: usize, column: usize, wanted: &str) {
        until(
            &format!("cell {row}, {column} shows “{wanted}”"),
            async || self.cell(row, column).await == wanted,
        )
        .await;
    }

    /// Waits until so many rows can be handed in.
    pub async fn rows_are_ready(&self, count: usize) {
        let wanted = format!("{count} row");
        until(&format!("{count} rows are ready"), async || {
            let text = self.text("sheet-ready").await;
            text.replace(',', "").starts_with(&wanted)
        })
        .await;
    }

    /// Waits until so many rows in view carry a mark, by its key in the texts.
    pub async fn rows_are_marked(&self, mark: &str, count: usize) {
        let script = format!("return document.querySelectorAll('[data-mark=\"{mark}\"]').length");
        until(&format!("{count} rows are marked {mark}"), async || {
            self.script(&script).await == json!(count)
        })
        .await;
    }

    /// Waits until the last change of the sheet has been kept by the desk.
    async fn sheet_is_kept(&self) {
        self.see_where("[data-testid=sheet-bar][data-kept=\"true\"]")
            .await;
    }

    /// Hands in what is ready, by keyboard.
    pub async fn hands_in(&self) {
        self.keys(&[Stroke::Control(Key::Enter)]).await;
        self.see("submit-yes").await;
        self.focus_is_at("submit-back").await;
        self.keys(&[Stroke::Key(Key::F12)]).await;
        self.sees_no("submit-yes").await;
    }
}

/// How often each transaction was sold.
async fn sold(service: &Service) -> BTreeMap<String, usize> {
    let mut sold = BTreeMap::new();
    for sale in service.sold().await {
        *sold.entry(sale.transaction_id).or_default() += 1;
    }
    sold
}

fn each_once<'a>(transactions: impl IntoIterator<Item = &'a str>) -> BTreeMap<String, usize> {
    transactions
        .into_iter()
        .map(|transaction| (transaction.to_owned(), 1))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_keyboard_alone_fills_a_sheet_and_registers_it() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let service = Service::start().await;
        desk.connect(&service).await;
        let sale = Sale::of_a_refrigerator();
        desk.keys(&[Stroke::Alt('2')]).await;
        desk.focus_is_at("grid-box").await;
        for (row, transaction) in ["S-1", "S-2"].into_iter().enumerate() {
            desk.keys(&typed(sale.product)).await;
            desk.keys(&[Stroke::Key(Key::Tab)]).await;
            // The service lists plans without their product, so the price may not be known.
            desk.keys(&typed(sale.price)).await;
            desk.keys(&[Stroke::Key(Key::Tab)]).await;
            desk.see("plan-offered").await;
            desk.keys(&[Stroke::Char('2'), Stroke::Key(Key::Tab)]).await;
            until("the fee came with the plan", async || {
                !desk.cell(row, 3).await.is_empty()
            })
            .await;
            desk.keys(&[Stroke::Key(Key::Tab)]).await;
            desk.keys(&typed(transaction)).await;
            desk.keys(&[Stroke::Key(Key::Tab)]).await;
            desk.keys(&typed(sale.total)).await;
            // The date stays empty: the moment of registering.
            desk.keys(&[Stroke::Key(Key::Tab), Stroke::Key(Key::Tab)])
                .await;
            desk.keys(&typed("Mihon Taro")).await;
            desk.keys(&[Stroke::Key(Key::Tab)]).await;
            desk.keys(&typed(sale.email)).await;
            desk.keys(&[Stroke::Key(Key::Enter)]).await;
        }
        desk.rows_are_ready(2).await;
        assert!(service.sold().await.is_empty(), "nothing is sold by typing");
        // The codes of the row at the cursor, by name.
        desk.keys(&[Stroke::Key(Key::Up)]).await;
        until("the names of row 2", async || {
            let names = desk.text("sheet-names").await;

            names.contains("冷凍冷蔵庫") && names.contains("延長保証")
        })
        .await;
        desk.hands_in().await;
        desk.rows_are_marked("state.confirmed", 2).await;
        assert_eq!(sold(&service).await, each_once(["S-1", "S-2"]));
        desk.press("sheet-clear").await;
        desk.see("sheet-empty").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pasted_day_survives_a_crash_and_is_sold_once_row_by_row() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let service = Service::start().await;
        desk.connect(&service).await;
        desk.opens_the_sheet().await;
        let email = Sale::of_a_refrigerator().email;
        let mut lines: Vec<String> = (1..=12)
            .map(|number| line(&format!("D-{number}"), email))
            .collect();
        lines.push(line("D-13", "nobody"));
        desk.pastes(&lines.join("\r\n")).await;
        desk.rows_are_ready(12).await;
        desk.shot("sheet-pasted").await;

        // Nothing was registered yet, and a crash loses no row.
        desk.sheet_is_kept().await;
        desk.cut_the_power_and_start_again().await;
        desk.opens_the_sheet().await;
        desk.rows_are_ready(12).await;
        assert!(service.sold().await.is_empty());

        desk.hands_in().await;
        desk.rows_are_marked("state.confirmed", 12).await;
        desk.reads("sheet-result", "12 accepted").await;
        desk.go_to("today").await;
        desk.go_to("sheet").await;
        desk.reads("sheet-result", "12 accepted").await;
        desk.shot("sheet-registered").await;
        let first: Vec<String> = (1..=12).map(|number| format!("D-{number}")).collect();
        assert_eq!(
            sold(&service).await,
            each_once(first.iter().map(String::as_str))
        );

        // F8 goes to the row with the wrong e-mail address; corrected, it is sold as well.
        desk.keys(&[Stroke::Key(Key::F8)]).await;
        desk.reads("grid-note", desk.language().word("problem.notEmail"))
            .await;
        desk.keys(&typed("mended@sample.invalid")).await;
        desk.keys(&[Stroke::Key(Key::Enter)]).await;
        desk.rows_are_ready(1).await;
        desk.hands_in().await;
        desk.rows_are_marked("state.confirmed", 13).await;
        let sold = sold(&service).await;
        assert_eq!(sold.len(), 13);
        assert!(sold.values().all(|times| *times == 1), "{sold:?}");
    })
    .await;
}

/// A name composed and confirmed, as WebKit tells of it; says what the box showed meanwhile.
const COMPOSE: &str = "
    const box = document.querySelector('[data-testid=grid-box]');
    const key = (more) => box.dispatchEvent(
        new KeyboardEvent('keydown', { bubbles: true, cancelable: true, keyCode: 229, ...more }));
    const compose = (name, data) =>
        box.dispatchEvent(new CompositionEvent(name, { bubbles: true, data }));
    const put = (text) => {
        box.value = text;
        compose('compositionupdate', text);
        box.dispatchEvent(new InputEvent('input',
            { bubbles: true, inputType: 'insertCompositionText', data: text }));
    };
    const seen = [];
    key({ key: 'Process', code: 'KeyY' });
    compose('compositionstart', '');
    for (const text of ['や', 'やまだ', '山田']) put(text);
    seen.push(getComputedStyle(box).opacity, box.value);
    key({ key: 'Enter', code: 'Enter', isComposing: true });
    compose('compositionend', '山田');
    key({ key: 'Enter', code: 'Enter' });
    seen.push(box.value);
    return seen;";

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_rows_are_pasted_looked_at_moved_through_and_typed_in() {
    journey(Setup::default(), async |desk: &mut Desk| {
        desk.practise().await;
        desk.opens_the_sheet().await;
        desk.script_answers(&pasting_many()).await;
        desk.rows_are_ready(9_980).await;
        let shown = desk
            .script("return document.querySelectorAll('[data-testid=grid-row]').length")
            .await;
        assert!(
            shown.as_u64().is_some_and(|rows| rows < 200),
            "only what is in view is painted: {shown}"
        );
        desk.shot("sheet-ten-thousand").await;
        desk.keys(&[Stroke::Control(Key::End)]).await;
        desk.cell_shows(9_999, 4, "L-10000").await;

        // What an input method composes reaches its cell whole: the name, the last column but one.
        desk.keys(&[Stroke::Key(Key::End), Stroke::Key(Key::Left)])
            .await;
        let seen = desk.script(COMPOSE).await;
        assert_eq!(seen, json!(["1", "山田", "山田"]), "shown, kept, not moved");
        desk.keys(&[Stroke::Key(Key::Enter)]).await;
        desk.cell_shows(9_999, 7, "山田").await;
    })
    .await;
}

/// Pastes ten thousand rows, twenty of them wrong, and answers when they are painted and looked at.
pub fn pasting_many() -> String {
    let [good, wrong] =
        ["a@sample.invalid", "nobody"].map(|email| json!(line("TRANSACTION", email)).to_string());
    format!(
        "{PASTE}
         const done = arguments[0];
         const rows = [];
         for (let number = 1; number <= 10000; number += 1) {{
             const row = number % 500 === 7 ? {wrong} : {good};
             rows.push(row.replace('TRANSACTION', 'L-' + number));
         }}
         const text = rows.join('\\r\\n');
         const start = performance.now();
         let painted = 0;
         paste(text);
         requestAnimationFrame(() => requestAnimationFrame(
             () => (painted = performance.now() - start)));
         const look = () => {{
             const ready = document.querySelector('[data-testid=sheet-ready]').innerText;
             if (!ready.startsWith('9,980 ') || painted === 0) return requestAnimationFrame(look);
             requestAnimationFrame(() => done({{ painted, validated: performance.now() - start }}));
         }};
         look();"
    )
}
