// What a page on screen shows when the profile, or its store, becomes another one.
import { waitFor } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, it } from 'vitest';
import { desk } from '../ipc/desk.svelte';
import { byTestId, says, startWindow } from '../testing/desk';
import * as sample from '../testing/samples';
import { put, shown, start, textAt, type } from '../testing/sheet';

const storeChanged = { ...sample.live, storeId: 'store-corrected' };

describe.each([
  ['of another profile', sample.practice],
  ['of the same profile at another store', storeChanged],
])('a page that is open when the data %s follows', (_, next) => {
  const change = () => (desk.status = { ...sample.status, profile: next });
  const before = { status: () => ({ ...sample.status, profile: sample.live }) };

  it('is the sheet with its own rows, and keeps what is typed there', async () => {
    let rows = [['former']];
    const fake = await start({
      ...before,
      drafts: () => [
        { name: 'sheet/head', state: 'known', text: '["sheet/1"]', keptAt: sample.lead.enteredAt },
        {
          name: 'sheet/1',
          state: 'known',
          text: JSON.stringify(rows.map((cells) => [cells, [], null])),
          keptAt: sample.lead.enteredAt,
        },
      ],
    });
    await waitFor(() => expect(textAt(0, 0)).toBe('former'));
    put('half');
    await tick();
    rows = [['T-of-next']];
    change();
    await waitFor(() => expect(textAt(0, 0)).toBe('T-of-next'));
    const kept = (text: string) => () =>
      expect(fake.called('draft_keep')).toContainEqual(
        expect.objectContaining({ text: expect.stringContaining(text) }),
      );
    // What was half typed belongs to the former sheet.
    await waitFor(kept('half'));
    await shown();
    await type('typed later', 'Enter');
    await waitFor(kept('typed later'));
    const owner = (text: string) =>
      fake.called('draft_keep').find((call) => String(call['text']).includes(text))?.['profileId'];
    expect([owner('half'), owner('typed later')]).toEqual([sample.live.id, next.id]);
  });

  it('is its day', async () => {
    const fake = await startWindow('today', before);
    await byTestId('today-contracts');
    const figures = { ...sample.day.figures, contracts: 7 };
    fake.answer('day', () => ({ ...sample.day, figures }));
    change();
    await says('today-contracts', '7');
  });

  it('is its leads', async () => {
    const fake = await startWindow('leads', { ...before, leads: () => [sample.lead] });
    await waitFor(async () =>
      expect((await byTestId('lead-row')).dataset['lead']).toBe(sample.lead.transactionId),
    );
    fake.answer('leads', () => [{ ...sample.lead, transactionId: 'T-of-next' }]);
    change();
    await waitFor(async () =>
      expect((await byTestId('lead-row')).dataset['lead']).toBe('T-of-next'),
    );
  });
});
