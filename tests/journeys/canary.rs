//! A token and a customer of their own go through the whole window: what the page received and what
//! lies on disk afterwards is searched for them in every form they could take.

use std::path::PathBuf;

use serde_json::json;
use warranty_sandbox::{Operation, Personality};

use crate::canaries::{Canary, assert_none, search_bytes, search_process, search_tree};
use crate::harness::{Desk, Sale, Service, Setup, journey, until};

/// Both halves are like nothing else, so that a value cut in two is found as well.
const TOKEN: &str = "Zq7VtkWx3mRp9LcY-Hn2sGd8BfJ4uTe6K";
const WRONG_TOKEN: &str = "Wq1DnzPv6yKs3XaQ-Mb5hRt7GjC9fUe2L";
const NAME: &str = "Quixplumberton Vexworthingham";
/// Transactions whose first answer goes wrong, and how.
const FURTHER: [(&str, &str); 4] = [
    ("POS-20261121-0101", "dropped-answer"),
    ("POS-20261121-0102", "errors-as-500"),
    ("POS-20261121-0103", "html-with-200"),
    ("POS-20261121-0104", "truncated-answer"),
];
const EMAIL: &str = "zyxgorpwim.canary@qovantrel.invalid";

/// Notes everything that reaches the page, as it reaches it.
const RECORD: &str = "
    if (!window.received) {
        window.received = [];
        const fetch = window.fetch;
        window.fetch = async (...asked) => {
            const response = await fetch(...asked);
            window.received.push(await response.clone().text());
            return response;
        };
        const internals = window.__TAURI_INTERNALS__;
        internals.invoke('plugin:event|listen', {
            event: 'desk-notice', target: { kind: 'Any' },
            handler: internals.transformCallback((notice) => window.received.push(JSON.stringify(notice))),
        });
    }";

#[tokio::test(flavor = "multi_thread")]
#[allow(
    clippy::print_stdout,
    reason = "the line of figures that the proof collects"
)]
async fn the_token_never_comes_back_to_the_page_and_nothing_personal_lies_open_on_disk() {
    let setup = Setup::default().telling_everything();
    journey(setup, async |desk: &mut Desk| {
        let tokens = [Canary::new("token", TOKEN), Canary::new("refused token", WRONG_TOKEN)];
        let personal = [Canary::new("name", NAME), Canary::new("e-mail", EMAIL)];
        let service = Service::start_with_token(TOKEN).await;
        desk.script(RECORD).await;

        // The token is typed, refused, and typed again.
        desk.fill_in_the_connection(&service.address(), warranty_sandbox::STORE_ID, WRONG_TOKEN).await;
        desk.press("connect-test").await;
        desk.confirms_the_server().await;
        desk.problem_at("connect-token").await;
        desk.write("connect-token", TOKEN).await;
        desk.press("connect-submit").await;
        desk.see("register-submit").await;
        desk.go_to("settings").await;
        desk.write("token-input", TOKEN).await;
        desk.press("token-set").await;
        desk.page_says(desk.language().word("token.present")).await;
        let typed = desk
            .script("return [...document.querySelectorAll('input')].map((box) => box.value).join()")
            .await;
        assert_none(&search_bytes(&tokens, "a box of the page", typed.to_string().as_bytes()));

        // A customer goes through everything that takes or shows one, errors included.
        let sale = Sale { customer: NAME, email: EMAIL, ..Sale::of_a_refrigerator() };
        desk.go_to("register").await;
        desk.register(&sale).await;
        desk.receipt_is(&["confirmed"]).await;
        let contract_id = desk.text("receipt-contract-id").await;
        desk.look_up(&contract_id).await;
        for (transaction_id, personality) in FURTHER {
            let before = service.count(Operation::BulkCreateContracts);
            // Of sales alone: nothing new would be sent to a service that fails at everything.
            let mut personality = Personality::named(personality).expect("it is known");
            for rule in &mut personality.faults {
                rule.operations = vec![Operation::BulkCreateContracts];
            }
            service.behave(personality);
            desk.go_to("register").await;
            desk.enter_anew(&Sale { transaction_id, ..sale }).await;
            until("it was sent", async || service.count(Operation::BulkCreateContracts) > before)
            .await;
            // While it is in doubt, what was never sent would wait; the repeat of this one clears it.
            service.behave_well();
            until("the receipt is of this sale", async || desk.text("receipt").await.contains(transaction_id))
            .await;
            desk.receipt_is(&["accepted", "confirmed"]).await;
        }
        for page in ["contracts", "leads", "outbox", "products", "plans", "settings"] {
            desk.go_to(page).await;
        }
        desk.go_to("outbox").await;
        desk.press("outbox-view-all").await;
        desk.press("entry-open").await;
        desk.see("attempt").await;

        let received = desk.script("return window.received").await;
        let received = received.as_array().expect("a list").clone();
        assert!(received.len() > 20, "the page's calls are noted: {}", received.len());
        let all = json!(received).to_string();
        assert!(all.contains("kind"), "and the desk's notices");
        assert_none(&search_bytes(&tokens, "what the page received", all.as_bytes()));

        for pid in desk.processes() {
            assert_none(&search_process(&tokens, pid));
        }
        nowhere_on_disk(desk, &tokens, &personal);
        // The page's process dies with a customer on screen, and then the program.
        desk.kill_the_page().await;
        desk.cut_the_power_and_start_again().await;
        desk.see("register-submit").await;
        assert!(count(&desk.data_dir().join("logs")) > 0, "the log's folder is searched too");
        let files = nowhere_on_disk(desk, &tokens, &personal);
        println!(
            "PROOF canaries in the window: {} answers and notices, {files} files, token 0, customer 0",
            received.len()
        );
    })
    .await;
}

/// Searches every file the window, the web view and the libraries below them could write.
/// Returns how many there are.
fn nowhere_on_disk(desk: &Desk, tokens: &[Canary], personal: &[Canary]) -> usize {
    let mut folders = vec![desk.folder()];
    for name in [
        "XDG_CACHE_HOME",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_RUNTIME_DIR",
    ] {
        folders.extend(std::env::var_os(name).map(PathBuf::from));
    }
    let mut files = 0;
    for folder in folders {
        // The keychain's own file is sealed by the keychain, with the session's password.
        let keyrings = folder.join("keyrings");
        for canaries in [tokens, personal] {
            assert_none(&search_tree(canaries, &folder, &[&keyrings]));
        }
        files += count(&folder);
    }
    files
}

fn count(folder: &std::path::Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    entries
        .flatten()
        .map(|entry| {
            let path = entry.path();
            if path.is_dir() { count(&path) } else { 1 }
        })
        .sum()
}
