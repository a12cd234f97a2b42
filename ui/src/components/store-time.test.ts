import { expect, it } from 'vitest';
import { startWindow } from '../testing/desk';
import { storeTime } from './store-time';

it('puts a moment on the clock of the store and leaves other text alone', async () => {
  await startWindow();
  expect(storeTime('2026-11-20T01:02:03.000Z')).toBe('2026-11-20 10:02:03 +09:00');
  expect(storeTime('2026-11-20T01:02:03.000+02:00')).toBe('2026-11-20 08:02:03 +09:00');
  for (const text of ['2028', 'T-1', 'soon', '2026-11-20T01:02:03', '2026-13-20T01:02:03Z']) {
    expect(storeTime(text)).toBe(text);
  }
});

it('leaves a moment as it came that is in a year of five digits on that clock', async () => {
  await startWindow();
  expect(storeTime('9999-12-31T14:59:59Z')).toBe('9999-12-31 23:59:59 +09:00');
  expect(storeTime('9999-12-31T23:59:59Z')).toBe('9999-12-31T23:59:59Z');
});
