import { afterEach, expect, test } from 'vitest';
import { status } from '../testing/samples';
import { desk } from './desk.svelte';

afterEach(() => {
  desk.status = null;
});

test('an obstacle of this profile is shown while it lasts, and one of another profile never', () => {
  desk.status = { ...status };
  const here = status.profile?.id ?? '';
  desk.hear({ kind: 'obstacleChanged', profileId: 'another', obstacle: { kind: 'noToken' } });
  expect(desk.status.obstacle).toBeNull();
  desk.hear({ kind: 'obstacleChanged', profileId: here, obstacle: { kind: 'noToken' } });
  expect(desk.status.obstacle).toEqual({ kind: 'noToken' });
  desk.hear({ kind: 'obstacleChanged', profileId: here, obstacle: null });
  expect(desk.status.obstacle).toBeNull();
});
