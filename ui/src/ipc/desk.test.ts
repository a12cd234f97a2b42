import { afterEach, expect, test } from 'vitest';
import { overview, status, summary } from '../testing/samples';
import { desk } from './desk.svelte';

afterEach(() => {
  desk.status = null;
});

test('a blocker of this profile is shown while it lasts, and one of another profile never', () => {
  desk.status = { ...status };
  const here = status.profile?.id ?? '';
  desk.hear({ kind: 'blockerChanged', profileId: 'another', blocker: { kind: 'noToken' } });
  expect(desk.status.blocker).toBeNull();
  desk.hear({ kind: 'blockerChanged', profileId: here, blocker: { kind: 'noToken' } });
  expect(desk.status.blocker).toEqual({ kind: 'noToken' });
  desk.hear({ kind: 'blockerChanged', profileId: here, blocker: null });
  expect(desk.status.blocker).toBeNull();
});

test('counts of a profile that was left are not shown', () => {
  desk.status = { ...status };
  const before = desk.summary;
  const open = { ...overview.open, outbox: { ...summary, needsPerson: 3 } };
  const counted = { kind: 'overviewChanged', overview: { ...overview, open } } as const;
  desk.hear({ ...counted, profileId: 'another' });
  expect(desk.summary).toEqual(before);
  desk.hear({ ...counted, profileId: status.profile?.id ?? '' });
  expect(desk.summary.needsPerson).toBe(3);
});
