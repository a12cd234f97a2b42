use serde_json::json;

use super::*;

#[test]
fn the_contents_of_rows_are_kept_only_until_their_sale_is_settled() {
    let item = json!({
        "transactionId": "T-1", "transactionTotal": 100, "transactionDate": "2026-11-21T10:00:00.000+09:00",
        "customer": {"name": "見本 太郎", "email": "a@example.jp"},
        "product": {"referenceId": "P-1", "purchasePrice": 100},
        "plan": {"planId": "plan-1", "purchasePrice": 10},
    });
    let item: ContractItem = serde_json::from_value(item).unwrap();
    let sale = SaleKey::of(["T-1", "P-1", "plan-1"]);
    let row = |line| Stated {
        sale,
        line,
        item: &item,
        dated: true,
        confirmed: &[],
    };
    let mut seen = DuplicateDetector::default();
    for line in [2, 3] {
        seen.note(sale, line);
    }
    for line in [2, 3] {
        seen.note_said(&row(line));
    }
    assert!(seen.equal[&sale].iter().all(|row| row.said.is_some()));
    seen.settle(&row(2), &[]);
    seen.note_said(&row(3));
    assert!(seen.equal[&sale].iter().all(|row| row.said.is_none()));
}
