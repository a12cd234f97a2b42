//! Every text a service can send, turned against the window: it is shown as text, wherever it is
//! shown, runs nothing, links nowhere and breaks no page.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::corpus::corpus;
use crate::harness::{Desk, HostileService, Setup, journey, until, until_some};

/// A text of the corpus, and its number among those that are texts.
struct Hostile {
    number: usize,
    name: String,
    kind: String,
    text: String,
}

fn texts() -> Vec<Hostile> {
    let all = corpus().into_iter();
    let texts = all.filter_map(|hostile| Some((hostile.text()?, hostile)));
    let numbered = texts.enumerate().map(|(number, (text, hostile))| Hostile {
        number,
        name: hostile.name,
        kind: hostile.kind,
        text,
    });
    numbered.collect()
}

/// The texts that are looked up in contracts: all in the long form, and one of each kind in the short one.
fn looked_up() -> Vec<Hostile> {
    let mut kinds = BTreeSet::new();
    let mut looked_up = texts();
    looked_up.retain(|hostile| crate::corpus::long() || kinds.insert(hostile.kind.clone()));
    looked_up
}

#[tokio::test(flavor = "multi_thread")]
#[allow(
    clippy::print_stdout,
    reason = "the line of figures that the proof collects"
)]
async fn whatever_a_service_says_is_shown_as_text_and_nothing_else() {
    let looked_up = looked_up();
    let contracts = looked_up.len();
    let texts = texts();
    journey(Setup::default(), async |desk: &mut Desk| {
        let service = HostileService::start().await;
        desk.connect_to(&service.address()).await;

        lists_plans(desk, &texts).await;
        for hostile in &looked_up {
            shows_a_contract(desk, hostile).await;
        }
        desk.go_to("contracts").await;
        desk.press("contracts-tab-recent").await;
        desk.see("recent-row").await;
        is_unharmed(desk, "the contracts looked up").await;
        let short = looked_up.iter().filter(|hostile| hostile.text.len() < 300);
        for hostile in short.take(6) {
            shows_a_plan(desk, hostile).await;
        }
        service.says(looked_up[0].number);
        shows_a_refusal(desk, &looked_up[0]).await;
        shows_a_lead(desk, &looked_up[0]).await;
        for page in [
            "register",
            "plans",
            "products",
            "contracts",
            "leads",
            "outbox",
            "settings",
        ] {
            desk.go_to(page).await;
            is_unharmed(desk, page).await;
        }
    })
    .await;
    println!(
        "PROOF hostile text in the window: {} texts in the list of plans, {contracts} in every field of a contract, 0 run, 0 links",
        texts.len()
    );
}

async fn lists_plans(desk: &mut Desk, texts: &[Hostile]) {
    desk.go_to("plans").await;
    desk.write("plans-reference", HostileService::PRODUCT).await;
    desk.press("plans-show").await;
    desk.see("plan-row").await;
    let mut rows = BTreeMap::new();
    for first in (0..).step_by(8) {
        let Some(seen) = plans_from(desk, first).await else {
            break;
        };
        rows.extend(seen);
    }
    assert!(rows.len() > 100, "{} rows", rows.len());
    for (id, title) in rows {
        let number: usize = id.trim_start_matches("plan-").parse().expect("a number");
        let expected = match shown(&texts[number].text).trim() {
            "" => id.clone(),
            text => text.to_owned(),
        };
        assert_eq!(title, expected, "{}", texts[number].name);
    }
    is_unharmed(desk, "the list of plans").await;
}

/// Scrolls the list of plans to a row: the ids and titles of the plans that are painted then, or none
/// behind the last row.
async fn plans_from(desk: &mut Desk, first: usize) -> Option<BTreeMap<String, String>> {
    let seen: BTreeMap<_, _> = until_some(&format!("row {first} of the plans is there"), async || {
        let seen = desk
            .script(&format!(
                "const list = document.querySelector('[data-testid=list]');
                 list.parentElement.scrollTop = {first} * 44;
                 if ({first} + 2 > list.ariaRowCount) return {{}};
                 if (!list.querySelector('[aria-rowindex=\"{}\"]')) return null;
                 return Object.fromEntries([...list.querySelectorAll('[data-testid=plan-row]')].map((row) =>
                     [row.dataset.plan, row.querySelector('[data-testid=plan-open]').textContent.trim()]))",
                first + 2
            ))
            .await;
        serde_json::from_value(seen).ok()?
    })
    .await;
    (!seen.is_empty()).then_some(seen)
}

async fn shows_a_contract(desk: &mut Desk, hostile: &Hostile) {
    let id = format!("contract-{}", hostile.number);
    desk.go_to("contracts").await;
    desk.write("contracts-search", &id).await;
    desk.press("contract-lookup").await;
    until(&format!("{id} is shown"), async || {
        let sheet = desk
            .script(
                "return document.querySelector('[data-testid=contract-sheet]')?.textContent ?? ''",
            )
            .await;
        sheet.to_string().contains(&id)
    })
    .await;
    let expected = shown(&hostile.text);
    if !expected.trim().is_empty() {
        let fields = desk
            .script(&format!(
                "return [...document.querySelectorAll('[data-testid=contract-sheet] dd')]
                     .filter((field) => field.textContent.trim() === {}).length",
                json!(expected.trim())
            ))
            .await;
        assert!(
            fields.as_u64() > Some(25),
            "{}: in {fields} fields",
            hostile.name
        );
    }
    is_unharmed(desk, &hostile.name).await;
}

async fn shows_a_plan(desk: &mut Desk, hostile: &Hostile) {
    let number = hostile.number;
    desk.go_to("plans").await;
    for first in (0..).step_by(8) {
        let seen = plans_from(desk, first).await;
        let seen = seen.expect("the plan is in the list");
        if seen.contains_key(&format!("plan-{number}")) {
            break;
        }
    }
    // Away from the head of the list, which stays in sight above the first row.
    desk.script(&format!(
        "document.querySelector('[data-plan=\"plan-{number}\"]').scrollIntoView({{ block: 'center' }})"
    ))
    .await;
    desk.press_where(&format!(
        "[data-plan=\"plan-{number}\"] [data-testid=\"plan-open\"]"
    ))
    .await;
    desk.reads("plan-id", &format!("plan-{number}")).await;
    is_unharmed(desk, &hostile.name).await;
    desk.press_where("[data-testid=\"plan-drawer\"] .close")
        .await;
    desk.sees_no("plan-id").await;
}

async fn shows_a_refusal(desk: &mut Desk, hostile: &Hostile) {
    desk.go_to("register").await;
    desk.scan_and_see_plans(HostileService::PRODUCT).await;
    desk.choose_plan("plan-0").await;
    desk.write_price("5000").await;
    desk.write("transaction-id", "POS-20261121-0001").await;
    desk.write("transaction-total", "6000").await;
    // What staff type is as foreign to the page as what the service says.
    let customer = "<img src=x onerror=\"hostileRan=1\"><b>見本</b> \u{202e}太郎";
    desk.write("customer-name", customer).await;
    desk.write("customer-email", "taro.mihon@sample.invalid")
        .await;
    is_unharmed(desk, "the counter").await;
    desk.press("register-submit").await;
    desk.see("receipt").await;
    desk.receipt_is(&["rejected"]).await;
    is_unharmed(desk, "the receipt").await;
    desk.go_to("outbox").await;
    desk.page_says(&shown(customer)).await;
    desk.press("entry-open").await;
    desk.see("attempt").await;
    desk.page_says(&shown(&hostile.text)).await;
    is_unharmed(desk, "the case").await;
    desk.press_where("[data-testid=\"case-drawer\"] .close")
        .await;
    desk.sees_no("attempt").await;
}

async fn shows_a_lead(desk: &mut Desk, hostile: &Hostile) {
    desk.go_to("leads").await;
    desk.write("lead-product-reference", HostileService::PRODUCT)
        .await;
    desk.write_amount("lead-product-price", "5000").await;
    desk.write("lead-transaction-id", "POS-20261121-0002").await;
    desk.press("lead-submit").await;
    desk.see("lead-token").await;
    desk.page_says(&shown(&hostile.text)).await;
    is_unharmed(desk, "the lead").await;
}

/// Nothing ran, nothing was made of the text but text, and the page has kept its shape.
async fn is_unharmed(desk: &Desk, after: &str) {
    let found = desk
        .script(
            "return {
                 ran: window.hostileRan ?? null,
                 made: document.querySelectorAll(
                     'img, iframe, object, embed, video, audio, base, meta[http-equiv], math, marquee, body script, body style, body link, [onerror], [onload], [onclick], form[action]').length,
                 links: [...document.querySelectorAll('[href]')].map((link) => link.getAttribute('href'))
                     .filter((target) => target !== '#content' && !target.startsWith('/assets/')),
                 turned: [...document.querySelectorAll('#app *')]
                     .filter((element) => !getComputedStyle(element).unicodeBidi.startsWith('isolate')
                         && element.textContent.length > 0 && !element.closest('svg, select, option, datalist, textarea')).length,
             }",
        )
        .await;
    let nothing = json!({ "ran": Value::Null, "made": 0, "links": [], "turned": 0 });
    assert_eq!(found, nothing, "{after}");
    desk.fits().await;
}

/// A text as the window must show it: what cannot be seen is marked, what nobody reads is cut.
fn shown(text: &str) -> String {
    const LONGEST: usize = 2000;
    let units: Vec<u16> = text.encode_utf16().collect();
    let short = if units.len() > LONGEST {
        String::from_utf16_lossy(&units[..LONGEST]) + "…"
    } else {
        text.to_owned()
    };
    short
        .chars()
        .map(|char| match char {
            '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(char))
                .unwrap_or(char)
                .to_string(),
            '\u{7f}' => '\u{2421}'.to_string(),
            '\u{80}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}' => format!("‹U+{:04X}›", u32::from(char)),
            seen => seen.to_string(),
        })
        .collect()
}
