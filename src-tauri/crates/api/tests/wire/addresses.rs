//! Ids and base addresses on their way into a request line.

use warranty_api::{BaseUrl, BaseUrlError, ContractId, IdError, PlanId, ProductReference, StoreId};

use crate::listener::{Listener, Step, reply};
use crate::operations::{Calls as _, Operation, client, plan_update};

/// Ids that would mean something else if they were not encoded, and their one segment.
const AWKWARD: [(&str, &str); 17] = [
    ("%2e%2e", "%252e%252e"),
    ("%2E%2E", "%252E%252E"),
    (".%2e", ".%252e"),
    ("%2e", "%252e"),
    ("...", "..."),
    ("../plans", "..%2Fplans"),
    ("a/b", "a%2Fb"),
    ("a\\b", "a%5Cb"),
    ("a?b=c", "a%3Fb%3Dc"),
    ("a#b", "a%23b"),
    ("100%", "100%25"),
    ("a b", "a%20b"),
    ("a+b", "a%2Bb"),
    ("a;b", "a%3Bb"),
    ("a&b", "a%26b"),
    ("契約", "%E5%A5%91%E7%B4%84"),
    ("a-b_c~d.e", "a-b_c~d.e"),
];

#[tokio::test]
async fn an_id_is_one_segment_of_the_path_or_stays_in_its_parameter_whatever_it_contains() {
    for (operation, line) in [
        (Operation::GetContract, "GET /v1/contracts/ID HTTP/1.1"),
        (Operation::GetPlan, "GET /v1/plans/ID HTTP/1.1"),
        (Operation::UpdatePlan, "PUT /v1/plans/ID HTTP/1.1"),
        (
            Operation::ListPlans,
            "GET /v1/plans?productId=ID&storeId=ID HTTP/1.1",
        ),
    ] {
        let answer = Step::Cut(reply(200, operation.success()));
        let listener = Listener::start(vec![vec![answer]; AWKWARD.len()]).await;
        let client = client(&listener.url());
        for (id, _) in AWKWARD {
            let plan = PlanId::new(id).unwrap();
            let called = match operation {
                Operation::GetContract => {
                    let id = ContractId::new(id).unwrap();
                    client.get_contract(&id).await.map(drop)
                }
                Operation::GetPlan => client.get_plan(&plan).await.map(drop),
                Operation::UpdatePlan => client.update_plan(&plan, &plan_update()).await.map(drop),
                Operation::BulkCreateContracts
                | Operation::UpsertProduct
                | Operation::ListPlans
                | Operation::CreateLead => {
                    let product = ProductReference::new(id).unwrap();
                    let store = StoreId::new(id).unwrap();
                    client.list_plans(&product, &store, None).await.map(drop)
                }
            };
            called.unwrap();
        }
        let requests = listener.requests().into_iter();
        let lines: Vec<String> = requests.map(|seen| seen.line).collect();
        let expected = AWKWARD.map(|(_, segment)| line.replace("ID", segment));
        assert_eq!(lines, expected, "{operation:?}");
    }
}

#[tokio::test]
async fn a_base_address_with_a_path_keeps_it() {
    for suffix in ["/warranty/api", "/warranty/api/"] {
        let listener = Listener::once(Step::Answer(reply(200, r#"{"plan":{"id":"p-1"}}"#))).await;
        let client = client(&format!("{}{suffix}", listener.url()));
        client.get_plan(&PlanId::new("p-1").unwrap()).await.unwrap();
        let line = &listener.requests()[0].line;
        assert_eq!(line, "GET /warranty/api/v1/plans/p-1 HTTP/1.1");
    }
}

#[test]
fn an_id_that_could_address_something_else_is_refused() {
    for (text, error) in [
        ("", IdError::Empty),
        (" \u{3000}\t", IdError::Empty),
        (".", IdError::Dots),
        ("..", IdError::Dots),
        ("a\nb", IdError::Control),
        ("a\0", IdError::Control),
        (&"x".repeat(513), IdError::TooLong),
    ] {
        assert_eq!(ContractId::new(text), Err(error), "{text:?}");
    }
    assert!(ContractId::new("x".repeat(512)).is_ok());
}

#[test]
fn a_base_address_is_https_or_this_machine() {
    for text in [
        "https://warranty.example.com",
        "https://warranty.example.com/api/",
        "HTTPS://warranty.example.com:8443",
        "http://127.0.0.1:8080",
        "http://localhost:8080",
        "http://[::1]:8080",
        " https://warranty.example.com ",
    ] {
        assert!(BaseUrl::parse(text).is_ok(), "{text}");
    }
    for (text, error) in [
        ("", BaseUrlError::NotAnAddress),
        ("warranty.example.com", BaseUrlError::NotAnAddress),
        ("file:///etc/passwd", BaseUrlError::NotAnAddress),
        ("http://warranty.example.com", BaseUrlError::NotSecure),
        ("http://127.0.0.1.example.com", BaseUrlError::NotSecure),
        ("http://localhost.example.com", BaseUrlError::NotSecure),
        ("http://192.168.0.1", BaseUrlError::NotSecure),
        ("ftp://127.0.0.1", BaseUrlError::NotSecure),
        ("https://user@warranty.example.com", BaseUrlError::Extras),
        ("https://:secret@warranty.example.com", BaseUrlError::Extras),
        ("https://warranty.example.com?x=1", BaseUrlError::Extras),
        ("https://warranty.example.com#x", BaseUrlError::Extras),
    ] {
        assert_eq!(BaseUrl::parse(text), Err(error), "{text}");
    }
}
