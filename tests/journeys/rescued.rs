//! The desk's own file is damaged: staff are told what was replaced and what to look at.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use crate::harness::{Desk, Language, Sale, Service, journey_in};

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_file_is_reported_until_somebody_has_read_it() {
    journey_in(Language::Japanese, async |desk: &mut Desk| {
        let language = desk.language();
        let mut service = Service::start().await;
        desk.connect(&service).await;
        desk.wears("dark").await;
        desk.go_to("register").await;
        let confirmed = Sale::of_a_refrigerator();
        desk.register(&confirmed).await;
        desk.receipt_is(&["confirmed"]).await;
        // A start takes a copy of what is there; what comes afterwards is newer than the copy.
        desk.cut_the_power_and_start_again().await;
        desk.see("register-submit").await;
        desk.scan_and_see_plans(confirmed.product).await;
        desk.press("register-clear").await;
        service.go_down().await;
        let waiting = Sale {
            transaction_id: "POS-20261121-0002",
            price: "189900",
            ..confirmed
        };
        desk.enter_anew(&waiting).await;
        desk.receipt_is(&["queued"]).await;

        desk.start_again_after(ruin).await;
        desk.see("rescue-banner").await;
        desk.fits().await;
        desk.press("rescue-show").await;
        // The dialog opens before its report is read; the button is enabled afterwards.
        desk.see_where(r#"[data-testid="rescue-seen"]:enabled"#)
            .await;
        let report = desk.text("rescue-report").await;
        let told = report.contains(waiting.transaction_id)
            || report.contains(language.word("rescue.incomplete"));
        assert!(
            told,
            "what waited is named, or that something may be missing: {report}"
        );
        assert!(
            !report.contains(waiting.customer),
            "no customer is in the report"
        );
        desk.fits().await;
        desk.picture("rescue-report").await;
        desk.press("rescue-seen").await;
        desk.sees_no("rescue-banner").await;
        desk.go_to("outbox").await;
        desk.picture("rescued-outbox").await;

        desk.cut_the_power_and_start_again().await;
        desk.see("nav-outbox").await;
        assert!(!desk.shows("rescue-banner").await, "it was read");
        assert!(service.is_down(), "nothing could be sent meanwhile");
    })
    .await;
}

/// Writes over the beginning of the desk's file, as a failing disk might.
fn ruin(data_dir: &Path) {
    let mut file = File::options()
        .write(true)
        .open(data_dir.join("desk.db"))
        .expect("the desk's file is there");
    file.seek(SeekFrom::Start(0)).expect("it has a beginning");
    file.write_all(&[0x5a; 512]).expect("it can be written");
    file.sync_all().expect("it is written");
}
