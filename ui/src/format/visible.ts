// Prepares external texts for display: replaces invisible characters, and those that change the
// writing direction, by a mark, and truncates very long texts. What is sent or copied stays
// unchanged.

/** Longest text shown, in UTF-16 units. */
const LONGEST = 2000;

/**
 * Control characters, those that set the writing direction, and those without a width. Joiners are
 * not included: emoji and several scripts need them.
 */
const UNSEEN =
  /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

function mark(unseen: string): string {
  const code = unseen.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `\u2039U+${code.toString(16).toUpperCase().padStart(4, '0')}\u203a`;
}

/** A text that is safe to display. */
export function visible(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return short.toWellFormed().replace(UNSEEN, mark);
}
