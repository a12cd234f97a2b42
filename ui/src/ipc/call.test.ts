import { describe, expect, it } from 'vitest';
import { Call } from './call.svelte';
import { asFailure } from './failure';

describe('a question to the desk', () => {
  it('gives its answer and shows no failure', async () => {
    const call = new Call();
    const answer = call.run(async () => ({ status: 'ok', data: 7 }));
    expect(call.busy).toBe(true);
    expect(await answer).toEqual({ value: 7 });
    expect(call.busy).toBe(false);
    expect(call.failure).toBeNull();
  });

  it('keeps the failure for the screen', async () => {
    const call = new Call();
    const error = { ...asFailure('refused'), code: 'refused' as const };
    expect(await call.run(async () => ({ status: 'error', error }))).toBeNull();
    expect(call.failure).toEqual(error);
    expect(await call.run(() => Promise.reject(new Error('gone')))).toBeNull();
    expect(call.failure?.code).toBe('window');
  });

  it('drops an answer that a later question has overtaken', async () => {
    const call = new Call();
    let answerFirst = (_: { status: 'ok'; data: string }) => {};
    const first = call.run(
      () => new Promise<{ status: 'ok'; data: string }>((done) => (answerFirst = done)),
    );
    const second = call.run(async () => ({ status: 'ok' as const, data: 'new' }));
    expect(await second).toEqual({ value: 'new' });
    answerFirst({ status: 'ok', data: 'old' });
    expect(await first).toBeNull();
    expect(call.busy).toBe(false);
  });
});
