//! Bytes to text, and the separator of a text.

use encoding_rs::{SHIFT_JIS, UTF_8};

use super::{Encoding, FileError};

/// What Excel needs to see before it believes in UTF-8.
pub(super) const UTF8_BOM: &[u8] = b"\xEF\xBB\xBF";

/// The text of a file and the encoding it was in. `None` when it is no text: bytes that do not fit
/// the encoding, or a NUL, which no text file holds.
pub(super) fn text(bytes: &[u8], encoding: Encoding) -> Option<(String, Encoding)> {
    if bytes.contains(&0) {
        return None;
    }
    let strict = |encoding: &'static encoding_rs::Encoding, bytes| {
        encoding
            .decode_without_bom_handling_and_without_replacement(bytes)
            .map(std::borrow::Cow::into_owned)
    };
    let body = bytes.strip_prefix(UTF8_BOM);
    let utf8 = || Some((strict(UTF_8, body.unwrap_or(bytes))?, Encoding::Utf8));
    // encoding_rs's Shift_JIS is the web's, which is CP932.
    let cp932 = || Some((strict(SHIFT_JIS, bytes)?, Encoding::Cp932));
    match encoding {
        Encoding::Utf8 => utf8(),
        Encoding::Cp932 => cp932(),
        Encoding::Detect if body.is_some() => utf8(),
        Encoding::Detect => utf8().or_else(cp932),
    }
}

/// Why bytes are no text, as far as their beginning tells.
pub(super) fn no_text(bytes: &[u8]) -> FileError {
    if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
        FileError::Utf16
    } else if bytes.starts_with(b"PK\x03\x04") {
        FileError::Archive
    } else {
        FileError::NotText
    }
}

/// The separator the first line that is not blank has most of, outside quotes; a comma when it has
/// none.
pub(super) fn separator(text: &str) -> u8 {
    let mut quoted = false;
    let line = text
        .trim_start_matches(['\r', '\n', ' '])
        .bytes()
        .take_while(|byte| {
            quoted ^= *byte == b'"';
            quoted || !matches!(byte, b'\r' | b'\n')
        })
        .collect::<Vec<_>>();
    let count = |wanted: u8| {
        let mut quoted = false;
        line.iter()
            .filter(|byte| {
                quoted ^= **byte == b'"';
                !quoted && **byte == wanted
            })
            .count()
    };
    // Of equals the last wins: the comma.
    [b'\t', b';', b',']
        .into_iter()
        .max_by_key(|separator| count(*separator))
        .unwrap_or(b',')
}
