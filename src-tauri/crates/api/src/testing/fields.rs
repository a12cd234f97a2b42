//! Hostile texts in every string field of every answer: kept exactly as they came, but for half
//! characters, or refused as a whole.

use super::hostile::{Hostile, combined, corpus, long};
use super::samples::{Reader, answers, error_object, pointers};
use crate::{Error, Unreadable};
use serde_json::{Value, json};

/// Where a text stands that no answer holds.
const MARK: &str = "\u{1}here\u{1}";

/// Text around one field of an answer, for any JSON to be put between.
struct Slot {
    pointer: String,
    before: String,
    after: String,
}

fn slots(answer: &Value) -> Vec<Slot> {
    let mut fields = Vec::new();
    pointers(answer, "", &mut fields);
    fields.retain(|at| answer.pointer(at).is_some_and(Value::is_string));
    let slot = |pointer: String| {
        let mut marked = answer.clone();
        *marked.pointer_mut(&pointer).unwrap() = json!(MARK);
        let text = marked.to_string();
        let mark = json!(MARK).to_string();
        let (before, after) = text.split_once(&mark).unwrap();
        Slot {
            pointer,
            before: before.to_owned(),
            after: after.to_owned(),
        }
    };
    fields.into_iter().map(slot).collect()
}

/// Ids go into paths, so they have bounds; what is matched on is never passed over in silence.
fn is_id(pointer: &str) -> bool {
    let has_id = |owner: &str| {
        let is_item = owner.ends_with(|c: char| c.is_ascii_digit());
        owner.is_empty() || owner.ends_with("/plan") || is_item
    };
    pointer.ends_with("/referenceId") || pointer.strip_suffix("/id").is_some_and(has_id)
}

fn check(name: &str, read: Reader, slot: &Slot, hostile: &Hostile) -> usize {
    let body = format!("{}{}{}", slot.before, hostile.json(), slot.after);
    let what = || format!("{name}{} ← {}", slot.pointer, hostile.name);
    match read(200, body.as_bytes()) {
        Ok(answer) => {
            let kept = answer.pointer(&slot.pointer);
            // An embedded thing that cannot be addressed is left out; nothing is ever altered.
            let left_out = is_id(&slot.pointer);
            match kept {
                Some(Value::String(kept)) => {
                    assert!(*kept == hostile.read(), "{} was altered", what())
                }
                Some(Value::Null) | None => assert!(left_out, "{} was lost", what()),
                other => panic!("{}: {other:?}", what()),
            }
        }
        Err(Error::Unreadable { status, reason, .. }) => {
            assert_eq!(
                (status, reason),
                (200, Unreadable::OtherShape),
                "{}",
                what()
            );
            assert!(is_id(&slot.pointer), "{} is refused", what());
        }
        result => panic!("{}: {result:?}", what()),
    }
    1
}

#[test]
fn a_hostile_text_in_any_field_of_any_answer_is_kept_exactly_or_refused() {
    let mut texts = corpus();
    texts.extend(combined(if long() { 5_000 } else { 40 }));
    let (mut fields, mut tried) = (0, 0);
    for (name, answer, read) in answers() {
        let slots = slots(&answer);
        fields += slots.len();
        for (index, slot) in slots.iter().enumerate() {
            for hostile in &texts {
                // A megabyte is a megabyte in whichever field: the short form tries the first ones.
                if hostile.is_long() && index > 2 && !long() {
                    continue;
                }
                tried += check(name, read, slot, hostile);
            }
        }
    }
    println!(
        "PROOF hostile answers: {} texts x {fields} fields = {tried} answers, 0 panics, 0 altered",
        texts.len()
    );
}

#[test]
fn a_hostile_error_object_is_a_refusal_word_for_word() {
    for slot in slots(&error_object()) {
        for hostile in corpus() {
            let body = format!("{}{}{}", slot.before, hostile.json(), slot.after);
            for (name, _, read) in answers() {
                if hostile.is_long() && name != "getContract" {
                    continue;
                }
                match read(400, body.as_bytes()) {
                    Err(Error::Refused { error, .. }) => {
                        let error = serde_json::to_value(error).unwrap();
                        assert!(error.pointer(&slot.pointer) == Some(&json!(hostile.read())));
                    }
                    result => panic!("{name} {} {}: {result:?}", slot.pointer, hostile.name),
                }
            }
        }
    }
}
