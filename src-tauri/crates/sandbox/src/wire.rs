//! Reads the fields of a JSON body one by one; an error names the field that violates the specification (part 4). It
//! does not say which fields are optional, so all are required; unknown fields are ignored.
//!
//! Knows neither the database nor HTTP.

use chrono::{DateTime, FixedOffset};
use serde_json::Value;

use crate::ErrorResponse;

pub(crate) fn parse(body: &[u8]) -> Result<Value, ErrorResponse> {
    serde_json::from_slice(body)
        .map_err(|error| ErrorResponse::bad_request(format!("the body is not JSON: {error}")))
}

/// A value in a body, with its path.
#[derive(Clone, Debug)]
pub(crate) struct Field<'a> {
    path: String,
    value: Option<&'a Value>,
}

impl<'a> Field<'a> {
    pub(crate) fn body(value: &'a Value) -> Self {
        Self {
            path: String::new(),
            value: Some(value),
        }
    }

    pub(crate) fn get(&self, name: &str) -> Result<Field<'a>, ErrorResponse> {
        let Some(Value::Object(object)) = self.value else {
            return Err(self.must_be("a JSON object"));
        };
        Ok(Field {
            path: match self.path.as_str() {
                "" => name.to_owned(),
                path => format!("{path}.{name}"),
            },
            value: object.get(name),
        })
    }

    pub(crate) fn items(&self) -> Result<Vec<Field<'a>>, ErrorResponse> {
        let Some(Value::Array(items)) = self.value else {
            return Err(self.must_be("an array"));
        };
        Ok(items
            .iter()
            .enumerate()
            .map(|(index, value)| Field {
                path: format!("{}[{index}]", self.path),
                value: Some(value),
            })
            .collect())
    }

    pub(crate) fn string(&self) -> Result<String, ErrorResponse> {
        self.value
            .and_then(Value::as_str)
            .map(str::to_owned)
            .ok_or_else(|| self.must_be("a string"))
    }

    /// A whole number written without a fraction, within 64 bits.
    pub(crate) fn integer(&self) -> Result<i64, ErrorResponse> {
        self.value
            .and_then(Value::as_i64)
            .ok_or_else(|| self.must_be("an integer"))
    }

    /// One `@`, something before it, and a host name with a dot after it.
    pub(crate) fn email(&self) -> Result<String, ErrorResponse> {
        let text = self.string()?;
        let plain = |part: &str| {
            !part.is_empty()
                && !part
                    .chars()
                    .any(|c| c.is_whitespace() || c.is_control() || c == '@')
        };
        let valid = text.split_once('@').is_some_and(|(local, host)| {
            plain(local)
                && plain(host)
                && host.contains('.')
                && host.split('.').all(|label| !label.is_empty())
        });
        if valid {
            Ok(text)
        } else {
            Err(self.must_be("an e-mail address"))
        }
    }

    /// An absolute http or https address.
    pub(crate) fn url(&self) -> Result<String, ErrorResponse> {
        let text = self.string()?;
        let rest = text
            .strip_prefix("https://")
            .or_else(|| text.strip_prefix("http://"));
        let valid = rest.is_some_and(|rest| {
            let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
            !host.is_empty() && !rest.chars().any(|c| c.is_whitespace() || c.is_control())
        });
        if valid {
            Ok(text)
        } else {
            Err(self.must_be("a URL that begins with https:// or http://"))
        }
    }

    /// A date-time with an offset and fractional seconds, as text and as the moment it names.
    pub(crate) fn date_time(&self) -> Result<(String, DateTime<FixedOffset>), ErrorResponse> {
        let text = self.string()?;
        let has_fraction = text
            .split_once('.')
            .is_some_and(|(_, rest)| rest.starts_with(|c: char| c.is_ascii_digit()));
        let moment = DateTime::parse_from_str(&text, "%Y-%m-%dT%H:%M:%S%.f%#z");
        match moment {
            Ok(moment) if has_fraction => Ok((text, moment)),
            Ok(_) | Err(_) => Err(self
                .must_be("an ISO 8601 date-time with fractional seconds and a time-zone offset")),
        }
    }

    fn must_be(&self, what: &str) -> ErrorResponse {
        let name = match self.path.as_str() {
            "" => "the body",
            path => path,
        };
        ErrorResponse::bad_request(match self.value {
            Some(_) => format!("{name} must be {what}"),
            None => format!("{name} is missing; it must be {what}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn accepts<T>(value: Value, read: impl Fn(&Field<'_>) -> Result<T, ErrorResponse>) -> bool {
        read(&Field::body(&value)).is_ok()
    }

    #[test]
    fn an_integer_is_really_an_integer() {
        assert!(accepts(json!(0), |field| field.integer()));
        assert!(accepts(json!(-5), |field| field.integer()));
        assert!(accepts(json!(i64::MAX), |field| field.integer()));
        for value in [
            json!(1.5),
            json!(1.0),
            json!("1"),
            json!(null),
            json!(true),
            json!(u64::MAX),
        ] {
            assert!(!accepts(value.clone(), |field| field.integer()), "{value}");
        }
    }

    #[test]
    fn an_email_address_has_a_local_part_and_a_host() {
        assert!(accepts(json!("hanako.sato+ew@sample.example"), |field| {
            field.email()
        }));
        for text in [
            "", "x", "@x.jp", "x@", "x@jp", "a b@x.jp", "x@.jp", "x@x.", "xx.jp", "x@a@b.jp",
        ] {
            assert!(!accepts(json!(text), |field| field.email()), "{text}");
        }
    }

    #[test]
    fn a_date_time_has_an_offset_and_a_fraction() {
        for text in [
            "2025-04-01T09:00:00.000+09:00",
            "2025-04-01T09:00:00.123456789Z",
            "2025-04-01T09:00:00.5-0330",
        ] {
            assert!(accepts(json!(text), |field| field.date_time()), "{text}");
        }
        for text in [
            "2025-04-01",
            "2025-04-01T09:00:00.000",
            "2025-04-01T09:00:00+09:00",
            "2025-02-30T09:00:00.000+09:00",
            "2025-04-01T25:00:00.000+09:00",
            "2025-04-01T09:00:00.000+09:00 ",
        ] {
            assert!(!accepts(json!(text), |field| field.date_time()), "{text}");
        }
    }

    #[test]
    fn a_url_is_absolute() {
        assert!(accepts(json!("https://sample.invalid/a.png"), |field| {
            field.url()
        }));
        for text in [
            "",
            "a.png",
            "https://",
            "https:///x",
            "ftp://sample.invalid",
            "https://a b",
        ] {
            assert!(!accepts(json!(text), |field| field.url()), "{text}");
        }
    }

    #[test]
    fn an_error_names_the_path_of_the_field() {
        let body = json!({"contracts": [{"customer": {}}]});
        let items = Field::body(&body)
            .get("contracts")
            .unwrap()
            .items()
            .unwrap();
        let error = items[0]
            .get("customer")
            .unwrap()
            .get("email")
            .unwrap()
            .email()
            .unwrap_err();
        assert!(
            error
                .message
                .starts_with("contracts[0].customer.email is missing")
        );
    }
}
