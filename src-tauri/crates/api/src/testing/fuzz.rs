//! Bytes as answers: no panic, nothing slow, and no success out of a status that is none.

use serde_json::json;

use super::engine;
use super::hostile::corpus;
use super::samples::{answers, error_object};

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = answers()
        .into_iter()
        .map(|(_, answer, _)| answer.to_string().into_bytes())
        .collect();
    seeds.push(error_object().to_string().into_bytes());
    seeds.push(b"<!DOCTYPE html><html><body>sign in</body></html>".to_vec());
    seeds.push(vec![b'['; 2_000]);
    let texts = corpus().into_iter().filter(|hostile| !hostile.is_long());
    seeds.extend(texts.map(|hostile| format!("[{}]", hostile.json()).into_bytes()));
    seeds
}

#[test]
fn no_bytes_make_the_reader_of_answers_fail() {
    let readers = answers();
    engine::run("answers", 10_000, &seeds(), |bytes| {
        for (name, _, read) in &readers {
            assert!(read(302, bytes).is_err(), "{name}");
            assert!(read(500, bytes).is_err(), "{name}");
            if let Ok(value) = read(200, bytes) {
                // What was read can be written and read again, and says the same.
                let again = read(200, value.to_string().as_bytes()).unwrap();
                assert_eq!(again, value, "{name}");
            }
        }
    });
}

#[test]
fn depth_and_length_cost_no_more_than_their_bytes() {
    for body in [
        "[".repeat(2_000_000),
        "{\"a\":".repeat(300_000),
        format!("[{}]", vec!["{}"; 500_000].join(",")),
        json!({"a": "\u{301}".repeat(900_000)}).to_string(),
    ] {
        for (name, _, read) in answers() {
            assert!(read(200, body.as_bytes()).is_err(), "{name}");
        }
    }
}
