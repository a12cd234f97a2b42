import { waitFor } from '@testing-library/svelte';
import { afterEach, describe, expect, it } from 'vitest';
import { setLanguage } from '../i18n/language.svelte';
import type { LeadView } from '../ipc';
import { contracts } from '../pages/contracts/contracts.svelte';
import { leads } from '../pages/leads/leads.svelte';
import {
  byTestId,
  fill,
  press,
  refusal,
  refuses,
  startWindow,
  type FakeDesk,
} from '../testing/desk';
import * as sample from '../testing/samples';

afterEach(() => {
  contracts.state = '';
  contracts.text = '';
  leads.filter = '';
});

const filled = {
  contracts_list: () => sample.page(1),
  leads: () => [{ ...sample.lead, token: null }],
  list_export: () => ({ name: 'list.csv', rows: 1234, unreadCustomers: 0 }),
};

/** The last export the desk was asked for. */
const asked = (window: FakeDesk) =>
  waitFor(() => {
    const [last] = window.called('list_export').slice(-1);
    if (!last) throw new Error('not asked yet');
    return last;
  });

describe('a list into a file', () => {
  it('is what the filter finds, and its file is named once it is there', async () => {
    const window = await startWindow('contracts', filled);
    setLanguage('en');
    await fill('contracts-search', 'yamada');
    contracts.state = 'confirmed';
    await press('contracts-export-csv');
    const { list, format, title } = await asked(window);
    expect(list).toMatchObject({
      kind: 'entries',
      filter: { states: ['confirmed'], text: 'yamada' },
    });
    expect([format, title]).toEqual(['csv', 'Export the list']);
    const told = await byTestId('contracts-export-told');
    await waitFor(() => expect(told.textContent?.trim()).toBe('1,234 rows saved in list.csv.'));
  });

  it('says for how many rows it has no customer', async () => {
    const saved = { name: 'list.csv', rows: 1234, unreadCustomers: 2 };
    await startWindow('contracts', { ...filled, list_export: () => saved });
    setLanguage('en');
    await press('contracts-export-csv');
    const told = await byTestId('contracts-export-told');
    await waitFor(() =>
      expect(told.textContent).toContain('customers or notes of 2 rows could not be read'),
    );
  });

  it.each([
    ['outbox', 'outbox-export-xlsx', { kind: 'entries' }],
    ['products', 'products-export-xlsx', { kind: 'products', filter: { text: '' } }],
    ['leads', 'leads-export-xlsx', { kind: 'leads', shown: [sample.lead.id] }],
  ] as const)('goes from the page %s', async (page, button, list) => {
    const window = await startWindow(page, filled);
    await press(button);
    expect(await asked(window)).toMatchObject({ list, format: 'xlsx' });
  });

  it('has the leads of the filter and no other, in the order on screen', async () => {
    const lead = (id: string, transactionId: string, state: LeadView['state']) => ({
      ...sample.lead,
      token: null,
      id,
      transactionId,
      state,
    });
    const window = await startWindow('leads', {
      ...filled,
      leads: () => [
        lead('1', 'B', 'created'),
        lead('2', 'A', 'created'),
        lead('3', 'C', 'unknown'),
      ],
    });
    await press('sort-transactionId');
    leads.filter = 'created';
    await press('leads-export-csv');
    expect((await asked(window)).list).toEqual({ kind: 'leads', shown: ['2', '1'] });
  });

  it('has every lead of a list that is too long for the page, unless it is filtered', async () => {
    const many: LeadView[] = Array.from({ length: 10_000 }, (_, at) => ({
      ...sample.lead,
      id: String(at),
      state: at === 0 ? 'unknown' : 'created',
    }));
    const window = await startWindow('leads', { ...filled, leads: () => many });
    await byTestId('leads-not-all');
    await press('leads-export-csv');
    expect((await asked(window)).list).toEqual({ kind: 'leads', shown: null });
    leads.filter = 'unknown';
    await waitFor(() => expect(leads.rows.count).toBe(1));
    await press('leads-export-csv');
    await waitFor(async () =>
      expect((await asked(window)).list).toEqual({ kind: 'leads', shown: ['0'] }),
    );
  });

  it('says nothing when no place is chosen, and can be asked for again', async () => {
    const window = await startWindow('products', { ...filled, list_export: () => null });
    await press('products-export-csv');
    await asked(window);
    const button = await byTestId<HTMLButtonElement>('products-export-csv');
    await waitFor(() => expect(button.disabled).toBe(false));
    expect((await byTestId('products-export-told')).textContent?.trim()).toBe('');
  });

  it('says at its place why it was not written', async () => {
    await startWindow('leads', { ...filled, list_export: refuses() });
    setLanguage('en');
    await press('leads-export-csv');
    expect((await byTestId('error-notice')).textContent).toContain(refusal.message.en);
  });

  it('is not offered where there is none', async () => {
    await startWindow('leads');
    await waitFor(() => expect(document.querySelector('.empty, [class*="empty"]')).not.toBeNull());
    expect(document.querySelector('[data-testid^="leads-export"]')).toBeNull();
  });
});
