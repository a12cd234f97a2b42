//! All seven operations, so that a rule can be tried on each.

use std::time::Duration;

use uuid::Uuid;
use warranty_api::{
    Answer, BaseUrl, Client, ContractBatch, ContractId, Error, LeadRequest, NetworkSettings,
    PlanFilter, PlanId, PlanUpdate, ProductReference, ProductUpsert, StoreId, Timeouts, Token,
};
pub use warranty_sandbox::Operation;
use warranty_sandbox::Operation::{
    BulkCreateContracts, CreateLead, GetContract, GetPlan, ListPlans, UpdatePlan, UpsertProduct,
};
use warranty_sandbox::{
    Action, KeyPolicy, Options, Personality, STORE_ID, Sandbox, ScriptedFault, Visibility, sample,
};

use crate::listener::{Listener, Step};

/// The token of every test; it must be seen in its header alone.
pub const TOKEN: &str = "sample-token-7f3a";

pub const KEY: &str = "6f2c1f4e-8d5b-4f6a-9b0e-2a1c3d4e5f60";

pub const ERROR_OBJECT: &str =
    r#"{"requestId":"req-1","code":"BadRequestException","error":"Product not found: SKU-1"}"#;

// The bodies of the operations that have one, byte for byte.
pub const BATCH: &str = r#"{"contracts":[{"transactionId":"t-1","transactionTotal":196440,"transactionDate":"2026-11-21T10:00:00.250+09:00","customer":{"name":"見本 太郎","email":"taro@example.com"},"product":{"referenceId":"2000000000015","purchasePrice":189800},"plan":{"purchasePrice":6640,"planId":"plan-2000000000015-standard-36"}}]}"#;
pub const UPSERT: &str = r#"{"referenceId":"2000000000015","title":"見本の冷蔵庫","price":189800,"imageUrl":"https://example.com/sku-1.png","category":"冷蔵庫"}"#;
pub const PLAN_UPDATE: &str = r#"{"storeReferenceId":"W-3Y"}"#;
pub const LEAD: &str = r#"{"transactionId":"t-1","product":{"referenceId":"2000000000015","purchasePrice":189800},"quantity":1,"transactionDate":"2026-11-21T10:00:00.250+09:00"}"#;

pub const WRITES: [Operation; 4] = [BulkCreateContracts, UpsertProduct, UpdatePlan, CreateLead];

pub const READS: [Operation; 3] = [GetContract, ListPlans, GetPlan];

/// What a test does with an operation.
pub trait Calls: Copy {
    /// The request line of part 4.
    fn line(self) -> String;

    /// A body that means success, with nothing in it but what is mandatory.
    fn success(self) -> &'static str;

    /// Calls it for a contract, and keeps of a success only the status.
    async fn call_of(self, client: &Client, contract: &ContractId) -> Result<u16, Error>;

    /// The same, for the contract `c-1`.
    async fn call(self, client: &Client) -> Result<u16, Error> {
        let contract = ContractId::new("c-1").unwrap();
        self.call_of(client, &contract).await
    }
}

impl Calls for Operation {
    fn line(self) -> String {
        let (product, plan) = (
            sample::PRODUCT_REFRIGERATOR,
            sample::REFRIGERATOR_PLAN_3_YEARS,
        );
        let line = match self {
            BulkCreateContracts => "POST /v1/contracts/bulk",
            GetContract => "GET /v1/contracts/c-1",
            UpsertProduct => "PUT /v1/products/upsert",
            UpdatePlan => &format!("PUT /v1/plans/{plan}"),
            ListPlans => {
                &format!("GET /v1/plans?productId={product}&storeId={STORE_ID}&status=Any")
            }
            GetPlan => &format!("GET /v1/plans/{plan}"),
            CreateLead => "POST /v1/leads",
        };
        format!("{line} HTTP/1.1")
    }

    fn success(self) -> &'static str {
        match self {
            BulkCreateContracts => {
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

    async fn call_of(self, client: &Client, contract: &ContractId) -> Result<u16, Error> {
        let plan = PlanId::new(sample::REFRIGERATOR_PLAN_3_YEARS).unwrap();
        let store = StoreId::new(STORE_ID).unwrap();
        let any = Some(PlanFilter::Any);
        match self {
            BulkCreateContracts => {
                let body = serde_json::to_vec(&batch()).unwrap();
                client.create_contracts(body, key()).await.map(status)
            }
            GetContract => client.get_contract(contract).await.map(status),
            UpsertProduct => client.upsert_product(&upsert()).await.map(status),
            UpdatePlan => client.update_plan(&plan, &plan_update()).await.map(status),
            ListPlans => client.list_plans(&product(), &store, any).await.map(status),
            GetPlan => client.get_plan(&plan).await.map(status),
            CreateLead => client.create_lead(&lead()).await.map(status),
        }
    }
}

fn status<T>(answer: Answer<T>) -> u16 {
    answer.status
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

pub fn client_within(url: &str, timeouts: Timeouts) -> Client {
    client_over(url, timeouts, &NetworkSettings::default())
}

pub fn client_over(url: &str, timeouts: Timeouts, network: &NetworkSettings) -> Client {
    let token = Token::new(TOKEN).unwrap();
    Client::new(BaseUrl::parse(url).unwrap(), Some(token), timeouts, network).unwrap()
}

/// Bounds that no test reaches, and no fault that ends by itself.
pub fn patient() -> Timeouts {
    Timeouts {
        connect: Duration::from_secs(60),
        read: Duration::from_secs(120),
        write: Duration::from_secs(120),
    }
}

/// Bounds for tests in which the other side never answers.
pub fn hasty() -> Timeouts {
    Timeouts {
        connect: Duration::from_secs(60),
        read: Duration::from_millis(3_000),
        write: Duration::from_millis(3_000),
    }
}

/// A practice service with the token of the tests, which finds contracts at once and sells again under the
/// same key.
pub async fn service() -> Sandbox {
    let options = Options {
        personality: Personality {
            key_policy: KeyPolicy::Ignore,
            visibility: Visibility::AfterMs(0),
            ..Personality::default()
        },
        token: Some(TOKEN.to_owned()),
        ..Options::default()
    };
    Sandbox::start(options).await.unwrap()
}

/// A contract of a practice service that can be looked up.
pub async fn contract(client: &Client) -> ContractId {
    let body = serde_json::to_vec(&batch()).unwrap();
    let answer = client.create_contracts(body, key()).await.unwrap();
    answer.value.into_iter().flatten().next().unwrap().id
}

/// The fault for the next request of an operation.
pub fn script(sandbox: &Sandbox, operation: Operation, action: Action) {
    sandbox.script(vec![ScriptedFault {
        operations: vec![operation],
        action,
        times: 1,
    }]);
}

pub fn key() -> Uuid {
    KEY.parse().unwrap()
}

pub fn batch() -> ContractBatch {
    serde_json::from_str(BATCH).unwrap()
}

fn product() -> ProductReference {
    ProductReference::new(sample::PRODUCT_REFRIGERATOR).unwrap()
}

fn upsert() -> ProductUpsert {
    serde_json::from_str(UPSERT).unwrap()
}

pub fn plan_update() -> PlanUpdate {
    serde_json::from_str(PLAN_UPDATE).unwrap()
}

fn lead() -> LeadRequest {
    serde_json::from_str(LEAD).unwrap()
}
