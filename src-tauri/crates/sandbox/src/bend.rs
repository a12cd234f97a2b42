//! Carries out what a personality and a fault do to an answer. Which fault meets which request is decided
//! elsewhere.

use std::time::Duration;

use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    departure::Departure,
    faults::Action,
    outcome::Answer,
    personality::{AnswerOrder, Completeness, Personality},
    refusal::{Kind, Refusal},
    reply::{Delivery, Reply},
};

const PORTAL_PAGE: &str = "<!DOCTYPE html><html lang=\"ja\"><head><title>ログイン</title></head>\
    <body><h1>ネットワークにログインしてください</h1></body></html>";

/// What the fault does instead of the work; `None` if the work is to be done.
pub(crate) fn before_the_work(action: &Action, personality: &Personality) -> Option<Departure> {
    let refused = |kind, message: &str| {
        Some(Departure::reply(Reply::of(
            Answer::refusal(&Refusal::new(kind, message)),
            personality,
        )))
    };
    match action {
        Action::DropBeforeCommit => Some(Departure::cut()),
        Action::Reset { after_commit } => (!after_commit).then(Departure::reset),
        Action::Unauthorized => refused(Kind::Unauthorized, "X-Service-Auth-Token is not valid"),
        Action::Forbidden => refused(Kind::Forbidden, "this token may not do that"),
        Action::TooManyRequests { retry_after } => {
            let refusal = Refusal::new(Kind::TooManyRequests, "too many requests");
            let mut reply = Reply::of(Answer::refusal(&refusal), personality);
            let header = retry_after.iter().cloned();
            reply
                .headers
                .extend(header.map(|value| ("retry-after".to_owned(), value)));
            Some(Departure::reply(reply))
        }
        Action::Status { after_commit, .. }
        | Action::HtmlWith200 { after_commit }
        | Action::Verbatim { after_commit, .. }
        | Action::Redirect { after_commit, .. } => {
            if *after_commit {
                None
            } else {
                instead(action).map(Departure::reply)
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
pub(crate) fn after_the_work(reply: Reply, fault: Option<Action>) -> Departure {
    let Some(action) = fault else {
        return Departure::reply(reply);
    };
    match action {
        Action::DropAfterCommit | Action::DropBeforeCommit => Departure::cut(),
        Action::Reset { .. } => Departure::reset(),
        Action::Wire { damage } => damage.done_to(reply),
        Action::Replace { from, to } => Departure::reply(Reply {
            body: reply.body.replace(&from, &to),
            ..reply
        }),
        Action::Truncate {
            keep_percent,
            honest_length,
        } => Departure::reply(truncated(reply, keep_percent, honest_length)),
        Action::Oversize { bytes } => {
            let padding = " ".repeat(bytes.saturating_sub(reply.body.len()));
            Departure::reply(Reply {
                body: padding + &reply.body,
                ..reply
            })
        }
        Action::SlowDrip {
            chunk_bytes,
            pause_ms,
        } => Departure::reply(Reply {
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
        | Action::TooManyRequests { .. } => Departure::reply(instead(&action).unwrap_or(reply)),
    }
}

/// The reply some faults put in the place of the true one.
fn instead(action: &Action) -> Option<Reply> {
    match action {
        Action::Status { status, .. } => {
            let kind = if *status >= 500 {
                Kind::Internal
            } else {
                Kind::BadRequest
            };
            let refusal = Refusal::new(kind, "the service could not answer this request");
            Some(Reply::with_type(
                "application/json",
                *status,
                refusal.body(),
            ))
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
pub(crate) fn listing(answer: Answer, personality: &Personality) -> Answer {
    if answer.refused {
        return answer;
    }
    let honest = personality.answer_order == AnswerOrder::AsSent
        && personality.completeness == Completeness::Whole;
    match serde_json::from_str::<Vec<Value>>(&answer.body) {
        Ok(contracts) if !honest => Answer {
            body: Value::Array(bent(contracts, personality)).to_string(),
            ..answer
        },
        Ok(_) | Err(_) => answer,
    }
}

fn bent(mut contracts: Vec<Value>, personality: &Personality) -> Vec<Value> {
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
                .map(stranger)
                .collect();
            contracts.extend(strangers);
        }
    }
    contracts
}

/// A contract of somebody else.
fn stranger(contract: &Value) -> Value {
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
