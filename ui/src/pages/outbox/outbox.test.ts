import { waitFor } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { asks, byTestId, fill, press, shows, startWindow } from '../../testing/desk';
import * as sample from '../../testing/samples';

const entries = [sample.submission];

describe('a case', () => {
  it('offers exactly the ways that are possible', async () => {
    const fake = await startWindow('outbox', {
      submissions: () => entries,
      outbox_resolve: () => ({ ...sample.openCase, ways: [] }),
    });
    await press('entry-open');
    await byTestId('way-cancel');
    expect(shows('way-edit')).toBe(false);
    await press('way-providerHasNone');
    await fill('way-reference', 'Ms Sato, case 12');
    await press('way-confirm');
    await waitFor(() =>
      expect(fake.called('outbox_resolve')).toEqual([
        {
          id: 'submission-1',
          resolution: { way: 'providerHasNone', reference: 'Ms Sato, case 12', confirmed: [] },
        },
      ]),
    );
  });
});

describe('a case beside another entry of its sale', () => {
  const ways = ['providerHasNone', 'replayOnce', 'sendNow', 'edit'] as const;
  it.each(ways)('is sent only after a yes to the other entry: %s', async (way) => {
    const fake = await startWindow('outbox', {
      submissions: () => entries,
      outbox_case: () => ({ ...sample.openCase, ways: [way] }),
      outbox_resolve: () => {
        throw asks(sample.secondContract);
      },
    });
    await press('entry-open');
    await press(`way-${way}`);
    if (way === 'providerHasNone') await fill('way-reference', 'Ms Sato');
    await press('way-confirm');
    expect((await byTestId('question-dialog')).textContent).toContain('Branch');
    fake.answer('outbox_resolve', () => ({ ...sample.openCase, ways: [] }));
    await press('question-yes');
    await waitFor(() =>
      expect(fake.called('outbox_resolve')).toMatchObject([
        { resolution: { way, confirmed: [] } },
        { resolution: { way, confirmed: [{ kind: 'secondContract', submissionId: 'second' }] } },
      ]),
    );
  });
});

describe('an entry that was entered anew', () => {
  it('leads to the entry made in its place', async () => {
    const fake = await startWindow('outbox', {
      submissions: () => entries,
      outbox_case: ({ id }) => ({
        ...sample.openCase,
        ways: [],
        replacedBy: id === 'submission-1' ? 'submission-9' : null,
      }),
    });
    await press('entry-open');
    await press('case-replacedBy');
    await waitFor(() => expect(fake.called('outbox_case').at(-1)).toEqual({ id: 'submission-9' }));
  });
});
