import { waitFor } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import {
  byTestId,
  fill,
  focusIsAt,
  press,
  refusal,
  shows,
  startWindow,
  typist,
} from '../../testing/desk';
import * as sample from '../../testing/samples';

async function submitLead(): Promise<void> {
  await fill('lead-product-reference', sample.REFERENCE);
  await fill('lead-product-price', '98000');
  await fill('lead-transaction-id', 'T-1');
  await press('lead-submit');
}

describe('a lead that had to wait', () => {
  it('shows its token once the desk has sent it', async () => {
    const fake = await startWindow('leads', {
      lead_create: () => ({ ...sample.lead, state: 'queued', token: null }),
    });
    await submitLead();
    await byTestId('lead-receipt');
    expect(shows('lead-token')).toBe(false);
    fake.answer('leads', () => [sample.lead]);
    await fake.tell({ kind: 'outboxChanged', summary: sample.summary });
    expect((await byTestId('lead-token')).textContent).toBe('lead-token-1');
  });
});

describe('a lead without an answer', () => {
  it('is sent again only after a person has read the warning', async () => {
    const fake = await startWindow('leads', {
      leads: () => [{ ...sample.lead, state: 'unknown', token: null }],
      lead_send_again: () => sample.lead,
    });
    const row = await byTestId('lead-row');
    await typist.click([...row.querySelectorAll('button')][0]!);
    expect(fake.called('lead_send_again')).toHaveLength(0);
    expect((await byTestId('lead-again-back')).autofocus).toBe(true);
    await press('lead-again-yes');
    expect((await byTestId('lead-token')).textContent).toBe('lead-token-1');
  });
});

describe('a lead', () => {
  it('for a transaction and product that have one is created only after a yes', async () => {
    const earlier = { id: 'lead-0', state: 'created', enteredAt: sample.lead.enteredAt };
    const fake = await startWindow('leads', {
      lead_create: ({ beside }) => {
        if (beside !== 'lead-0') throw { ...refusal, code: 'secondLead', earlierLead: earlier };
        return sample.lead;
      },
    });
    await submitLead();
    await press('second-lead-yes');
    expect((await byTestId('lead-token')).textContent).toBe('lead-token-1');
    expect(fake.called('lead_create').map(({ beside }) => beside)).toEqual([null, 'lead-0']);
  });

  it('answered about something else says so, and shows the token after a decision', async () => {
    const mismatch = { transactionId: 'T-2', productReferenceId: null };
    const kept = { ...sample.lead, state: 'unknown', token: null, mismatch, tokenKept: true };
    const fake = await startWindow('leads', { leads: () => [kept], lead_token: () => sample.lead });
    expect((await byTestId('lead-mismatch')).textContent).toContain('T-2');
    await press('lead-take-token');
    expect(fake.called('lead_token')).toEqual([]);
    await press('lead-token-question-yes');
    expect((await byTestId('lead-token')).textContent).toBe('lead-token-1');
  });
});

describe('the history', () => {
  it('can be limited to one status', async () => {
    await startWindow('leads', {
      leads: () => [
        sample.lead,
        { ...sample.lead, id: 'other', transactionId: 'T-9', state: 'unknown' },
      ],
    });
    await byTestId('lead-row');
    await typist.selectOptions(await byTestId('leads-state'), 'unknown');
    const rows = () => [...document.querySelectorAll<HTMLElement>('[data-testid="lead-row"]')];
    await waitFor(() => expect(rows().map((row) => row.dataset['lead'])).toEqual(['T-9']));
  });
});

describe('the date of a lead', () => {
  it('keeps the focus when it is changed and set back', async () => {
    await startWindow('leads');
    await press('transaction-date-change');
    await focusIsAt('transaction-date');
    await press('transaction-date-now');
    await focusIsAt('transaction-date');
  });
});
