// Text in plain characters: as codes are written, and as it is compared.

const IN_ASCII = /^[\p{ASCII}ーｰ\u2010-\u2015\u2212]*$/u;
const DASHES = /[ーｰ\u2010-\u2015\u2212]/g;
const FULL_WIDTH = /[\uff01-\uff5e]/g;

/** Converts full-width letters, digits and punctuation to ASCII: ① does not become 1. */
export function plainWidth(typed: string): string {
  return typed.replace(FULL_WIDTH, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0)).trim();
}

/** The same for a scanned or typed code, which may contain hyphens. */
export function plainCode(typed: string): string {
  const plain = plainWidth(typed);
  // The hyphen key types these characters while Japanese input is on. A text with other Japanese
  // characters may contain them rightfully.
  return IN_ASCII.test(plain) ? plain.replace(DASHES, '-') : plain;
}

/** A text as it is compared: normalised and in lower case. */
export function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
