//! One request from arrival to answer: read it, check its headers, run its operation. What the operations do
//! is in `operations`, and everything that makes an answer go wrong is in `faults`.

use std::sync::Arc;

use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::request::Parts,
    response::Response,
};
use futures::StreamExt;
use rusqlite::Transaction;

#[cfg(feature = "faults")]
use crate::faults::respond;
use crate::{
    app::App,
    behaviour::Behaviour,
    error_response::{ErrorKind, ErrorResponse},
    header_checks::{KEY_HEADER, TokenSeen, check_headers},
    keys,
    operation::Operation,
    operations,
    outcome::{Answer, Failure},
};

/// The longest accepted body in bytes. Ten contracts take a few kilobytes.
const BODY_LIMIT: usize = 1024 * 1024;

/// How many bytes of a longer body are still read and discarded, so that the caller gets to read the error.
const DRAIN_LIMIT: usize = 64 * 1024 * 1024;

/// What a path and a method ask for.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// An operation, with the id from its path or an empty one.
    Operation { operation: Operation, id: String },
    /// No operation; the error says why.
    Nothing(ErrorResponse),
}

/// A request whose body has been read.
#[derive(Debug)]
pub(crate) struct Incoming {
    pub(crate) target: Target,
    pub(crate) parts: Parts,
    pub(crate) token: TokenSeen,
    pub(crate) key: Option<String>,
    /// The body; of one that is too long, the number of bytes read.
    pub(crate) body: Result<Bytes, usize>,
}

/// Answers one request.
pub(crate) async fn handle(app: Arc<App>, target: Target, request: Request) -> Response {
    let incoming = Incoming::read(target, request, &app.token).await;
    respond(app, Arc::new(incoming)).await
}

#[cfg(not(feature = "faults"))]
async fn respond(app: Arc<App>, incoming: Arc<Incoming>) -> Response {
    // In a task of its own: as at a real service, the operation continues when the client disconnects.
    let answering =
        tokio::spawn(async move { answer(&app, &incoming, Behaviour::default()).await });
    let answer = answering.await.unwrap_or_else(|_| {
        Answer::error(&ErrorResponse::new(
            ErrorKind::INTERNAL,
            "the request was interrupted",
        ))
    });
    crate::reply::Reply::json(answer).into_response()
}

/// Checks a request and runs its operation.
pub(crate) async fn answer(app: &App, incoming: &Arc<Incoming>, behaviour: Behaviour) -> Answer {
    let operation = match &incoming.target {
        Target::Operation { operation, .. } => *operation,
        Target::Nothing(error) => return Answer::error(error),
    };
    if let Err(error) = check_headers(operation, &incoming.parts.headers, incoming.token) {
        return Answer::error(&error);
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
    match app.store.transact(run).await {
        Ok(answer) => answer,
        Err(Failure::Refused(error)) => Answer::error(&error),
        Err(failure @ (Failure::Database(_) | Failure::Encoding(_) | Failure::Interrupted)) => {
            tracing::error!(%failure, "the sandbox could not answer a request");
            Answer::error(&ErrorResponse::new(
                ErrorKind::INTERNAL,
                failure.to_string(),
            ))
        }
    }
}

impl Incoming {
    async fn read(target: Target, request: Request, token: &str) -> Self {
        let (parts, body) = request.into_parts();
        Self {
            target,
            token: TokenSeen::in_headers(&parts.headers, token),
            key: parts
                .headers
                .get(KEY_HEADER)
                .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()),
            parts,
            body: read_body(body).await,
        }
    }

    /// The operation it asks for, if its path and method belong to one.
    #[cfg(feature = "faults")]
    pub(crate) fn operation(&self) -> Option<Operation> {
        match &self.target {
            Target::Operation { operation, .. } => Some(*operation),
            Target::Nothing(_) => None,
        }
    }

    fn body(&self) -> Result<&[u8], ErrorResponse> {
        self.body.as_deref().map_err(|_| {
            ErrorResponse::new(
                ErrorKind::TOO_LARGE,
                format!("the body is longer than {BODY_LIMIT} bytes"),
            )
        })
    }

    fn id(&self) -> &str {
        match &self.target {
            Target::Operation { id, .. } => id,
            Target::Nothing(_) => "",
        }
    }
}

/// The body, or how many bytes of it were read when it is too long.
async fn read_body(body: Body) -> Result<Bytes, usize> {
    let mut bytes = Vec::new();
    let mut length = 0;
    let mut chunks = body.into_data_stream();
    while let Some(Ok(chunk)) = chunks.next().await {
        length += chunk.len();
        if length <= BODY_LIMIT {
            bytes.extend_from_slice(&chunk);
        } else if length > DRAIN_LIMIT {
            break;
        }
    }
    if length <= BODY_LIMIT {
        Ok(bytes.into())
    } else {
        Err(length)
    }
}
