//! When something does not work: the check of the computer, and the bundle for whoever helps.

use crate::harness::{Desk, Language, Service, journey_in};

#[tokio::test(flavor = "multi_thread")]
async fn the_check_says_what_works_and_every_file_of_a_bundle_is_shown_before_it_is_saved() {
    journey_in(Language::Japanese, async |desk: &mut Desk| {
        let service = Service::start().await;
        desk.connect(&service).await;
        desk.go_to("settings").await;
        desk.press("diagnose").await;
        let found = desk.text("diagnosis").await;
        let words = desk.language();
        for works in ["support.folderIs.good", "support.works", "support.direct"] {
            assert!(found.contains(words.word(works)), "{found}");
        }
        assert!(
            found.contains(words.word("connect.tokenIs.good")),
            "{found}"
        );
        desk.bring_into_view("journal-export-csv").await;
        desk.picture("support-diagnosis").await;
        assert!(service.sold().await.is_empty());
        shows_a_bundle_before_it_is_saved(desk).await;
    })
    .await;
}

async fn shows_a_bundle_before_it_is_saved(desk: &mut Desk) {
    desk.press("support-bundle").await;
    let shown = desk.text("bundle-text").await;
    assert!(shown.contains("sha256"), "{shown}");
    desk.picture("support-bundle").await;
    desk.press("bundle-mask").await;
    desk.press("bundle-save").await;
    let zip = desk.folder().join("bundle.zip");
    let title = desk.language().word("support.bundle");
    desk.answers_the_dialog(title, &zip).await;
    desk.see("bundle-saved").await;
    let names = std::fs::File::open(zip).map(zip::ZipArchive::new).unwrap();
    let mut names: Vec<String> = names
        .unwrap()
        .file_names()
        .map(|name| name.unwrap().into_owned())
        .collect();
    names.sort_unstable();
    let listed =
        "return [...document.querySelectorAll('[data-testid=bundle-file] > span:first-child')]
        .map((name) => name.textContent).sort()";
    assert_eq!(desk.script(listed).await, serde_json::json!(names));
}
