//! Finding a contract again: by a customer's name as somebody else writes it, by its day, by keys.

use chrono::{Days, NaiveDate};
use fantoccini::key::Key;
use serde_json::json;
use warranty_sandbox::sample;

use crate::counter_keys::Hands;
use crate::harness::{Desk, Language, Sale, Setup, Stroke, journey, journey_in, until};

#[tokio::test(flavor = "multi_thread")]
async fn yesterdays_contract_is_found_by_name() {
    journey_in(Language::Japanese, yesterdays_contract_is_found).await;
}

async fn yesterdays_contract_is_found(desk: &mut Desk) {
    let wanted = Sale {
        customer: "髙橋　ｻｸﾗ",
        ..Sale::of_a_refrigerator()
    };
    let other = Sale {
        transaction_id: "POS-20261122-0002",
        customer: "渡邉 太郎",
        ..Sale::of_a_refrigerator()
    };
    desk.sized(1280, 800).await;
    desk.practise().await;
    desk.fill_in(&wanted).await;
    desk.press("transaction-date-change").await;
    let yesterday = desk.yesterday().await;
    desk.write("transaction-date", &format!("{yesterday} 17:30"))
        .await;
    desk.press("register-submit").await;
    desk.receipt_is(&["accepted", "confirmed"]).await;
    desk.enter_anew(&other).await;
    desk.receipt_is(&["confirmed"]).await;

    let mut hands = Hands::default();
    hands.press(desk, Stroke::Alt('7')).await;
    desk.see("list").await;
    hands.press(desk, Stroke::Char('/')).await;
    desk.focus_is_at("contracts-search").await;
    hands.write(desk, "高橋さくら").await;
    hands.press(desk, Stroke::Key(Key::Enter)).await;
    assert_eq!((hands.scans, hands.keys), (0, 3));
    desk.drawer_says(wanted.transaction_id).await;
    assert!(desk.text("case-drawer").await.contains(wanted.customer));
    desk.shot("finding-details").await;

    desk.keys(&[Stroke::Alt(Key::Left.into())]).await;
    desk.sees_no("case-state").await;
    assert_eq!(desk.holds("contracts-search").await, "高橋さくら");
    assert_eq!(desk.listed().await, json!([wanted.transaction_id]));
    desk.press("contracts-range-yesterday").await;
    assert_eq!(desk.listed().await, json!([wanted.transaction_id]));
    desk.shot("finding-yesterday").await;
    desk.has_focus_put_at("list").await;
    desk.keys(&[Stroke::Char('?')]).await;
    desk.see("shortcut-sheet").await;
    desk.fits().await;
    desk.shot("finding-shortcuts").await;
    desk.keys(&[Stroke::Key(Key::Escape)]).await;
    desk.press("contracts-range-today").await;
    desk.press("contracts-widen").await;
    until("everything is listed again", async || {
        let both = json!([other.transaction_id, wanted.transaction_id]);
        desk.listed().await == both
    })
    .await;
    desk.press("sort-transactionDate").await;
    until("the earlier sale comes first", async || {
        let sorted = json!([wanted.transaction_id, other.transaction_id]);
        desk.listed().await == sorted
    })
    .await;
    desk.looked_at().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_list_is_found_again_as_it_was_left() {
    journey(Setup::default(), async |desk: &mut Desk| {
        desk.sized(1280, 800).await;
        desk.practise().await;
        desk.sells(60).await;
        desk.go_to("contracts").await;
        desk.reads_of_all(60).await;
        desk.scrolls_to(1000).await;
        until("the rows in view are there", async || {
            let listed = desk.listed().await;
            let rows = listed.as_array().expect("a list");
            // The first row is no longer painted once the page has heard of the scrolling.
            let heard = rows.len() < 40 && !rows.contains(&json!("T-1059"));
            heard && rows.contains(&json!("T-1035"))
        })
        .await;
        desk.press_where("[data-entry=\"T-1035\"] [data-column=customer]")
            .await;
        desk.drawer_says("T-1035").await;
        desk.keys(&[Stroke::Key(Key::Escape)]).await;
        desk.sees_no("case-state").await;
        assert_eq!(desk.scrolled().await, 1000);
        desk.go_to("plans").await;
        desk.see("plans-reference").await;
        desk.keys(&[Stroke::Alt(Key::Left.into())]).await;
        desk.see("list").await;
        until("the list is where it was", async || {
            desk.scrolled().await == 1000
        })
        .await;
        until("the contract is chosen as it was", async || {
            desk.chosen().await == "T-1035"
        })
        .await;

        desk.has_focus_put_at("list").await;
        desk.keys(&[Stroke::Key(Key::End)]).await;
        until("the last row is chosen", async || {
            desk.chosen().await == "T-1000"
        })
        .await;
        desk.keys(&[Stroke::Key(Key::Up), Stroke::Key(Key::Enter)])
            .await;
        desk.drawer_says("T-1001").await;
        desk.shot("finding-long").await;

        desk.keys(&[Stroke::Key(Key::Escape)]).await;
        desk.sees_no("case-state").await;
        keeps_its_rows_whatever_customers_are_called(desk).await;
    })
    .await;
}

/// Names that could turn, stretch or open a row, and how each is to be read.
async fn keeps_its_rows_whatever_customers_are_called(desk: &mut Desk) {
    let stacked = format!("見本{}", "\u{301}\u{489}\u{335}".repeat(40));
    let longest = "長".repeat(200);
    let names = [
        (
            "\u{202e}本見 txt.exe\u{202c}",
            "‹U+202E›本見 txt.exe‹U+202C›",
        ),
        ("\u{2067}本見\u{200b}", "‹U+2067›本見‹U+200B›"),
        ("見本\r\n太郎", "見本 太郎"),
        ("مرحبا 見本 123", "مرحبا 見本 123"),
        (&stacked, &stacked),
        (&longest, &longest),
        ("<b>見本</b><br><!--", "<b>見本</b><br><!--"),
        ("=1+1", "=1+1"),
    ];
    let (called, read): (Vec<_>, Vec<_>) = names.into_iter().unzip();
    desk.sells_to(2000, &called).await;
    desk.has_focus_put_at("list").await;
    desk.keys(&[Stroke::Key(Key::Home)]).await;
    let newest = format!("T-{}", 1999 + called.len());
    desk.see_where(&format!("[data-entry=\"{newest}\"]")).await;
    let rows = desk
        .script(
            "return [...document.querySelectorAll('[data-entry^=\"T-2\"]')].reverse().map((row) => {
                 const cell = row.querySelector('[data-column=customer]');
                 const text = cell.querySelector('.two-lines');
                 const { left, right, top, bottom } = cell.getBoundingClientRect();
                 const inside = text.getBoundingClientRect();
                 const style = getComputedStyle(text);
                 return {
                     read: text.textContent.trim(),
                     height: row.offsetHeight,
                     lines: Math.round(text.clientHeight / parseFloat(style.lineHeight)) <= 2,
                     elements: text.childElementCount,
                     cut: style.overflow,
                     apart: style.unicodeBidi.startsWith('isolate'),
                     within: inside.left >= left && inside.right <= right && inside.top >= top && inside.bottom <= bottom,
                 };
             })",
        )
        .await;
    let whole = |read: &&str| {
        json!({
            "read": read, "height": 44, "lines": true, "elements": 0, "cut": "hidden",
            "apart": true, "within": true,
        })
    };
    let expected: Vec<_> = read.iter().map(whole).collect();
    assert_eq!(rows, json!(expected));
    desk.fits().await;
    desk.shot("finding-odd-names").await;
}

impl Desk {
    /// Waits until the contract of this transaction is open.
    async fn drawer_says(&self, transaction: &str) {
        until(&format!("{transaction} is open"), async || {
            let drawer = self.text("case-drawer").await;
            drawer.contains(transaction)
        })
        .await;
    }

    /// Registers so many sales, T-1000 first.
    async fn sells(&self, count: u32) {
        let names: Vec<String> = (0..count).map(|number| format!("見本 {number}")).collect();
        self.sells_to(1000, &names).await;
    }

    /// Registers a sale to each of these customers.
    async fn sells_to(&self, first: u32, names: &[impl serde::Serialize]) {
        let sold = self
            .script_answers(&format!(
                "const done = arguments[0];
                 const sell = async () => {{
                     const {{ profile }} = await window.__TAURI_INTERNALS__.invoke('status');
                     for (const [place, customerName] of {}.entries()) {{
                         await window.__TAURI_INTERNALS__.invoke('contract_register', {{
                             profileId: profile.id,
                             id: crypto.randomUUID(),
                             confirmed: [],
                             draft: {{
                                 transactionId: `T-${{{first} + place}}`, transactionTotal: '208780',
                                 transactionDate: '', customerName,
                                 customerEmail: 'taro.mihon@sample.invalid',
                                 productReferenceId: '{}', productPurchasePrice: '189800',
                                 planId: '{}', planPurchasePrice: '9490',
                             }},
                         }});
                     }}
                 }};
                 sell().then(() => done('done'), (error) => done(JSON.stringify(error)));",
                json!(names),
                sample::PRODUCT_REFRIGERATOR,
                sample::REFRIGERATOR_PLAN_5_YEARS,
            ))
            .await;
        assert_eq!(sold, json!("done"));
    }

    async fn reads_of_all(&self, count: u32) {
        until(&format!("{count} contracts are listed"), async || {
            let sums = self.text("contracts-sums").await;
            sums.contains(&count.to_string())
        })
        .await;
    }

    async fn scrolls_to(&self, top: u32) {
        self.script_at("list", &format!("it.parentElement.scrollTop = {top}"))
            .await;
    }

    async fn scrolled(&self) -> i64 {
        let top = self.script_at("list", "return it.parentElement.scrollTop");
        top.await.as_i64().unwrap_or(-1)
    }

    /// The transaction of the row that is chosen.
    async fn chosen(&self) -> String {
        let chosen = self
            .script("return document.querySelector('[aria-selected=true]')?.dataset.entry ?? ''")
            .await;
        chosen.as_str().unwrap_or_default().to_owned()
    }

    /// The day before today, by the clock of the store.
    async fn yesterday(&self) -> NaiveDate {
        let now = self
            .script_at("transaction-date", "return it.placeholder")
            .await;
        let day = now.as_str().and_then(|now| now.get(..10)).expect("a day");
        let today: NaiveDate = day.parse().expect("a day of the calendar");
        today - Days::new(1)
    }

    /// The transactions in the list, from the top.
    async fn listed(&self) -> serde_json::Value {
        self.script(
            "return [...document.querySelectorAll('[data-testid=entry-row]')].map((row) => row.dataset.entry)",
        )
        .await
    }

    /// The list in both themes and at two sizes: nothing runs over the edge.
    async fn looked_at(&mut self) {
        for theme in ["light", "dark"] {
            self.wears(theme).await;
            self.go_to("contracts").await;
            for (width, height) in [(1280, 800), (1024, 700)] {
                self.sized(width, height).await;
                self.see("list").await;
                self.fits().await;
                self.shot(&format!("finding-list-{theme}-{width}")).await;
            }
            self.press("contracts-range-days").await;
            self.write("contracts-from", "11/31").await;
            self.fits().await;
            self.shot(&format!("finding-days-{theme}")).await;
            self.write("contracts-search", "contract-of-another-desk")
                .await;
            self.press("contracts-range-all").await;
            self.see("contract-lookup").await;
            self.shot(&format!("finding-nothing-{theme}")).await;
            self.press("contracts-widen").await;
            self.see("list").await;
        }
    }
}
