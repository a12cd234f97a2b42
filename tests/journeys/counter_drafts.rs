//! What is typed at the counter outlives the page, the program and the power.

use fantoccini::key::Key;

use crate::canaries::{Canary, assert_none, search_tree};
use crate::harness::{Desk, Sale, Service, Setup, Stroke, journey, until};
use crate::live::was_sold_once;

impl Desk {
    /// Waits until the desk has kept all that is typed.
    async fn has_kept_what_is_typed(&self) {
        until("what is typed is kept", async || {
            let kept = self.script_at("register-form", "return it?.dataset.kept");
            kept.await == "true"
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sale_half_typed_outlives_the_page_and_a_power_cut_and_is_sold_once() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let service = Service::start().await;
        desk.connect(&service).await;
        let sale = Sale::of_a_refrigerator();
        desk.fill_in(&sale).await;
        desk.write("customer-email", "taro.mihon@").await;
        desk.has_kept_what_is_typed().await;
        desk.kill_the_page().await;
        until("a new process draws the page", async || {
            !desk.page_processes().is_empty()
        })
        .await;
        desk.cut_the_power_and_start_again().await;

        desk.see("draft-restored").await;
        assert_eq!(desk.holds("product-reference").await, sale.product);
        assert_eq!(desk.holds("transaction-id").await, sale.transaction_id);
        assert_eq!(desk.holds("customer-name").await, sale.customer);
        assert_eq!(desk.holds("customer-email").await, "taro.mihon@");
        desk.see_where(&format!("input[value=\"{}\"]:checked + *", sale.plan))
            .await;
        desk.picture("counter-draft-restored").await;
        desk.write("customer-email", sale.email).await;
        desk.keys(&[Stroke::Key(Key::F12)]).await;
        desk.receipt_is(&["confirmed"]).await;
        was_sold_once(&service, &sale).await;
        desk.has_kept_what_is_typed().await;

        desk.cut_the_power_and_start_again().await;
        desk.see("register-submit").await;
        desk.has_kept_what_is_typed().await;
        assert!(!desk.shows("draft-restored").await);
        assert_eq!(desk.holds("customer-name").await, "");
        assert_eq!(service.sold().await.len(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_keychain_connecting_says_what_is_wrong_and_practice_says_how_long_drafts_last() {
    journey(
        Setup::default().without_keychain(),
        async |desk: &mut Desk| {
            connects_to_nothing(desk).await;
            desk.practise().await;
            let sale = Sale::of_a_refrigerator();
            desk.fill_in(&sale).await;
            desk.see("draft-not-kept").await;
            // Where it appears, it moves no plan away from under a person's pointer, and in a small window it is
            // in sight as well.
            let lies = async |question: &str| {
                desk.script(&format!(
                    "const box = (id) => document.querySelector(`[data-testid=${{id}}]`).getBoundingClientRect();
                     return {question}"
                ))
                .await
            };
            let below_the_fields = "box('draft-not-kept').top >= box('customer-email').bottom";
            assert_eq!(lies(below_the_fields).await, true);
            desk.sized(1024, 700).await;
            assert_eq!(lies("box('draft-not-kept').bottom <= innerHeight").await, true);
            desk.sized(1280, 800).await;
            desk.picture("counter-draft-in-memory").await;
            desk.go_to("plans").await;
            desk.go_to("register").await;
            assert_eq!(desk.holds("customer-name").await, sale.customer);
            desk.press("register-submit").await;
            desk.receipt_is(&["confirmed"]).await;
            desk.sees_no("draft-not-kept").await;
        },
    )
    .await;
}

async fn connects_to_nothing(desk: &Desk) {
    let service = Service::start().await;
    let (address, store) = (service.address(), warranty_sandbox::STORE_ID);
    desk.fill_in_the_connection(&address, store, Service::TOKEN)
        .await;
    assert!(!desk.text("keychain-notice").await.is_empty());
    desk.press("connect-submit").await;
    desk.confirms_the_server().await;
    desk.see("error-notice").await;
    desk.picture("no-keychain").await;
    let token = [Canary::new("token", Service::TOKEN)];
    assert_none(&search_tree(&token, &desk.data_dir(), &[]));
    desk.press("connect-back").await;
}
