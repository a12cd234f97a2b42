import { describe, expect, it } from 'vitest';
import { PAGES } from '../navigation/route.svelte';
import { faults } from '../testing/accessibility';
import { byTestId, press, refusal, refuses, startWindow } from '../testing/desk';
import { keptSale, typedSale } from '../testing/register';
import * as sample from '../testing/samples';

const filled = {
  contracts_list: () => sample.page(30),
  leads: () => [{ ...sample.lead, token: null }],
  contract_recents: () => [
    {
      contractId: 'contract-1',
      at: '2026-11-21T10:00:00.000+09:00',
      transactionId: 'T-1',
      productTitle: null,
      status: null,
    },
  ],
};

describe('every page', () => {
  it.each(PAGES)('can be used without seeing it: %s', async (page) => {
    await startWindow(page, filled);
    await byTestId(`page-${page}`);
    expect(await faults()).toEqual([]);
  });

  it('and the first run', async () => {
    await startWindow('register', { status: () => ({ ...sample.status, profile: null }) });
    await byTestId('first-practise');
    expect(await faults()).toEqual([]);
    await press('first-connect');
    await byTestId('connect-base-url');
    expect(await faults()).toEqual([]);
  });

  it('and the details of a case', async () => {
    await startWindow('outbox', filled);
    await press('entry-open');
    await byTestId('resolution-giveContractId');
    expect(await faults()).toEqual([]);
  });

  it('and the drawer of a lead', async () => {
    await startWindow('leads', filled);
    await press('lead-open');
    await byTestId('lead-state');
    expect(await faults()).toEqual([]);
  });

  it.each(['known', 'lost'])('and a draft of the last start that is %s', async (state) => {
    const drafts = () => [{ ...keptSale(typedSale), state }];
    await startWindow('register', {
      drafts,
      submission: refuses({ ...refusal, code: 'notKnown' }),
    });
    await byTestId(state === 'known' ? 'draft-restored' : 'draft-unreadable');
    expect(await faults()).toEqual([]);
  });

  it('and a draft that could not be read', async () => {
    await startWindow('register', { drafts: refuses(refusal) });
    await byTestId('draft-not-read');
    expect(await faults()).toEqual([]);
  });
});
