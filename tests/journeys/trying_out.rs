//! What staff can try out while practising: no network, a refusal, an answer that gets lost.

use fantoccini::key::Key;

use crate::harness::{Desk, Language, Sale, Setup, Stroke, journey};

#[tokio::test(flavor = "multi_thread")]
async fn practice_shows_what_happens_offline_refused_and_without_an_answer() {
    journey(
        Setup::speaking(Language::Japanese),
        async |desk: &mut Desk| {
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
            desk.register(&numbered("T-again")).await;
            desk.receipt_is(&["confirmed"]).await;
        },
    )
    .await;
}
