//! The words of the counter: what staff do, each as one step of a journey.

use std::time::Duration;

use fantoccini::key::Key;
use warranty_sandbox::sample;

use super::desk::Desk;
use super::page::{Stroke, named, until};
use super::service::Service;

/// One sale as it stands on the customer's slip. All of it is sample data.
#[derive(Debug, Clone, Copy)]
pub struct Sale {
    pub product: &'static str,
    /// What the customer paid for the product.
    pub price: &'static str,
    pub plan: &'static str,
    pub transaction_id: &'static str,
    pub total: &'static str,
    pub customer: &'static str,
    pub email: &'static str,
}

impl Sale {
    /// A refrigerator with its plan of five years.
    pub fn of_a_refrigerator() -> Self {
        Self {
            product: sample::PRODUCT_REFRIGERATOR,
            price: "189800",
            plan: sample::REFRIGERATOR_PLAN_5_YEARS,
            transaction_id: "POS-20261121-0001",
            total: "208780",
            customer: "見本 太郎",
            email: "taro.mihon@sample.invalid",
        }
    }
}

impl Desk {
    /// Answers the first question with "practise" and waits for the counter.
    pub async fn practise(&self) {
        self.press("first-practise").await;
        self.see("register-submit").await;
    }

    /// Answers the first question with "connect", types everything in, but does not connect yet.
    pub async fn fill_in_the_connection(&self, address: &str, store_id: &str, token: &str) {
        self.press("first-connect").await;
        self.write("connect-base-url", address).await;
        self.write("connect-store-id", store_id).await;
        self.write("connect-token", token).await;
        self.write("connect-name", "Sample store").await;
    }

    /// Connects to a service and waits for the counter.
    pub async fn connect(&self, service: &Service) {
        self.connect_to(&service.address()).await;
    }

    /// Connects to whatever is at an address and waits for the counter.
    pub async fn connect_to(&self, address: &str) {
        self.fill_in_the_connection(address, warranty_sandbox::STORE_ID, Service::TOKEN)
            .await;
        self.press("connect-submit").await;
        self.confirms_the_server().await;
        self.see("register-submit").await;
    }

    /// Opens a page of the sidebar; a contract that is open over the page is closed before.
    pub async fn go_to(&self, page: &str) {
        self.script(
            "document.querySelector('dialog[open][data-testid=contract-drawer] .close')?.click()",
        )
        .await;
        self.press(&format!("nav-{page}")).await;
    }

    /// A barcode scanner, plugged into the display as a keyboard: the code as one burst, ended by
    /// Enter, wherever the focus is.
    pub async fn scan(&self, code: &str) {
        // The driver types as fast as a scanner. A hand takes its time to reach for one; without
        // that pause both would be one burst.
        tokio::time::sleep(Duration::from_millis(300)).await;
        let scanned = std::process::Command::new("xdotool")
            .args([
                "search",
                "--onlyvisible",
                "--name",
                "Warranty Desk",
                "windowfocus",
            ])
            .args(["type", "--delay", "2", "--args", "1", code])
            .args(["key", "--delay", "2", "Return"])
            .status()
            .expect("xdotool can be run");
        assert!(scanned.success(), "the scanner works: {scanned}");
    }

    /// Scans a product, says yes should another one be in the middle of its sale, and waits until
    /// its plans are offered.
    pub async fn scan_and_see_plans(&self, code: &str) {
        self.scan(code).await;
        until(&format!("the product is {code}"), async || {
            if self.shows("scan-replace").await {
                self.press("scan-replace").await;
            }
            self.holds("product-reference").await == code
        })
        .await;
        self.see("plan-option").await;
    }

    pub async fn choose_plan(&self, plan: &str) {
        self.press_where(&format!(
            "{}:has(input[value=\"{plan}\"])",
            named("plan-option")
        ))
        .await;
    }

    /// Fills the counter form in, up to the button.
    pub async fn fill_in(&self, sale: &Sale) {
        self.scan_and_see_plans(sale.product).await;
        self.choose_plan(sale.plan).await;
        self.write_price(sale.price).await;
        self.write("transaction-id", sale.transaction_id).await;
        self.write("transaction-total", sale.total).await;
        self.write("customer-name", sale.customer).await;
        self.write("customer-email", sale.email).await;
    }

    /// Types the price of the product until it is as typed.
    pub async fn write_price(&self, price: &str) {
        self.write_amount("product-price", price).await;
    }

    /// Types an amount until it is as typed: the desk fills an empty box in by itself, at a moment
    /// of its own, and that may be after the box was emptied and before the first key.
    pub async fn write_amount(&self, testid: &str, amount: &str) {
        until(&format!("{testid} is {amount}"), async || {
            let amount_box = self.bring_into_view(testid).await;
            amount_box.clear().await.is_ok()
                && amount_box.send_keys(amount).await.is_ok()
                && self.holds(testid).await.replace(',', "") == amount
        })
        .await;
    }

    /// Waits until the desk has filled a price in by itself.
    pub async fn price_is_filled_in(&self, testid: &str) {
        until(&format!("{testid} is filled in"), async || {
            !self.holds(testid).await.is_empty()
        })
        .await;
    }

    pub async fn register(&self, sale: &Sale) {
        self.fill_in(sale).await;
        self.press("register-submit").await;
        self.see("receipt").await;
    }

    /// Connects to a service that goes down once the plans of a product were seen, and registers a sale of it,
    /// which waits.
    pub async fn registers_at_a_service_that_is_down(&self) -> (Service, Sale) {
        let mut service = Service::start().await;
        self.connect(&service).await;
        let sale = Sale::of_a_refrigerator();
        self.scan_and_see_plans(sale.product).await;
        self.press("register-clear").await;
        service.go_down().await;
        self.register(&sale).await;
        self.receipt_is(&["queued"]).await;
        (service, sale)
    }

    /// Registers another sale of a product that was sold before: the desk fills its price in by
    /// itself, at a moment of its own.
    pub async fn enter_anew(&self, sale: &Sale) {
        self.scan_and_see_plans(sale.product).await;
        self.price_is_filled_in("product-price").await;
        self.choose_plan(sale.plan).await;
        self.write("transaction-id", sale.transaction_id).await;
        self.write("transaction-total", sale.total).await;
        self.write("customer-name", sale.customer).await;
        self.write("customer-email", sale.email).await;
        self.press("register-submit").await;
    }

    /// Waits until the receipt shows one of these states, as named in the texts.
    pub async fn receipt_is(&self, states: &[&str]) {
        let words: Vec<_> = states
            .iter()
            .map(|state| self.language().word(&format!("state.{state}")))
            .collect();
        until(&format!("the receipt says one of {words:?}"), async || {
            words.contains(&self.text("receipt-state").await.as_str())
        })
        .await;
    }

    /// Looks a contract up at the service and waits for its sheet.
    pub async fn look_up(&self, contract_id: &str) {
        self.go_to("contracts").await;
        self.write("contracts-search", contract_id).await;
        self.press("contract-lookup").await;
        self.see("contract-sheet").await;
    }

    /// What the outbox counts under a name such as `waiting`.
    pub async fn outbox_count(&self, name: &str) -> u32 {
        let count = self
            .see_where(&format!("{} .num", named(&format!("outbox-count-{name}"))))
            .await;
        let text = count.text().await.unwrap_or_default();
        text.trim()
            .parse()
            .unwrap_or_else(|_| panic!("{name} counts “{text}”"))
    }

    pub async fn outbox_counts(&self, name: &str, wanted: u32) {
        until(
            &format!("the outbox counts {wanted} as {name}"),
            async || self.outbox_count(name).await == wanted,
        )
        .await;
    }

    /// Moves the focus on with Tab until an element has it.
    pub async fn tab_to(&self, testid: &str) {
        self.walk_to(testid, Stroke::Key(Key::Tab)).await;
    }

    /// Moves the focus back with Shift and Tab until an element has it.
    pub async fn tab_back_to(&self, testid: &str) {
        self.walk_to(testid, Stroke::Shift(Key::Tab)).await;
    }

    async fn walk_to(&self, testid: &str, step: Stroke) {
        const MOST: usize = 12;
        for _ in 0..MOST {
            if self.focus().await == testid {
                return;
            }
            self.keys(&[step]).await;
        }
        panic!(
            "{testid} is not within {MOST} steps of {step:?}; the focus is at {}",
            self.focus().await
        );
    }

    /// Gives the window a size, in pixels of the page.
    pub async fn sized(&self, width: u32, height: u32) {
        self.client()
            .set_window_size(width, height)
            .await
            .unwrap_or_else(|error| panic!("the window cannot be sized: {error}"));
        until("the page has the new size", async || {
            let size = self.script("return [innerWidth, innerHeight]").await;
            size == serde_json::json!([width, height])
        })
        .await;
    }
}
