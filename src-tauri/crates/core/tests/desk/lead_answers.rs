//! Answers to a lead that do not say that it was created as it was sent.

use warranty_core::leads::{LeadState, LeadView};
use warranty_sandbox::sample;

use crate::harness::Stage;
use crate::leads::draft;
use crate::steps::{Steps, with};

/// The lead that a service with this answer makes of a draft of two at 128000.
async fn answered(answer: &str) -> LeadView {
    let stage = Stage::answered(&[("POST", answer)]).await;
    let draft = with(draft(), |it| it.quantity = "2".to_owned());
    stage.lead(&draft).await
}

#[tokio::test]
async fn a_lead_answered_with_another_quantity_is_not_created() {
    for (other, named) in [
        (r#""quantity":1"#, "× 1"),
        (r#""quantity":"2""#, "× \"2\""),
        (
            r#""product":{"referenceId":"2000000000015","purchasePrice":1}"#,
            "2000000000015",
        ),
    ] {
        let lead = answered(&format!(r#"{{"token":"t",{other}}}"#)).await;
        assert_eq!(lead.state, LeadState::Unknown, "{other}");
        assert_eq!(lead.token, None, "{other}");
        let product = lead.mismatch.unwrap().product_reference_id.unwrap();
        assert!(product.contains(named), "{product}");
    }
    let same =
        r#"{"token":"t","quantity":2,"product":{"referenceId":"REF","purchasePrice":128000}}"#;
    let same = answered(&same.replace("REF", sample::PRODUCT_REFRIGERATOR)).await;
    assert_eq!(same.state, LeadState::Created);
}

#[tokio::test]
async fn a_lead_answered_with_an_empty_token_is_not_created() {
    for empty in ["", " "] {
        let lead = answered(&format!(r#"{{"token":"{empty}"}}"#)).await;
        assert_eq!((lead.state, lead.token), (LeadState::Unknown, None));
    }
}
