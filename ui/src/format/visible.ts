// Texts of others as they are shown: what a reader would not see, or what would turn the writing
// around, becomes a mark, and what is longer than anybody reads is cut. For the screen alone: what
// is sent or copied stays as it came.

/** Longest text shown, in UTF-16 units. */
const LONGEST = 2000;

/**
 * Control characters, those that only direct the writing, and those without a width. Joiners stay:
 * emoji and several scripts are written with them.
 */
const UNSEEN =
  /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

function mark(unseen: string): string {
  const code = unseen.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `\u2039U+${code.toString(16).toUpperCase().padStart(4, '0')}\u203a`;
}

/** A text fit to be shown. */
export function visible(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return short.toWellFormed().replace(UNSEEN, mark);
}
