// A sale that is being sent: it does not change, and nothing typed or scanned meanwhile is lost.
import { waitFor } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import {
  asks,
  byTestId,
  press,
  refusal,
  says,
  shows,
  startWindow,
  typist,
  valueOf,
  type FakeDesk,
} from '../../testing/desk';
import { burst, scan } from '../../testing/scanner';
import { enterSale, options } from '../../testing/register';
import {
  listed,
  openCase,
  planList,
  REFERENCE,
  refused,
  secondContract,
  submission,
} from '../../testing/samples';
import type { EntryDraft, PlanList } from '../../ipc';
import { resetProfile } from '../../ipc/profile-reset';
import { counter } from './counter.svelte';

const NEXT = '2000000000022';
const dearer: PlanList = {
  ...planList,
  source: 'service',
  plans: planList.plans.map((plan) => ({ ...plan, price: (plan.price ?? 0) + 300 })),
};

interface Sent {
  fake: FakeDesk;
  answer: (value: unknown) => void;
  fail: (error: unknown) => void;
  /** The service's list of plans, which is still awaited. */
  refreshed: (planList: PlanList) => void;
}

/** A sale that was just sent with F12 and is not answered yet. */
async function sent(): Promise<Sent> {
  const replies: Omit<Sent, 'fake'> = {
    answer: () => {},
    fail: () => {},
    refreshed: () => {},
  };
  const fake = await startWindow('register', {
    plans_cached: ({ product }) => ({ ...planList, productReference: product }),
    plans_refresh: ({ product }) =>
      product === REFERENCE
        ? new Promise((refreshed) => Object.assign(replies, { refreshed }))
        : { ...planList, productReference: product },
    contract_register: () =>
      new Promise((answer, fail) => Object.assign(replies, { answer, fail })),
  });
  await enterSale();
  (await byTestId('customer-email')).focus();
  await typist.keyboard('{F12}');
  await waitFor(() => expect(fake.called('contract_register')).toHaveLength(1));
  return {
    fake,
    answer: (value) => replies.answer(value),
    fail: (error) => replies.fail(error),
    refreshed: (planList) => replies.refreshed(planList),
  };
}

describe('a sale on its way', () => {
  it('cannot be changed, says that it is being sent, and keeps the focus', async () => {
    const { answer } = await sent();
    const form = await byTestId('register-form');
    await waitFor(() => expect(form.getAttribute('aria-busy')).toBe('true'));
    expect((await byTestId('register-sending')).textContent).toContain('Registering');
    const email = await byTestId('customer-email');
    expect(document.activeElement).toBe(email);
    await typist.type(email, 'x');
    await typist.click(options()[0]!);
    await typist.click(await byTestId('transaction-date-change'));
    expect(await valueOf('customer-email')).toBe('hanako@example.jp');
    expect(await valueOf('transaction-date')).toBe('');
    expect(document.querySelector<HTMLInputElement>('input[value="plan-2"]')?.checked).toBe(true);
    answer(submission);
    await byTestId('receipt');
    expect(form.getAttribute('aria-busy')).toBe('false');
    await typist.type(email, 'x');
    expect(await valueOf('customer-email')).toBe('x');
  });

  it('leaves what is scanned meanwhile for the next sale', async () => {
    const { answer } = await sent();
    scan(NEXT);
    await says('register-sending', '1 scan is waiting');
    expect(await valueOf('product-reference')).toBe(REFERENCE);
    expect(shows('scan-keep')).toBe(false);
    answer(submission);
    await byTestId('receipt');
    await waitFor(async () => expect(await valueOf('product-reference')).toBe(NEXT));
    expect(await valueOf('customer-name')).toBe('');
    expect(shows('scan-keep')).toBe(false);
  });

  it('loses none of two scans kept meanwhile', async () => {
    const { answer } = await sent();
    scan(NEXT);
    scan('T-2000000');
    await says('register-sending', '2 scans are waiting');
    answer(submission);
    await byTestId('scan-keep');
    expect((await byTestId('scan-question')).textContent).toContain('T-2000000');
    expect(await valueOf('product-reference')).toBe(NEXT);
  });

  it('leaves what is scanned in front of a question until that is answered', async () => {
    const { fake, fail } = await sent();
    fail(asks(secondContract));
    const yes = await byTestId('question-yes');
    scan(NEXT);
    expect(await valueOf('product-reference')).toBe(REFERENCE);
    expect(shows('scan-keep')).toBe(false);
    fake.answer('contract_register', () => submission);
    yes.click();
    await byTestId('receipt');
    await waitFor(async () => expect(await valueOf('product-reference')).toBe(NEXT));
    expect(fake.called('contract_register')).toHaveLength(2);
  });

  it('is sold at what stood in its boxes though its plans become dearer meanwhile', async () => {
    const { fake, fail, refreshed } = await sent();
    fail(asks({ kind: 'changedPrice', entered: 3980, current: 4280 }));
    const keep = await byTestId('question-yes');
    refreshed(dearer);
    await waitFor(() => expect(counter.product.plans.refreshing.busy).toBe(false));
    fake.answer('contract_register', () => submission);
    await typist.click(keep);
    await byTestId('receipt');
    const registered = fake.called('contract_register') as unknown as { draft: EntryDraft }[];
    expect(registered.map(({ draft }) => draft.planPurchasePrice)).toEqual([
      registered[0]!.draft.planPurchasePrice,
      registered[0]!.draft.planPurchasePrice,
    ]);
  });

  it('shows the plans that came meanwhile when its question is left open', async () => {
    const { fail, refreshed } = await sent();
    fail(asks({ kind: 'changedPrice', entered: 3980, current: 4280 }));
    const back = await byTestId('question-back');
    const before = counter.plan?.price;
    refreshed(dearer);
    await waitFor(() => expect(counter.product.plans.refreshing.busy).toBe(false));
    expect(counter.plan?.price).toBe(before);
    await typist.click(back);
    await waitFor(() => expect(counter.plan?.price).not.toBe(before));
  });

  it('keeps every entry in the outbox from being taken into its form to be corrected', async () => {
    const { fake, answer } = await sent();
    fake.answer('contracts_list', () => listed([refused]));
    const resolutions = ['edit', 'cancel'];
    fake.answer('outbox_case', () => ({ ...openCase, submission: refused, resolutions }));
    await press('nav-outbox');
    await press('entry-open');
    const correct = await byTestId<HTMLButtonElement>('resolution-edit');
    expect(correct.disabled).toBe(true);
    answer(submission);
    await waitFor(() => expect(correct.disabled).toBe(false));
  });

  it('leaves neither its name nor its question to the sale of another profile', async () => {
    const { fail } = await sent();
    const name = counter.entryId;
    resetProfile();
    expect(counter.entryId).not.toBe(name);
    expect(counter.underWay).toBe(false);
    fail(asks());
    counter.questions = [{ kind: 'changedPrice', entered: 3980, current: 4280 }];
    resetProfile();
    expect(counter.questions).toEqual([]);
  });

  it('that was refused is kept, and asks about what was scanned meanwhile', async () => {
    const { fail } = await sent();
    scan(NEXT);
    fail(refusal);
    const keep = await byTestId('scan-keep');
    expect(await valueOf('product-reference')).toBe(REFERENCE);
    expect(await valueOf('customer-name')).toBe('山田 花子');
    await typist.click(keep);
    expect(await valueOf('product-reference')).toBe(REFERENCE);
  });

  it('that has a question is answered before what was scanned meanwhile is taken', async () => {
    const { fake, fail } = await sent();
    scan(NEXT);
    fail(asks({ kind: 'changedPrice', entered: 3980, current: 4280 }));
    const price = await byTestId('question-price');
    expect(await valueOf('product-reference')).toBe(REFERENCE);
    fake.answer('contract_register', () => submission);
    await typist.click(price);
    await byTestId('receipt');
    expect(fake.called('contract_register').at(-1)).toMatchObject({
      draft: { productReferenceId: REFERENCE },
    });
    await waitFor(async () => expect(await valueOf('product-reference')).toBe(NEXT));
  });

  it('loses no part of a code during which its answer comes', async () => {
    const { answer } = await sent();
    burst([...NEXT.slice(0, 6)], 300);
    answer(submission);
    await waitFor(async () =>
      expect(document.activeElement).toBe(await byTestId('product-reference')),
    );
    burst([...NEXT.slice(6), 'Enter']);
    await waitFor(async () => expect(await valueOf('product-reference')).toBe(NEXT));
    expect(await valueOf('customer-email')).toBe('');
  });
});
