//! An answer as HTTP sees it: status, headers and body.

use axum::{
    body::Body,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::Response,
};

use crate::outcome::Answer;

/// An HTTP response before it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// Without Content-Length and Date, which the server adds.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn json(answer: Answer) -> Self {
        Self::with_type("application/json", answer.status, answer.body)
    }

    pub(crate) fn with_type(content_type: &str, status: u16, body: String) -> Self {
        Self {
            status,
            headers: vec![("content-type".to_owned(), content_type.to_owned())],
            body,
        }
    }

    /// The same with one more header, if it has a value.
    #[cfg(feature = "faults")]
    pub(crate) fn with(mut self, name: &str, value: Option<String>) -> Self {
        self.headers
            .extend(value.map(|value| (name.to_owned(), value)));
        self
    }

    pub(crate) fn into_response(self) -> Response {
        let length = self.body.len();
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = status(self.status);
        let headers = response.headers_mut();
        for (name, value) in &self.headers {
            // Scripts of faults are written by hand; a header that HTTP does not allow is left out.
            if let (Ok(name), Ok(value)) = (
                HeaderName::from_bytes(name.as_bytes()),
                HeaderValue::from_str(value),
            ) {
                headers.insert(name, value);
            }
        }
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
        response
    }
}

/// A status that HTTP allows for a final response; 500 for all others.
fn status(number: u16) -> StatusCode {
    StatusCode::from_u16(number)
        .ok()
        .filter(|status| (200..600).contains(&status.as_u16()))
        .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}
