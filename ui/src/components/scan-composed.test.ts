import { describe, expect, it } from 'vitest';
import { ComposedBurst } from './scan-composed';

/** One composition that grows by a character each `gap` milliseconds. */
function compose(burst: ComposedBurst, text: string, gap: number): string | null {
  let at = 1000;
  burst.started(at);
  for (let length = 1; length <= text.length; length += 1) {
    burst.updated(text.slice(0, length), (at += gap));
  }
  return burst.ended(text, at + gap);
}

describe('a scanner while Japanese input is open', () => {
  it('is told by its pace, and its code is made plain', () => {
    expect(compose(new ComposedBurst(), '４９０１２３４５６７８９４', 5)).toBe('4901234567894');
  });

  it('is told with the long vowel mark that its hyphen became', () => {
    expect(compose(new ComposedBurst(), '４９０１ー２３', 5)).toBe('4901-23');
  });

  it('is told when each character is a composition of its own', () => {
    const burst = new ComposedBurst();
    let at = 1000;
    for (const digit of '４９０１２') {
      burst.started((at += 4));
      burst.updated(digit, (at += 1));
      expect(burst.ended(digit, (at += 1))).toBeNull();
    }
    expect(burst.finished(at + 5)).toBe('49012');
  });

  it('is not told from kana, which no code can have become', () => {
    expect(compose(new ComposedBurst(), 'ぽＳ－２０２６', 5)).toBeNull();
  });

  it('is no hand that types and converts', () => {
    expect(compose(new ComposedBurst(), '２０２６', 120)).toBeNull();
    expect(compose(new ComposedBurst(), 'やまだ', 5)).toBeNull();
    const converted = new ComposedBurst();
    converted.started(0);
    converted.updated('１２３４', 500);
    converted.updated('1234', 510);
    expect(converted.ended('1234', 515)).toBeNull();
  });
});
