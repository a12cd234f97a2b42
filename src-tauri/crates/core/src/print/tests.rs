use std::path::Path;

use chrono::{DateTime, Utc};
use serde_json::json;

use warranty_api::{Personal, Stated, Timestamp};

use super::*;
use crate::contracts::CustomerState;
use crate::leads::{LeadState, LeadView};
use crate::outbox::CaseReason;
use crate::profile::{Display, Profile, ProfileKind, ProviderFacts};
use crate::testing::texts::corpus;

fn profile(kind: ProfileKind) -> Profile {
    Profile {
        id: "profile".to_owned(),
        name: "見本電器 銀座店".to_owned(),
        kind,
        base_url: "https://service.invalid".to_owned(),
        store_id: "store-7".to_owned(),
        utc_offset_minutes: 540,
        time_zone: None,
        display: Display {
            currency: "円".to_owned(),
            term_unit: "か月".to_owned(),
        },
        facts: ProviderFacts::default(),
    }
}

fn now() -> DateTime<Utc> {
    "2026-11-21T01:02:03Z".parse().unwrap()
}

fn contract() -> Contract {
    serde_json::from_value(json!({
        "id": "contract-0001", "inquiryCode": "INQ-7Q4-2208", "transactionId": "POS-1",
        "transactionTotal": 208_780, "transactionDate": "2026-11-21T10:00:00.000+09:00",
        "status": "ACTIVE", "startedAt": "2027-11-21T00:00:00.000+09:00",
        "endedAt": "2031-11-20T23:59:59.000+09:00",
        "customer": {
            "name": "見本 太郎", "email": "taro@sample.invalid", "phone": "phone-1",
            "billingAddress": {"city": "city-1"},
        },
        "product": {
            "referenceId": "2000000000015", "title": "冷蔵庫 <470L>", "brand": "Sample & Co",
            "purchasePrice": 189_800, "serialNumber": "SN-1",
        },
        "plan": {
            "id": "plan-5y", "title": "延長保証5年", "price": 18_980, "termLength": 60,
            "url": "https://plans.sample.invalid/5y?x=1",
        },
        "store": {"id": "store-7", "name": "見本電器 銀座本店", "webSite": "https://shop.invalid/a"},
    }))
    .unwrap()
}

fn entry(state: SubmissionState) -> SubmissionView {
    let taken = matches!(
        state,
        SubmissionState::Accepted | SubmissionState::Confirmed
    );
    serde_json::from_value(json!({
        "id": "entry-1", "state": state, "transactionId": "POS-1", "transactionTotal": 208_780,
        "transactionDate": "2026-11-21T10:00:00.000+09:00", "customer": CustomerState::Known,
        "customerName": "見本 太郎", "customerEmail": "taro@sample.invalid",
        "productReferenceId": "2000000000015", "productTitle": "冷蔵庫",
        "productPurchasePrice": 189_800, "planId": "plan-5y", "planTitle": "延長保証5年",
        "planPurchasePrice": 18_980, "enteredAt": "2026-11-21T10:00:00.000+09:00",
        "enteredBy": "staff", "contractId": taken.then_some("contract-0001"),
        "inquiryCode": taken.then_some("INQ-7Q4-2208"), "attempts": 1, "nextAt": null, "case": null,
        "status": null, "refusal": null, "requestId": null, "duplicatePossible": false, "duplicateChecked": null,
    }))
    .unwrap()
}

/// Every line as `name: value`, and every sentence.
fn said(paper: &Paper) -> String {
    let line = |line: &PaperLine| format!("{}: {}\n", line.name, line.value.expose());
    let mut out = format!("{}\n{}\n{}\n", paper.shop, paper.issued, paper.title);
    out.extend(paper.practice.iter().map(|text| format!("{text}\n")));
    out.extend(
        paper
            .notice
            .iter()
            .map(|n| format!("{}\n{}\n", n.mark, n.text)),
    );
    out.extend(
        paper
            .customer
            .iter()
            .map(|name| format!("{}\n", name.expose())),
    );
    out.extend(paper.codes.iter().map(line));
    for group in paper.groups.iter().chain(&paper.inquire) {
        out.push_str(&format!("{}\n", group.title));
        out.extend(group.text.iter().map(|text| format!("{text}\n")));
        out.extend(group.lines.iter().map(line));
    }
    out
}

/// The sheet of a contract of a live profile.
fn sheet(language: Language, contract: &Contract) -> Paper {
    Shop::new(&profile(ProfileKind::Live), now(), language).of_contract(contract, None)
}

#[test]
fn a_contract_that_came_in_utc_is_dated_as_the_shop_reads_the_calendar() {
    let mut contract = contract();
    contract.transaction_date = Some("2026-12-31T23:30:00Z".to_owned());
    contract.started_at = Some("2027-12-31T15:00:00.000Z".to_owned());
    contract.ended_at = Some("2031-12-31T15:00:00.000+00:00".to_owned());
    let sheet = said(&sheet(Language::En, &contract));
    for line in [
        "Starts: 1 January 2028, 00:00 (UTC+09:00)\n",
        "Ends: 1 January 2032, 00:00 (UTC+09:00)\n",
        ": 1 January 2027, 08:30 (UTC+09:00)\n",
    ] {
        assert!(sheet.contains(line), "{line}{sheet}");
    }
}

#[test]
fn both_languages_have_the_same_parts() {
    let lines = |language| {
        let paper = sheet(language, &contract());
        said(&paper).lines().count()
    };
    assert_eq!(lines(Language::Ja), lines(Language::En));
    let english = sheet(Language::En, &contract());
    let logged = format!("{english:?}");
    assert!(!logged.contains("見本 太郎"), "{logged}");
    let english = said(&english);
    for word in [
        "Your extended warranty",
        "Inquiry code: INQ-7Q4-2208",
        "Starts: 21 November 2027",
    ] {
        assert!(english.contains(word), "{english}");
    }
}

#[test]
fn the_status_is_printed_in_the_words_of_the_screen_and_an_unknown_one_as_it_came() {
    let screen = include_str!("../../../../../ui/src/i18n/ja.json");
    let screen: serde_json::Value = serde_json::from_str(screen).unwrap();
    let word = screen["rawValue"]["Active"].as_str().unwrap();
    let mut active = contract();
    active.status = Stated::Known("Active".to_owned());
    for (language, contract, line) in [
        (Language::Ja, &active, format!("契約の状態: {word}\n")),
        (Language::En, &active, "Contract status: Active\n".into()),
        (Language::Ja, &contract(), "契約の状態: ACTIVE\n".into()),
    ] {
        let sheet = said(&sheet(language, contract));
        assert!(sheet.contains(&line), "{line}{sheet}");
    }
}

#[test]
fn what_is_not_confirmed_is_never_called_a_contract() {
    let live = profile(ProfileKind::Live);
    for (state, mark) in [
        (SubmissionState::Draft, Some("Registration pending")),
        (SubmissionState::Queued, Some("Registration pending")),
        (SubmissionState::InFlight, Some("Registration pending")),
        (SubmissionState::Held, Some("Registration pending")),
        (SubmissionState::Unknown, Some("Registration pending")),
        (SubmissionState::NeedsPerson, Some("Registration pending")),
        (SubmissionState::Accepted, Some("Registration pending")),
        (SubmissionState::Rejected, Some("Not registered")),
        (SubmissionState::Cancelled, Some("Not registered")),
        (SubmissionState::Confirmed, None),
    ] {
        let mut named = entry(state);
        // As a contradiction leaves it: the service has named a contract that may be none of this sale.
        let accepted = entry(SubmissionState::Accepted);
        (named.contract_id, named.inquiry_code) = (accepted.contract_id, accepted.inquiry_code);
        let paper = Shop::new(&live, now(), Language::En).of_entry(&named, None);
        let shown = paper.notice.as_ref().map(|notice| notice.mark.as_str());
        assert_eq!(shown, mark, "{state:?}");
        let contract = paper.title == "Your extended warranty";
        assert_eq!(contract, state == SubmissionState::Confirmed, "{state:?}");
        let taken = matches!(
            state,
            SubmissionState::Accepted | SubmissionState::Confirmed
        );
        assert_eq!(!paper.codes.is_empty(), taken, "{state:?}");
        let promises = said(&paper).contains("issued once registration is done");
        let refused = mark == Some("Not registered");
        assert_eq!(promises, !taken && !refused, "{state:?}");
    }
    let japanese =
        Shop::new(&live, now(), Language::Ja).of_entry(&entry(SubmissionState::Queued), None);
    assert_eq!(japanese.notice.unwrap().mark, "登録手続き中");
}

#[test]
fn a_contract_that_has_ended_is_no_registered_one_whether_the_service_or_the_entry_says_so() {
    let live = profile(ProfileKind::Live);
    let shop = Shop::new(&live, now(), Language::En);
    for (status, case) in [
        ("Active", None),
        ("CANCELLED", Some(CaseReason::ReportedCancelled)),
        ("SUSPECTED_FRAUD", Some(CaseReason::ReportedFraud)),
        ("解約済み", Some(CaseReason::ReportedCancelled)),
    ] {
        let standing = case.map_or(Standing::Registered, |_| Standing::Reported);
        let mut contract = contract();
        contract.status = Stated::Known(status.to_owned());
        // As a person leaves it who was asked about a reported contract and gave its id.
        let mut settled = entry(SubmissionState::Confirmed);
        settled.status = Some(status.to_owned());
        settled.case = case;
        let papers = [
            shop.of_contract(&contract, None),
            shop.of_entry(&settled, None),
        ];
        for paper in papers {
            assert_eq!(paper.standing, standing, "{status}");
            let is_titled = paper.title == "Your extended warranty";
            assert_eq!(is_titled, standing == Standing::Registered, "{status}");
        }
    }
}

#[test]
fn a_sheet_of_practice_says_so_in_both_languages() {
    let practice = profile(ProfileKind::Practice);
    for language in [Language::Ja, Language::En] {
        let paper = Shop::new(&practice, now(), language).of_contract(&contract(), None);
        assert!(paper.practice.unwrap().contains("SANDBOX"));
    }
    let paper = sheet(Language::En, &contract());
    assert_eq!(paper.practice, None);
}

#[test]
fn an_address_that_is_no_https_page_is_not_printed() {
    for address in [
        "http://plain.invalid/",
        "javascript:alert(1)",
        "https://a@b.invalid/",
        "x",
    ] {
        let mut contract = contract();
        contract.plan.url = Some(address.to_owned());
        let text = said(&sheet(Language::En, &contract));
        assert!(!text.contains("About the plan"), "{address}: {text}");
    }
}

#[test]
fn whatever_a_text_holds_no_character_on_the_sheet_acts() {
    let live = profile(ProfileKind::Live);
    let shop = Shop::new(&live, now(), Language::En);
    for hostile in corpus().iter().filter_map(|hostile| hostile.text()) {
        let mut contract = contract();
        contract.customer.name = Some(Personal::new(&hostile));
        contract.product.title = Some(hostile.clone());
        contract.plan.title = Some(hostile.clone());
        contract.status = Some(hostile.clone()).into();
        contract.inquiry_code = Some(hostile.clone());
        let sheet = said(&shop.of_contract(&contract, None));
        let acts = ['\u{202e}', '\u{0}', '\u{1b}'];
        assert!(!sheet.contains(acts), "{hostile:?}");
    }
}

fn lead() -> LeadView {
    let now = Timestamp::new(now().fixed_offset());
    serde_json::from_value(json!({
        "id": "lead-1", "state": LeadState::Created, "transactionId": "T-1",
        "productReferenceId": "SKU-1", "productTitle": "見本の冷蔵庫", "productPurchasePrice": 98_000,
        "quantity": 1, "transactionDate": now, "enteredAt": now, "enteredBy": "staff",
        "tokenUnreadable": false, "noteUnreadable": false, "noteLost": false, "keyLost": false,
    }))
    .unwrap()
}

#[test]
fn a_notice_of_two_sentences_has_a_space_between_them_in_english_alone() {
    let live = profile(ProfileKind::Live);
    for (language, between) in [
        (Language::Ja, "。この登録は"),
        (Language::En, ". This registration"),
    ] {
        let paper =
            Shop::new(&live, now(), language).of_entry(&entry(SubmissionState::Accepted), None);
        let notice = paper.with_possible_duplicate().notice.unwrap().text;
        assert!(notice.contains(between), "{notice}");
    }
}

/// The front end draws these.
#[test]
fn the_samples_of_the_front_end_are_those_of_the_file() {
    let (live, practice) = (profile(ProfileKind::Live), profile(ProfileKind::Practice));
    let mut hostile = contract();
    hostile.product.title = Some("<b>&amp; \"'\u{202e}".to_owned());
    let samples = [
        sheet(Language::Ja, &contract()),
        Shop::new(&practice, now(), Language::En).of_contract(&hostile, None),
        Shop::new(&live, now(), Language::En).of_entry(&entry(SubmissionState::Queued), None),
        Shop::new(&live, now(), Language::Ja).of_lead(&lead(), &Personal::new("sample-token-1")),
    ];
    let fresh = serde_json::to_string_pretty(&samples).unwrap() + "\n";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/papers.json");
    if std::env::var_os("WRITE_FIXTURES").is_some() {
        std::fs::write(&file, &fresh).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        fresh == kept,
        "the sheets have changed: write them anew with WRITE_FIXTURES=1 and look at them"
    );
}
