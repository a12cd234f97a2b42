//! Finding a contract again: by a customer's name as somebody else writes it, by its day, by keys.

use chrono::{Days, NaiveDate};
use fantoccini::key::Key;
use serde_json::json;

use crate::harness::{Desk, Language, Sale, Setup, Stroke, journey, typed, until};

#[tokio::test(flavor = "multi_thread")]
async fn yesterdays_contract_is_found_by_name_in_japanese() {
    journey(
        Setup::speaking(Language::Japanese),
        yesterdays_contract_is_found,
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn yesterdays_contract_is_found_by_name_in_english() {
    journey(
        Setup::speaking(Language::English),
        yesterdays_contract_is_found,
    )
    .await;
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

    // Three keys beside the name.
    desk.keys(&[Stroke::Alt('6')]).await;
    desk.see("entries").await;
    desk.keys(&[Stroke::Char('/')]).await;
    desk.focus_is_at("contracts-search").await;
    desk.keys(&typed("高橋さくら")).await;
    desk.keys(&[Stroke::Key(Key::Enter)]).await;
    until("the contract is open", async || {
        let drawer = desk.text("case-drawer").await;
        drawer.contains(wanted.transaction_id).then_some(())
    })
    .await;
    assert!(desk.text("case-drawer").await.contains(wanted.customer));
    desk.shot("finding-details").await;

    desk.keys(&[Stroke::Alt(Key::Left.into())]).await;
    desk.sees_no("case-state").await;
    assert_eq!(desk.holds("contracts-search").await, "高橋さくら");
    assert_eq!(desk.listed().await, json!([wanted.transaction_id]));
    desk.press("contracts-range-yesterday").await;
    assert_eq!(desk.listed().await, json!([wanted.transaction_id]));
    desk.shot("finding-yesterday").await;
    desk.press("contracts-range-today").await;
    desk.press("contracts-widen").await;
    until("everything is listed again", async || {
        let both = json!([other.transaction_id, wanted.transaction_id]);
        (desk.listed().await == both).then_some(())
    })
    .await;
    desk.press("sort-transactionDate").await;
    desk.press("sort-transactionDate").await;
    until("the earlier sale comes first", async || {
        let sorted = json!([wanted.transaction_id, other.transaction_id]);
        (desk.listed().await == sorted).then_some(())
    })
    .await;
    desk.looked_at().await;
}

impl Desk {
    /// The day before today, by the clock of the store.
    async fn yesterday(&self) -> NaiveDate {
        let now = self
            .script("return document.querySelector('[data-testid=transaction-date]').placeholder")
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
                self.see("entries").await;
                self.fits().await;
                self.shot(&format!("finding-list-{theme}-{width}")).await;
            }
            self.press("columns").await;
            self.see("column-enteredAt").await;
            self.shot(&format!("finding-columns-{theme}")).await;
            self.press("columns").await;
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
            self.see("entries").await;
        }
    }
}
