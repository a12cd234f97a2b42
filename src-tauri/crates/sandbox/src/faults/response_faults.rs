//! Applies a fault and a personality to an answer. Which fault applies to which request is decided in `script`.

use std::time::Duration;

use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    action::Action,
    personality::{AnswerOrder, Completeness, Personality},
    response_stream::{ResponseStream, Step},
    wire_faults::filled,
};
use crate::{Answer, ErrorKind, ErrorResponse, Reply};

/// Whether the operation runs although this goes wrong.
pub(crate) fn runs_operation(action: &Action) -> bool {
    match action {
        Action::DropBeforeCommit => false,
        Action::Status { after_commit, .. }
        | Action::Verbatim { after_commit, .. }
        | Action::Reset { after_commit } => *after_commit,
        Action::DropAfterCommit
        | Action::Replace { .. }
        | Action::Wire(_)
        | Action::Oversize { .. }
        | Action::SlowDrip { .. } => true,
    }
}

/// The response to a request that goes wrong. `answer` is the true one; `None` when the operation did not run: such a
/// fault has an answer of its own.
pub(crate) fn apply(
    action: Action,
    answer: Option<Answer>,
    personality: &Personality,
) -> ResponseStream {
    let reply = personality.reply(answer.unwrap_or_default());
    ResponseStream::reply(match action {
        Action::DropBeforeCommit | Action::DropAfterCommit => {
            return ResponseStream::closed(Vec::new());
        }
        Action::Reset { .. } => return ResponseStream::reset(),
        Action::Wire(fault) => return fault.apply(reply),
        Action::SlowDrip {
            chunk_bytes,
            pause_ms,
        } => {
            let pause = Duration::from_millis(pause_ms);
            return dripping(&reply, chunk_bytes, pause);
        }
        Action::Replace { from, to } => Reply {
            body: reply.body.replace(&from, &to),
            ..reply
        },
        Action::Oversize { bytes } => {
            let padding = " ".repeat(bytes.saturating_sub(reply.body.len()));
            Reply {
                body: padding + &reply.body,
                ..reply
            }
        }
        Action::Status {
            status,
            retry_after,
            ..
        } => {
            let code = match status {
                401 => ErrorKind::UNAUTHORIZED.code,
                403 => "ForbiddenException",
                429 => "TooManyRequestsException",
                500.. => ErrorKind::INTERNAL.code,
                _ => ErrorKind::BAD_REQUEST.code,
            };
            let kind = ErrorKind::new(status, code);
            let error = ErrorResponse::new(kind, "the service could not answer this request");
            personality
                .reply(Answer::error(&error))
                .with("retry-after", retry_after)
        }
        Action::Verbatim {
            status,
            content_type,
            headers,
            body,
            ..
        } => {
            let mut reply = Reply::with_type(&content_type, status, body);
            reply.headers.extend(headers);
            reply
        }
    })
}

/// The reply in pieces, with a pause before each.
fn dripping(reply: &Reply, chunk_bytes: usize, pause: Duration) -> ResponseStream {
    let body = reply.body.as_bytes();
    let head = "{head}content-length: {length}\r\nconnection: close\r\n\r\n";
    let pieces = body.chunks(chunk_bytes.max(1));
    let pieces = pieces.flat_map(|piece| [Step::Pause(pause), Step::Bytes(piece.to_vec())]);
    let head = Step::Bytes(filled(head, reply, body));
    let steps = [head].into_iter().chain(pieces);
    ResponseStream::closed(steps.collect())
}

/// A bulk answer with its contracts in the personality's order and completeness. Error objects are unchanged.
pub(crate) fn shape_bulk_answer(answer: Answer, personality: &Personality) -> Answer {
    if answer.is_error {
        return answer;
    }
    let unchanged = personality.answer_order == AnswerOrder::AsSent
        && personality.completeness == Completeness::Whole;
    match serde_json::from_str::<Vec<Value>>(&answer.body) {
        Ok(contracts) if !unchanged => Answer {
            body: Value::Array(shaped(contracts, personality)).to_string(),
            ..answer
        },
        Ok(_) | Err(_) => answer,
    }
}

fn shaped(mut contracts: Vec<Value>, personality: &Personality) -> Vec<Value> {
    match personality.answer_order {
        AnswerOrder::AsSent => {}
        AnswerOrder::Shuffled => {
            let sent = contracts.clone();
            contracts.shuffle(&mut StdRng::seed_from_u64(0));
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
            let doubled: Vec<Value> = contracts.iter().take(times).cloned().collect();
            contracts.extend(doubled);
        }
        Completeness::Foreign(times) => {
            let first = contracts.iter().take(1).cycle();
            let foreign: Vec<Value> = first.take(times).map(foreign_contract).collect();
            contracts.extend(foreign);
        }
    }
    contracts
}

/// A copy of a contract with another customer, transaction and id.
fn foreign_contract(contract: &Value) -> Value {
    let mut foreign = contract.clone();
    let id = Uuid::new_v4().to_string();
    if let Some(fields) = foreign.as_object_mut() {
        fields.insert("transactionId".to_owned(), json!(format!("foreign-{id}")));
        fields.insert("id".to_owned(), json!(id));
    }
    if let Some(email) = foreign.pointer_mut("/customer/email") {
        *email = json!("somebody-else@sample.invalid");
    }
    foreign
}
