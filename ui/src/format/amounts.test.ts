import { describe, expect, it } from 'vitest';
import { formatAmount, formatTerm, groupDigits, parseAmount } from './amounts';

describe('amounts', () => {
  it('are grouped in threes, whatever their size', () => {
    expect(groupDigits(0)).toBe('0');
    expect(groupDigits(999)).toBe('999');
    expect(groupDigits(1000)).toBe('1,000');
    expect(groupDigits(-1234567)).toBe('−1,234,567');
    expect(groupDigits('9007199254740991')).toBe('9,007,199,254,740,991');
  });

  it('carry the currency label of the profile and none by default', () => {
    expect(formatAmount(12800)).toBe('12,800');
    expect(formatAmount(12800, '¥')).toBe('¥12,800');
    expect(formatAmount(12800, '円')).toBe('12,800 円');
  });

  it('show a term without inventing a unit', () => {
    expect(formatTerm(36)).toBe('36');
    expect(formatTerm(36, 'か月')).toBe('36 か月');
  });

  it('are read as people type them: full-width, grouped, with a yen sign', () => {
    expect(parseAmount('12,800')).toEqual({ ok: true, value: 12800 });
    expect(parseAmount('１２，８００')).toEqual({ ok: true, value: 12800 });
    expect(parseAmount(' ¥12800 ')).toEqual({ ok: true, value: 12800 });
    expect(parseAmount('12,800円')).toEqual({ ok: true, value: 12800 });
    expect(parseAmount('￥ １２，８００　円')).toEqual({ ok: true, value: 12800 });
  });

  it.each([
    '1980\n2980',
    '189800 6640',
    '6640円\n1',
    '① 6640',
    '①6640',
    '6640²',
    '5円5',
    '¥¥5',
    '円',
  ])('are never put together from several numbers or signs: %j', (typed) =>
    expect(parseAmount(typed)).toEqual({ ok: false, reason: 'notWhole' }),
  );

  it('are refused when they are no whole number', () => {
    for (const typed of ['12.5', '1,2', '12,80', 'abc', '-5', '1e3', '1.23E+11']) {
      expect(parseAmount(typed), typed).toEqual({ ok: false, reason: 'notWhole' });
    }
    expect(parseAmount('   ')).toEqual({ ok: false, reason: 'empty' });
    expect(parseAmount('9007199254740993')).toEqual({ ok: false, reason: 'tooLarge' });
  });
});
