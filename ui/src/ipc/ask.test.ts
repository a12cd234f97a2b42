import { describe, expect, it } from 'vitest';
import { Asking } from './ask.svelte';
import { asFailure } from './failure';

describe('a question to the desk', () => {
  it('gives its answer and shows no failure', async () => {
    const asking = new Asking();
    const answer = asking.ask(async () => ({ status: 'ok', data: 7 }));
    expect(asking.busy).toBe(true);
    expect(await answer).toEqual({ value: 7 });
    expect(asking.busy).toBe(false);
    expect(asking.failure).toBeNull();
  });

  it('keeps the failure for the screen', async () => {
    const asking = new Asking();
    const error = { ...asFailure('refused'), code: 'refused' as const };
    expect(await asking.ask(async () => ({ status: 'error', error }))).toBeNull();
    expect(asking.failure).toEqual(error);
    expect(await asking.ask(() => Promise.reject(new Error('gone')))).toBeNull();
    expect(asking.failure?.code).toBe('window');
  });

  it('drops an answer that a later question has overtaken', async () => {
    const asking = new Asking();
    let answerFirst = (_: { status: 'ok'; data: string }) => {};
    const first = asking.ask(
      () => new Promise<{ status: 'ok'; data: string }>((done) => (answerFirst = done)),
    );
    const second = asking.ask(async () => ({ status: 'ok' as const, data: 'new' }));
    expect(await second).toEqual({ value: 'new' });
    answerFirst({ status: 'ok', data: 'old' });
    expect(await first).toBeNull();
    expect(asking.busy).toBe(false);
  });
});
