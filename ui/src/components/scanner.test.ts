import { describe, expect, it } from 'vitest';
import { BurstDetector, type Verdict } from './scanner';

function type(detector: BurstDetector, keys: string[], gap: number, from = 1000): Verdict[] {
  return keys.map((key, i) => detector.stroke({ key, at: from + i * gap, modified: false }));
}

const code = [...'4901234567894'];

describe('a burst of keys', () => {
  it.each(['Enter', 'Tab'])('ending in %s is a scan', (end) => {
    const verdicts = type(new BurstDetector(), [...code, end], 8);
    expect(verdicts[0]).toEqual({ kind: 'first' });
    expect(verdicts.at(-1)).toEqual({ kind: 'scan', text: '4901234567894' });
  });

  it('keeps capitals that the scanner types with Shift', () => {
    const keys = ['Shift', 'S', 'K', 'Shift', 'U', '-', '1', 'Enter'];
    expect(type(new BurstDetector(), keys, 5).at(-1)).toEqual({ kind: 'scan', text: 'SKU-1' });
  });

  it.each([90, 45])('typed by a hand with pauses of %i ms is no scan', (pause) => {
    expect(type(new BurstDetector(), [...code, 'Enter'], pause).at(-1)).toEqual({ kind: 'other' });
  });

  it('too short to be a code is no scan', () => {
    expect(type(new BurstDetector(), ['1', '2', '3', 'Enter'], 5).at(-1)).toEqual({
      kind: 'other',
    });
  });

  it('is over when its Enter comes late: that Enter is a person', () => {
    const detector = new BurstDetector();
    type(detector, code, 5);
    expect(detector.stroke({ key: 'Enter', at: 5000, modified: false })).toEqual({ kind: 'other' });
  });

  it('does not take in what was typed by hand before it', () => {
    const detector = new BurstDetector();
    type(detector, ['a', 'b'], 200, 0);
    const verdicts = type(detector, [...code, 'Enter'], 5, 1000);
    expect(verdicts.at(-1)).toEqual({ kind: 'scan', text: '4901234567894' });
  });

  it.each([0, 1, 6, 11])('keeps its head when the computer holds up key %i', (held) => {
    const detector = new BurstDetector();
    let at = 0;
    const verdicts = [...code, 'Enter'].map((key, i) => {
      at += i === held + 1 ? 180 : 8;
      return detector.stroke({ key, at, modified: false });
    });
    expect(verdicts.at(-1)).toEqual({ kind: 'scan', text: '4901234567894' });
  });

  it('is broken by a shortcut or a named key', () => {
    const detector = new BurstDetector();
    type(detector, code.slice(0, 6), 5, 0);
    detector.stroke({ key: 'a', at: 32, modified: true });
    expect(detector.length).toBe(0);
    type(detector, code.slice(0, 6), 5, 100);
    detector.stroke({ key: 'ArrowLeft', at: 132, modified: false });
    expect(detector.stroke({ key: 'Enter', at: 135, modified: false })).toEqual({ kind: 'other' });
  });
});
