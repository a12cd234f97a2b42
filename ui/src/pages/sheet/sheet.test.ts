// The sheet in the whole window: one sale by keyboard, Japanese input, pasting.
import { waitFor } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, it } from 'vitest';
import { openPage } from '../../navigation/route.svelte';
import { t } from '../../i18n/language.svelte';
import { byTestId, fill, held, press, refusal, shows, typist } from '../../testing/desk';
import type { PlanList } from '../../ipc';
import { clean, live, planList, plans, record, REFERENCE, status } from '../../testing/samples';
import { sheet } from './sheet.svelte';
import {
  box,
  cell,
  cursor,
  key,
  paste,
  pasteSales,
  put,
  sale,
  shown,
  start,
  textAt,
  type,
} from '../../testing/sheet';

const wrong = { ...clean, problems: [{ field: 'customerEmail', problem: 'notEmail' }] };

/** The cell of the plan in a row of the sample product, which has these plans. */
async function atPlan(list: PlanList): Promise<void> {
  await start({ plans_cached: () => list, plans_refresh: () => list });
  await type(REFERENCE);
  await waitFor(() => expect(textAt(0, 1)).toBe('98,000'));
  key('Tab');
}

describe('one sale by keyboard', () => {
  it('leaves with Tab after Escape only while nothing is typed in between', async () => {
    await start();
    key('Escape');
    put('typed');
    expect(key('Tab').defaultPrevented).toBe(true);
    await waitFor(() => expect(cursor()).toEqual([0, 1]));
  });

  it('brings price and fee with product and plan', async () => {
    await atPlan(planList);
    await type('２');
    expect(textAt(0, 2)).toBe(plans[1]!.title);
    expect(textAt(0, 3)).toBe('3,980');
    expect(cursor()).toEqual([0, 3]);
  });

  describe('with one plan to choose from', () => {
    const one = {
      id: 'EW-36',
      storeReferenceId: 'S/12',
      title: '延長保証 10年 Gold X-55',
      price: 4500,
    };
    const only = { ...planList, plans: [{ ...plans[0]!, ...one }] };

    async function entered(text: string): Promise<(string | undefined)[]> {
      await atPlan(only);
      await type(text);
      return [textAt(0, 2), textAt(0, 3)];
    }

    it.each(['EW-3', 'W-36', 'S/1', 'X-5', '0年', '延長保証 1'])(
      'keeps a code as typed, though it is a part of what that plan is called: %s',
      async (text) => expect(await entered(text)).toEqual([text, '']),
    );

    it.each(['1', 'ｅｗ－３６', 's/12', '10年', '延長', 'gold', '延長保証 10年'])(
      'takes it by its number, its codes and words of its title: %s',
      async (text) => expect(await entered(text)).toEqual([one.title, '4,500']),
    );
  });

  it("takes neither plan when a number is the place of one and the store's own code of another", async () => {
    const [first, second, third] = plans;
    const list = { ...planList, plans: [{ ...first!, storeReferenceId: '3' }, second!, third!] };
    await atPlan(list);
    await type('3');
    expect([textAt(0, 2), textAt(0, 3)]).toEqual(['3', '']);
    key('Tab', { shiftKey: true });
    await type('2');
    expect(textAt(0, 2)).toBe(second!.title);
  });

  it('says that a product has no plans once they were loaded, and not before', async () => {
    let answer = (_: unknown) => {};
    const none = { ...planList, plans: [], fetchedAt: null };
    await start({
      plans_cached: () => none,
      plans_refresh: ({ product }) => {
        if (product === 'refused') throw refusal;
        return new Promise((done) => (answer = done));
      },
    });
    const offer = async () => (await byTestId('plan-offer')).textContent;
    await type('refused');
    key('Tab');
    await waitFor(async () => expect(await offer()).toContain('No plans have been loaded'));
    key('Enter');
    key('Home');
    await type(REFERENCE);
    key('Tab');
    await waitFor(async () => expect(await offer()).toContain('Loading plans'));
    answer({ ...planList, plans: [] });
    await waitFor(async () => expect(await offer()).toContain('No plans available'));
  });

  it('announces the plans with their numbers, and a name that is found, not that of each row', async () => {
    await atPlan({ ...planList, productTitle: 'Sample product' });
    const told = () =>
      [...document.querySelectorAll('main :not(.small)[role="status"]')]
        .map((one) => one.textContent)
        .join();
    await waitFor(() =>
      expect(told()).toMatch(new RegExp(`1 ${plans[0]!.title}.*2 ${plans[1]!.title}`)),
    );
    await type('2');
    await waitFor(() => expect(told()).toContain(`Sample product · ${plans[1]!.title}`));
    key('ArrowDown');
    await waitFor(() => expect(told()).not.toContain('Sample product'));
    key('ArrowUp');
    const names = await byTestId('sheet-names');
    await waitFor(() => expect(names.textContent).toContain('Sample product'));
    expect(told()).not.toContain('Sample product');
  });

  it('names product and plan of the row, also when both have one name', async () => {
    await atPlan({ ...planList, productTitle: plans[1]!.title });
    await type('2');
    openPage('plans');
    await byTestId('page-plans');
    openPage('sheet');
    const names = await byTestId('sheet-names');
    await waitFor(() => expect(names.textContent).toMatch(/Sample plan 2\s+Sample plan 2/));
  });

  it('names a plan that is kept without the other plans of its product, and asks for each once', async () => {
    const desk = await start({
      plans_cached: () => ({ ...planList, plans: [] }),
      plan_cached: ({ id }) => (id === 'plan-2' ? { ...record, plan: plans[1]! } : null),
    });
    paste([sale(1), sale(2), sale(3).replace('plan-2', 'plan-9')].join('\n'));
    await waitFor(() => expect(textAt(1, 2)).toBe(plans[1]!.title));
    expect(cell(1, 2)?.classList).not.toContain('id');
    await waitFor(() =>
      expect(desk.called('plan_cached')).toEqual([{ id: 'plan-2' }, { id: 'plan-9' }]),
    );
    expect(textAt(2, 2)).toBe('plan-9');
    expect(cell(2, 2)?.classList).toContain('id');
  });

  it('names a plan once the cache has it, when the page is opened again', async () => {
    const desk = await start({
      plans_cached: () => ({ ...planList, plans: [], fetchedAt: null }),
      plan_cached: () => null,
    });
    paste(sale(1));
    await waitFor(() => expect(desk.called('plan_cached')).toHaveLength(1));
    desk.answer('plan_cached', () => ({ ...record, plan: plans[1]! }));
    openPage('today');
    await byTestId('page-today');
    openPage('sheet');
    await waitFor(() => expect(textAt(0, 2)).toBe(plans[1]!.title));
  });

  it('takes no name of a plan that was read for another profile', async () => {
    const [waits, answer] = held();
    const desk = await start({
      plans_cached: () => ({ ...planList, plans: [] }),
      plan_cached: waits,
    });
    const meeting = sheet.planLists.meet([], ['plan-7', 'plan-8']);
    await waitFor(() => expect(desk.called('plan_cached')).toHaveLength(1));
    sheet.planLists.reset();
    answer({ ...record, plan: plans[1]! });
    await meeting;
    expect(sheet.planLists.titleOf('plan-7')).toBe(null);
    expect(desk.called('plan_cached')).toHaveLength(1);
  });

  it('goes on with Enter where the row began', async () => {
    await start();
    await type(REFERENCE);
    await type('98000', 'Enter');
    expect(cursor()).toEqual([1, 0]);
  });

  it('empties price, plan and fee when the product of a row becomes another one', async () => {
    await start();
    paste(sale(1));
    key('Home');
    await type('another', 'Enter');
    expect(textAt(0, 2)).toBe('');
    expect(textAt(0, 3)).toBe('');
    key('z', { ctrlKey: true });
    await waitFor(() => expect(textAt(0, 3)).toBe('3,980'));
    expect(textAt(0, 0)).toBe(REFERENCE);
  });
});

it("reads plans anew when the chosen profile's store is corrected", async () => {
  const corrected = { ...live, storeId: 'store-corrected' };
  const fake = await start({
    status: () => ({ ...status, profile: live }),
    profile_change: () => corrected,
  });
  await type(REFERENCE);
  await waitFor(() => expect(textAt(0, 1)).toBe('98,000'));
  openPage('settings');
  fake.answer('status', () => ({ ...status, profile: corrected }));
  await fill('profile-store-id', corrected.storeId);
  await press('profile-save');
  await byTestId('profile-saved');
  openPage('sheet');
  await shown();
  await type(REFERENCE);
  await waitFor(() => expect(fake.called('plans_refresh')).toHaveLength(2));
});

describe('Japanese input', () => {
  function tell(name: string, data: string): void {
    const event = new CompositionEvent(name, { bubbles: true });
    Object.defineProperty(event, 'data', { value: data });
    box.dispatchEvent(event);
  }

  function compose(text: string): void {
    key('Process', { keyCode: 229 } as KeyboardEventInit);
    tell('compositionstart', '');
    put(text);
  }
  const end = () => tell('compositionend', box.value);

  it('loses no first key, and the Enter that confirms does not move', async () => {
    await start();
    compose('山田');
    key('Enter', { isComposing: true, keyCode: 229 } as KeyboardEventInit);
    end();
    key('Enter', { keyCode: 229 } as KeyboardEventInit);
    expect(cursor()).toEqual([0, 0]);
    expect(box.value).toBe('山田');
    key('Enter');
    await waitFor(() => expect(textAt(0, 0)).toBe('山田'));
    expect(cursor()).toEqual([1, 0]);
  });

  it('given up leaves the cell as it was', async () => {
    await start();
    await type('kept', 'Enter');
    key('ArrowUp');
    compose('や');
    put('');
    end();
    key('Escape', { keyCode: 229 } as KeyboardEventInit);
    key('Enter');
    await waitFor(() => expect(cursor()).toEqual([1, 0]));
    expect(textAt(0, 0)).toBe('kept');
  });
});

describe('the keys of the page', () => {
  const asks = { ...clean, questions: [{ kind: 'secondContract', submissionId: 's' }] };

  /** A key pressed while another element of the page has the focus. */
  function pressAt(element: HTMLElement, name: string, more: KeyboardEventInit = {}): void {
    element.focus();
    const event = { key: name, bubbles: true, cancelable: true, ...more };
    element.dispatchEvent(new KeyboardEvent('keydown', event));
  }

  it('work wherever the focus is', async () => {
    await start({
      contracts_check_rows: () => [
        { index: 1, check: wrong },
        { index: 2, check: asks },
      ],
    });
    paste([sale(1), sale(2), sale(3)].join('\n'));
    const elsewhere = await byTestId('sheet-attention-open');
    pressAt(elsewhere, 'F8');
    await waitFor(() => expect(cursor()).toEqual([1, 8]));
    pressAt(elsewhere, 'F8');
    await waitFor(() => expect(cursor()).toEqual([2, 4]));
    pressAt(elsewhere, 'y', { code: 'KeyY', altKey: true });
    const ready = await byTestId('sheet-ready');
    await waitFor(() => expect(ready.textContent).toBe('2 rows ready'));
    expect((await byTestId('sheet-batches')).textContent).toContain('1 request');
    const told = ready.closest('[role="status"]')!.textContent;
    expect(told).toContain('1 request');
    expect(told).not.toContain(t('sheet.keys'));
    pressAt(elsewhere, 'f', { ctrlKey: true });
    const find = await byTestId<HTMLInputElement>('sheet-find');
    pressAt(find, 'F12');
    await byTestId('submit-yes');
  });

  it('on a button of the search press that button', async () => {
    await start();
    pressAt(await byTestId('grid-box'), 'f', { ctrlKey: true });
    const bar = (await byTestId('sheet-find')).closest('[role="search"]')!;
    const close = [...bar.querySelectorAll('button')].find(({ textContent }) =>
      textContent.includes('Close'),
    );
    close!.focus();
    await typist.keyboard('{Enter}');
    await waitFor(() => expect(shows('sheet-find')).toBe(false));
  });

  it('find the next from within a text, which is taken', async () => {
    await start();
    paste(['first', 'second', 'first'].join('\n'));
    key('f', { ctrlKey: true });
    await fill('sheet-find', 'FIRST');
    put('third');
    key('F3');
    await waitFor(() => expect(cursor()).toEqual([2, 0]));
    expect(textAt(0, 0)).toBe('third');
  });

  it('say the row of what was found, which the focus does not reach', async () => {
    await start();
    paste(['first', 'second', 'first'].join('\n'));
    key('f', { ctrlKey: true });
    const box = await byTestId('sheet-find');
    const told = box.closest('[role="search"]')!.querySelector('[role="status"]')!;
    await fill('sheet-find', 'first');
    pressAt(box, 'Enter');
    await waitFor(() => expect(told.textContent).toBe('Row 3'));
    pressAt(box, 'Enter');
    await waitFor(() => expect(told.textContent).toBe('Row 1'));
    await fill('sheet-find', 'third');
    pressAt(box, 'Enter');
    await waitFor(() => expect(told.textContent).toBe(t('sheet.foundNothing')));
  });

  it('are the question’s own while one is open', async () => {
    await start();
    await pasteSales(1);
    key('F12');
    pressAt(await byTestId('submit-back'), 'f', { ctrlKey: true });
    await tick();
    expect(shows('sheet-find')).toBe(false);
  });
});

describe('an empty sheet', () => {
  it('shows the way to a file', async () => {
    await start();
    (await byTestId('sheet-to-import')).click();
    await byTestId('import-step-choose');
  });
});

describe('a paste', () => {
  it('knows a row of column names, and names the column it leaves out', async () => {
    await start();
    paste('Transaction ID\tお客様名\tmemo\r\nT-9\t見本\tx\r\n');
    await waitFor(() => expect(textAt(0, 4)).toBe('T-9'));
    expect(textAt(0, 7)).toBe('見本');
    expect(textAt(1, 4)).toBe('');
    expect((await byTestId('sheet-left-out')).textContent).toContain('memo');
  });

  const cellsOf = (row: number) => sheet.grid.cells.at(row)?.cells;

  it('by column names over rows of other sales leaves nothing of those, and completes its own', async () => {
    await start();
    paste([sale(1), sale(2), '\t\t\t\t\t\t\t\ta@b.jp'].join('\n'));
    const own = cellsOf(1);
    paste('transactionId\tcustomerName\nT-9\t例示\n T-2 \t例示\nT-3\t例示\n');
    const alone = (id: string) => ['', '', '', '', id, '', '', '例示', ''];
    expect(cellsOf(0)).toEqual(alone('T-9'));
    expect(cellsOf(1)).toEqual(own?.with(7, '例示'));
    expect(cellsOf(2)).toEqual(alone('T-3'));
  });

  it('by column names over products without a transaction leaves those, and no customer', async () => {
    await start();
    paste(sale(1));
    const product = cellsOf(0)?.slice(0, 4) ?? [];
    paste([...product, '', '', '', '', 'a@b.jp'].join('\t'));
    paste('transactionId\tcustomerName\nT-9\t例示\n');
    expect(cellsOf(0)).toEqual([...product, 'T-9', '', '', '例示', '']);
  });

  it('by column names without transactions completes rows', async () => {
    await start();
    paste(sale(1));
    const before = cellsOf(0);
    paste('customerName\tcustomerEmail\n例示\tc@d.jp\n');
    expect(cellsOf(0)).toEqual(before?.with(7, '例示').with(8, 'c@d.jp'));
  });

  it('by column names of another product of the same transaction leaves no price, plan and fee', async () => {
    await start();
    paste(sale(1));
    const before = cellsOf(0);
    paste('transactionId\tproductReferenceId\nT-1\tanother\n');
    expect(cellsOf(0)).toEqual(['another', '', '', '', ...(before?.slice(4) ?? [])]);
  });

  it('shows plans by the names this computer knows, without asking the service', async () => {
    const desk = await start();
    paste(sale(1));
    await waitFor(() => expect(textAt(0, 2)).toBe(plans[1]!.title));
    expect(desk.called('plans_refresh')).toEqual([]);
  });

  it('of a list that was exported here takes nothing and says why, until the next one', async () => {
    await start();
    paste('transactionId\tplanId\tcontractId\tstate\nT-1\tplan-2\tc-1\tconfirmed\n');
    expect((await byTestId('sheet-not-taken')).textContent).toContain('contractId');
    expect(sheet.grid.cells.length).toBe(0);
    paste(sale(1));
    await waitFor(() => expect(shows('sheet-not-taken')).toBe(false));
    expect(sheet.grid.cells.length).toBe(1);
  });

  it('beyond what a sheet holds is refused whole', async () => {
    await start();
    paste(Array.from({ length: 100_001 }, (_, at) => `${at}`).join('\n'));
    expect((await byTestId('sheet-refusal')).textContent).toContain('100,000');
    expect(textAt(0, 0)).toBe('');
  });

  it('is looked at by the desk, and what is wrong stands at its cell', async () => {
    await start({ contracts_check_rows: () => [{ index: 1, check: wrong }] });
    paste([sale(1), sale(2)].join('\r\n'));
    await waitFor(() => expect(cell(1, 8)?.getAttribute('aria-invalid')).toBe('true'));
    expect(document.querySelector('[data-testid="sheet-ready"]')?.textContent).toBe('1 row ready');
    key('F8');
    await waitFor(() => expect(cursor()).toEqual([1, 8]));
    expect((await byTestId('grid-note')).textContent).toBe('Enter a valid email address.');
  });

  it('are visited cell by cell with F8, none is skipped, and the first follows the last', async () => {
    const problems = [
      { field: 'customerEmail', problem: 'notEmail' },
      { field: 'planId', problem: 'unknownPlan' },
    ];
    const check = { ...clean, problems };
    await start({
      contracts_check_rows: () => [
        { index: 0, check: { ...check, problems: problems.slice(0, 1) } },
        { index: 2, check },
      ],
    });
    paste([sale(1), sale(2), sale(3)].join('\r\n'));
    await waitFor(() => expect(cell(2, 8)?.getAttribute('aria-invalid')).toBe('true'));
    const visited = [];
    for (const more of [{}, {}, {}, {}, { shiftKey: true }, { shiftKey: true }]) {
      const before = cursor();
      key('F8', more);
      await waitFor(() => expect(cursor()).not.toEqual(before));
      visited.push(cursor());
    }
    expect(visited).toEqual([
      [0, 8],
      [2, 2],
      [2, 8],
      [0, 8],
      [2, 8],
      [2, 2],
    ]);
  });
});
