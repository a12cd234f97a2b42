import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Answer } from '.';
import { CachedQuery } from './cached-query.svelte';
import { asFailure } from './failure';

// Which answer comes first is by the clock of the test, however busy the machine is.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function begin() {
  const shown: string[] = [];
  return { shown, query: new CachedQuery<string>((value) => shown.push(value)) };
}
const after = <T>(turns: number, answer: Answer<T>) => {
  return () => new Promise<Answer<T>>((done) => setTimeout(done, turns, answer));
};
const all = (over: Promise<void>) => vi.runAllTimersAsync().then(() => over);
const answered = <T>(data: T, turns: number) => after<T>(turns, { status: 'ok', data });

it('shows what the cache has at once, and then what the service has', async () => {
  const { query, shown } = begin();
  const over = query.run(answered('old', 1), answered('new', 2));
  expect(query.refreshing.busy).toBe(true);
  await all(over);
  expect(query.refreshing.busy).toBe(false);
  expect(shown).toEqual(['old', 'new']);
});

it('shows nothing from the cache once the service has answered', async () => {
  const { query, shown } = begin();
  await all(query.run(answered('old', 2), answered('new', 1)));
  await all(query.run(answered('old', 1), answered('newer', 2)));
  expect(shown).toEqual(['new', 'newer']);
});

it('shows what the cache has when the service refuses', async () => {
  const { query, shown } = begin();
  const error = { ...asFailure('refused'), code: 'refused' as const };
  await all(query.run(answered('old', 2), after(1, { status: 'error', error })));
  expect(shown).toEqual(['old']);
  expect(query.refreshing.failure).toEqual(error);
});

it('shows nothing where the cache has nothing, and nothing that comes after a reset', async () => {
  const { query, shown } = begin();
  const over = query.run(answered(null, 1), answered('late', 2));
  query.reset();
  await all(over);
  await all(query.run(answered(null, 1), answered('new', 2)));
  expect(shown).toEqual(['new']);
});
