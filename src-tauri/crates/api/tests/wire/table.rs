//! The table: every named fault × every operation, counted at the service.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use warranty_api::{ContractId, Timeouts};
use warranty_sandbox::{Action, Operation, Sandbox, TokenSeen, named_faults};

use crate::expected::{Outcome, expected, lasts};
use crate::operations::{Calls as _, client, client_within, contract, patient, script, service};

/// A host that redirects lead to; it counts who comes.
struct Elsewhere {
    address: String,
    visits: Arc<AtomicUsize>,
}

impl Elsewhere {
    async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let visits = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&visits);
        tokio::spawn(async move {
            while listener.accept().await.is_ok() {
                counter.fetch_add(1, Ordering::SeqCst);
            }
        });
        Self { address, visits }
    }

    /// The same fault, leading here.
    fn reroute(&self, action: Action) -> Action {
        let here = |text: String| {
            text.replace(
                "https://elsewhere.sample.invalid",
                "http://elsewhere.sample.invalid",
            )
            .replace("elsewhere.sample.invalid", &self.address)
        };
        let mut action = action;
        if let Action::Verbatim { headers, body, .. } = &mut action {
            for text in headers.iter_mut().map(|(_, value)| value).chain([body]) {
                *text = here(std::mem::take(text));
            }
        }
        action
    }
}

/// Bounds for the faults that outlast them, wide enough that the request has left before, on a busy machine too:
/// the connection has half of them.
const WAITED_OUT: Timeouts = Timeouts {
    connect: Duration::from_secs(12),
    read: Duration::from_secs(24),
    write: Duration::from_secs(24),
};

/// One cell: what is wrong with it, if anything.
async fn cell(
    sandbox: &Sandbox,
    name: &str,
    action: Action,
    operation: Operation,
    contract: &ContractId,
) -> Result<(), String> {
    let patience = if lasts(name) { WAITED_OUT } else { patient() };
    let desk = client_within(&sandbox.base_url(), patience);
    let (sold, arrived) = (sales(sandbox).await, sandbox.requests().len());
    script(sandbox, operation, action);
    let result = operation.call_of(&desk, contract).await;
    let outcome = Outcome::of(&result);
    let wrong = |what: String| Err(format!("{name} × {operation:?}: {what}"));
    match expected(name) {
        Some(expected) if expected == outcome => {}
        expected => return wrong(format!("{outcome:?} instead of {expected:?}")),
    }
    if let Err(error) = &result {
        let printed = format!("{error} {error:?} {error:#?}");
        if printed.contains(sandbox.token()) {
            return wrong("the token is printed".to_owned());
        }
        if operation == Operation::BulkCreateContracts
            && matches!(outcome, Outcome::NotSent)
            && sales(sandbox).await != sold
        {
            return wrong("sold, and called not sent".to_owned());
        }
    }
    let seen = sandbox.requests().split_off(arrived);
    if seen.len() != 1 {
        return wrong(format!("{} requests arrived", seen.len()));
    }
    let token = if operation.needs_token() {
        TokenSeen::Present
    } else {
        TokenSeen::Absent
    };
    if seen[0].operation != Some(operation) || seen[0].token != token {
        return wrong(format!("{:?} arrived", seen[0]));
    }
    if format!("{}{:?}", seen[0].path, seen[0].query).contains(sandbox.token()) {
        return wrong("the token is in the address".to_owned());
    }
    // Whatever it met, the next call of the same client finds its own answer, or none where a kept
    // connection turns out to be over. It is a read: nothing comes of it.
    match Outcome::of(&Operation::GetContract.call_of(&desk, contract).await) {
        Outcome::Accepted | Outcome::Silent(_) => {}
        other @ (Outcome::Refused(_) | Outcome::Unreadable(..) | Outcome::NotSent) => {
            return wrong(format!("the next call: {other:?}"));
        }
    }
    Ok(())
}

async fn sales(sandbox: &Sandbox) -> usize {
    sandbox.ledger().await.unwrap().len()
}

/// One operation under each of these faults, at a service of its own, so that requests can be counted side by
/// side. What is wrong with it, line by line.
async fn column(operation: Operation, faults: Vec<(&'static str, Action)>) -> Vec<String> {
    let sandbox = service().await;
    let contract = contract(&client(&sandbox.base_url())).await;
    let mut wrong = Vec::new();
    for (name, action) in faults {
        if let Err(what) = cell(&sandbox, name, action, operation, &contract).await {
            wrong.push(what);
        }
    }
    sandbox.stop().await;
    wrong
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_fault_on_every_operation_is_named_for_what_it_is_and_met_once() {
    let start = Instant::now();
    let elsewhere = Elsewhere::open().await;
    let faults = named_faults();
    let mut columns = Vec::new();
    for operation in Operation::ALL {
        // The faults that cost patience stand aside, two at a time, so that nothing waits for them.
        let (waited_for, others): (Vec<_>, Vec<_>) = faults
            .iter()
            .map(|(name, action)| (*name, elsewhere.reroute(action.clone())))
            .partition(|(name, _)| lasts(name));
        for faults in waited_for.chunks(2).chain([others.as_slice()]) {
            columns.push(tokio::spawn(column(operation, faults.to_vec())));
        }
    }
    let mut wrong = Vec::new();
    for column in columns {
        wrong.extend(column.await.unwrap());
    }
    assert!(wrong.is_empty(), "{:#?}", wrong);
    assert_eq!(elsewhere.visits.load(Ordering::SeqCst), 0);
    let cells = faults.len() * Operation::ALL.len();
    println!(
        "PROOF wire: {} faults x 7 operations = {cells} cells, {cells} requests, 0 repeated, 0 to another host, {:.1} s",
        faults.len(),
        start.elapsed().as_secs_f64()
    );
}
