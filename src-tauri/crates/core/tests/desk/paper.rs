//! The sheet a customer takes home: the fee on it is the one that was entered.

use warranty_core::api::{Amount, ContractId};
use warranty_core::contracts::{Confirmed, Question};
use warranty_core::outbox::{CaseReason, Resolution, SubmissionState};
use warranty_core::print::{PaperOf, Standing};
use warranty_core::settings::Language;
use warranty_sandbox::Operation::GetContract;

use crate::harness::{Stage, always, instead, status};
use crate::run_halts::of_another_store;
use crate::sales::sale;
use crate::steps::{Steps, questions, with};

/// What a sheet says of the fee, and of the contract.
async fn fee(stage: &Stage, of: &PaperOf) -> (Standing, Option<String>) {
    let paper = stage.printing.paper(of, Language::En).await.unwrap();
    let fee = paper
        .groups
        .iter()
        .flat_map(|group| &group.lines)
        .find(|line| line.name == "Warranty fee")
        .map(|line| line.value.expose().to_owned());
    (paper.standing, fee)
}

#[tokio::test]
async fn a_fee_that_is_not_the_plans_price_stays_on_the_sheet_of_the_contract() {
    let (stage, _) = Stage::live().await;
    let listed = Amount::new(sale(0).plan_purchase_price.parse().unwrap()).unwrap();
    let draft = with(sale(0), |it| it.plan_purchase_price = "7".into());
    // The changed price is asked about, and a yes to something else is none.
    let another = [Confirmed::SecondContract {
        submission_id: None,
    }];
    let asked = questions(stage.try_register(&draft, &another).await);
    let Question::ChangedPrice { entered, current } = asked[0] else {
        panic!("{asked:?}");
    };
    assert_eq!((entered.get(), current), (7, listed));
    let entry = stage.register_with(&draft, &[asked[0].yes()]).await;
    let of_entry = PaperOf::Entry { id: entry.id };
    let seven = Some("7".to_owned());
    assert_eq!(
        fee(&stage, &of_entry).await,
        (Standing::Pending, seven.clone())
    );

    stage.run_confirmed().await;
    assert_eq!(stage.ledger().await[0].plan_purchase_price, 7);
    let entry = stage.only().await;
    assert_eq!(entry.state, SubmissionState::Confirmed);
    let registered = (Standing::Registered, seven);
    assert_eq!(fee(&stage, &of_entry).await, registered);
    // What has its id at the service but is another sale is not printed as this one.
    stage.next(GetContract, instead("T-00000", "T-99999"));
    let paper = stage.printing.paper(&of_entry, Language::En).await.unwrap();
    let mut lines = paper.groups.iter().flat_map(|group| &group.lines);
    assert!(lines.all(|line| !line.value.expose().contains("T-99999")));
    let contract_id = entry.contract_id.unwrap();
    let contract = stage.contracts.look_up(&contract_id).await.unwrap();
    assert_eq!(contract.plan.price.known(), Some(listed));
    let mut contract = Box::new(contract);
    let looked_up = PaperOf::Contract {
        contract: contract.clone(),
    };
    assert_eq!(fee(&stage, &looked_up).await, registered);
    // Whichever profile of the store it was entered under.
    stage.connect("二号店").await;
    assert_eq!(fee(&stage, &looked_up).await, registered);

    // The service does not return the fee of a contract that was entered elsewhere.
    contract.id = ContractId::new("contract-of-another-desk").unwrap();
    let of_another = PaperOf::Contract { contract };
    assert_eq!(fee(&stage, &of_another).await.1, None);
}

#[tokio::test]
async fn a_contract_marked_as_fraud_is_not_printed_as_registered_where_the_service_does_not_answer()
{
    let (stage, _) = Stage::live().await;
    let flagged = instead(r#""fraud":false"#, r#""fraud":true"#);
    stage.next_times(GetContract, flagged, 2);
    let id = stage.register(&sale(0)).await.id;
    stage.run_confirmed().await;
    let contract_id = stage.contract_of(&sale(0).transaction_id).await;
    stage
        .resolve(&id, Resolution::GiveContractId { contract_id })
        .await;
    let settled = stage.only().await;
    assert_eq!(settled.state, SubmissionState::Confirmed);
    assert_eq!(settled.status.as_deref(), Some("Active"));
    assert_eq!(settled.case, Some(CaseReason::ReportedFraud));

    stage.next(GetContract, status(503));
    let of_entry = PaperOf::Entry { id };
    assert_eq!(fee(&stage, &of_entry).await.0, Standing::Reported);
}

#[tokio::test]
async fn a_contract_that_came_back_through_the_page_is_reported_as_before() {
    for odd in [
        r#""fraud":"true""#,
        r#""status":{"of":"the contract, and longer than what is kept"}"#,
    ] {
        let contract = format!(
            r#"{{"id":"c","transactionId":"t","customer":{{"email":"a@sample.invalid"}},
                "product":{{"referenceId":"p"}},"plan":{{"id":"x"}},{odd}}}"#
        );
        let stage = Stage::answered(&[("GET", &contract)]).await;
        let id = ContractId::new("c").unwrap();
        let found = stage.contracts.look_up(&id).await.unwrap();
        let of = PaperOf::Contract {
            contract: Box::new(found),
        };
        let through_the_page = serde_json::from_value(serde_json::to_value(&of).unwrap());
        for of in [of, through_the_page.unwrap()] {
            let paper = stage.printing.paper(&of, Language::En).await.unwrap();
            assert_eq!(paper.standing, Standing::Reported, "{odd}");
        }
    }
}

#[tokio::test]
async fn a_contract_of_another_store_is_reported_on_its_sheet_until_a_person_gives_its_id() {
    let (stage, _) = Stage::live().await;
    let wrong = of_another_store(&stage);
    stage.service(|it| it.faults = always(GetContract, wrong));
    let id = stage.register(&sale(0)).await.id;
    stage.run_confirmed().await;
    let contract_id = stage.contract_of(&sale(0).transaction_id).await;
    let of_contract = ContractId::new(&contract_id).unwrap();
    let contract = Box::new(stage.contracts.look_up(&of_contract).await.unwrap());
    let of = PaperOf::Contract { contract };
    assert_eq!(fee(&stage, &of).await.0, Standing::Reported);
    stage
        .resolve(&id, Resolution::GiveContractId { contract_id })
        .await;
    assert_eq!(fee(&stage, &of).await.0, Standing::Registered);
}

#[tokio::test]
async fn a_sheet_says_it_while_the_provider_may_have_the_contract_twice() {
    let (stage, _) = Stage::live().await;
    let id = stage.register(&sale(0)).await.id;
    stage.run_confirmed().await;
    let twice = "UPDATE submission SET duplicate_possible = 1";
    stage.database().execute(twice, []).unwrap();
    let contract_id = stage.contract_of(&sale(0).transaction_id).await;
    let of_contract = ContractId::new(&contract_id).unwrap();
    let contract = Box::new(stage.contracts.look_up(&of_contract).await.unwrap());
    for of in [PaperOf::Entry { id }, PaperOf::Contract { contract }] {
        let paper = stage.printing.paper(&of, Language::En).await.unwrap();
        let notice = paper.notice.expect("a notice").text;
        assert!(notice.contains("more than once"), "{notice}");
    }
}
