//! One request from its arrival to its answer: check its headers, run its operation. What the operations do is in
//! `operations`.

use std::sync::Arc;

use rusqlite::Transaction;

use crate::behaviour::Behaviour;
use crate::header_checks::check_headers;
use crate::request::Incoming;
use crate::{Answer, App, Failure, Operation, keys, operations};
#[cfg(not(feature = "faults"))]
use crate::{ErrorKind, ErrorResponse, Reply};

#[cfg(not(feature = "faults"))]
pub(crate) async fn respond(app: Arc<App>, incoming: Arc<Incoming>) -> axum::response::Response {
    // In a task of its own: as at a real service, the operation continues when the client disconnects.
    let answering =
        tokio::spawn(async move { answer(&app, &incoming, Behaviour::default()).await });
    let answer = answering.await.unwrap_or_else(|_| {
        Answer::error(&ErrorResponse::new(
            ErrorKind::INTERNAL,
            "the request was interrupted",
        ))
    });
    Reply::json(answer).into_response()
}

/// Checks a request and runs its operation.
pub(crate) async fn answer(app: &App, incoming: &Arc<Incoming>, behaviour: Behaviour) -> Answer {
    let operation = match &incoming.target {
        Ok((operation, _)) => *operation,
        Err(error) => return Answer::error(error),
    };
    if let Err(error) = check_headers(operation, &incoming.parts.headers, incoming.token) {
        return Answer::error(&error);
    }
    let situation = app.situation();
    if let Some(refusal) = situation.refusal(operation) {
        return Answer::error(&refusal);
    }
    let now = app.clock.now();
    let request = Arc::clone(incoming);
    let run = move |transaction: &Transaction<'_>| {
        let (body, id) = (request.body()?, request.id());
        match operation {
            Operation::BulkCreateContracts => {
                let key = request.key.as_deref();
                let create = || {
                    let on_failure = behaviour.bulk_failure;
                    operations::bulk_create(transaction, on_failure, now, key, body)
                };
                match key {
                    Some(key) => {
                        keys::answer_once(transaction, behaviour.key_policy, now, key, body, create)
                    }
                    None => create(),
                }
            }
            Operation::GetContract => {
                operations::get_contract(transaction, behaviour.visibility, now, id)
            }
            Operation::UpsertProduct => operations::upsert_product(transaction, now, body),
            Operation::UpdatePlan => operations::update_plan(transaction, id, body),
            Operation::ListPlans => operations::list_plans(transaction, &request.parts.uri),
            Operation::GetPlan => operations::get_plan(transaction, id),
            Operation::CreateLead => operations::create_lead(transaction, now, body),
        }
    };
    let answer = app.store.transact(run).await.unwrap_or_else(|failure| {
        if !matches!(failure, Failure::Refused(_)) {
            tracing::error!(%failure, "the sandbox could not answer a request");
        }
        failure.answer()
    });
    match situation.loss(operation) {
        Some(loss) => Answer::error(&loss),
        None => answer,
    }
}
