// Who sells is asked for on the counter, as the profile wants it.
import { waitFor } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import {
  byTestId,
  fill,
  held,
  noteOf,
  press,
  shows,
  startWindow,
  typist,
  valueOf,
} from '../../testing/desk';
import { openPage } from '../../navigation/route.svelte';
import { enterSale } from '../../testing/register';
import { scan } from '../../testing/scanner';
import { lead, planList, plans, REFERENCE, status, submission } from '../../testing/samples';
import { counter } from './counter.svelte';
import type { StaffPolicy } from '../../ipc';

const asking = (policy: StaffPolicy, code: string | null = null) => ({
  status: () => ({ ...status, staff: { policy, code } }),
});

describe('the staff code', () => {
  it('is not asked for by a profile that does not want it', async () => {
    const fake = await startWindow('register');
    await enterSale();
    expect(shows('staff-code')).toBe(false);
    await press('register-submit');
    await byTestId('receipt');
    expect(fake.called('staff_enter')).toEqual([]);
  });

  it('is required for every sale, and counts for that sale alone', async () => {
    const fake = await startWindow('register', asking('perSale'));
    await enterSale();
    await press('register-submit');
    expect(noteOf(await byTestId('staff-code'))).toContain('Required');
    expect(fake.called('contract_register')).toEqual([]);
    await fill('staff-code', '42');
    await press('register-submit');
    await byTestId('receipt');
    await waitFor(() =>
      expect(
        fake.calls
          .filter(({ command }) => ['staff_enter', 'contract_register'].includes(command))
          .map(({ command, args }) => args['code'] ?? command),
      ).toEqual(['42', 'contract_register', 'staff_enter']),
    );
    expect(await valueOf('staff-code')).toBe('');
  });

  it('of a lead is not cleared when a slow sale ends that began before it', async () => {
    const answers: ((answer: unknown) => void)[] = [];
    const slow = () => new Promise((done) => answers.push(done));
    const fake = await startWindow('register', {
      ...asking('perSale'),
      contract_register: slow,
      lead_create: slow,
    });
    const codes = () => fake.called('staff_enter').map(({ code }) => code);
    await enterSale();
    await fill('staff-code', '17');
    await press('register-submit');
    await waitFor(() => expect(answers).toHaveLength(1));
    openPage('leads');
    await fill('lead-product-reference', REFERENCE);
    await fill('lead-product-price', '98000');
    await fill('lead-transaction-id', 'T-2');
    await fill('staff-code', '42');
    await press('lead-submit');
    await waitFor(() => expect(answers).toHaveLength(2));
    answers[0]!(submission);
    await waitFor(() => expect(counter.underWay).toBe(false));
    expect(codes()).toEqual(['17', '42']);
    answers[1]!(lead);
    await waitFor(() => expect(codes()).toEqual(['17', '42', null]));
  });

  it('is given once after a start, and stays for the next customer', async () => {
    const fake = await startWindow('register', asking('perStart', '42'));
    expect(await valueOf('staff-code')).toBe('42');
    await enterSale();
    await press('register-submit');
    await byTestId('receipt');
    expect(await valueOf('staff-code')).toBe('42');
    expect(fake.called('staff_enter')).toEqual([{ code: '42' }]);
  });

  it('given last is that of the other pages too', async () => {
    const asked = asking('perStart', '42');
    const fake = await startWindow('leads', asked);
    expect(await valueOf('staff-code')).toBe('42');
    openPage('plans');
    await byTestId('plans-reference');
    fake.answer('status', asking('perStart', '43').status);
    await fake.tell({ kind: 'rescueFound' });
    await new Promise((turn) => setTimeout(turn, 20));
    openPage('leads');
    await waitFor(async () => expect(await valueOf('staff-code')).toBe('43'));
  });

  it('is scanned into its own box, and never taken for a product', async () => {
    const fake = await startWindow('register', asking('perSale'));
    const box = await byTestId<HTMLInputElement>('staff-code');
    box.focus();
    scan('STAFF-0042');
    await waitFor(async () => expect(await valueOf('staff-code')).toBe('STAFF-0042'));
    expect(fake.called('plans_cached')).toEqual([]);
  });

  it('scanned while a sale is being sent is no product of the next one', async () => {
    const [waits, answer] = held();
    const fake = await startWindow('register', {
      ...asking('perSale'),
      contract_register: waits,
      plans_cached: ({ product }) => ({ ...planList, plans: product === REFERENCE ? plans : [] }),
      product_last_known: () => null,
    });
    await enterSale();
    const box = await byTestId<HTMLInputElement>('staff-code');
    await fill('staff-code', '42');
    box.focus();
    await typist.keyboard('{F12}');
    await waitFor(() => expect(box.readOnly).toBe(true));
    scan('STAFF-0042');
    scan(REFERENCE);
    answer(submission);
    await byTestId('scan-keep');
    const question = await byTestId('scan-question');
    expect(question.textContent).toContain('STAFF-0042');
    expect(await valueOf('product-reference')).toBe('');
    await press('scan-keep');
    await waitFor(async () => expect(await valueOf('product-reference')).toBe(REFERENCE));
    expect(fake.called('plans_refresh').map(({ product }) => product)).not.toContain('STAFF-0042');
  });
});
