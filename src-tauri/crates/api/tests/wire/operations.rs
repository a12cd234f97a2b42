//! All seven operations, so that a rule can be tried on each.

use std::time::Duration;

use warranty_api::{
    Amount, BaseUrl, Client, ContractBatch, ContractId, ContractItem, Count, Error, IdempotencyKey,
    ItemCustomer, ItemPlan, ItemProduct, LeadProduct, LeadRequest, NetworkSettings, Personal,
    PlanFilter, PlanId, PlanUpdate, ProductReference, ProductUpsert, StoreId, Timeouts, Timestamp,
    Token,
};

use crate::listener::{Listener, Step};

/// The token of every test; nowhere but in its header may it be seen.
pub const TOKEN: &str = "sample-token-7f3a";

/// An idempotency key.
pub const KEY: &str = "6f2c1f4e-8d5b-4f6a-9b0e-2a1c3d4e5f60";

/// An error object.
pub const ERROR_OBJECT: &str =
    r#"{"requestId":"req-1","code":"BadRequestException","error":"Product not found: SKU-1"}"#;

/// One of the seven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    CreateContracts,
    GetContract,
    UpsertProduct,
    UpdatePlan,
    ListPlans,
    GetPlan,
    CreateLead,
}

use Operation::{
    CreateContracts, CreateLead, GetContract, GetPlan, ListPlans, UpdatePlan, UpsertProduct,
};

impl Operation {
    /// Every one.
    pub const ALL: [Self; 7] = [
        CreateContracts,
        GetContract,
        UpsertProduct,
        UpdatePlan,
        ListPlans,
        GetPlan,
        CreateLead,
    ];

    /// Those that change something.
    pub const WRITES: [Self; 4] = [CreateContracts, UpsertProduct, UpdatePlan, CreateLead];

    /// Those that change nothing.
    pub const READS: [Self; 3] = [GetContract, ListPlans, GetPlan];

    /// The request line of part 4.
    pub fn line(self) -> &'static str {
        match self {
            CreateContracts => "POST /v1/contracts/bulk HTTP/1.1",
            GetContract => "GET /v1/contracts/c-1 HTTP/1.1",
            UpsertProduct => "PUT /v1/products/upsert HTTP/1.1",
            UpdatePlan => "PUT /v1/plans/p-1 HTTP/1.1",
            ListPlans => "GET /v1/plans?productId=SKU-1&storeId=s-1&status=LiveInStore HTTP/1.1",
            GetPlan => "GET /v1/plans/p-1 HTTP/1.1",
            CreateLead => "POST /v1/leads HTTP/1.1",
        }
    }

    /// A body that means success, with nothing in it but what is mandatory.
    pub fn success(self) -> &'static str {
        match self {
            CreateContracts => {
                r#"[{"id":"c-1","transactionId":"t-1","customer":{"email":"taro@example.com"},"product":{"referenceId":"SKU-1"},"plan":{"id":"p-1"}}]"#
            }
            GetContract => {
                r#"{"id":"c-1","transactionId":"t-1","customer":{"email":"taro@example.com"},"product":{"referenceId":"SKU-1"},"plan":{"id":"p-1"}}"#
            }
            UpsertProduct => r#"{"referenceId":"SKU-1"}"#,
            UpdatePlan => r#"{"id":"p-1"}"#,
            ListPlans => r#"[{"id":"p-1"}]"#,
            GetPlan => r#"{"plan":{"id":"p-1"}}"#,
            CreateLead => r#"{"token":"lead-1"}"#,
        }
    }

    /// Calls it, and keeps of a success only the status.
    pub async fn call(self, client: &Client) -> Result<u16, Error> {
        let contract = ContractId::new("c-1").unwrap();
        let plan = PlanId::new("p-1").unwrap();
        match self {
            CreateContracts => client
                .create_contracts(serde_json::to_vec(&batch()).unwrap(), key())
                .await
                .map(|answer| answer.status),
            GetContract => client
                .get_contract(&contract)
                .await
                .map(|answer| answer.status),
            UpsertProduct => client
                .upsert_product(&upsert())
                .await
                .map(|answer| answer.status),
            UpdatePlan => client
                .update_plan(&plan, &plan_update())
                .await
                .map(|answer| answer.status),
            ListPlans => client
                .list_plans(
                    &ProductReference::new("SKU-1").unwrap(),
                    &StoreId::new("s-1").unwrap(),
                    Some(PlanFilter::LiveInStore),
                )
                .await
                .map(|answer| answer.status),
            GetPlan => client.get_plan(&plan).await.map(|answer| answer.status),
            CreateLead => client
                .create_lead(&lead())
                .await
                .map(|answer| answer.status),
        }
    }
}

/// Calls an operation once for each step, each on a connection of its own that the step closes.
pub async fn call_each(operation: Operation, steps: &[Step]) -> Vec<Result<u16, Error>> {
    let scripts = steps.iter().map(|step| vec![step.clone()]).collect();
    let listener = Listener::start(scripts).await;
    let client = client(&listener.url());
    let mut results = Vec::new();
    for over in 1..=steps.len() {
        results.push(operation.call(&client).await);
        listener.closed(over).await;
    }
    let read = steps.iter().filter(|step| !matches!(step, Step::HangUp));
    assert_eq!(listener.requests().len(), read.count(), "{operation:?}");
    assert_eq!(listener.connections(), steps.len(), "{operation:?}");
    results
}

/// A client with a token and bounds that no test reaches unless it means to.
pub fn client(url: &str) -> Client {
    client_within(url, patient())
}

/// A client with a token and the given bounds.
pub fn client_within(url: &str, timeouts: Timeouts) -> Client {
    client_over(url, timeouts, &NetworkSettings::default())
}

/// A client with a token, bounds, and a way to the service.
pub fn client_over(url: &str, timeouts: Timeouts, network: &NetworkSettings) -> Client {
    let token = Token::new(TOKEN).unwrap();
    Client::new(BaseUrl::parse(url).unwrap(), Some(token), timeouts, network).unwrap()
}

/// Bounds that no test reaches.
pub fn patient() -> Timeouts {
    Timeouts {
        connect: Duration::from_secs(10),
        read: Duration::from_secs(20),
        total: Duration::from_secs(30),
    }
}

/// Bounds for tests in which the other side never answers.
pub fn hasty() -> Timeouts {
    Timeouts {
        connect: Duration::from_millis(500),
        read: Duration::from_millis(1000),
        total: Duration::from_millis(2000),
    }
}

pub fn key() -> IdempotencyKey {
    IdempotencyKey::new(KEY.parse().unwrap())
}

pub fn batch() -> ContractBatch {
    ContractBatch::new(vec![item()]).unwrap()
}

pub fn item() -> ContractItem {
    ContractItem {
        transaction_id: "t-1".to_owned(),
        transaction_total: Amount::new(118_000).unwrap(),
        transaction_date: moment(),
        customer: ItemCustomer {
            name: Personal::new("見本 太郎"),
            email: Personal::new("taro@example.com"),
        },
        product: ItemProduct {
            reference_id: ProductReference::new("SKU-1").unwrap(),
            purchase_price: Amount::new(98_000).unwrap(),
        },
        plan: ItemPlan {
            purchase_price: Amount::new(20_000).unwrap(),
            plan_id: PlanId::new("p-1").unwrap(),
        },
    }
}

pub fn upsert() -> ProductUpsert {
    ProductUpsert {
        reference_id: ProductReference::new("SKU-1").unwrap(),
        title: "見本の冷蔵庫".to_owned(),
        price: Amount::new(98_000).unwrap(),
        image_url: "https://example.com/sku-1.png".to_owned(),
        category: "冷蔵庫".to_owned(),
    }
}

pub fn plan_update() -> PlanUpdate {
    PlanUpdate {
        store_reference_id: "W-5Y".to_owned(),
    }
}

pub fn lead() -> LeadRequest {
    LeadRequest {
        transaction_id: "t-1".to_owned(),
        product: LeadProduct {
            reference_id: ProductReference::new("SKU-1").unwrap(),
            purchase_price: Amount::new(98_000).unwrap(),
        },
        quantity: Count::new(1).unwrap(),
        transaction_date: moment(),
    }
}

pub fn moment() -> Timestamp {
    Timestamp::parse("2026-11-21T10:00:00.250+09:00").unwrap()
}
