//! Answers a request with the faults that the script and the personality have for it, and logs it. What each fault
//! does is in `faults`.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::ConnectInfo,
    http::StatusCode,
    response::{IntoResponse, Response},
};

use crate::behaviour::KeyPolicy;
use crate::faults::{
    Action, Personality, RecordedRequest, ResponseStream, apply, exchange, runs_operation,
    shape_bulk_answer,
};
use crate::request::Incoming;
use crate::{Answer, App, ErrorKind, ErrorResponse, Operation, handler, lock};

pub(crate) async fn respond(app: Arc<App>, incoming: Arc<Incoming>) -> Response {
    app.faults.request_log.add(RecordedRequest::of(&incoming));
    let Some(ConnectInfo(connection)) = incoming.parts.extensions.get::<ConnectInfo<_>>() else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    // In a task of its own: as at a real service, the operation continues when the client disconnects.
    let processing = tokio::spawn(process(Arc::clone(&app), Arc::clone(&incoming)));
    let nothing = || ResponseStream::closed(Vec::new());
    let answering = async {
        let stream = processing.await.unwrap_or_else(|_| nothing());
        stream.send(connection).await
    };
    tokio::select! {
        response = answering => response,
        () = app.faults.stopped.notified() => nothing().send(connection).await,
    }
}

async fn process(app: Arc<App>, incoming: Arc<Incoming>) -> ResponseStream {
    let (personality, fault) = {
        let mut script = lock(&app.faults.script);
        let operation = incoming.operation();
        let fault = operation.and_then(|operation| script.next_fault(operation));
        (Arc::clone(&script.personality), fault)
    };
    let faulty = fault.is_some();
    let stream = answer_with(&app, &incoming, &personality, fault).await;
    if app.faults.request_log.wants_exchanges() {
        let exchange = exchange(&incoming, &app.base_url(), stream.as_reply(), faulty);
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
    personality: &Personality,
    fault: Option<Action>,
) -> ResponseStream {
    pause(personality.latency_ms).await;
    if let Some(action) = fault.clone().filter(|action| !runs_operation(action)) {
        return apply(action, None, personality);
    }
    let creates = incoming.operation() == Some(Operation::BulkCreateContracts);
    let conflicts = creates && personality.key_policy == KeyPolicy::ConflictWhileInProgress;
    let key = incoming.key.as_ref().filter(|_| conflicts);
    if let Some(key) = key
        && !lock(&app.faults.keys_in_progress).insert(key.clone())
    {
        let message = "a request with this idempotency key is in progress";
        let error = ErrorResponse::new(ErrorKind::CONFLICT, message);
        return ResponseStream::reply(personality.reply(Answer::error(&error)));
    }
    let mut answer = handler::answer(app, incoming, personality.behaviour()).await;
    pause(personality.answer_delay_ms).await;
    if let Some(key) = key {
        lock(&app.faults.keys_in_progress).remove(key);
    }
    if creates {
        answer = shape_bulk_answer(answer, personality);
    }
    match fault {
        Some(action) => apply(action, Some(answer), personality),
        None => ResponseStream::reply(personality.reply(answer)),
    }
}

async fn pause(ms: u64) {
    if ms > 0 {
        tokio::time::sleep(Duration::from_millis(ms)).await;
    }
}
