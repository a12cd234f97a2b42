//! One request from arrival to answer: record it, meet the fault that awaits it, check its headers, do its
//! work, bend the answer. The steps themselves live elsewhere.

use std::{sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes},
    extract::{ConnectInfo, Request},
    http::{HeaderMap, Method, Uri},
    response::Response,
};
use futures::StreamExt;

use crate::{
    app::App,
    connection::ConnectionHandle,
    error_response::{ErrorKind, ErrorResponse},
    faults::Action,
    header_checks::{KEY_HEADER, check_headers},
    keys,
    operation::Operation,
    operations,
    outcome::{Answer, Failure},
    personality::{KeyPolicy, Personality},
    reply::Reply,
    request_log::{Exchange, ExchangedResponse, RecordedRequest, TokenSeen, masked},
    response_faults,
    response_stream::ResponseStream,
};

/// The longest body that is looked at. Ten contracts take a few kilobytes.
const BODY_LIMIT: usize = 1024 * 1024;

/// How much of a longer body is still read and thrown away, so that the caller can read the error.
const DRAIN_LIMIT: usize = 64 * 1024 * 1024;

/// What a path and a method ask for.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// An operation, with the id from its path or an empty one.
    Operation { operation: Operation, id: String },
    /// No operation; the error says why.
    Nothing(ErrorResponse),
}

/// A request, read to its end.
struct Incoming {
    target: Target,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    token: TokenSeen,
    key: Option<String>,
    /// `None`: longer than the limit.
    body: Option<Bytes>,
}

/// Answers one request.
pub(crate) async fn handle(app: Arc<App>, target: Target, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let connection = parts
        .extensions
        .get::<ConnectInfo<ConnectionHandle>>()
        .map(|info| info.0.clone());
    let (body, body_length) = read_body(body).await;
    let incoming = Incoming {
        target,
        token: TokenSeen::in_headers(&parts.headers, &app.token),
        key: parts
            .headers
            .get(KEY_HEADER)
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()),
        method: parts.method,
        uri: parts.uri,
        headers: parts.headers,
        body,
    };
    app.request_log.add(incoming.recorded(body_length));
    // In a task of its own: as at a real service, the work goes on when the caller hangs up.
    let processed = tokio::spawn(process(Arc::clone(&app), incoming)).await;
    let stream = processed.unwrap_or_else(|_| ResponseStream::cut());
    stream.send(connection.as_ref()).await
}

async fn process(app: Arc<App>, incoming: Incoming) -> ResponseStream {
    let incoming = Arc::new(incoming);
    let (stream, faulty) = match &incoming.target {
        Target::Nothing(error) => {
            let personality = app.fault_script.personality();
            let reply = Reply::of(Answer::error(error), &personality);
            (ResponseStream::reply(reply), false)
        }
        Target::Operation { operation, .. } => {
            let (personality, fault) = app.fault_script.next_fault(*operation);
            let stream = answer(&app, &incoming, *operation, &personality, fault.clone()).await;
            (stream, fault.is_some())
        }
    };
    if app.request_log.wants_exchanges() {
        let exchange = incoming.exchanged(&app.base_url, stream.as_reply(), faulty);
        let log = app.request_log.clone();
        // Awaited, so that a caller who has the answer finds the exchange in the file.
        let written = tokio::task::spawn_blocking(move || log.add_exchange(&exchange)).await;
        if written.is_err() {
            tracing::warn!("recording an exchange was interrupted");
        }
    }
    stream
}

async fn answer(
    app: &Arc<App>,
    incoming: &Arc<Incoming>,
    operation: Operation,
    personality: &Arc<Personality>,
    fault: Option<Action>,
) -> ResponseStream {
    pause(personality.latency_ms).await;
    let early = fault
        .as_ref()
        .and_then(|action| response_faults::before_work(action, personality));
    if let Some(stream) = early {
        return stream;
    }
    let in_progress = match (&incoming.key, personality.key_policy, operation) {
        (Some(key), KeyPolicy::ConflictWhileInProgress, Operation::BulkCreateContracts) => {
            match app.keys.enter(key) {
                Some(guard) => Some(guard),
                None => {
                    let error = ErrorResponse::new(
                        ErrorKind::Conflict,
                        "a request with this idempotency key is in progress",
                    );
                    return ResponseStream::reply(Reply::of(Answer::error(&error), personality));
                }
            }
        }
        _ => None,
    };
    let answer = match check_headers(operation, &incoming.headers, incoming.token) {
        Ok(()) => work(app, incoming, operation, personality).await,
        Err(error) => Answer::error(&error),
    };
    pause(personality.answer_delay_ms).await;
    drop(in_progress);
    let answer = if operation == Operation::BulkCreateContracts {
        response_faults::shape_bulk_answer(answer, personality)
    } else {
        answer
    };
    response_faults::after_work(Reply::of(answer, personality), fault)
}

async fn work(
    app: &Arc<App>,
    incoming: &Arc<Incoming>,
    operation: Operation,
    personality: &Arc<Personality>,
) -> Answer {
    let now = app.clock.now();
    let incoming = Arc::clone(incoming);
    let personality = Arc::clone(personality);
    let worked = app
        .store
        .transact(move |transaction| {
            let body = incoming.body()?;
            let id = incoming.id();
            match operation {
                Operation::BulkCreateContracts => {
                    let key = incoming.key.as_deref();
                    let create = || {
                        let on_failure = personality.bulk_failure;
                        operations::bulk_create(transaction, on_failure, now, key, body)
                    };
                    match key {
                        Some(key) => {
                            let policy = personality.key_policy;
                            keys::answer_once(transaction, policy, now, key, body, create)
                        }
                        None => create(),
                    }
                }
                Operation::GetContract => {
                    operations::get_contract(transaction, personality.visibility, now, id)
                }
                Operation::UpsertProduct => operations::upsert_product(transaction, now, body),
                Operation::UpdatePlan => operations::update_plan(transaction, id, body),
                Operation::ListPlans => operations::list_plans(transaction, &incoming.uri),
                Operation::GetPlan => operations::get_plan(transaction, id),
                Operation::CreateLead => operations::create_lead(transaction, now, body),
            }
        })
        .await;
    match worked {
        Ok(answer) => answer,
        Err(Failure::Refused(error)) => Answer::error(&error),
        Err(failure @ (Failure::Database(_) | Failure::Encoding(_) | Failure::Interrupted)) => {
            tracing::error!(%failure, "the sandbox could not do its work");
            Answer::error(&ErrorResponse::new(
                ErrorKind::Internal,
                failure.to_string(),
            ))
        }
    }
}

async fn pause(ms: u64) {
    if ms > 0 {
        tokio::time::sleep(Duration::from_millis(ms)).await;
    }
}

/// The body if it is within the limit, and how much of it was read.
async fn read_body(body: Body) -> (Option<Bytes>, usize) {
    let mut kept = Vec::new();
    let mut length = 0;
    let mut chunks = body.into_data_stream();
    while let Some(Ok(chunk)) = chunks.next().await {
        length += chunk.len();
        if length <= BODY_LIMIT {
            kept.extend_from_slice(&chunk);
        } else if length > DRAIN_LIMIT {
            break;
        }
    }
    ((length <= BODY_LIMIT).then(|| kept.into()), length)
}

impl Incoming {
    fn body(&self) -> Result<&[u8], ErrorResponse> {
        self.body.as_deref().ok_or_else(|| {
            ErrorResponse::new(
                ErrorKind::TooLarge,
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

    fn recorded(&self, body_length: usize) -> RecordedRequest {
        RecordedRequest {
            number: 0,
            operation: match &self.target {
                Target::Operation { operation, .. } => Some(*operation),
                Target::Nothing(_) => None,
            },
            method: self.method.to_string(),
            path: self.uri.path().to_owned(),
            query: self.uri.query().map(str::to_owned),
            headers: masked(&self.headers, self.token),
            token: self.token,
            idempotency_key: self.key.clone(),
            body_length,
        }
    }

    fn exchanged(&self, base_url: &str, reply: Option<&Reply>, faulty: bool) -> Exchange {
        Exchange {
            method: self.method.to_string(),
            url: format!("{base_url}{}", self.uri),
            headers: masked(&self.headers, self.token),
            body: String::from_utf8_lossy(self.body.as_deref().unwrap_or_default()).into_owned(),
            response: reply.map(|reply| ExchangedResponse {
                status: reply.status,
                headers: reply.headers.clone(),
                body: reply.body.clone(),
            }),
            faulty,
        }
    }
}
