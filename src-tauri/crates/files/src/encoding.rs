//! Bytes to text, a piece at a time.
//!
//! Owns which encoding a file is in, found strictly: over the whole file, without holding it.

use std::io::Read;

use encoding_rs::{Decoder, DecoderResult, SHIFT_JIS, UTF_8};

use super::input::{Bytes, Origin};
use super::{Encoding, FileError, MAX_BYTES};

/// What Excel needs to see before it believes in UTF-8.
pub(super) const UTF8_BOM: &[u8] = b"\xEF\xBB\xBF";

/// Bytes read at once.
const PIECE: usize = 64 * 1024;

/// Room for a piece as UTF-8: three bytes for each, and what was left over from the one before.
const ROOM: usize = 3 * PIECE + 16;

/// The encoding of a text. With [`Encoding::Detect`] a byte order mark, else strict UTF-8, else
/// CP932; a chosen one is not second-guessed.
pub(super) fn encoding(origin: &Origin, wanted: Encoding) -> Result<Encoding, FileError> {
    let head = head(origin)?;
    let tried: &[Encoding] = match wanted {
        Encoding::Detect if head.starts_with(UTF8_BOM) => &[Encoding::Utf8],
        Encoding::Detect => &[Encoding::Utf8, Encoding::Cp932],
        Encoding::Utf8 => &[Encoding::Utf8],
        Encoding::Cp932 => &[Encoding::Cp932],
    };
    for encoding in tried {
        if is_text(origin, *encoding)? {
            return Ok(*encoding);
        }
    }
    Err(
        if head.starts_with(b"\xFF\xFE") || head.starts_with(b"\xFE\xFF") {
            FileError::Utf16
        } else {
            FileError::NotText
        },
    )
}

/// The first bytes of a file, as many as its kind needs.
pub(super) fn head(origin: &Origin) -> Result<Vec<u8>, FileError> {
    let mut head = Vec::with_capacity(8);
    origin
        .open()?
        .take(8)
        .read_to_end(&mut head)
        .map_err(FileError::Unreadable)?;
    Ok(head)
}

/// Whether all bytes fit the encoding. A NUL is in no text file.
fn is_text(origin: &Origin, encoding: Encoding) -> Result<bool, FileError> {
    let mut pieces = Pieces::of(origin, encoding)?;
    while let Some(text) = pieces.next()? {
        match text {
            Text::Sound(bytes) if memchr::memchr(0, bytes).is_none() => {}
            Text::Sound(_) | Text::Malformed => return Ok(false),
        }
    }
    Ok(true)
}

/// A piece of the text as UTF-8, possibly empty.
pub(super) enum Text<'a> {
    Sound(&'a [u8]),
    Malformed,
}

/// A file's text from its beginning. A byte order mark is no part of it.
pub(super) struct Pieces {
    from: Bytes,
    decoder: Decoder,
    raw: Vec<u8>,
    text: Vec<u8>,
    read: u64,
    ended: bool,
}

impl Pieces {
    pub(super) fn of(origin: &Origin, encoding: Encoding) -> Result<Self, FileError> {
        let decoder = match encoding {
            // encoding_rs's Shift_JIS is the web's, which is CP932.
            Encoding::Cp932 => SHIFT_JIS.new_decoder_without_bom_handling(),
            Encoding::Detect | Encoding::Utf8 => UTF_8.new_decoder_with_bom_removal(),
        };
        Ok(Self {
            from: origin.open()?,
            decoder,
            raw: vec![0; PIECE],
            text: vec![0; ROOM],
            read: 0,
            ended: false,
        })
    }

    /// The next piece, `None` behind the last.
    pub(super) fn next(&mut self) -> Result<Option<Text<'_>>, FileError> {
        if self.ended {
            return Ok(None);
        }
        let count = match self.from.read(&mut self.raw) {
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {
                return Ok(Some(Text::Sound(&[])));
            }
            Err(error) => return Err(FileError::Unreadable(error)),
        };
        self.read += count as u64;
        if self.read > MAX_BYTES {
            return Err(FileError::TooLarge);
        }
        self.ended = count == 0;
        let raw = self.raw.get(..count).unwrap_or_default();
        let (result, _, written) =
            self.decoder
                .decode_to_utf8_without_replacement(raw, &mut self.text, self.ended);
        Ok(Some(match result {
            DecoderResult::InputEmpty => Text::Sound(self.text.get(..written).unwrap_or_default()),
            // The room is enough for every piece; a shortage would be no text either.
            DecoderResult::OutputFull | DecoderResult::Malformed(..) => Text::Malformed,
        }))
    }
}
