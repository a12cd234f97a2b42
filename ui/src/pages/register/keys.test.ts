import { waitFor } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { t } from '../../i18n/language.svelte';
import { desk } from '../../ipc/desk.svelte';
import {
  byTestId,
  fill,
  focusIsAt,
  held,
  noteOf,
  refuses,
  says,
  shows,
  startWindow,
  typist,
  valueOf,
  type FakeDesk,
} from '../../testing/desk';
import { openPage } from '../../navigation/route.svelte';
import { enterProduct, enterSale, enterSample, fillSale, options } from '../../testing/register';
import { scan } from '../../testing/scanner';
import { live, plans, REFERENCE, planList, status, submission } from '../../testing/samples';
import { counter } from './counter.svelte';

/** Keys pressed by a person, after the longest pause inside a burst. */
async function press(keys: string): Promise<void> {
  await new Promise((rest) => setTimeout(rest, 260));
  await typist.keyboard(keys);
}

async function chooseFirstPlan(): Promise<void> {
  await enterSample();
  await press('1');
  await focusIsAt('transaction-id');
}

/** The whole sale, ready to be registered. */
async function choosePlanAndFill(): Promise<void> {
  await chooseFirstPlan();
  await fillSale();
}

/** Nothing but the sample product is known here. */
const onlySample = {
  plans_cached: ({ product }: Record<string, unknown>) =>
    product === REFERENCE ? planList : { ...planList, productReference: product, plans: [] },
  product_last_known: () => null,
};

const OTHER = '2000000000022';

async function start(otherwise = {}): Promise<FakeDesk> {
  return startWindow('register', { ...onlySample, ...otherwise });
}

describe('a sale by scanner and keys', () => {
  it('goes from box to box with Enter and registers with F12 alone', async () => {
    const fake = await start();
    await chooseFirstPlan();
    scan('POS-20261121-0001');
    await focusIsAt('transaction-total');
    expect(await valueOf('transaction-id')).toBe('POS-20261121-0001');
    await fill('transaction-total', '108000');
    (await byTestId('transaction-total')).focus();
    await press('{Enter}');
    await focusIsAt('customer-name');
    await fill('customer-name', '山田 花子');
    (await byTestId('customer-name')).focus();
    await press('{Enter}');
    await focusIsAt('customer-email');
    await fill('customer-email', 'ｈａｎａｋｏ＠example.jp');
    expect(await valueOf('customer-email')).toBe('hanako@example.jp');
    (await byTestId('customer-email')).focus();
    await press('{Enter}');
    await focusIsAt('register-submit');
    expect(fake.called('contract_register')).toHaveLength(0);
    await press('{F12}');
    await byTestId('receipt');
    expect(fake.called('contract_register')).toHaveLength(1);
    await focusIsAt('product-reference');
  });

  it('registers once, however often and long the keys are pressed', async () => {
    const [waits, answer] = held();
    const fake = await start({ contract_register: waits });
    await choosePlanAndFill();
    await press('{F12}{F12}{Control>}{Enter}{/Control}{F12>3/}');
    await waitFor(() => expect(fake.called('contract_register')).toHaveLength(1));
    answer(submission);
    await byTestId('receipt');
    await press('{F12}{F12>3/}');
    expect(fake.called('contract_register')).toHaveLength(1);
  });

  it('takes no Enter on the button for a hand’s after keys that are none of its own', async () => {
    const fake = await start();
    await choosePlanAndFill();
    (await byTestId('register-submit')).focus();
    // A scanner too slow to be recognised.
    for (const key of 'X490') await press(key);
    await press('{Enter}');
    expect(fake.called('contract_register')).toHaveLength(0);
    await press('{Enter}');
    await byTestId('receipt');
  });

  it('asks before a scanned product takes the place of one whose plan is chosen', async () => {
    await start({ product_last_known: () => ({ referenceId: '2000000000022' }) });
    await chooseFirstPlan();
    scan('2000000000022');
    await byTestId('scan-keep');
    expect(await valueOf('product-reference')).toBe(REFERENCE);
    expect(await valueOf('transaction-id')).toBe('');
    await typist.click(await byTestId('scan-keep'));
    expect(await valueOf('product-reference')).toBe(REFERENCE);
    scan('2000000000022');
    await typist.click(await byTestId('scan-replace'));
    await waitFor(async () => expect(await valueOf('product-reference')).toBe('2000000000022'));
  });

  it.each(['plans_cached', 'product_last_known'])(
    'asks when it cannot read whether a scanned code is a product: %s',
    async (command) => {
      const fake = await start();
      await chooseFirstPlan();
      fake.answer(command, refuses());
      scan('2000000000022');
      await byTestId('scan-keep');
      expect(await valueOf('transaction-id')).toBe('');
    },
  );

  it('asks, too, when the transaction is known already', async () => {
    await start();
    await chooseFirstPlan();
    await fill('transaction-id', 'T-1');
    scan('POS-20261121-0002');
    await byTestId('scan-replace');
    expect(await valueOf('transaction-id')).toBe('T-1');
  });

  it('asks before a scan takes the place of a product without a plan in a sale that has a customer', async () => {
    await start();
    await enterSample();
    await fill('customer-name', '山田 花子');
    scan(OTHER);
    await byTestId('scan-keep');
    expect((await byTestId('scan-question')).textContent).toContain('山田 花子');
    expect(await valueOf('product-reference')).toBe(REFERENCE);
    await typist.click(await byTestId('scan-replace'));
    await waitFor(async () => expect(await valueOf('product-reference')).toBe(OTHER));
    expect(await valueOf('customer-name')).toBe('山田 花子');
  });

  it('asks the same after a change of profile', async () => {
    await start();
    await enterSale();
    desk.status = { ...status, profile: live };
    await waitFor(() => expect(options()).toHaveLength(0));
    scan(OTHER);
    await byTestId('scan-keep');
    expect(await valueOf('product-reference')).toBe(REFERENCE);
  });

  it('asks the same of a product that was chosen on another page', async () => {
    await start();
    await enterSample();
    await fill('customer-name', '山田 花子');
    openPage('register', { productReference: OTHER });
    await byTestId('scan-keep');
    expect(await valueOf('product-reference')).toBe(REFERENCE);
  });

  it('takes the first product of a customer who was typed before it, without a question', async () => {
    await start();
    await fill('customer-name', '山田 花子');
    scan(REFERENCE);
    await waitFor(() => expect(options()).toHaveLength(3));
    expect(shows('scan-keep')).toBe(false);
  });

  it('takes the next product of a sale that is carried over, without a question', async () => {
    await start();
    await enterSale();
    await press('{F12}');
    await byTestId('receipt');
    await press('{Alt>}n{/Alt}');
    scan(OTHER);
    await waitFor(async () => expect(await valueOf('product-reference')).toBe(OTHER));
    expect(await valueOf('transaction-id')).toBe(submission.transactionId);
    expect(shows('scan-keep')).toBe(false);
  });

  it('carries the sale over to a second product with one key, and never by itself', async () => {
    const fake = await start();
    await choosePlanAndFill();
    await press('{F12}');
    await byTestId('receipt');
    expect(await valueOf('transaction-id')).toBe('');
    await fill('customer-name', '山田 次郎');
    await press('{Alt>}n{/Alt}');
    expect(await valueOf('transaction-id')).toBe(submission.transactionId);
    expect(await valueOf('customer-name')).toBe('山田 次郎');
    expect(await valueOf('customer-email')).toBe(submission.customerEmail);
    expect(await valueOf('transaction-date')).not.toBe('');
    await focusIsAt('product-reference');
    expect(fake.called('contract_register')).toHaveLength(1);
  });

  it('carries nothing over to a sale of another transaction, and says so at its box', async () => {
    await start();
    await enterSale();
    await press('{F12}');
    await byTestId('receipt');
    await fill('transaction-id', 'T-2');
    await press('{Alt>}n{/Alt}');
    await focusIsAt('transaction-id');
    const box = await byTestId('transaction-id');
    expect(noteOf(box)).toContain('Nothing was filled in');
    expect(await valueOf('customer-email')).toBe('');
    await fill('transaction-id', 'T-3');
    await waitFor(() => expect(noteOf(box)).toBe(''));
    await fill('transaction-id', '');
    await press('{Alt>}n{/Alt}');
    expect(await valueOf('customer-email')).toBe(submission.customerEmail);
  });

  it('chooses the plan that was shown when its key was pressed, though the list changes', async () => {
    const [waits, refreshed] = held();
    await start({ plans_refresh: waits });
    await enterSample();
    await press('1');
    refreshed({ ...planList, plans: plans.toReversed() });
    await focusIsAt('transaction-id');
    expect(options()[0]?.textContent).toContain(plans[2]!.title);
    expect(counter.planId).toBe('plan-1');
  });

  it('goes to the transaction after a click on a plan, so that its digits choose no other', async () => {
    await start();
    await enterSample();
    for (const clicked of [options()[1]!, options()[1]!, options()[2]!]) {
      await typist.click(clicked);
      await focusIsAt('transaction-id');
    }
    await press('10234');
    expect(await valueOf('transaction-id')).toBe('10234');
    await new Promise((rest) => setTimeout(rest, 260));
    expect(counter.planId).toBe('plan-3');
  });

  it('stays in the plans while arrow keys choose among them', async () => {
    await start();
    await enterSample();
    const second = document.querySelector<HTMLInputElement>('input[value="plan-2"]')!;
    // What a browser does on an arrow key.
    second.focus();
    second.click();
    await waitFor(() => expect(counter.planId).toBe('plan-2'));
    expect(document.activeElement).toBe(second);
  });

  it('keeps a typed fee when its plan is clicked again', async () => {
    await start();
    await enterSale();
    await fill('plan-price', '3500');
    await typist.click(options()[1]!);
    await focusIsAt('register-submit');
    expect(await valueOf('plan-price')).toBe('3,500');
  });

  it('chooses a plan beyond the ninth by a letter', async () => {
    const many = Array.from({ length: 12 }, (_, index) => ({
      ...plans[0]!,
      id: `plan-${index + 1}`,
    }));
    const long = { ...planList, plans: many };
    await start({ plans_cached: () => long, plans_refresh: () => long });
    await enterProduct(REFERENCE);
    await waitFor(() => expect(options()).toHaveLength(12));
    await press('c');
    await waitFor(() =>
      expect(document.querySelector<HTMLInputElement>('input[value="plan-12"]')?.checked).toBe(
        true,
      ),
    );
  });
});

describe('a product typed over another one', () => {
  async function typedOver(): Promise<FakeDesk> {
    const fake = await start();
    await enterSale();
    await typist.clear(await byTestId('product-reference'));
    await typist.keyboard('2000000000022');
    return fake;
  }

  it('is not kept as a draft with the plan and prices of the former', async () => {
    await typedOver();
    expect(counter.draft).toMatchObject({
      productReferenceId: '2000000000022',
      productPurchasePrice: '',
      planId: '',
      planPurchasePrice: '',
    });
  });

  it.each(['{F12}', '{Control>}{Enter}{/Control}', '{Alt>}l{/Alt}'])(
    'is never sold with the plan and prices of the former, by whichever key: %s',
    async (keys) => {
      const fake = await typedOver();
      await typist.keyboard(keys);
      await waitFor(() => expect(options()).toHaveLength(0));
      expect(await valueOf('product-reference')).toBe('2000000000022');
      expect([counter.productPurchasePrice, counter.planPurchasePrice]).toEqual(['', '']);
      expect(fake.called('contract_register')).toHaveLength(0);
      expect(fake.called('lead_create')).toHaveLength(0);
    },
  );
});

describe('a customer who declines before a plan is chosen', () => {
  it('is not said to be registered while the lead is created', async () => {
    const [waits] = held();
    await start({ lead_create: waits });
    scan(REFERENCE);
    await waitFor(() => expect(options()).toHaveLength(3));
    await fill('transaction-id', 'POS-20261121-0002');
    await press('{Alt>}l{/Alt}');
    await says('register-sending', t('register.creatingLead'));
  });

  it('keeps the product, and takes the receipt that is scanned next as the transaction', async () => {
    const fake = await start();
    scan(REFERENCE);
    await waitFor(() => expect(options()).toHaveLength(3));
    await press('{Alt>}l{/Alt}');
    await focusIsAt('transaction-id');
    scan('POS-20261121-0002');
    await waitFor(async () => expect(await valueOf('transaction-id')).toBe('POS-20261121-0002'));
    expect(await valueOf('product-reference')).toBe(REFERENCE);
    await focusIsAt('decline-lead');
    await press('{Alt>}l{/Alt}');
    await waitFor(() =>
      expect(fake.called('lead_create')).toMatchObject([
        { draft: { productReferenceId: REFERENCE, transactionId: 'POS-20261121-0002' } },
      ]),
    );
  });
});
