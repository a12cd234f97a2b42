//! The seven operations with arguments that succeed at the practice service.

use std::time::Duration;

use warranty_api::{
    Amount, BaseUrl, Client, ContractBatch, ContractId, ContractItem, Count, Error, IdempotencyKey,
    ItemCustomer, ItemPlan, ItemProduct, LeadProduct, LeadRequest, NetworkSettings, Personal,
    PlanFilter, PlanId, PlanUpdate, ProductReference, ProductUpsert, StoreId, Timeouts, Timestamp,
    Token,
};
use warranty_sandbox::{
    Operation, Options, Personality, STORE_ID, Sandbox, ScriptedFault, Visibility, sample,
};

/// Bounds for faults that end only with the patience of the client.
pub fn hasty() -> Timeouts {
    Timeouts {
        connect: Duration::from_millis(750),
        read: Duration::from_millis(1500),
        total: Duration::from_millis(2500),
    }
}

/// Bounds that no fault reaches which ends by itself.
pub fn patient() -> Timeouts {
    Timeouts {
        connect: Duration::from_secs(20),
        read: Duration::from_secs(40),
        total: Duration::from_secs(60),
    }
}

/// A service whose contracts are found at once.
pub async fn service() -> Sandbox {
    let options = Options {
        personality: Personality {
            visibility: Visibility::AfterMs(0),
            ..Personality::default()
        },
        ..Options::default()
    };
    Sandbox::start(options).await.unwrap()
}

pub fn client(sandbox: &Sandbox, timeouts: Timeouts) -> Client {
    let base = BaseUrl::parse(&sandbox.base_url()).unwrap();
    let token = Token::new(sandbox.token()).unwrap();
    Client::new(base, Some(token), timeouts, &NetworkSettings::default()).unwrap()
}

/// A contract that can be looked up.
pub async fn contract(client: &Client) -> ContractId {
    let answer = client.create_contracts(body(), key()).await.unwrap();
    answer.value.into_iter().next().unwrap().id
}

/// Calls the operation once; of a success only the status is kept.
pub async fn call(
    operation: Operation,
    client: &Client,
    contract: &ContractId,
) -> Result<u16, Error> {
    let plan = PlanId::new(sample::REFRIGERATOR_PLAN_3_YEARS).unwrap();
    let reference = || ProductReference::new(sample::PRODUCT_REFRIGERATOR).unwrap();
    match operation {
        Operation::BulkCreateContracts => client
            .create_contracts(body(), key())
            .await
            .map(|answer| answer.status),
        Operation::GetContract => client.get_contract(contract).await.map(|a| a.status),
        Operation::UpsertProduct => {
            let product = ProductUpsert {
                reference_id: reference(),
                title: "見本の冷蔵庫".to_owned(),
                price: Amount::new(189_800).unwrap(),
                image_url: "https://sample.invalid/refrigerator.png".to_owned(),
                category: "冷蔵庫".to_owned(),
            };
            client.upsert_product(&product).await.map(|a| a.status)
        }
        Operation::UpdatePlan => {
            let update = PlanUpdate {
                store_reference_id: "SAMPLE-3Y".to_owned(),
            };
            client.update_plan(&plan, &update).await.map(|a| a.status)
        }
        Operation::ListPlans => client
            .list_plans(
                &reference(),
                &StoreId::new(STORE_ID).unwrap(),
                Some(PlanFilter::Any),
            )
            .await
            .map(|answer| answer.status),
        Operation::GetPlan => client.get_plan(&plan).await.map(|a| a.status),
        Operation::CreateLead => {
            let lead = LeadRequest {
                transaction_id: "T-1".to_owned(),
                product: LeadProduct {
                    reference_id: reference(),
                    purchase_price: Amount::new(189_800).unwrap(),
                },
                quantity: Count::new(1).unwrap(),
                transaction_date: moment(),
            };
            client.create_lead(&lead).await.map(|a| a.status)
        }
    }
}

/// The fault for the next request of the operation.
pub fn script(sandbox: &Sandbox, operation: Operation, action: warranty_sandbox::Action) {
    sandbox.script(vec![ScriptedFault {
        operations: vec![operation],
        action,
        times: 1,
    }]);
}

fn body() -> Vec<u8> {
    let item = ContractItem {
        transaction_id: "T-1".to_owned(),
        transaction_total: Amount::new(196_440).unwrap(),
        transaction_date: moment(),
        customer: ItemCustomer {
            name: Personal::new("見本 花子"),
            email: Personal::new("hanako@sample.example"),
        },
        product: ItemProduct {
            reference_id: ProductReference::new(sample::PRODUCT_REFRIGERATOR).unwrap(),
            purchase_price: Amount::new(189_800).unwrap(),
        },
        plan: ItemPlan {
            purchase_price: Amount::new(6_640).unwrap(),
            plan_id: PlanId::new(sample::REFRIGERATOR_PLAN_3_YEARS).unwrap(),
        },
    };
    serde_json::to_vec(&ContractBatch::new(vec![item]).unwrap()).unwrap()
}

fn key() -> IdempotencyKey {
    IdempotencyKey::new(uuid::Uuid::new_v4())
}

fn moment() -> Timestamp {
    Timestamp::parse("2026-06-01T13:45:10.250+09:00").unwrap()
}
