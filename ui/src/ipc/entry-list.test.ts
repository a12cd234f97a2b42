import { clearMocks, mockIPC } from '@tauri-apps/api/mocks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EntryFilter, SubmissionView } from '.';
import * as sample from '../testing/samples';
import { desk } from './desk.svelte';
import { EntryList, EVERY_ENTRY } from './entry-list.svelte';

const filter = { ...EVERY_ENTRY, limit: 3 };
let kept: SubmissionView[] = [];
let asked: string[][] = [];
let list: EntryList;

/** An entry made at a minute, in a state. */
const entry = (minute: number, state: SubmissionView['state'] = 'queued') => ({
  ...sample.submission,
  id: `entry-${minute}`,
  enteredAt: `2026-04-01T10:0${minute}:00.000+09:00`,
  state,
});

/** The desk tells that these entries are so now. */
async function change(ids: string[] | null, ...now: SubmissionView[]): Promise<void> {
  kept = now;
  desk.hear({ kind: 'outboxChanged', changed: ids });
  await list.update(filter);
}

const shown = () => list.entries?.map(({ id, state }) => `${id} ${state}`);

beforeEach(async () => {
  kept = [entry(2), entry(1)];
  asked = [];
  list = new EntryList();
  mockIPC((_, payload) => {
    const { ids, limit } = (payload as { filter: EntryFilter }).filter;
    asked.push(ids);
    return kept.filter(({ id }) => ids.length === 0 || ids.includes(id)).slice(0, limit);
  });
  await list.update(filter);
  asked = [];
});

afterEach(clearMocks);

test('only the entries that changed are asked for, and a new one is the first', async () => {
  await change(['entry-3', 'entry-1'], entry(3), entry(2), entry(1, 'accepted'));
  expect(asked).toEqual([['entry-3', 'entry-1']]);
  expect(shown()).toEqual(['entry-3 queued', 'entry-2 queued', 'entry-1 accepted']);
});

test('an entry that the filter leaves out now is gone', async () => {
  await change(['entry-1'], entry(2));
  expect(asked).toEqual([['entry-1']]);
  expect(shown()).toEqual(['entry-2 queued']);
});

test('nothing is asked while nothing changed', async () => {
  await list.update(filter);
  expect(asked).toEqual([]);
});

test('the whole list is read again when anything may have changed', async () => {
  await change(null, entry(2, 'accepted'));
  expect(asked).toEqual([[]]);
  expect(shown()).toEqual(['entry-2 accepted']);
});

test('the whole list is read again when an older entry comes in or one makes room in a full list', async () => {
  await change(['entry-0'], entry(2), entry(1), entry(0));
  expect(asked).toEqual([['entry-0'], []]);
  expect(shown()).toEqual(['entry-2 queued', 'entry-1 queued', 'entry-0 queued']);
  asked = [];
  await change(['entry-2'], entry(1), entry(0), { ...entry(0), id: 'cut off before' });
  expect(asked).toEqual([['entry-2'], []]);
  expect(shown()).toEqual(['entry-1 queued', 'entry-0 queued', 'cut off before queued']);
});

test('notices that came while an answer was on its way are not missed', async () => {
  kept = [entry(2, 'accepted'), entry(1, 'accepted')];
  desk.hear({ kind: 'outboxChanged', changed: ['entry-1'] });
  const first = list.update(filter);
  desk.hear({ kind: 'outboxChanged', changed: ['entry-2'] });
  await Promise.all([first, list.update(filter)]);
  expect(shown()).toEqual(['entry-2 accepted', 'entry-1 accepted']);
});

test('a filter that was left again before it answered changes nothing', async () => {
  const other = list.update({ ...filter, text: 'nobody' });
  kept = [];
  await Promise.all([other, list.update(filter)]);
  expect(shown()).toEqual(['entry-2 queued', 'entry-1 queued']);
});
