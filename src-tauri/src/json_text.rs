//! An argument that the page sends as one JSON text.
//!
//! Tauri's script visits every value inside an argument, which for the rows of a sheet takes longer
//! than checking them. It does not look into a text.

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _};

/// A value that arrives as its JSON text.
#[derive(specta::Type)]
#[specta(transparent)]
pub struct JsonText<T>(#[specta(type = String)] pub T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for JsonText<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        // The usual error would quote the text, which may name a customer.
        serde_json::from_str(&text)
            .map(Self)
            .map_err(|_| D::Error::custom("the text is not the JSON of this argument"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::JsonText;

    #[test]
    fn a_text_that_is_no_such_value_is_refused_without_being_quoted() {
        let wrong = json!(r#"["sample@example.com"]"#);
        let refused = serde_json::from_value::<JsonText<Vec<u8>>>(wrong);
        let words = refused.map(|_| ()).unwrap_err().to_string();
        assert!(!words.contains("sample"), "{words}");
    }
}
