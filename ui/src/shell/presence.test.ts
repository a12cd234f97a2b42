import { expect, it, onTestFinished } from 'vitest';
import { clearMocks, mockIPC } from '@tauri-apps/api/mocks';
import { tellPresence } from './presence';

it('tells the desk of the first key and then at most once a minute', () => {
  const calls: string[] = [];
  mockIPC((command) => void calls.push(command));
  const stop = tellPresence(window);
  onTestFinished(() => (stop(), clearMocks()));
  for (const at of [1_000, 2_000, 60_999, 61_000]) {
    const event = new KeyboardEvent('keydown', { key: 'a' });
    Object.defineProperty(event, 'timeStamp', { value: at });
    window.dispatchEvent(event);
  }
  expect(calls).toEqual(['attended', 'attended']);
});
