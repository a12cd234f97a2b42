//! Who sells on a shared computer: asked for at the counter, and told apart in the day's figures.

use crate::harness::{Desk, Language, Sale, Setup, journey, until};

#[tokio::test(flavor = "multi_thread")]
async fn each_sale_asks_who_sells_and_the_day_tells_them_apart() {
    journey(
        Setup::speaking(Language::Japanese),
        async |desk: &mut Desk| {
            desk.practise().await;
            desk.sized(1024, 700).await;
            desk.go_to("settings").await;
            desk.press("staff-perSale").await;
            desk.picture("ja-staff-settings").await;
            desk.go_to("register").await;

            let sale = Sale::of_a_refrigerator();
            desk.fill_in(&sale).await;
            desk.press("register-submit").await;
            desk.focus_is_at("staff-code").await;
            assert!(!desk.shows("receipt").await, "nobody has said who sells");
            desk.picture("ja-staff-missing").await;
            desk.has_focus_put_at("staff-code").await;
            desk.scan("STAFF-0042").await;
            until("the card is read", async || {
                (desk.holds("staff-code").await == "STAFF-0042").then_some(())
            })
            .await;
            desk.press("register-submit").await;
            desk.receipt_is(&["confirmed"]).await;
            assert_eq!(desk.holds("staff-code").await, "");

            desk.go_to("today").await;
            until("the day names who sold", async || {
                let staff = desk.text("today-staff").await;
                staff.contains("STAFF-0042").then_some(())
            })
            .await;
            desk.bring_into_view("today-staff").await;
            desk.picture("ja-staff-today").await;
        },
    )
    .await;
}
