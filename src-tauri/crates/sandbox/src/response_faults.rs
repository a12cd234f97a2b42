//! Carries out what a personality and a fault do to an answer. Which fault meets which request is decided
//! elsewhere.

use std::time::Duration;

use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    error_response::{ErrorKind, ErrorResponse},
    faults::Action,
    outcome::Answer,
    personality::{AnswerOrder, Completeness, Personality},
    reply::{Delivery, Reply},
    response_stream::ResponseStream,
};

const PORTAL_PAGE: &str = "<!DOCTYPE html><html lang=\"ja\"><head><title>ログイン</title></head>\
    <body><h1>ネットワークにログインしてください</h1></body></html>";

/// What the fault does instead of the work; `None` if the work is to be done.
pub(crate) fn before_work(action: &Action, personality: &Personality) -> Option<ResponseStream> {
    let refused = |kind, message: &str| {
        Some(ResponseStream::reply(Reply::of(
            Answer::error(&ErrorResponse::new(kind, message)),
            personality,
        )))
    };
    match action {
        Action::DropBeforeCommit => Some(ResponseStream::cut()),
        Action::Reset { after_commit } => (!after_commit).then(ResponseStream::reset),
        Action::Unauthorized => {
            refused(ErrorKind::Unauthorized, "X-Service-Auth-Token is not valid")
        }
        Action::Forbidden => refused(ErrorKind::Forbidden, "this token may not do that"),
        Action::TooManyRequests { retry_after } => {
            let error = ErrorResponse::new(ErrorKind::TooManyRequests, "too many requests");
            let mut reply = Reply::of(Answer::error(&error), personality);
            let header = retry_after.iter().cloned();
            reply
                .headers
                .extend(header.map(|value| ("retry-after".to_owned(), value)));
            Some(ResponseStream::reply(reply))
        }
        Action::Status { after_commit, .. }
        | Action::HtmlWith200 { after_commit }
        | Action::Verbatim { after_commit, .. }
        | Action::Redirect { after_commit, .. } => {
            if *after_commit {
                None
            } else {
                instead(action).map(ResponseStream::reply)
            }
        }
        Action::DropAfterCommit
        | Action::Replace { .. }
        | Action::Wire { .. }
        | Action::Truncate { .. }
        | Action::Oversize { .. }
        | Action::SlowDrip { .. } => None,
    }
}

/// The reply as the fault lets it out.
pub(crate) fn after_work(reply: Reply, fault: Option<Action>) -> ResponseStream {
    let Some(action) = fault else {
        return ResponseStream::reply(reply);
    };
    match action {
        Action::DropAfterCommit | Action::DropBeforeCommit => ResponseStream::cut(),
        Action::Reset { .. } => ResponseStream::reset(),
        Action::Wire { fault } => fault.apply(reply),
        Action::Replace { from, to } => ResponseStream::reply(Reply {
            body: reply.body.replace(&from, &to),
            ..reply
        }),
        Action::Truncate {
            keep_percent,
            honest_length,
        } => ResponseStream::reply(truncated(reply, keep_percent, honest_length)),
        Action::Oversize { bytes } => {
            let padding = " ".repeat(bytes.saturating_sub(reply.body.len()));
            ResponseStream::reply(Reply {
                body: padding + &reply.body,
                ..reply
            })
        }
        Action::SlowDrip {
            chunk_bytes,
            pause_ms,
        } => ResponseStream::reply(Reply {
            delivery: Delivery::Drip {
                chunk_bytes,
                pause: Duration::from_millis(pause_ms),
            },
            ..reply
        }),
        Action::Status { .. }
        | Action::HtmlWith200 { .. }
        | Action::Verbatim { .. }
        | Action::Redirect { .. }
        | Action::Unauthorized
        | Action::Forbidden
        | Action::TooManyRequests { .. } => {
            ResponseStream::reply(instead(&action).unwrap_or(reply))
        }
    }
}

/// The reply some faults put in the place of the true one.
fn instead(action: &Action) -> Option<Reply> {
    match action {
        Action::Status { status, .. } => {
            let kind = if *status >= 500 {
                ErrorKind::Internal
            } else {
                ErrorKind::BadRequest
            };
            let error = ErrorResponse::new(kind, "the service could not answer this request");
            Some(Reply::with_type("application/json", *status, error.body()))
        }
        Action::HtmlWith200 { .. } => Some(Reply::with_type(
            "text/html; charset=utf-8",
            200,
            PORTAL_PAGE.to_owned(),
        )),
        Action::Verbatim {
            status,
            content_type,
            headers,
            body,
            ..
        } => {
            let mut reply = Reply::with_type(content_type, *status, body.clone());
            reply.headers.extend(headers.iter().cloned());
            Some(reply)
        }
        Action::Redirect {
            status, location, ..
        } => {
            let mut reply = Reply::with_type("text/plain", *status, String::new());
            if !location.is_empty() {
                reply
                    .headers
                    .push(("location".to_owned(), location.clone()));
            }
            Some(reply)
        }
        Action::DropBeforeCommit
        | Action::DropAfterCommit
        | Action::Replace { .. }
        | Action::Reset { .. }
        | Action::Wire { .. }
        | Action::Truncate { .. }
        | Action::Oversize { .. }
        | Action::SlowDrip { .. }
        | Action::Unauthorized
        | Action::Forbidden
        | Action::TooManyRequests { .. } => None,
    }
}

fn truncated(mut reply: Reply, keep_percent: u8, honest_length: bool) -> Reply {
    let mut kept = reply.body.len() * usize::from(keep_percent.min(100)) / 100;
    if honest_length {
        while !reply.body.is_char_boundary(kept) {
            kept -= 1;
        }
        reply.body.truncate(kept);
    } else {
        reply.delivery = Delivery::CutAfter(kept);
    }
    reply
}

/// The contracts of a bulk answer in the personality's order and completeness. Refusals stay as they are.
pub(crate) fn shape_bulk_answer(answer: Answer, personality: &Personality) -> Answer {
    if answer.refused {
        return answer;
    }
    let honest = personality.answer_order == AnswerOrder::AsSent
        && personality.completeness == Completeness::Whole;
    match serde_json::from_str::<Vec<Value>>(&answer.body) {
        Ok(contracts) if !honest => Answer {
            body: Value::Array(shaped(contracts, personality)).to_string(),
            ..answer
        },
        Ok(_) | Err(_) => answer,
    }
}

fn shaped(mut contracts: Vec<Value>, personality: &Personality) -> Vec<Value> {
    match personality.answer_order {
        AnswerOrder::AsSent => {}
        AnswerOrder::Reversed => contracts.reverse(),
        AnswerOrder::Shuffled => {
            let sent = contracts.clone();
            contracts.shuffle(&mut StdRng::seed_from_u64(personality.seed));
            if contracts == sent && !contracts.is_empty() {
                contracts.rotate_left(1);
            }
        }
    }
    match personality.completeness {
        Completeness::Whole => {}
        Completeness::Partial(missing) => {
            contracts.truncate(contracts.len().saturating_sub(missing));
        }
        Completeness::Doubled(times) => {
            let again: Vec<Value> = contracts.iter().take(times).cloned().collect();
            contracts.extend(again);
        }
        Completeness::Foreign(times) => {
            let strangers: Vec<Value> = contracts
                .first()
                .into_iter()
                .cycle()
                .take(times)
                .map(foreign_contract)
                .collect();
            contracts.extend(strangers);
        }
    }
    contracts
}

/// A contract of somebody else.
fn foreign_contract(contract: &Value) -> Value {
    let mut stranger = contract.clone();
    let id = Uuid::new_v4().to_string();
    if let Some(fields) = stranger.as_object_mut() {
        fields.insert("transactionId".to_owned(), json!(format!("foreign-{id}")));
        fields.insert("id".to_owned(), json!(id));
    }
    if let Some(email) = stranger.pointer_mut("/customer/email") {
        *email = json!("somebody-else@sample.invalid");
    }
    stranger
}
