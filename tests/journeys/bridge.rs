//! The bridge from the page to the desk is strict: only the desk's commands, only what they take,
//! and no more than they can bear, however the page goes wrong.

use serde_json::{Value, json};

use crate::harness::{Desk, Setup, journey};

/// The generated bridge, for the names of all commands and of what they take.
const BRIDGE: &str = include_str!("../../ui/src/ipc/bindings.ts");

/// A command and the names of what it takes.
struct Call {
    command: &'static str,
    takes: Vec<&'static str>,
}

impl Call {
    /// Its arguments as a script, each made from its name.
    fn with<'a>(&self, argument: impl Fn(&str) -> &'a str) -> String {
        let pairs = self.takes.iter();
        let pairs = pairs.map(|name| format!("{name}: {}", argument(name)));
        format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
    }
}

fn calls() -> Vec<Call> {
    let calls: Vec<Call> = BRIDGE
        .split("__TAURI_INVOKE(\"")
        .skip(1)
        .filter_map(|rest| {
            let (command, rest) = rest.split_once('"')?;
            let takes = rest.split_once(')')?.0;
            let takes = takes.trim_matches(|char| ", {}".contains(char));
            let takes = takes.split(", ").filter(|name| !name.is_empty());
            Some(Call {
                command,
                takes: takes.collect(),
            })
        })
        .collect();
    assert!(calls.len() > 30 && calls.iter().any(|call| call.takes.len() > 2));
    calls
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_held_to_the_desks_own_bridge() {
    journey(Setup::default(), async |desk: &mut Desk| {
        desk.practise().await;
        calls_the_desks_commands_and_no_others(desk).await;
        gives_a_command_what_it_takes_and_nothing_else(desk).await;
        is_refused_too_much_for_one_call(desk).await;
        is_not_heard_without_its_own_key(desk).await;
        is_not_sent_back_a_text_beyond_all_measure(desk).await;
    })
    .await;
}

async fn calls_the_desks_commands_and_no_others(desk: &mut Desk) {
    for command in [
        "plugin:opener|open_url",
        "plugin:opener|open_path",
        "plugin:opener|reveal_item_in_dir",
        "plugin:window|set_title",
        "plugin:window|close",
        "plugin:window-state|save_window_state",
        "plugin:webview|create_webview_window",
        "plugin:webview|internal_toggle_devtools",
        "plugin:event|emit",
        "plugin:event|emit_to",
        "plugin:path|resolve_directory",
        "plugin:app|version",
        "plugin:resources|close",
        "plugin:menu|new",
        "plugin:image|from_path",
        "plugin:shell|execute",
        "plugin:fs|read_file",
        "not_a_command",
        "status ",
        "../status",
        "",
    ] {
        let all = "{ url: 'https://sample.invalid/', event: 'x', path: '/etc/hostname' }";
        let answer = desk.calls(command, all).await;
        assert!(answer.is_err(), "{command}");
    }
}

async fn gives_a_command_what_it_takes_and_nothing_else(desk: &mut Desk) {
    let before = desk.calls("profiles", "{}").await;
    for call in calls().iter().filter(|call| !call.takes.is_empty()) {
        for wrong in [
            "undefined",
            "null",
            "-1",
            "1e300",
            "true",
            "[]",
            "[[[]]]",
            "{}",
            "{ way: 'x', id: {} }",
        ] {
            // Settings may all be absent: nothing is chosen then.
            if call.command == "settings_change" && wrong.starts_with('{') {
                continue;
            }
            // Ids are masked, or not.
            if call.command == "support_files" && wrong == "true" {
                continue;
            }
            // A sheet without rows is looked at as any other.
            if call.command == "contracts_check_rows" && wrong == "[]" {
                continue;
            }
            // Without a date, `day` means today; without a code, `staff_enter` clears the seller.
            if ["day", "staff_enter"].contains(&call.command)
                && ["undefined", "null"].contains(&wrong)
            {
                continue;
            }
            let answer = desk.calls(call.command, &call.with(|_| wrong)).await;
            assert!(answer.is_err(), "{} with {wrong}", call.command);
        }
    }
    let after = desk.calls("profiles", "{}").await;
    assert_eq!(after, before, "nothing was changed");
}

async fn is_not_sent_back_a_text_beyond_all_measure(desk: &mut Desk) {
    for call in &calls() {
        // The system's own dialog takes its title and waits for a person.
        let asks_a_person = ["file_choose", "list_export", "support_save"].contains(&call.command);
        if call.takes.is_empty() || asks_a_person {
            continue;
        }
        let all = call.with(|name| oversized(call.command, name));
        let all = format!("(() => {{ const long = 'x'.repeat(1_000_000); return {all} }})()");
        let answer = desk.calls(call.command, &all).await;
        let length = json!(answer).to_string().chars().count();
        let command = call.command;
        assert!(
            length < 20_000,
            "{command} answers with {length} characters"
        );
    }
    desk.go_to("settings").await;
    desk.see("profile-row").await;
    assert!(desk.page_text().await.len() < 20_000);
    desk.go_to("plans").await;
    desk.see("plans-show").await;
}

/// An argument of the right shape whose texts are a million characters long.
fn oversized(command: &str, name: &str) -> &'static str {
    match (command, name) {
        ("product_put", "draft") => {
            "{ referenceId: long, title: long, price: long, imageUrl: 'https://sample.invalid/' + long, category: long }"
        }
        ("lead_create", "draft") => {
            "{ transactionId: long, productReferenceId: long, productPurchasePrice: '1', quantity: '1', transactionDate: long }"
        }
        (
            "profile_connect" | "profile_change" | "connection_test",
            "draft",
        ) => {
            "{ name: long, baseUrl: 'https://sample.invalid/' + long, storeId: long, utcOffsetMinutes: 540,
               display: { currency: long, termUnit: long }, facts: { bulk: 'unknown', keyReplaySeconds: null } }"
        }
        (_, "draft") => {
            "{ transactionId: long, transactionTotal: '1', transactionDate: '2026-11-21T10:00:00.000+09:00',
               customerName: long, customerEmail: long + '@sample.invalid', productReferenceId: long,
               productPurchasePrice: '1', planId: long, planPurchasePrice: '1' }"
        }
        ("contracts_check_rows", "rows") => {
            "[{ transactionId: long, transactionTotal: '1', transactionDate: long, customerName: long, customerEmail: long,
                productReferenceId: long, productPurchasePrice: '1', planId: long, planPurchasePrice: '1' }]"
        }
        ("sheet_stage", "part") => {
            "{ profileId: long, after: 0, last: true, rows: [{ draft: { transactionId: long, transactionTotal: '1', transactionDate: '', customerName: long,
                customerEmail: long, productReferenceId: long, productPurchasePrice: '1', planId: long,
                planPurchasePrice: '1' }, confirmed: [] }] }"
        }
        ("run_answer", "rows") => "{ which: 'all' }",
        ("sheet_follows", "runs") => "[{ id: long, back: 0 }]",
        (_, "display") => "{ currency: long, termUnit: long }",
        (_, "question") => "'changedPrice'",
        (_, "mode") => "'goodRows'",
        (_, "policy") => "'perSale'",
        (_, "situation") => "'usual'",
        (_, "only" | "due") => "null",
        (_, "kind") => "'contracts'",
        (_, "options") => "{ sheet: long }",
        (_, "mapping") => "{ columns: [] }",
        (_, "of") => "{ kind: 'entry', id: long }",
        (_, "size") => "'a4'",
        (_, "language") => "'en'",
        (_, "resolution") => "{ way: 'giveContractId', contractId: long }",
        ("contracts_list", "filter") => {
            "{ states: [], possibleDuplicates: false, text: long, from: null, to: null, sort: 'customer',
               ascending: true, offset: 4_294_967_295, limit: 4_294_967_295 }"
        }
        ("products_list", "filter") => {
            "{ text: long, sort: 'title', ascending: true, offset: 4_294_967_295, limit: 4_294_967_295 }"
        }
        (_, "filter") => "'Any'",
        (_, "settings") => "{ language: 'en', theme: null }",
        (_, "maskIds") => "true",
        (_, "confirmed") => "[]",
        (_, "after" | "entries" | "file" | "length" | "limit" | "newest" | "number") => "4_294_967_295",
        _ => "long",
    }
}

async fn is_refused_too_much_for_one_call(desk: &mut Desk) {
    for arguments in [
        "{ text: 'x'.repeat(17_000_000), limit: 1 }",
        "{ text: 'x', limit: 1, more: Array(2_200_000).fill(0) }",
        "new Uint8Array(100)",
    ] {
        let answer = desk.calls("plans_search", arguments).await;
        assert!(answer.is_err(), "{arguments}");
    }
    let answer = desk.calls("plans_search", "{ text: '', limit: 1 }").await;
    assert!(answer.is_ok(), "{answer:?}");
}

async fn is_not_heard_without_its_own_key(desk: &mut Desk) {
    for headers in [
        "{}",
        "{ 'Tauri-Invoke-Key': 'x', 'Tauri-Callback': '1', 'Tauri-Error': '2' }",
    ] {
        let answer = desk
            .script_answers(&format!(
                "const done = arguments[0];
                 fetch('ipc://localhost/profiles', {{ method: 'POST', body: '{{}}',
                     headers: {{ 'Content-Type': 'application/json', ...{headers} }} }})
                     .then(async (response) => done(await response.text()), () => done('refused'))
                 setTimeout(() => done('unanswered'), 1500)"
            ))
            .await;
        let answer = answer.as_str().unwrap_or_default();
        assert!(!answer.contains("profile"), "{answer}");
    }
    // The older way in takes text: whatever it is, the window goes on.
    for message in [
        "''",
        "'{'",
        "'null'",
        "JSON.stringify({ cmd: 'profiles' })",
        "'x'.repeat(17_000_000)",
    ] {
        desk.script(&format!("window.ipc.postMessage({message})"))
            .await;
    }
    desk.go_to("plans").await;
    desk.see("plans-show").await;
    let nothing = desk.script("return window.left ?? null").await;
    assert_eq!(nothing, Value::Null);
}
