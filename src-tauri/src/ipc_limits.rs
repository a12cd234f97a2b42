//! The size limit of one IPC call.
//!
//! The page sends far less. A larger call is a defect of the page and is refused before it is parsed.

use serde_json::Value;
use tauri::Runtime;
use tauri::ipc::{Invoke, InvokeBody, InvokeError};

/// Largest size of the arguments of one call: bytes of text, plus eight bytes for each value. The rows of a
/// sheet that are checked at once stay below it, whatever their characters.
const MAX_SIZE: usize = 16 * 1024 * 1024;

/// Refuses calls above the limit and passes the others on.
pub fn bounded<R: Runtime>(
    handler: impl Fn(Invoke<R>) -> bool + Send + Sync + 'static,
) -> impl Fn(Invoke<R>) -> bool + Send + Sync + 'static {
    move |invoke| {
        if is_acceptable(invoke.message.payload()) {
            return handler(invoke);
        }
        tracing::warn!(
            command = invoke.message.command(),
            "the arguments of a call are too large"
        );
        invoke
            .resolver
            .invoke_error(InvokeError::from("the arguments are too large"));
        true
    }
}

fn is_acceptable(payload: &InvokeBody) -> bool {
    match payload {
        InvokeBody::Json(value) => remaining(value, MAX_SIZE).is_some(),
        // No command of the desk takes raw bytes.
        InvokeBody::Raw(bytes) => bytes.is_empty(),
    }
}

/// The rest of an allowance after a value; `None` when the value exceeds it.
fn remaining(value: &Value, allowance: usize) -> Option<usize> {
    const EACH: usize = 8;
    let left = allowance.checked_sub(EACH)?;
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => Some(left),
        Value::String(text) => left.checked_sub(text.len()),
        Value::Array(items) => items
            .iter()
            .try_fold(left, |left, item| remaining(item, left)),
        Value::Object(fields) => fields.iter().try_fold(left, |left, (name, item)| {
            remaining(item, left.checked_sub(name.len())?)
        }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tauri::ipc::InvokeBody;
    use warranty_core::contracts::EntryDraft;

    use super::{MAX_SIZE, is_acceptable};

    fn accepted(value: serde_json::Value) -> bool {
        is_acceptable(&InvokeBody::Json(value))
    }

    #[test]
    fn what_the_page_asks_for_is_passed_on() {
        assert!(accepted(json!({})));
        assert!(accepted(
            json!({ "draft": { "customerName": "見本 太郎", "rows": [1, null, true] } })
        ));
        let rows = vec!["x".repeat(500); 10_000];
        assert!(accepted(json!({ "rows": rows })));
    }

    #[test]
    fn the_largest_check_of_a_sheet_is_passed_on_whatever_its_characters() {
        // JSON writes each of them with six.
        let row = EntryDraft {
            customer_name: "\u{1}".repeat(200),
            ..EntryDraft::default()
        };
        let text = serde_json::to_string(&vec![row; 10_000]).unwrap();
        assert!(accepted(json!({ "rows": text })), "{}", text.len());
    }

    #[test]
    fn too_much_is_refused_however_it_is_made_up() {
        let long = "x".repeat(MAX_SIZE);
        assert!(!accepted(json!({ "text": long })), "one long text");
        assert!(!accepted(json!({ long.as_str(): 1 })), "one long name");
        let many = vec![0_u8; MAX_SIZE / 8];
        assert!(!accepted(json!({ "many": many })), "many small values");
        let nested = vec![vec![(); 0]; MAX_SIZE / 8];
        assert!(!accepted(json!({ "nested": nested })), "many empty values");
    }

    #[test]
    fn raw_bytes_are_refused() {
        assert!(is_acceptable(&InvokeBody::Raw(Vec::new())));
        assert!(!is_acceptable(&InvokeBody::Raw(vec![0])));
    }
}
