use crate::interface::{Customer, NoAnswer, NotSent, Personal, ServiceError, Unreadable};

use super::*;
use crate::call_outcome::Hold;
use crate::outbox::samples::{self, contract, item};

type Answered = Result<Answer<BulkContracts>, ApiError>;

const STORE: &str = "store";

fn answered(status: u16, contracts: impl IntoIterator<Item = Contract>) -> Answered {
    let value = contracts.into_iter().map(Some).collect();
    Ok(Answer { status, value })
}

fn refused(status: u16, code: &str) -> Answered {
    Err(samples::refused(status, code, None))
}

fn unreadable(status: u16, reason: Unreadable) -> Answered {
    Err(samples::unreadable(status, reason, None))
}

fn one() -> Vec<ContractItem> {
    vec![item("T1", "p", "a")]
}

fn two() -> Vec<ContractItem> {
    vec![item("T1", "p", "a"), item("T2", "p", "a")]
}

fn seen(answer: &Answered, sent: &[ContractItem]) -> (Event, AnswerClass) {
    let reading = read(answer, sent, STORE, BulkFact::Unknown);
    assert!(reading.event == Event::Accepted || reading.created.is_empty());
    (reading.event, reading.class)
}

const UNCLEAR: (Event, AnswerClass) = (Event::Unclear, AnswerClass::Unknown);
const IN_PART: (Event, AnswerClass) = (Event::InPart, AnswerClass::Unknown);

#[test]
fn what_never_left_is_not_sent() {
    for reason in [
        NotSent::Name,
        NotSent::Connect,
        NotSent::ProxyAuthentication,
        NotSent::ProxyRefused,
        NotSent::CertificateTime,
        NotSent::Tls,
        NotSent::NoToken,
        NotSent::Unsendable,
    ] {
        assert_eq!(
            seen(&Err(ApiError::NotSent(reason)), &one()),
            (Event::NotSent, AnswerClass::NotSent)
        );
    }
}

#[test]
fn a_refused_token_and_a_rate_limit_decline() {
    let declined = |hold| (Event::Declined(hold), AnswerClass::Declined);
    for (status, hold) in [(401, Hold::Token), (403, Hold::Token), (429, Hold::Rate)] {
        for (code, sent) in [("Whatever", one()), ("BadRequestException", two())] {
            assert_eq!(seen(&refused(status, code), &sent), declined(hold));
        }
    }
    // A page may come from a proxy: only the service itself refuses a token, and anybody may ask to wait.
    let page = unreadable(429, Unreadable::NotJson);
    assert_eq!(seen(&page, &one()), declined(Hold::Rate));
}

#[test]
fn a_named_bad_request_rejects_a_batch_of_one() {
    for status in [200, 204, 299, 400, 404, 408, 409, 422, 499] {
        assert_eq!(
            seen(&refused(status, "BadRequestException"), &one()),
            (Event::Rejected, AnswerClass::Rejected),
            "{status}"
        );
    }
}

#[test]
fn a_bad_request_for_several_is_its_own_event() {
    for (bulk, class) in [
        (BulkFact::Unknown, AnswerClass::Unknown),
        (BulkFact::Partial, AnswerClass::Unknown),
        (BulkFact::AllOrNothing, AnswerClass::Rejected),
    ] {
        let reading = read(&refused(400, "BadRequestException"), &two(), STORE, bulk);
        assert_eq!(
            (reading.event, reading.class),
            (Event::RejectedSeveral, class)
        );
    }
}

#[test]
fn a_refusal_of_several_with_another_code_may_have_made_a_part() {
    for (status, code) in [
        (400, "ValidationException"),
        (404, "ProductNotFoundException"),
        (200, "ConflictException"),
    ] {
        for bulk in [BulkFact::Unknown, BulkFact::Partial, BulkFact::AllOrNothing] {
            let reading = read(&refused(status, code), &two(), STORE, bulk);
            let found = (reading.event, reading.class);
            assert_eq!(found, IN_PART, "{status} {code} {bulk:?}");
        }
        assert_eq!(seen(&refused(status, code), &one()), UNCLEAR);
    }
}

#[test]
fn a_refusal_with_another_status_or_another_code_is_unknown() {
    for (status, code) in [
        (302, "BadRequestException"),
        (500, "BadRequestException"),
        (503, "BadRequestException"),
        (409, "RequestInProgress"),
    ] {
        for sent in [one(), two()] {
            assert_eq!(
                seen(&refused(status, code), &sent),
                UNCLEAR,
                "{status} {code}"
            );
        }
    }
    for (status, code) in [
        (200, "InternalException"),
        (400, "ThrottlingException"),
        (404, "badrequestexception"),
        (408, "RequestTimeout"),
    ] {
        assert_eq!(seen(&refused(status, code), &one()), UNCLEAR, "{code}");
    }
}

#[test]
fn silence_and_noise_are_unknown() {
    for answer in [
        Err(ApiError::NoAnswer(NoAnswer::Timeout)),
        Err(ApiError::NoAnswer(NoAnswer::Broken)),
        unreadable(200, Unreadable::NotJson),
        unreadable(400, Unreadable::OtherShape),
        unreadable(200, Unreadable::Oversized),
        unreadable(401, Unreadable::NotJson),
        unreadable(403, Unreadable::NotJson),
        unreadable(503, Unreadable::NotJson),
        unreadable(302, Unreadable::Redirect),
        unreadable(500, Unreadable::Contradiction),
    ] {
        assert_eq!(seen(&answer, &one()), UNCLEAR, "{answer:?}");
    }
}

#[test]
fn a_success_that_accounts_for_everything_is_accepted_with_its_ids() {
    let sent = two();
    let value = vec![contract("C2", &sent[1]), contract("C1", &sent[0])];
    let reading = read(&answered(201, value), &sent, STORE, BulkFact::Unknown);
    assert_eq!(
        (reading.event, reading.class),
        (Event::Accepted, AnswerClass::Accepted)
    );
    let ids: Vec<_> = reading
        .created
        .iter()
        .map(|created| created.contract_id.as_str())
        .collect();
    assert_eq!(ids, ["C1", "C2"]);
}

#[test]
fn a_contract_under_another_store_is_made_and_a_persons() {
    let sent = two();
    let named = |item: usize, store: serde_json::Value| {
        let made = contract(&format!("C{item}"), &sent[item]);
        let mut wire = serde_json::to_value(made).unwrap();
        wire["store"] = store;
        serde_json::from_value(wire).unwrap()
    };
    let (ours, theirs) = (
        serde_json::json!({ "id": STORE }),
        serde_json::json!({ "id": "theirs" }),
    );
    let value = [named(0, ours.clone()), named(1, theirs.clone())];
    let reading = read(&answered(201, value), &sent, STORE, BulkFact::Unknown);
    assert_eq!(reading.event, Event::Accepted);
    assert!(reading.other_store);
    let cases: Vec<_> = reading.created.iter().map(|created| created.case).collect();
    assert_eq!(cases, [None, Some(CaseReason::OtherStore)]);

    // An answer in part may name it too, and one that names no store does not.
    let part = answered(201, [named(1, theirs)]);
    assert!(read(&part, &sent, STORE, BulkFact::Unknown).other_store);
    let none = answered(201, [named(0, ours), named(1, serde_json::json!({}))]);
    let reading = read(&none, &sent, STORE, BulkFact::Unknown);
    assert!(!reading.other_store && reading.created.iter().all(|one| one.case.is_none()));
}

#[test]
fn a_success_without_a_contract_is_not_repeated() {
    for sent in [one(), two()] {
        for value in [vec![], vec![None]] {
            let answer = Ok(Answer { status: 201, value });
            assert_eq!(seen(&answer, &sent), IN_PART, "{answer:?}");
        }
    }
    let sent = one();
    let value = vec![contract("C1", &sent[0])];
    let failure = answered(400, value);
    assert_eq!(seen(&failure, &sent), UNCLEAR, "its status is no success");
}

#[test]
fn a_success_that_names_only_other_contracts_is_not_repeated_and_their_ids_are_kept() {
    let with_zeros = [item("00123", "p", "a")];
    let (without, stranger) = (item("123", "p", "a"), item("T9", "p", "a"));
    for (sent, value, ids) in [
        (
            &with_zeros[..],
            vec![contract("C1", &without)],
            "contract C1 for transaction 123",
        ),
        (
            &two(),
            vec![contract("C2", &stranger), contract("C1", &without)],
            "contract C2 for transaction T9, contract C1 for transaction 123",
        ),
    ] {
        let answer = answered(200, value);
        assert_eq!(seen(&answer, sent), IN_PART);
        let reading = read(&answer, sent, STORE, BulkFact::Unknown);
        assert!(reading.named.is_empty());
        let detail = reading.evidence.detail.unwrap();
        assert!(detail.ends_with(&format!("; {ids}")), "{detail}");
    }

    // What is kept is bounded, and holds no customer.
    let sent = one();
    let mut made = contract("C1", &item("T9", "p", "a"));
    made.transaction_id = format!("{} ", sent[0].customer.email.expose()).repeat(1_000);
    let value = vec![made];
    let reading = read(&answered(200, value), &sent, STORE, BulkFact::Unknown);
    let detail = reading.evidence.detail.unwrap();
    assert!(detail.chars().count() <= 1_000 && detail.contains("contract C1"));
    assert!(!detail.contains(sent[0].customer.email.expose()));
}

/// The contracts that an answer in part names: the place of the item, the id, and whether there is another.
fn named(reading: &Reading) -> Vec<String> {
    let twice = |named: &Named| if named.twice { " twice" } else { "" };
    let named = reading.named.iter();
    named
        .map(|one| format!("{} {}{}", one.place, one.contract_id, twice(one)))
        .collect()
}

#[test]
fn a_success_that_accounts_for_a_part_made_that_part_and_keeps_its_ids() {
    let (one, two) = (one(), two());
    let (first, second) = (contract("C1", &two[0]), contract("C2", &two[1]));
    let (again, foreign) = (
        contract("C4", &two[0]),
        contract("C3", &item("T9", "p", "a")),
    );
    let (c1, c2) = (
        "contract C1 for transaction T1",
        "contract C2 for transaction T2",
    );
    let (c3, c4) = (
        "contract C3 for transaction T9",
        "contract C4 for transaction T1",
    );
    for (sent, value, ids, names) in [
        (&two, vec![&first], vec![c1], &["0 C1"][..]),
        (&two, vec![&first, &again], vec![c1, c4], &["0 C1 twice"]),
        (&two, vec![&foreign, &second], vec![c2, c3], &["1 C2"]),
        (
            &two,
            vec![&second, &first, &foreign],
            vec![c2, c1, c3],
            &["0 C1", "1 C2"],
        ),
        (&one, vec![&first, &again], vec![c1, c4], &["0 C1 twice"]),
        (&one, vec![&first, &foreign], vec![c1, c3], &["0 C1"]),
    ] {
        let answer = answered(200, value.into_iter().cloned());
        assert_eq!(seen(&answer, sent), IN_PART);
        let reading = read(&answer, sent, STORE, BulkFact::Unknown);
        assert_eq!(named(&reading), names);
        let detail = reading.evidence.detail.unwrap();
        assert!(
            detail.ends_with(&format!("; {}", ids.join(", "))),
            "{detail}"
        );
    }
}

#[test]
fn an_item_that_is_no_contract_makes_an_answer_partial_and_hides_no_contract_beside_it() {
    let sent = two();
    let all = [contract("C1", &sent[0]), contract("C2", &sent[1])].map(Some);
    for (value, names) in [
        (vec![all[0].clone(), None], &["0 C1"][..]),
        (vec![None, all[1].clone()], &["1 C2"]),
        ([&all[..], &[None]].concat(), &["0 C1", "1 C2"]),
    ] {
        let answer = Ok(Answer { status: 200, value });
        assert_eq!(seen(&answer, &sent), IN_PART);
        let reading = read(&answer, &sent, STORE, BulkFact::Unknown);
        assert_eq!(named(&reading), names);
        let detail = reading.evidence.detail.unwrap();
        for (_, id) in names.iter().filter_map(|name| name.split_once(' ')) {
            assert!(detail.contains(&format!("contract {id} for")), "{detail}");
        }
    }
}

#[test]
fn a_success_that_names_the_sale_with_another_e_mail_made_it_and_is_not_repeated() {
    let (one, email) = (one(), "t***@sample.invalid");
    let mut made = contract("C1", &one[0]);
    made.customer.email = Some(Personal::new(email));
    let answer = answered(200, [made.clone()]);
    assert_eq!(seen(&answer, &one), IN_PART);
    let reading = read(&answer, &one, STORE, BulkFact::Unknown);
    assert_eq!(named(&reading), ["0 C1"]);
    let detail = reading.evidence.detail.unwrap();
    assert!(
        detail.contains("contract C1") && !detail.contains(email),
        "{detail}"
    );

    let mut erased = made.clone();
    erased.customer = Customer::default();

    // A contract with the item's own e-mail comes first. Where two items are of one sale, a contract with another
    // e-mail, or with none, is neither's.
    let mut other = one[0].clone();
    other.customer.email = Personal::new("other@sample.invalid");
    let both = [one[0].clone(), other.clone()];
    let (own, of_other) = (contract("C2", &one[0]), contract("C3", &other));
    for (sent, value, names) in [
        (&one[..], vec![made.clone(), own], &["0 C2"][..]),
        (&both, vec![of_other], &["1 C3"]),
        (&one, vec![erased.clone()], &["0 C1"]),
        (&both, vec![made.clone(), made], &[]),
        (&both, vec![erased.clone(), erased], &[]),
    ] {
        let answer = answered(200, value);
        assert_eq!(seen(&answer, sent), IN_PART);
        assert_eq!(named(&read(&answer, sent, STORE, BulkFact::Unknown)), names);
    }
}

#[test]
fn a_refusal_of_several_or_a_success_in_json_of_another_shape_is_not_repeated() {
    for status in [200, 207, 400, 404, 422] {
        let answer = unreadable(status, Unreadable::OtherShape);
        assert_eq!(seen(&answer, &two()), IN_PART, "{status}");
        let alone = if status < 300 { IN_PART } else { UNCLEAR };
        assert_eq!(seen(&answer, &one()), alone, "{status}");
    }
    // A list of contracts, beside errors or not.
    for (status, several) in [
        (400, IN_PART),
        (422, IN_PART),
        (409, UNCLEAR),
        (500, UNCLEAR),
    ] {
        let answer = unreadable(status, Unreadable::Contradiction);
        assert_eq!(seen(&answer, &two()), several, "{status}");
        assert_eq!(seen(&answer, &one()), UNCLEAR, "{status}");
    }
    let others = [401, 403, 408, 409, 425, 500];
    for answer in others
        .map(|status| unreadable(status, Unreadable::OtherShape))
        .into_iter()
        .chain([unreadable(400, Unreadable::NotJson)])
    {
        assert_eq!(seen(&answer, &two()), UNCLEAR, "{answer:?}");
    }
}

#[test]
fn what_a_refusal_says_is_kept_and_bounded() {
    let answer: Answered = Err(ApiError::Refused {
        status: 400,
        error: ServiceError {
            request_id: "r".repeat(1 << 20),
            code: "BadRequestException".into(),
            error: "e".repeat(1 << 20),
        },
        retry_after: Some(Duration::from_secs(3)),
    });
    let reading = read(&answer, &one(), STORE, BulkFact::Unknown);
    assert_eq!(reading.evidence.status, Some(400));
    assert_eq!(reading.retry_after, Some(Duration::from_secs(3)));
    assert!(reading.evidence.request_id.unwrap().len() <= 1_000);
    assert!(reading.evidence.detail.unwrap().len() <= 1_000);
}
