import { afterEach, expect, test } from 'vitest';
import { status } from '../testing/samples';
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
