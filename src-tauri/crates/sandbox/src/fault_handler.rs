//! Answers a request with the faults that the script and the personality have for it, and logs it. What each fault
//! does is in `faults`.

use std::{sync::Arc, time::Duration};

use axum::{extract::ConnectInfo, response::Response};

use crate::{
    app::App,
    behaviour::KeyPolicy,
    connection::ConnectionHandle,
    error_response::{ErrorKind, ErrorResponse},
    faults::{
        Action, Exchange, Personality, RecordedRequest, ResponseStream, after_work, before_work,
        shape_bulk_answer,
    },
    handler,
    operation::Operation,
    outcome::Answer,
    request::Incoming,
};

/// Answers a request.
pub(crate) async fn respond(app: Arc<App>, incoming: Arc<Incoming>) -> Response {
    app.faults.request_log.add(RecordedRequest::of(&incoming));
    // In a task of its own: as at a real service, the operation continues when the client disconnects.
    let processing = tokio::spawn(process(app, Arc::clone(&incoming)));
    let stream = processing.await.unwrap_or_else(|_| ResponseStream::close());
    let connection = incoming
        .parts
        .extensions
        .get::<ConnectInfo<ConnectionHandle>>();
    stream.send(connection.map(|info| &info.0)).await
}

async fn process(app: Arc<App>, incoming: Arc<Incoming>) -> ResponseStream {
    let (stream, faulty) = match incoming.operation() {
        None => {
            let personality = app.faults.script.personality();
            let answer = handler::answer(&app, &incoming, personality.behaviour()).await;
            (ResponseStream::reply(personality.reply(answer)), false)
        }
        Some(operation) => {
            let (personality, fault) = app.faults.script.next_fault(operation);
            let faulty = fault.is_some();
            let stream = answer_with(&app, &incoming, operation, &personality, fault).await;
            (stream, faulty)
        }
    };
    if app.faults.request_log.wants_exchanges() {
        let exchange = Exchange::of(&incoming, &app.base_url(), stream.as_reply(), faulty);
        let log = app.faults.request_log.clone();
        // Awaited, so that a client that has the answer finds the exchange in the file.
        let written = tokio::task::spawn_blocking(move || log.add_exchange(&exchange)).await;
        if written.is_err() {
            tracing::warn!("recording an exchange was interrupted");
        }
    }
    stream
}

async fn answer_with(
    app: &App,
    incoming: &Arc<Incoming>,
    operation: Operation,
    personality: &Personality,
    fault: Option<Action>,
) -> ResponseStream {
    pause(personality.latency_ms).await;
    let early = fault
        .as_ref()
        .and_then(|action| before_work(action, personality));
    if let Some(stream) = early {
        return stream;
    }
    let creates = operation == Operation::BulkCreateContracts;
    let in_progress = match &incoming.key {
        Some(key) if creates && personality.key_policy == KeyPolicy::ConflictWhileInProgress => {
            let Some(in_progress) = app.faults.keys.start(key) else {
                let error = ErrorResponse::new(
                    ErrorKind::CONFLICT,
                    "a request with this idempotency key is in progress",
                );
                return ResponseStream::reply(personality.reply(Answer::error(&error)));
            };
            Some(in_progress)
        }
        Some(_) | None => None,
    };
    let answer = handler::answer(app, incoming, personality.behaviour()).await;
    pause(personality.answer_delay_ms).await;
    drop(in_progress);
    let answer = if creates {
        shape_bulk_answer(answer, personality)
    } else {
        answer
    };
    after_work(personality.reply(answer), fault)
}

async fn pause(ms: u64) {
    if ms > 0 {
        tokio::time::sleep(Duration::from_millis(ms)).await;
    }
}
