import { fireEvent, waitFor } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { t } from '../../i18n/language.svelte';
import type { EntryFilter } from '../../ipc';
import { openPage as goTo, page as openPage } from '../../navigation/route.svelte';
import {
  byTestId,
  fill,
  focusIsAt,
  held,
  press,
  refusal,
  refuses,
  shows,
  startWindow,
  typist,
  valueOf,
} from '../../testing/desk';
import { outbox } from '../outbox/outbox.svelte';
import { contracts } from './contracts.svelte';
import { resetProfile } from '../../ipc/profile-reset';
import * as sample from '../../testing/samples';
import { scan } from '../../testing/scanner';

afterEach(() => {
  contracts.widen();
  contracts.place.sort = 'transactionDate';
  contracts.place.ascending = false;
});

/** A desk with so many contracts, of which a search finds those whose transaction has the text. */
async function startList(count: number) {
  const all = sample.page(count).entries;
  return startWindow('contracts', {
    contracts_list: (args) => {
      const { text, offset, limit } = args.filter as EntryFilter;
      const found = all.filter(({ transactionId }) => transactionId.includes(text));
      return {
        entries: found.slice(offset, offset + limit),
        count: found.length,
        notSold: 0,
        fees: found.length * 1000,
        reading: null,
      };
    },
  });
}

const rows = () =>
  [...document.querySelectorAll<HTMLElement>('[data-testid="entry-row"]')].map(
    ({ dataset }) => dataset.entry,
  );
async function lookUp(id: string): Promise<void> {
  await fill('contracts-search', id);
  await press('contract-lookup');
}
const lastFilter = (desk: Awaited<ReturnType<typeof startList>>) =>
  desk.called('contracts_list').at(-1)?.filter as EntryFilter;

it.each([
  ['says', 'where staff have a code', sample.wantsStaff, true],
  ['does not say', 'elsewhere', {}, false],
])('%s who entered a contract %s', async (_, __, staff, says) => {
  await startWindow('contracts', { ...staff, contracts_list: () => sample.page(1) });
  expect((await byTestId('entry-row')).textContent?.includes('clerk')).toBe(says);
});

it('looks a contract up again by its id as it is written', async () => {
  const contractId = 'Ｃ－１';
  const recent = { contractId, transactionId: 'T-1', productTitle: null, status: null };
  const fake = await startWindow('contracts', {
    contract_recents: () => [{ ...recent, at: '2026-11-21T10:00:00.000+09:00' }],
  });
  await press('contracts-tab-recent');
  (await byTestId('recent-row')).querySelector('button')!.click();
  await waitFor(() => expect(fake.called('contract_lookup')).toEqual([{ id: contractId }]));
});

it('leaves a contract open while the Enter that opened it is held', async () => {
  // A browser focuses the first control of a dialog.
  vi.spyOn(HTMLDialogElement.prototype, 'showModal').mockImplementation(function (this: Element) {
    this.setAttribute('open', '');
    this.querySelector('button')?.focus();
  });
  const fake = await startList(3);
  const list = await byTestId('list');
  list.focus();
  await typist.keyboard('{ArrowDown}{Enter>5/}');
  const drawer = await byTestId<HTMLDialogElement>('case-drawer');
  await waitFor(() => expect(document.activeElement?.tagName).toBe('H2'));
  expect(drawer.contains(document.activeElement)).toBe(true);
  await typist.keyboard('{Enter}');
  expect(drawer.open).toBe(true);
  drawer.dispatchEvent(new Event('cancel', { cancelable: true }));
  await waitFor(() => expect(drawer.open).toBe(false));
  await fireEvent.keyDown(list, { key: 'Enter', repeat: true });
  expect(fake.called('outbox_case')).toHaveLength(1);
});

it('shows that a recent lookup is being read', async () => {
  const recent = { transactionId: 'T-1', productTitle: null, status: null };
  await startWindow('contracts', {
    contract_recents: () => [{ ...recent, contractId: 'C-1', at: '2026-11-21T10:00:00+09:00' }],
    contract_lookup: () => new Promise(() => {}),
  });
  await press('contracts-tab-recent');
  await typist.click((await byTestId('recent-row')).querySelector('button')!);
  const list = document.querySelector('section.list')!;
  await waitFor(() => expect(list.textContent).toContain(t('word.loading')));
});

describe('the list of contracts', () => {
  it('says how many refused and cancelled entries the sum leaves out', async () => {
    const list = { ...sample.page(3), notSold: 2, fees: 1000 };
    await startWindow('contracts', { contracts_list: () => list });
    const sums = await byTestId('contracts-sums');
    await waitFor(() => expect(sums.textContent).toContain('excluding 2 refused or cancelled'));
  });

  it('has the rows in view alone, and the count and sum of all', async () => {
    const desk = await startList(100_000);
    await waitFor(() => expect(rows()[0]).toBe('T-1'));
    expect(rows().length).toBeLessThan(60);
    expect(lastFilter(desk).limit).toBeLessThanOrEqual(200);
    const sums = (await byTestId('contracts-sums')).textContent;
    expect(sums).toContain('100,000');
    expect(sums).toContain('100,000,000');
  });

  it('is sorted by a column, and the other way round when it is pressed again', async () => {
    const desk = await startList(3);
    await press('sort-customer');
    await waitFor(() =>
      expect(lastFilter(desk)).toMatchObject({ sort: 'customer', ascending: true }),
    );
    await press('sort-customer');
    await waitFor(() => expect(lastFilter(desk)).toMatchObject({ ascending: false }));
    const sorted = document.querySelector('th[aria-sort]');
    await waitFor(() => expect(sorted?.getAttribute('aria-sort')).toBe('descending'));
    await press('sort-planPurchasePrice');
    await waitFor(() =>
      expect(lastFilter(desk)).toMatchObject({ sort: 'planPurchasePrice', ascending: false }),
    );
  });

  it('can be asked for the sales of some days', async () => {
    const desk = await startList(3);
    expect((await byTestId('contracts-sums')).textContent).not.toContain('date of sale');
    await press('contracts-range-yesterday');
    expect((await byTestId('contracts-sums')).textContent).toContain('by date of sale');
    await waitFor(() => expect(lastFilter(desk).from).toBe(contracts.days.from));
    expect(lastFilter(desk).to).toBe(lastFilter(desk).from);
    await press('contracts-range-days');
    await fill('contracts-from', '2026/11/02');
    await waitFor(() => expect(lastFilter(desk)).toMatchObject({ from: '2026-11-02', to: null }));
  });

  it('says that the first day is after the last one', async () => {
    await startList(1);
    await press('contracts-range-days');
    await fill('contracts-from', '2026-11-20');
    await fill('contracts-to', '2026-11-20');
    const bar = () => document.querySelector('[role="search"]')!.textContent;
    expect(bar()).not.toContain('is after');
    await fill('contracts-to', '2026-11-19');
    await waitFor(() => expect(bar()).toContain('The first day is after the last day.'));
  });

  it('is found, chosen and opened by keys alone, and Escape leads back', async () => {
    const desk = await startList(30);
    await waitFor(() => expect(rows().length).toBeGreaterThan(1));
    await typist.keyboard('/');
    await focusIsAt('contracts-search');
    await typist.keyboard('T-2{Enter}');
    await byTestId('case-drawer');
    await waitFor(() => expect(desk.called('outbox_case').at(-1)).toEqual({ id: 'submission-2' }));
    await typist.keyboard('{Alt>}{ArrowLeft}{/Alt}');
    await waitFor(() => expect(document.querySelector('dialog[open]')).toBeNull());
    expect(await valueOf('contracts-search')).toBe('T-2');
    expect(contracts.place.chosen).toBe('submission-2');
    (await byTestId('contracts-search')).focus();
    await typist.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    await waitFor(() => expect(desk.called('outbox_case').at(-1)).toEqual({ id: 'submission-20' }));
  });

  it('is there again as it was left', async () => {
    const desk = await startList(24);
    await fill('contracts-search', 'T-2');
    await waitFor(() => expect(rows()).toHaveLength(6));
    contracts.place.choose(3, 'submission-22');
    await typist.keyboard('{Alt>}[Digit1]{/Alt}');
    await waitFor(() => expect(openPage()).toBe('register'));
    const asked = desk.called('contracts_list').length;
    await typist.keyboard('{Alt>}{ArrowLeft}{/Alt}');
    await waitFor(() => expect(openPage()).toBe('contracts'));
    await waitFor(() => expect(rows()).toHaveLength(6));
    expect(contracts.place.chosen).toBe('submission-22');
    expect(desk.called('contracts_list').length - asked).toBeLessThanOrEqual(1);
  });

  it('is read again when an entry changed', async () => {
    const desk = await startList(2);
    await waitFor(() => expect(rows()).toHaveLength(2));
    desk.answer('contracts_list', () => sample.page(3));
    await desk.tell({ kind: 'outboxChanged', changed: ['submission-3'] });
    await waitFor(() => expect(rows()).toHaveLength(3));
  });

  it('opens nothing that was not searched when the search fails, and is read once more when told so', async () => {
    const desk = await startList(30);
    await waitFor(() => expect(rows()[0]).toBe('T-1'));
    desk.answer('contracts_list', refuses());
    await typist.type(await byTestId('contracts-search'), 'T-2{Enter}');
    await byTestId('try-again');
    expect(desk.called('outbox_case')).toEqual([]);
    expect(desk.called('contract_lookup')).toEqual([]);
    desk.answer('contracts_list', () => sample.page(1));
    await press('try-again');
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(shows('try-again')).toBe(false);
  });

  it('opens the one found though the rows that were in view are asked for meanwhile', async () => {
    const desk = await startWindow();
    let answerFirst = () => {};
    const first = new Promise<void>((resolve) => (answerFirst = resolve));
    desk.answer('contracts_list', async (args) => {
      const { offset, limit } = args.filter as EntryFilter;
      await first;
      const answer = sample.page(3);
      return { ...answer, entries: answer.entries.slice(offset, offset + limit) };
    });
    const scrolled = () => void contracts.list.update(contracts.filter, 500, 530);
    scrolled();
    contracts.text = 'T-1';
    const opened = contracts.openFound();
    scrolled();
    answerFirst();
    await opened;
    expect(outbox.openId).toBe('submission-1');
  });

  it('keeps its cursor at a row that is not read yet', async () => {
    await startList(1_000);
    await waitFor(() => expect(rows()[0]).toBe('T-1'));
    (await byTestId('contracts-search')).focus();
    await typist.keyboard('{ArrowDown}{End}{ArrowUp}');
    await waitFor(() => expect(contracts.place.row).toBe(998));
  });

  it('says how far it is read while it is not read to the end', async () => {
    const desk = await startWindow('contracts', {
      contracts_list: () => ({ ...sample.page(2), reading: { done: 2_000, total: 100_000 } }),
    });
    expect((await byTestId('contracts-reading')).textContent).toContain('100,000');
    desk.answer('contracts_list', () => sample.page(3));
    await waitFor(() => expect(rows()).toHaveLength(3));
    expect(shows('contracts-reading')).toBe(false);
  });
});

describe('a scanned receipt', () => {
  it('opens the contract with exactly that transaction, or none', async () => {
    const desk = await startList(12);
    await waitFor(() => expect(rows()[0]).toBe('T-1'));
    // Contained in T-1, T-10, T-11 and T-12.
    await contracts.find('T-1');
    expect(outbox.openId).toBe('submission-1');
    outbox.close();
    await contracts.find('T-');
    expect(outbox.openId).toBeNull();
    await contracts.find('T-12');
    expect(outbox.openId).toBe('submission-12');
    expect(desk.called('contract_lookup')).toEqual([]);
  });
});

describe('a receipt scanned while another one is open', () => {
  it('is opened in its place', async () => {
    const [first, second] = ['POS-20261121-0001', 'POS-20261121-0002'];
    const entries = [first, second].map((transactionId, at) => ({
      ...sample.page(2).entries[at]!,
      transactionId,
    }));
    await startWindow('contracts', {
      contracts_list: ({ filter }) =>
        sample.listed(
          entries.filter(({ transactionId }) =>
            transactionId.includes((filter as EntryFilter).text),
          ),
        ),
    });
    await byTestId('contracts-search');
    scan(first);
    await waitFor(() => expect(outbox.openId).toBe('submission-1'));
    await byTestId('case-paper');
    scan(second);
    await waitFor(() => expect(outbox.openId).toBe('submission-2'));
    // What is open over it is closed first.
    await press('case-paper');
    await byTestId('paper-preview');
    scan(first);
    await new Promise((turn) => setTimeout(turn, 20));
    expect(outbox.openId).toBe('submission-2');
    await typist.keyboard('{Alt>}{ArrowLeft}{/Alt}');
    await waitFor(() => expect(shows('paper-preview')).toBe(false));
    scan(first);
    await waitFor(() => expect(outbox.openId).toBe('submission-1'));
  });
});

describe('what is found nowhere here', () => {
  it('is looked up at the service by Enter when it can be an id', async () => {
    const desk = await startList(3);
    await typist.type(await byTestId('contracts-search'), 'contract-9{Enter}');
    await waitFor(() => expect(desk.called('contract_lookup')).toEqual([{ id: 'contract-9' }]));
    await byTestId('contract-sheet');
  });

  it('is looked up once, however often or long Enter is pressed meanwhile', async () => {
    const desk = await startList(3);
    desk.answer('contract_lookup', held()[0]);
    const box = await byTestId('contracts-search');
    await fill('contracts-search', 'contract-9');
    await fireEvent.keyDown(box, { key: 'Enter' });
    await waitFor(() => expect(desk.called('contract_lookup')).toHaveLength(1));
    const opens = vi.spyOn(contracts, 'openFound');
    await fireEvent.keyDown(box, { key: 'Enter', repeat: true });
    expect(opens).not.toHaveBeenCalled();
    desk.answer('contract_lookup', () => sample.contract);
    await contracts.openFound();
    expect(desk.called('contract_lookup')).toHaveLength(1);
  });

  it('is not looked up when it is a name', async () => {
    const desk = await startList(3);
    await typist.type(await byTestId('contracts-search'), '見本{Enter}');
    await byTestId('contracts-widen');
    expect(shows('contract-lookup')).toBe(false);
    expect(desk.called('contract_lookup')).toEqual([]);
  });
});

describe('a contract', () => {
  it('is shown with every field there is', async () => {
    await startWindow('contracts');
    await lookUp('contract-1');
    const sheet = await byTestId('contract-sheet');
    const values = (part: unknown): string[] =>
      part && typeof part === 'object'
        ? Object.values(part).flatMap(values)
        : typeof part === 'string' && !/^\d{4}-\d{2}-\d{2}T/.test(part)
          ? [part]
          : [];
    for (const value of values(sample.contract)) expect(sheet.textContent).toContain(value);
    for (const shown of [
      '100,000 円',
      '95,000 円',
      '24',
      'Yes',
      'No',
      '2028-11-21 11:00:00 +09:00',
    ]) {
      expect(sheet.textContent).toContain(shown);
    }
    expect(sheet.querySelector('img, a')).toBeNull();
  });

  it('shows what was not understood as it came, and gives it back for its paper', async () => {
    const odd = {
      ...sample.contract,
      status: { notUnderstood: '{"code":9}' },
      fraud: { notUnderstood: '"true"' },
      transactionTotal: { notUnderstood: '"100000"' },
      product: { ...sample.contract.product, purchasePrice: { notUnderstood: '9.5' } },
    };
    const fake = await startWindow('contracts', { contract_lookup: () => odd, paper: refuses() });
    await lookUp('contract-1');
    expect((await byTestId('contract-status')).textContent?.trim()).toBe('{"code":9}');
    const sheet = (await byTestId('contract-sheet')).textContent;
    for (const text of ['"true"', '"100000"', '9.5']) expect(sheet).toContain(text);
    await press('contract-paper');
    await waitFor(() => expect(fake.called('paper')).toHaveLength(1));
    expect(fake.called('paper')[0]).toMatchObject({ of: { contract: odd } });
  });
});

describe('a slow answer about another contract', () => {
  it('leaves the open one alone', async () => {
    let answer = (_: unknown) => {};
    await startWindow('contracts', {
      contract_lookup: ({ id }) =>
        id === 'slow' ? new Promise((done) => (answer = done)) : sample.contract,
    });
    const slow = contracts.lookUp('slow');
    await contracts.lookUp('contract-1');
    await byTestId('contract-sheet');
    answer(sample.contract);
    await slow;
    expect(contracts.contract?.id).toBe(sample.contract.id);
  });
});

describe('a case that was opened while a contract was looked up', () => {
  it('is not covered by the contract', async () => {
    const [waits, answer] = held();
    const desk = await startWindow('contracts', { contract_lookup: waits });
    const before = desk.called('contract_recents').length;
    const lookup = contracts.lookUp('contract-1');
    await outbox.open('submission-1');
    answer(sample.contract);
    await lookup;
    expect(contracts.contract).toBeNull();
    expect(desk.called('contract_recents')).toHaveLength(before + 1);
  });

  it('keeps another search from a lookup', async () => {
    const [waits, answer] = held();
    const desk = await startList(0);
    await byTestId('contracts-search');
    desk.answer('contracts_list', waits);
    contracts.text = 'contract-1';
    const search = contracts.openFound();
    await outbox.open('submission-1');
    answer(sample.listed([]));
    await search;
    expect(desk.called('contract_lookup')).toEqual([]);
  });
});

describe('another profile', () => {
  it('does not start with the contract ID of the former one', async () => {
    await startWindow('contracts');
    await fill('contracts-search', 'contract-1');
    resetProfile();
    await waitFor(async () => expect(await valueOf('contracts-search')).toBe(''));
  });
});

describe('a contract that is not found', () => {
  it('is no alarm: it may not be there yet', async () => {
    await startWindow('contracts', { contract_lookup: refuses() });
    await lookUp('contract-0');
    const notice = await byTestId('error-notice');
    expect(notice.getAttribute('role')).toBe('status');
    expect(notice.textContent).toContain('look it up again');
    expect(notice.textContent).toContain('request-9');
  });
});

describe('a lookup while the service cannot be reached', () => {
  it('is calm, can be tried again, and is forgotten once something else is searched', async () => {
    const fake = await startWindow('contracts', {
      contract_lookup: refuses({ ...refusal, code: 'noNetwork' }),
    });
    await lookUp('contract-0');
    const notice = await byTestId('error-notice');
    expect(notice.getAttribute('role')).toBe('status');
    await typist.click(notice.querySelector('button')!);
    await waitFor(() => expect(fake.called('contract_lookup')).toHaveLength(2));
    await byTestId('error-notice');
    await fill('contracts-search', 'contract-1');
    await waitFor(() => expect(shows('error-notice')).toBe(false));
    await press('contract-lookup');
    await byTestId('error-notice');
    goTo('plans');
    await byTestId('page-plans');
    goTo('contracts');
    await byTestId('contracts-search');
    expect(shows('error-notice')).toBe(false);
  });
});
