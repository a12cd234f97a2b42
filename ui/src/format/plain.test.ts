import { describe, expect, it } from 'vitest';
import { plainCode } from './plain';

describe('a code', () => {
  it('typed through an open input method becomes plain', () => {
    expect(plainCode(' ４９０１－２３ ')).toBe('4901-23');
    for (const dash of 'ーｰ‐‑–—―−－') expect(plainCode(`Ｐ${dash}１`), dash).toBe('P-1');
    expect(plainCode('セーター1')).toBe('セーター1');
  });
});
