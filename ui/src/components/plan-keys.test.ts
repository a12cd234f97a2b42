import { describe, expect, it } from 'vitest';
import { planKey, planPlace } from './plan-keys';

describe('the keys of plans', () => {
  it('are the digits first and letters after nine', () => {
    expect([0, 8, 9, 14, 15].map(planKey)).toEqual(['1', '9', 'a', 'f', 'h']);
    expect(planKey(40)).toBe('');
  });

  it('are taken in any width and case', () => {
    expect(['1', '９', 'A', 'ａ'].map(planPlace)).toEqual([0, 8, 9, 9]);
  });

  it('leave the key that opens pages alone, and keys with names', () => {
    expect(['g', '0', '', 'Enter', 'あ'].map(planPlace)).toEqual([-1, -1, -1, -1, -1]);
  });
});
