//! The service access token: a secret that cannot be printed.

use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;

/// The service access token. It cannot be printed or serialised.
#[derive(Clone)]
pub struct Token(SecretString);

/// A text that cannot be a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TokenError {
    /// Nothing, or white space alone.
    #[error("the token must not be empty")]
    Empty,
    /// Longer than 2,048 bytes. Every keychain holds that many; Windows' holds 2,560.
    #[error("the token is too long")]
    TooLong,
    /// Characters that no header value may carry.
    #[error("the token contains characters that cannot be sent")]
    Unsendable,
}

impl Token {
    /// Takes a token; surrounding white space, as left by copying, and the byte order mark of a file are cut off.
    pub fn new(text: &str) -> Result<Self, TokenError> {
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() {
            return Err(TokenError::Empty);
        }
        if text.len() > 2048 {
            return Err(TokenError::TooLong);
        }
        if !text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
            return Err(TokenError::Unsendable);
        }
        Ok(Self(SecretString::from(text)))
    }

    /// The text itself: for the header and the keychain alone.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}
