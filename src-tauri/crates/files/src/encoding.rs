//! Decodes bytes to text, a piece at a time.
//!
//! Detects the encoding strictly, over the whole file, without holding it in memory.

use std::io::{BufReader, Read};

use encoding_rs::{Decoder, DecoderResult, SHIFT_JIS, UTF_8};

use super::input::{Bytes, Origin};
use super::{Encoding, FileError, MAX_BYTES};

/// The byte order mark without which Excel does not read a file as UTF-8.
pub(super) const UTF8_BOM: &[u8] = b"\xEF\xBB\xBF";

/// Bytes read at once.
const PIECE: usize = 64 * 1024;

/// Room for a piece as UTF-8: three bytes for each byte read, and the rest of the piece before.
const ROOM: usize = 3 * PIECE + 16;

/// The encoding of a text. [`Encoding::Detect`] uses a byte order mark, else strict UTF-8, else
/// CP932 where it is not rather EUC-JP; an encoding that the user chose is not questioned.
pub(super) fn encoding(origin: &Origin, wanted: Encoding) -> Result<Encoding, FileError> {
    let head = head(origin)?;
    let tried: &[Encoding] = match wanted {
        Encoding::Detect if head.starts_with(UTF8_BOM) => &[Encoding::Utf8],
        Encoding::Detect => &[Encoding::Utf8, Encoding::Cp932],
        Encoding::Utf8 => &[Encoding::Utf8],
        Encoding::Cp932 => &[Encoding::Cp932],
    };
    let mut furthest = None;
    for encoding in tried {
        // The whole file is in another encoding, of which some bytes are none of CP932.
        if wanted == Encoding::Detect && *encoding == Encoding::Cp932 && is_euc_jp(origin)? {
            furthest = None;
            break;
        }
        match check(origin, *encoding) {
            Err(FileError::NotText { line }) => furthest = furthest.max(line),
            Err(error) => return Err(error),
            Ok(()) => return Ok(*encoding),
        }
    }
    if head.starts_with(b"\xFF\xFE") || head.starts_with(b"\xFE\xFF") {
        return Err(FileError::Utf16);
    }
    let line = furthest.filter(|_| !head.contains(&0) && !head.starts_with(b"%PDF"));
    Err(FileError::NotText { line })
}

/// The first bytes of a file, enough to detect its kind.
pub(super) fn head(origin: &Origin) -> Result<Vec<u8>, FileError> {
    let mut head = Vec::new();
    origin.open()?.take(1024).read_to_end(&mut head)?;
    Ok(head)
}

/// Checks that all bytes are valid in the encoding. A text file contains no NUL.
fn check(origin: &Origin, encoding: Encoding) -> Result<(), FileError> {
    let mut pieces = Pieces::of(origin, encoding)?;
    let mut line = 1;
    while let Some(text) = pieces.next()? {
        let (Text::Sound(bytes) | Text::Malformed(bytes)) = text;
        let nul = memchr::memchr(0, bytes);
        let sound = nul.and_then(|nul| bytes.get(..nul)).unwrap_or(bytes);
        line += memchr::memchr_iter(b'\n', sound).count() as u64;
        if nul.is_some() || matches!(text, Text::Malformed(_)) {
            return Err(FileError::NotText { line: Some(line) });
        }
    }
    Ok(())
}

/// Whether bytes are EUC-JP rather than CP932: all that are not ASCII are in its pairs, and somewhere
/// they are no words in half-width kana, which is what CP932 makes of them.
fn is_euc_jp(origin: &Origin) -> Result<bool, FileError> {
    let (mut paired, mut is_kana, mut before) = (true, true, 0);
    for byte in BufReader::new(origin.open()?).bytes() {
        let byte = byte?;
        match byte {
            0..0x80 if !paired => return Ok(false),
            0..0x80 => {}
            0xA1..=0xFE => {
                paired = !paired;
                is_kana &= may_follow(before, byte);
            }
            _ => return Ok(false),
        }
        before = byte;
    }
    Ok(paired && !is_kana)
}

/// Whether a byte of CP932 is half-width kana that may stand after this byte in a word: no bracket or
/// punctuation, the middle dot, small kana and the long vowel mark only after other kana, and the sound
/// marks only after kana that take them.
fn may_follow(before: u8, byte: u8) -> bool {
    let after_kana = (0xA6..=0xDF).contains(&before);
    match byte {
        0xA6 | 0xB1..=0xDD => true,
        0xA5 | 0xA7..=0xB0 => after_kana,
        // ﾞ after ｳ, ｶ to ﾄ and ﾊ to ﾎ; ﾟ after ﾊ to ﾎ.
        0xDE => matches!(before, 0xB3 | 0xB6..=0xC4 | 0xCA..=0xCE),
        0xDF => matches!(before, 0xCA..=0xCE),
        _ => false,
    }
}

/// A piece of the text as UTF-8, possibly empty.
pub(super) enum Text<'a> {
    Sound(&'a [u8]),
    /// With what is before the first bytes that are no text.
    Malformed(&'a [u8]),
}

/// A file's text from its beginning, without the byte order mark.
pub(super) struct Pieces {
    from: Bytes,
    /// `None` for bytes that are taken as they are.
    decoder: Option<Decoder>,
    raw: Vec<u8>,
    text: Vec<u8>,
    read: u64,
    ended: bool,
}

impl Pieces {
    pub(super) fn of(origin: &Origin, encoding: Encoding) -> Result<Self, FileError> {
        let decoder = match encoding {
            // encoding_rs's Shift_JIS is the WHATWG variant, which is CP932.
            Encoding::Cp932 => SHIFT_JIS.new_decoder_without_bom_handling(),
            Encoding::Detect | Encoding::Utf8 => UTF_8.new_decoder_with_bom_removal(),
        };
        Ok(Self {
            from: origin.open()?,
            decoder: Some(decoder),
            raw: vec![0; PIECE],
            text: vec![0; ROOM],
            read: 0,
            ended: false,
        })
    }

    /// The same for a text whose encoding was found. UTF-8 is not checked again: whoever makes
    /// text of the bytes does.
    pub(super) fn again(origin: &Origin, encoding: Encoding) -> Result<Self, FileError> {
        let mut pieces = Self::of(origin, encoding)?;
        pieces.decoder = pieces.decoder.filter(|_| encoding == Encoding::Cp932);
        Ok(pieces)
    }

    /// The next piece; `None` after the last.
    pub(super) fn next(&mut self) -> Result<Option<Text<'_>>, FileError> {
        if self.ended {
            return Ok(None);
        }
        let count = match self.from.read(&mut self.raw) {
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {
                return Ok(Some(Text::Sound(&[])));
            }
            Err(error) => return Err(error.into()),
        };
        let first = self.read == 0;
        self.read += count as u64;
        if self.read > MAX_BYTES {
            return Err(FileError::TooLarge);
        }
        self.ended = count == 0;
        let raw = self.raw.get(..count).unwrap_or_default();
        let Some(decoder) = &mut self.decoder else {
            let text = raw.strip_prefix(UTF8_BOM).filter(|_| first);
            return Ok(Some(Text::Sound(text.unwrap_or(raw))));
        };
        let (result, _, written) =
            decoder.decode_to_utf8_without_replacement(raw, &mut self.text, self.ended);
        let text = self.text.get(..written).unwrap_or_default();
        Ok(Some(match result {
            DecoderResult::InputEmpty => Text::Sound(text),
            // The buffer is large enough for every piece, so this does not happen; it is treated as
            // malformed text.
            DecoderResult::OutputFull | DecoderResult::Malformed(..) => Text::Malformed(text),
        }))
    }
}
