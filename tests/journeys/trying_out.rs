//! What staff can try out while practising: no network, a refusal, an answer that gets lost, and saying
//! who sells.

use fantoccini::key::Key;

use crate::harness::{Desk, Language, Sale, Stroke, journey_in, until};

#[tokio::test(flavor = "multi_thread")]
async fn practice_shows_what_happens_offline_refused_without_an_answer_and_with_staff_named() {
    journey_in(Language::Japanese, async |desk: &mut Desk| {
        desk.practise().await;
        desk.sized(1024, 700).await;
        let numbered = |transaction_id: &'static str| Sale {
            transaction_id,
            ..Sale::of_a_refrigerator()
        };

        // What sells nothing works as usual, so the sale can be entered.
        desk.press("practice-refused").await;
        desk.register(&numbered("T-refused")).await;
        desk.receipt_is(&["rejected"]).await;
        desk.picture("ja-practice-refused").await;
        desk.press("practice-usual").await;
        desk.keys(&[Stroke::Alt('c')]).await;
        desk.see("correcting").await;
        desk.see("plan-option").await;
        desk.keys(&[Stroke::Key(Key::F12)]).await;
        desk.receipt_is(&["confirmed"]).await;

        desk.press("practice-offline").await;
        desk.enter_anew(&numbered("T-offline")).await;
        desk.receipt_is(&["queued"]).await;
        desk.picture("ja-practice-offline").await;
        desk.press("practice-usual").await;
        desk.receipt_is(&["confirmed"]).await;

        desk.press("practice-unknown").await;
        desk.enter_anew(&numbered("T-unknown")).await;
        desk.receipt_is(&["unknown"]).await;
        desk.picture("ja-practice-unknown").await;
        desk.press("practice-usual").await;
        desk.receipt_is(&["confirmed"]).await;

        // Another start begins with the usual.
        desk.press("practice-offline").await;
        desk.cut_the_power_and_start_again().await;
        desk.see("register-submit").await;
        each_sale_asks_who_sells_and_the_day_tells_them_apart(desk, &numbered("T-again")).await;
        customers_are_in_no_file_of_the_practice_service(desk);
    })
    .await;
}

/// Who sells on a shared computer: asked for at the counter, and told apart in the day's figures.
async fn each_sale_asks_who_sells_and_the_day_tells_them_apart(desk: &Desk, sale: &Sale) {
    desk.go_to("settings").await;
    desk.press("staff-perSale").await;
    desk.picture("ja-staff-settings").await;
    desk.go_to("register").await;

    desk.fill_in(sale).await;
    desk.press("register-submit").await;
    desk.focus_is_at("staff-code").await;
    assert!(!desk.shows("receipt").await, "nobody has said who sells");
    desk.picture("ja-staff-missing").await;
    desk.has_focus_put_at("staff-code").await;
    desk.scan("STAFF-0042").await;
    desk.comes_to_hold("staff-code", "STAFF-0042").await;
    desk.press("register-submit").await;
    desk.receipt_is(&["confirmed"]).await;
    assert_eq!(desk.holds("staff-code").await, "");

    desk.go_to("today").await;
    until("the day names who sold", async || {
        let staff = desk.text("today-staff").await;
        staff.contains("STAFF-0042")
    })
    .await;
    desk.bring_into_view("today-staff").await;
    desk.picture("ja-staff-today").await;
}

/// People type real customers while practising too.
fn customers_are_in_no_file_of_the_practice_service(desk: &Desk) {
    let files = ["practice.db", "practice.db-wal"].map(|name| desk.data_dir().join(name));
    let kept = files.map(|file| std::fs::read(file).unwrap_or_default());
    let kept = String::from_utf8_lossy(&kept.concat()).into_owned();
    assert!(kept.contains("T-again"), "the sale is there");
    let Sale {
        customer, email, ..
    } = Sale::of_a_refrigerator();
    assert!(!kept.contains(customer) && !kept.contains(email));
}
