//! Which line of a file a row begins on, as an editor counts.
//!
//! The reader's own count takes the line feed of a `\r\n` for the next row's and knows no lone
//! `\r`; both would send a person to the row above the bad one.

/// Counts lines while rows are read from the top.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    text: &'a [u8],
    at: usize,
    line: u64,
}

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self {
            text: text.as_bytes(),
            at: 0,
            line: 1,
        }
    }

    /// The line, from 1, of the first text at or after a byte; never asked backwards.
    pub(super) fn up_to(&mut self, byte: u64) -> u64 {
        let byte = usize::try_from(byte).unwrap_or(usize::MAX);
        while let Some(here) = self.text.get(self.at) {
            let ends = matches!(here, b'\r' | b'\n');
            if self.at >= byte && !ends {
                break;
            }
            let pair = *here == b'\r' && self.text.get(self.at + 1) == Some(&b'\n');
            if ends && !pair {
                self.line += 1;
            }
            self.at += 1;
        }
        self.line
    }
}
