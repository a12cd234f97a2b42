import { describe, expect, it } from 'vitest';
import type { Answer } from '.';
import { CachedQuery } from './cached-query.svelte';
import { asFailure } from './failure';

/** A query whose two reads wait until the test answers them. */
function begin() {
  const shown: string[] = [];
  const query = new CachedQuery<string>((value) => shown.push(value));
  let fromCache = (_: Answer<string | null>) => {};
  let fromService = (_: Answer<string>) => {};
  const turn = () => new Promise((done) => setTimeout(done));
  return {
    query,
    shown,
    run: () =>
      query.run(
        () => new Promise((done) => (fromCache = done)),
        () => new Promise((done) => (fromService = done)),
      ),
    cache: (data: string | null) => (fromCache({ status: 'ok', data }), turn()),
    service: (data: string) => (fromService({ status: 'ok', data }), turn()),
    refuse: () => (fromService({ status: 'error', error }), turn()),
  };
}

const error = { ...asFailure('refused'), code: 'refused' as const };

describe('a query with a cache', () => {
  it('shows what the cache has at once, and then what the service has', async () => {
    const { query, shown, run, cache, service } = begin();
    const over = run();
    await cache('old');
    expect(shown).toEqual(['old']);
    expect(query.refreshing.busy).toBe(true);
    await service('new');
    await over;
    expect(shown).toEqual(['old', 'new']);
    expect(query.refreshing.busy).toBe(false);
  });

  it('shows nothing from the cache after the service has answered', async () => {
    const { shown, run, cache, service } = begin();
    void run();
    await service('new');
    await cache('old');
    void run();
    await cache('old');
    expect(shown).toEqual(['new']);
  });

  it('shows what the cache has when the service refuses', async () => {
    const { query, shown, run, cache, refuse } = begin();
    const over = run();
    await refuse();
    await cache('old');
    await over;
    expect(shown).toEqual(['old']);
    expect(query.refreshing.failure).not.toBeNull();
  });

  it('shows nothing where the cache has nothing, and nothing that comes after a reset', async () => {
    const { query, shown, run, cache, service } = begin();
    void run();
    await cache(null);
    query.reset();
    await service('late');
    void run();
    await cache('old');
    expect(shown).toEqual(['old']);
  });
});
