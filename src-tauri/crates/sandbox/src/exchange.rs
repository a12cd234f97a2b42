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
    admission::{KEY_HEADER, admit},
    app::App,
    bend,
    connection::Line,
    departure::Departure,
    faults::Action,
    keys,
    operation::Operation,
    operations,
    outcome::{Answer, Failure},
    personality::{KeyPolicy, Personality},
    record::{Exchange, ExchangedResponse, RecordedRequest, TokenSeen, masked},
    refusal::{Kind, Refusal},
    reply::Reply,
};

/// The longest body that is looked at. Ten contracts take a few kilobytes.
const BODY_LIMIT: usize = 1024 * 1024;

/// How much of a longer body is still read and thrown away, so that the caller can read the refusal.
const DRAIN_LIMIT: usize = 64 * 1024 * 1024;

/// What a path and a method ask for.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// An operation, with the id from its path or an empty one.
    Operation { operation: Operation, id: String },
    /// No operation; the refusal says why.
    Nothing(Refusal),
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
pub(crate) async fn exchange(app: Arc<App>, target: Target, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let line = parts
        .extensions
        .get::<ConnectInfo<Line>>()
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
    app.record.arrived(incoming.recorded(body_length));
    // In a task of its own: as at a real service, the work goes on when the caller hangs up.
    let worked = tokio::spawn(carry_out(Arc::clone(&app), incoming)).await;
    let departure = worked.unwrap_or_else(|_| Departure::cut());
    departure.leave(line.as_ref()).await
}

async fn carry_out(app: Arc<App>, incoming: Incoming) -> Departure {
    let incoming = Arc::new(incoming);
    let (departure, faulty) = match &incoming.target {
        Target::Nothing(refusal) => {
            let personality = app.temper.personality();
            let reply = Reply::of(Answer::refusal(refusal), &personality);
            (Departure::reply(reply), false)
        }
        Target::Operation { operation, .. } => {
            let (personality, fault) = app.temper.meet(*operation);
            let departure = meet(&app, &incoming, *operation, &personality, fault.clone()).await;
            (departure, fault.is_some())
        }
    };
    if app.record.wants_exchanges() {
        let exchange = incoming.exchanged(&app.base_url, departure.as_reply(), faulty);
        let record = app.record.clone();
        // Awaited, so that a caller who has the answer finds the exchange in the file.
        let written = tokio::task::spawn_blocking(move || record.exchanged(&exchange)).await;
        if written.is_err() {
            tracing::warn!("recording an exchange was interrupted");
        }
    }
    departure
}

async fn meet(
    app: &Arc<App>,
    incoming: &Arc<Incoming>,
    operation: Operation,
    personality: &Arc<Personality>,
    fault: Option<Action>,
) -> Departure {
    pause(personality.latency_ms).await;
    let early = fault
        .as_ref()
        .and_then(|action| bend::before_the_work(action, personality));
    if let Some(departure) = early {
        return departure;
    }
    let in_progress = match (&incoming.key, personality.key_policy, operation) {
        (Some(key), KeyPolicy::ConflictWhileInProgress, Operation::BulkCreateContracts) => {
            match app.keys.enter(key) {
                Some(guard) => Some(guard),
                None => {
                    let refusal = Refusal::new(
                        Kind::Conflict,
                        "a request with this idempotency key is in progress",
                    );
                    return Departure::reply(Reply::of(Answer::refusal(&refusal), personality));
                }
            }
        }
        _ => None,
    };
    let answer = match admit(operation, &incoming.headers, incoming.token) {
        Ok(()) => work(app, incoming, operation, personality).await,
        Err(refusal) => Answer::refusal(&refusal),
    };
    pause(personality.answer_delay_ms).await;
    drop(in_progress);
    let answer = if operation == Operation::BulkCreateContracts {
        bend::listing(answer, personality)
    } else {
        answer
    };
    bend::after_the_work(Reply::of(answer, personality), fault)
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
        Err(Failure::Refused(refusal)) => Answer::refusal(&refusal),
        Err(failure @ (Failure::Database(_) | Failure::Encoding(_) | Failure::Interrupted)) => {
            tracing::error!(%failure, "the sandbox could not do its work");
            Answer::refusal(&Refusal::new(Kind::Internal, failure.to_string()))
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
    fn body(&self) -> Result<&[u8], Refusal> {
        self.body.as_deref().ok_or_else(|| {
            Refusal::new(
                Kind::TooLarge,
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
