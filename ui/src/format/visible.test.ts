import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { visible } from './visible';

interface Hostile {
  name: string;
  kind: string;
  text?: string;
  times?: number;
}

const corpus: Hostile[] = JSON.parse(readFileSync('../tests/fixtures/hostile.json', 'utf8'));

describe('a text of others on screen', () => {
  it('stays as it is when everything in it can be seen', () => {
    for (const text of ['見本 太郎', '<b>&amp;</b>', 'ｶﾅ ガ', '👩‍👧 ❤️', 'a\u0301', '=1+1', '']) {
      expect(visible(text)).toBe(text);
    }
  });

  it('shows control characters and those that turn the writing around', () => {
    expect(visible('a\u0000b\u001b[31m\r\n\t\u007f')).toBe('a␀b␛[31m␍␊␉␡');
    expect(visible('\u202eevil\u2069\u200b\ufeff')).toBe('‹U+202E›evil‹U+2069›‹U+200B›‹U+FEFF›');
    expect(visible('\u009b1m')).toBe('‹U+009B›1m');
  });

  it('is cut when nobody would read it to its end', () => {
    expect(visible('x'.repeat(1_000_000))).toBe(`${'x'.repeat(2000)}…`);
    expect(visible(`${'x'.repeat(1999)}👩y`).isWellFormed()).toBe(true);
  });

  it('holds nothing unseen whatever it is', () => {
    for (const { name, text, times } of corpus) {
      if (text === undefined) continue;
      const shown = visible(text.repeat(times ?? 1));
      expect(shown, name).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f]/u);
      expect(shown.length, name).toBeLessThan(30_000);
    }
  });
});
