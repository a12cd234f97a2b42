//! Hostile texts through the whole desk: kept, found again and given back exactly, and nothing is run.

use chrono::Utc;
use serde_json::{Value, json};
use warranty_core::api::{ContractId, PlanFilter};
use warranty_core::contracts::EntryDraft;
use warranty_model::contracts::validation::{self, KnownCodes};
use warranty_model::profile::Zone;
use warranty_sandbox::{
    Action,
    Operation::{GetContract, ListPlans},
    sample,
};

use crate::harness::{Stage, plan, product, until, verbatim};
use crate::hostile::corpus;
use crate::sales::{sale, sales};
use crate::steps::{Steps, with};

/// The texts, without the few that are too long for a whole pass through the desk each.
fn texts() -> Vec<String> {
    let short = corpus().into_iter().filter(|text| !text.is_long());
    short.filter_map(|hostile| hostile.text()).collect()
}

fn json_of(body: &Value) -> Action {
    verbatim(200, "application/json", body.to_string())
}

fn plan_of(number: usize, text: &str) -> Value {
    json!({
        "id": format!("p-{number}"), "storeReferenceId": text, "title": text, "price": 1,
        "termLength": 1, "serviceType": text, "protectionType": text, "url": text,
    })
}

#[tokio::test]
async fn plans_are_kept_found_and_given_back_as_they_came() {
    let stage = Stage::practising().await;
    let texts = texts();
    let plans = texts.iter().enumerate();
    let plans: Vec<Value> = plans.map(|(number, text)| plan_of(number, text)).collect();
    stage.next(ListPlans, json_of(&json!(plans)));
    let reference = product(sample::PRODUCT_REFRIGERATOR);
    let desk = &stage;
    desk.refresh(&reference, PlanFilter::Any).await;

    let stage = stage.restarted().await;
    let desk = &stage;
    let plan_list = desk.cached(&reference).await;
    assert_eq!(
        serde_json::to_value(&plan_list.plans).unwrap(),
        json!(plans)
    );
    for (number, text) in texts.iter().enumerate() {
        // Whatever it means to a search engine or a database, it is words to be looked for.
        desk.find_plans(text, 10).await;
        desk.find_products(text, 10).await;
        let kept = desk.plans.cached_plan(&plan(&format!("p-{number}"))).await;
        let kept = kept.unwrap().unwrap();
        assert_eq!(kept.plan.title.as_ref(), Some(text));
        if kept.page_host.is_some() {
            assert!(
                text.trim_start().to_lowercase().starts_with("https:"),
                "{text:?}"
            );
        }
    }
    let found = desk.find_plans("DROP TABLE", 10).await;
    assert_eq!(found.len(), 1);
}

#[tokio::test]
async fn a_status_of_a_mebibyte_is_kept_and_listed_in_a_thousand_characters() {
    let stage = Stage::practising().await;
    stage.enter(&sales(1)).await;
    stage.run().await;
    let id = stage.only().await.contract_id.unwrap();
    let looked_up = async || stage.contracts.look_up(&id).await;
    until("the contract", async || looked_up().await.is_ok()).await;
    let mut answer = serde_json::to_value(looked_up().await.unwrap()).unwrap();
    let long = "長".repeat(1 << 18);
    for field in ["/status", "/product/title"] {
        *answer.pointer_mut(field).unwrap() = json!(long);
    }
    stage.next_times(GetContract, json_of(&answer), 2);
    looked_up().await.unwrap();
    let recent = stage.contracts.recent_lookups().await.unwrap().remove(0);
    let short = long.chars().take(1_000).collect::<String>();
    assert!(
        recent.status.as_ref() == Some(&short) && recent.product_title.as_ref() == Some(&short)
    );
    stage.run_confirmed().await;
    assert!(stage.only().await.status.as_ref() == Some(&short));
}

#[tokio::test]
async fn a_contract_that_was_looked_up_is_remembered_by_its_transaction_as_it_came() {
    let stage = Stage::practising().await;
    let id = ContractId::new("c-1").unwrap();
    for text in texts() {
        let contract = json!({
            "id": "c-1", "transactionId": text, "customer": {"name": text, "email": text},
            "product": {"referenceId": "SKU-1"}, "plan": {"id": "p-1"},
        });
        stage.next(GetContract, json_of(&contract));
        stage.contracts.look_up(&id).await.unwrap();
        let recents = stage.contracts.recent_lookups().await.unwrap();
        assert_eq!((recents.len(), &recents[0].transaction_id), (1, &text));
        assert_eq!(recents[0].contract_id, id);
    }
}

#[tokio::test]
async fn a_customer_of_any_name_is_sold_to_under_that_name_or_not_at_all() {
    let stage = Stage::practising().await;
    let texts = texts();
    let named = |(number, text): (usize, &String)| {
        with(sale(number), |it| it.customer_name.clone_from(text))
    };
    let rows: Vec<_> = texts.iter().enumerate().map(named).collect();
    let report = stage.enter(&rows).await;
    let refused = stage.left_out(&report.id).await;
    let refused: Vec<u32> = refused.iter().map(|row| row.number - 1).collect();
    let taken = |row: &EntryDraft| {
        let item = validation::entry(row, Utc::now(), Zone::fixed(540), &KnownCodes::default());
        Some(item.ok()?.customer.name.expose().to_owned())
    };
    for (number, row) in (0_u32..).zip(&rows) {
        let name = taken(row);
        assert_eq!(!refused.contains(&number), name.is_some(), "{name:?}");
    }
    stage.run().await;
    let names: Vec<String> = stage
        .entered()
        .await
        .iter()
        .filter_map(|view| Some(view.customer_name.as_ref()?.expose().to_owned()))
        .collect();
    for sold in stage.ledger().await {
        let number: usize = sold.transaction_id[2..].parse().unwrap();
        assert!(names.contains(&taken(&rows[number]).unwrap()));
    }
    assert_eq!(stage.ledger().await.len(), names.len());
    assert_eq!(names.len() + refused.len(), texts.len());
    for text in texts {
        stage.find(&text).await;
    }
}
