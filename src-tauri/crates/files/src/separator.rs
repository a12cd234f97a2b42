//! The character that separates the cells of a line.

use serde::{Deserialize, Serialize};

use super::encoding::{Pieces, Text};
use super::input::Origin;
use super::{Encoding, FileError};

/// What separates two cells of a text file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Separator {
    Comma,
    Semicolon,
    Tab,
}

impl Separator {
    pub(super) fn byte(self) -> u8 {
        match self {
            Self::Comma => b',',
            Self::Semicolon => b';',
            Self::Tab => b'\t',
        }
    }
}

/// The separator used in the first lines of a file.
pub(super) fn of_file(origin: &Origin, encoding: Encoding) -> Result<Separator, FileError> {
    let mut pieces = Pieces::of(origin, encoding)?;
    while let Some(text) = pieces.next()? {
        match text {
            Text::Sound([]) => {}
            Text::Sound(text) => return Ok(of_text(text)),
            Text::Malformed(_) => return Err(origin.or_changed(FileError::NotText { line: None })),
        }
    }
    Ok(Separator::Comma)
}

/// The separator that occurs most, outside quotes, in the first line that has any; the comma if no
/// line has one. A title above the headers has none and is skipped.
fn of_text(text: &[u8]) -> Separator {
    // Excel declares the separator on a first line of its own.
    if let Some([named, b'\r' | b'\n', ..]) = text.strip_prefix(b"sep=") {
        return match named {
            b';' => Separator::Semicolon,
            b'\t' => Separator::Tab,
            _ => Separator::Comma,
        };
    }
    let mut counts = [0_u32; 3];
    let mut quoted = false;
    for byte in text {
        quoted ^= *byte == b'"';
        match byte {
            b'\t' if !quoted => counts[0] += 1,
            b';' if !quoted => counts[1] += 1,
            b',' if !quoted => counts[2] += 1,
            b'\r' | b'\n' if !quoted && counts != [0; 3] => break,
            _ => {}
        }
    }
    // With equal counts the comma wins, because it is last in the list.
    [Separator::Tab, Separator::Semicolon, Separator::Comma]
        .into_iter()
        .zip(counts)
        .max_by_key(|(_, count)| *count)
        .map_or(Separator::Comma, |(separator, _)| separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_separator_is_the_one_the_header_line_has_most_of() {
        for (text, separator) in [
            ("a,b;c,d\n", Separator::Comma),
            ("a;b;c\n1,2,3,4,5;;\n", Separator::Semicolon),
            ("a\tb\n", Separator::Tab),
            ("\"a,b,c\";d\n", Separator::Semicolon),
            ("\"x\ny,z\";d\n", Separator::Semicolon),
            ("\n\na;b\n", Separator::Semicolon),
            ("11月の売上\r\n\r\na\tb\r\n1,5\t2\r\n", Separator::Tab),
            ("sep=;\r\na,b;c,d,e\r\n", Separator::Semicolon),
            ("one\n", Separator::Comma),
            ("", Separator::Comma),
        ] {
            assert_eq!(of_text(text.as_bytes()), separator, "{text:?}");
        }
    }
}
