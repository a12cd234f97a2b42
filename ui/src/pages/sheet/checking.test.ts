// The desk checks rows, also when earlier checks failed or came late.
import { waitFor } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, it } from 'vitest';
import { desk } from '../../ipc/desk.svelte';
import { byTestId, held } from '../../testing/desk';
import { clean, live, REFERENCE, status } from '../../testing/samples';
import { openPage } from '../../navigation/route.svelte';
import { cell, cursor, paste, run, sale, start, textAt } from '../../testing/sheet';

describe('looking at rows', () => {
  it('does not wait for an answer about the sheet of another profile, and does not take it up', async () => {
    const [waits, answer] = held();
    const fake = await start({ contracts_check_rows: waits });
    paste([sale(1), sale(2)].join('\n'));
    await waitFor(() => expect(fake.called('contracts_check_rows')).toHaveLength(1));

    fake.answer('contracts_check_rows', () => []);
    fake.answer('drafts', () => [
      { name: 'sheet/head', state: 'known', text: '["sheet/1"]', keptAt: run.createdAt },
      {
        name: 'sheet/1',
        state: 'known',
        text: JSON.stringify([[sale(9).split('\t'), [], null]]),
        keptAt: run.createdAt,
      },
    ]);
    openPage('products');
    await byTestId('page-products');
    desk.status = { ...status, profile: live };
    await tick();
    openPage('sheet');
    await waitFor(() => expect(textAt(0, 0)).toBe(REFERENCE));
    const ready = async () => (await byTestId('sheet-ready')).textContent;
    await waitFor(async () => expect(await ready()).toBe('1 row ready'));

    // The late answer is about rows that are no longer here.
    const check = { ...clean, problems: [{ field: 'planId', problem: 'unknownPlan' }] };
    answer([0, 1].map((index) => ({ index, check })));
    await new Promise((turn) => setTimeout(turn));
    expect(await ready()).toBe('1 row ready');
  });
});

describe('the mark of a wrong row', () => {
  it.each([
    ['notEmail', 'sheet.mark.wrong'],
    ['missing', undefined],
  ])(
    'with the cursor in it is there unless a cell is only empty yet: %s',
    async (problem, mark) => {
      const check = { ...clean, problems: [{ field: 'customerEmail', problem }] };
      await start({ contracts_check_rows: () => [0, 1].map((index) => ({ index, check })) });
      paste([sale(1), sale(2)].join('\n'));
      const markOf = (row: number) =>
        cell(row, -1)?.querySelector<HTMLElement>('[data-testid="row-mark"]')?.dataset['mark'];
      const [at, other] = cursor()![0] === 0 ? [0, 1] : [1, 0];
      await waitFor(() => expect(markOf(other)).toBe('sheet.mark.wrong'));
      expect(markOf(at)).toBe(mark);
    },
  );
});
