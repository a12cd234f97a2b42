import { waitFor } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { t } from '../../i18n/language.svelte';
import { answers, yesTo, type Confirmed, type PlanRecord } from '../../ipc';
import { desk } from '../../ipc/desk.svelte';
import {
  asks,
  byTestId,
  fill,
  held,
  noteOf,
  press,
  pressAgain,
  refusal,
  refuses,
  says,
  shows,
  startWindow,
  typist,
  valueOf,
  wrong,
} from '../../testing/desk';
import { resetProfile } from '../../ipc/profile-reset';
import { openPage } from '../../navigation/route.svelte';
import { enterProduct, enterSale, enterSample, options, register } from '../../testing/register';
import {
  clean,
  lead,
  listed,
  live,
  practice,
  record,
  REFERENCE,
  secondContract,
  planList,
  status,
  submission,
} from '../../testing/samples';
import { counter } from './counter.svelte';

const nameless = { productTitle: null, productPrice: null };
const met: NonNullable<PlanRecord['product']> = {
  id: 'product-1',
  referenceId: REFERENCE,
  title: 'Sample washing machine',
  price: 98000,
  imageUrl: null,
  createdAt: null,
  updatedAt: null,
};

/** A product seen for the first time: the list of its plans has neither title nor price. */
const unheardOf = {
  plans_cached: () => ({ ...planList, ...nameless, plans: [], fetchedAt: null, source: 'cache' }),
  plans_refresh: () => ({ ...planList, ...nameless }),
};

async function chooseByDigit(digit: string): Promise<void> {
  await byTestId('plan-option');
  (document.activeElement as HTMLElement | null)?.blur();
  await typist.keyboard(digit);
  await waitFor(() =>
    expect(document.querySelector<HTMLInputElement>(`input[value="plan-${digit}"]`)?.checked).toBe(
      true,
    ),
  );
}

describe('the counter', () => {
  /** The service refuses to list the plans of any product but the sample. */
  const refusesOthers = {
    plans_cached: () => ({ ...planList, plans: [], fetchedAt: null, source: 'cache' }),
    plans_refresh: ({ product }: Record<string, unknown>) => {
      if (product !== REFERENCE) throw refusal;
      return planList;
    },
  };
  const OTHER = '2999999999994';

  it('names product and store when the service refuses to list plans', async () => {
    await startWindow('register', refusesOthers);
    await enterProduct(OTHER);
    const reference = await byTestId('product-reference');
    await waitFor(() =>
      expect(noteOf(reference)).toContain('product, or not for store ID store-sample'),
    );
    expect(reference.getAttribute('aria-invalid')).toBe('true');
    expect((await byTestId('error-notice')).textContent).toContain('product not found');
    await fill('product-reference', '');
    await waitFor(() => expect(reference.getAttribute('aria-invalid')).toBeNull());
  });

  it('offers to add a refused product only where the service has listed plans for the store', async () => {
    await startWindow('register', refusesOthers);
    await enterProduct(OTHER);
    await byTestId('error-notice');
    expect(shows('register-add-product')).toBe(false);
    await enterSample();
    await enterProduct(OTHER);
    await press('register-add-product');
    await waitFor(async () => expect(await valueOf('product-referenceId')).toBe(OTHER));
    resetProfile();
    openPage('register');
    await enterProduct(OTHER);
    await byTestId('error-notice');
    expect(shows('register-add-product')).toBe(false);
  });

  it('looks an unknown product up again when a person comes back from adding it', async () => {
    const fake = await startWindow('register', refusesOthers);
    await enterSample();
    await enterProduct(OTHER);
    await press('register-add-product');
    await byTestId('page-products');
    fake.answer('plans_refresh', () => ({ ...planList, productReference: OTHER }));
    openPage('register');
    await waitFor(() => expect(options()).toHaveLength(3));
    expect(noteOf(await byTestId('product-reference'))).toBe('');
  });

  it('shows how old the saved plans are while newer ones are read', async () => {
    const [waits, answer] = held();
    await startWindow('register', { plans_refresh: waits });
    await enterProduct(REFERENCE);
    const age = await byTestId('plans-age');
    await waitFor(() => expect(age.textContent).toContain('Updating…'));
    expect(age.querySelector('time')?.dateTime).toBe(planList.fetchedAt);
    answer(planList);
    await waitFor(() => expect(age.textContent).not.toContain('Updating…'));
    expect(age.querySelector('time')).not.toBeNull();
  });

  it('looks up no half-typed product when its box is left', async () => {
    const fake = await startWindow();
    await fill('product-reference', '2000');
    expect(fake.called('plans_cached')).toHaveLength(0);
    await enterSample();
    await fill('product-reference', '2000');
    await waitFor(() => expect(options()).toHaveLength(0));
    expect(fake.called('plans_cached')).toHaveLength(1);
  });

  it('blames the product for no other failure of looking it up', async () => {
    await startWindow('register', { plans_refresh: refuses({ ...refusal, code: 'serviceFault' }) });
    await enterProduct(REFERENCE);
    await byTestId('error-notice');
    expect((await byTestId('product-reference')).getAttribute('aria-invalid')).toBeNull();
  });

  it('learns title and price of a new product before a plan is chosen', async () => {
    const fake = await startWindow('register', {
      ...unheardOf,
      plan_open: () => ({ ...record, productReference: REFERENCE, product: met }),
    });
    await enterProduct(REFERENCE);
    const price = await byTestId<HTMLInputElement>('product-price');
    await waitFor(() => expect(price.value).toBe('98,000'));
    expect((await byTestId('product-title')).textContent).toBe('Sample washing machine');
    await chooseByDigit('2');
    expect(document.activeElement).toBe(await byTestId('transaction-id'));
    await typist.click(options()[2]!);
    await waitFor(async () => expect(await valueOf('plan-price')).toBe('9,800'));
    expect(fake.called('plan_open')).toEqual([{ id: 'plan-1' }]);
    expect(fake.called('plans_refresh')).toEqual([{ product: REFERENCE, filter: 'Live' }]);
  });

  it('keeps a price typed by hand when the listed one becomes known', async () => {
    const [waits, answer] = held();
    await startWindow('register', { ...unheardOf, plan_open: waits });
    await enterProduct(REFERENCE);
    await chooseByDigit('2');
    await fill('product-price', '90000');
    answer({ ...record, productReference: REFERENCE, product: met });
    await byTestId('product-title');
    expect(await valueOf('product-price')).toBe('90,000');
  });

  it('stops at the empty price when nobody knows it', async () => {
    await startWindow('register', {
      ...unheardOf,
      plan_open: refuses({ ...refusal, code: 'noNetwork' }),
    });
    await enterProduct(REFERENCE);
    await chooseByDigit('1');
    const price = await byTestId('product-price');
    await waitFor(() => expect(document.activeElement).toBe(price));
  });

  it('registers what was typed, in plain digits, and empties the form for the next customer', async () => {
    const fake = await register();
    expect((await byTestId('receipt-state')).textContent).toContain('Waiting to be sent');
    expect((await byTestId('receipt-what')).textContent).toContain('Registration pending');
    const [sent] = fake.called('contract_register');
    expect(sent).toMatchObject({
      profileId: practice.id,
      confirmed: [],
      draft: {
        transactionId: 'T-1',
        transactionTotal: '100000',
        transactionDate: '',
        customerName: '山田 花子',
        customerEmail: 'hanako@example.jp',
        productReferenceId: REFERENCE,
        productPurchasePrice: '98000',
        planId: 'plan-2',
        planPurchasePrice: '3980',
      },
    });
    expect(await valueOf('customer-name')).toBe('');
  });

  it('tells a sale that waits for another token from one that the service asks to wait with', async () => {
    const fake = await startWindow();
    await enterSale();
    const nextAt = '2026-11-21T01:05:20.000+00:00';
    fake.answer('contract_register', () => ({ ...submission, state: 'held', nextAt }));
    fake.answer('submission', () => ({ ...submission, state: 'held' }));
    await press('register-submit');
    expect((await byTestId('receipt-what')).textContent).toContain('asked to wait');
    expect(shows('receipt-token')).toBe(false);
    await fake.tell({ kind: 'outboxChanged' });
    await byTestId('receipt-token');
    // The service may accept the same token again.
    expect((await byTestId('receipt-what')).textContent).toContain('"Send now"');
    await press('receipt-token');
    await byTestId('page-settings');
  });

  it('shows when a sale was made on the clock of the store, in whatever offset it is stored', async () => {
    await register({
      contract_register: () => ({ ...submission, transactionDate: '2026-11-20T16:30:00.000Z' }),
    });
    expect((await byTestId('receipt')).textContent).toContain('2026-11-21 01:30:00 +09:00');
  });

  it('follows the contract until it is confirmed', async () => {
    const fake = await register();
    await byTestId('receipt');
    const accepted = { contractId: 'contract-1', inquiryCode: 'INQ-1' };
    fake.answer('submission', () => ({ ...submission, ...accepted, state: 'accepted' }));
    await fake.tell({ kind: 'outboxChanged' });
    expect((await byTestId('receipt-contract-id')).textContent).toBe('contract-1');
    expect((await byTestId('receipt-inquiry-code')).textContent).toBe('INQ-1');
    expect((await byTestId('receipt-what')).textContent).toContain('this is normal');
    fake.answer('submission', () => ({ ...submission, ...accepted, state: 'confirmed' }));
    await fake.tell({ kind: 'outboxChanged' });
    await says('receipt-state', 'Confirmed');
  });

  it('lists the latest entries, follows them, and has none of another profile', async () => {
    const latest = () =>
      document.querySelector('[aria-labelledby="latest-title"]')?.textContent ?? '';
    const fake = await startWindow('register', { contracts_list: () => listed([submission]) });
    await waitFor(() => expect(latest()).toContain(submission.transactionId));
    expect(fake.called('contracts_list')[0]).toMatchObject({ filter: { limit: 6 } });
    fake.answer('contracts_list', () => listed([{ ...submission, state: 'confirmed' }]));
    await fake.tell({ kind: 'outboxChanged', changed: [submission.id] });
    await waitFor(() => expect(latest()).toContain('Confirmed'));
    fake.answer('contracts_list', () => new Promise(() => {}));
    resetProfile();
    await waitFor(() => expect(latest()).toBe(''));
  });

  it('says on the receipt what a person decided about it in the outbox', async () => {
    const open = { ...submission, state: 'needsPerson' };
    const fake = await register({
      contract_register: () => open,
      submission: () => open,
    });
    const state = await byTestId('receipt-state');
    await waitFor(() => expect(fake.called('submission')).toHaveLength(1));
    await fake.tell({ kind: 'outboxChanged', changed: ['another'] });
    fake.answer('submission', () => ({ ...submission, state: 'cancelled' }));
    await fake.tell({ kind: 'outboxChanged', changed: [submission.id] });
    await waitFor(() => expect(state.textContent).toContain('Cancelled'));
    expect(fake.called('submission')).toHaveLength(2);
  });

  it('keeps a sale that the desk refused for another profile, and shows that profile', async () => {
    const fake = await startWindow('register', {
      contract_register: () => {
        fake.answer('status', () => ({ ...status, profile: live }));
        throw { ...refusal, code: 'profileMoved', next: 'checkFirst' };
      },
    });
    await enterSale();
    await press('register-submit');
    await waitFor(() => expect(desk.profile?.id).toBe(live.id));
    expect(await valueOf('customer-name')).toBe('山田 花子');
    expect(shows('receipt')).toBe(false);
    // What was said of the former profile is of this sale, and not of the next customer's.
    await byTestId('error-notice');
    await press('register-clear');
    await waitFor(() => expect(shows('error-notice')).toBe(false));
  });

  it('keeps a typed price of the same product under another profile, and no listed one', async () => {
    const fake = await startWindow();
    await enterSale();
    await fill('product-price', '90000');
    const under = async (profile: typeof live, listed: number) => {
      desk.status = { ...status, profile };
      await waitFor(() => expect(options()).toHaveLength(0));
      await enterProduct(REFERENCE);
      await waitFor(() => expect(counter.planList?.productPrice).toBe(listed));
      return valueOf('product-price');
    };
    expect(await under(live, 98000)).toBe('90,000');
    await fill('product-price', '98000');
    fake.answer('plans_cached', () => ({ ...planList, productPrice: 88000, source: 'cache' }));
    fake.answer('plans_refresh', () => ({ ...planList, productPrice: 88000 }));
    expect(await under(practice, 88000)).toBe('88,000');
    await fill('product-price', '80000');
    await enterProduct('2000000000022');
    await waitFor(async () => expect(await valueOf('product-price')).toBe('88,000'));
  });

  it('warns of a total below the price before the customer’s name is typed, also aloud', async () => {
    const fake = await startWindow('register');
    await enterSample();
    await typist.click(options()[1]!);
    await fill('transaction-total', '1,298');
    const total = await byTestId('transaction-total');
    const aloud = total.closest('.field')?.querySelector('[role="status"]');
    expect(aloud?.textContent).toBe('');
    await waitFor(() => expect(noteOf(total)).toContain('Lower than the product price'));
    expect(aloud?.textContent).toBe(noteOf(total));
    await fill('transaction-total', '129,800');
    await waitFor(() => expect(noteOf(total)).toBe(''));
    await fill('transaction-date', '2020-11-21 10:00');
    await waitFor(() => expect(counter.warnings).toEqual(['dateLongAgo']));
    await fill('plan-price', '49001');
    await waitFor(() => expect(counter.warnings).toEqual(['feeHigh', 'dateLongAgo']));
    expect(fake.called('contract_check')).toEqual([]);
  });

  it.each([
    ['another product is scanned', () => enterProduct('2000000000022')],
    ['the form lacks something', () => fill('customer-name', '')],
  ])('forgets a check of the sale as it was before: %s', async (_, change) => {
    const [waits, answer] = held();
    const fake = await startWindow('register', { contract_check: waits });
    await enterSale();
    await waitFor(() => expect(fake.called('contract_check')).toHaveLength(1), { timeout: 2000 });
    await change();
    await new Promise((turn) => setTimeout(turn, 700));
    answer({ ...clean, warnings: ['priceUnusual'] });
    await new Promise((turn) => setTimeout(turn, 20));
    expect(counter.warnings).toEqual([]);
  });

  it('never shows a typed date of sale with the offset of another season', async () => {
    const profile = { ...practice, timeZone: 'America/New_York' };
    await startWindow('register', { status: () => ({ ...status, profile }) });
    const offset = await byTestId('transaction-offset');
    expect(offset.textContent).toMatch(/-0[45]:00/);
    await fill('transaction-date', '2026-07-01 10:00');
    await waitFor(() => expect(offset.textContent).toContain('America/New_York'));
  });

  it('sends one entry under one name, however often it is pressed', async () => {
    const [waits, answer] = held();
    const fake = await startWindow('register', { contract_register: waits });
    await enterSale();
    const submit = await byTestId('register-submit');
    const form = submit.closest('form')!;
    form.requestSubmit();
    form.requestSubmit();
    await waitFor(() => expect(fake.called('contract_register')).toHaveLength(1));
    // What is being sent cannot be cleared.
    const clear = await byTestId<HTMLButtonElement>('register-clear');
    await waitFor(() => expect(clear.disabled).toBe(true));
    answer(submission);
    await byTestId('receipt');
    await waitFor(() => expect(clear.disabled).toBe(false));
    form.requestSubmit();
    expect(fake.called('contract_register')).toHaveLength(1);
  });

  it('never registers from the product box, whatever ends there with Enter', async () => {
    const fake = await startWindow();
    await enterSale();
    const reference = await byTestId('product-reference');
    reference.focus();
    await typist.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement).not.toBe(reference));
    expect(fake.called('contract_register')).toHaveLength(0);
  });

  it('places each problem at its field and sends nothing', async () => {
    const fake = await startWindow();
    await enterSale();
    await fill('transaction-total', '12.5');
    await fill('customer-email', 'hanako');
    await press('register-submit');
    const total = await byTestId('transaction-total');
    await waitFor(() => expect(total.getAttribute('aria-invalid')).toBe('true'));
    expect(noteOf(total)).toContain('whole number');
    expect(noteOf(await byTestId('customer-email'))).toContain('email');
    expect(fake.called('contract_register')).toHaveLength(0);
  });

  it('places what the desk finds wrong at its field, too', async () => {
    await register({ contract_register: refuses(wrong('productReferenceId', 'unknownProduct')) });
    const reference = await byTestId('product-reference');
    await waitFor(() => expect(noteOf(reference)).toContain('does not know this product'));
  });

  it('drops an error once its field has another text, also by a button', async () => {
    await startWindow();
    await enterSale();
    await fill('customer-email', 'hanako');
    await fill('transaction-date', '2026-13-01');
    await press('register-submit');
    const isWrong = async (id: string) =>
      (await byTestId(id)).getAttribute('aria-invalid') === 'true';
    await waitFor(async () => expect(await isWrong('transaction-date')).toBe(true));
    await press('transaction-date-now');
    await waitFor(async () => expect(await isWrong('transaction-date')).toBe(false));
    expect(await isWrong('customer-email')).toBe(true);
    await fill('customer-email', 'hanako@example.jp');
    await waitFor(async () => expect(await isWrong('customer-email')).toBe(false));
  });

  it('drops what the desk found wrong once it is corrected, and says nothing else instead', async () => {
    await register({ contract_register: refuses(wrong('customerName', 'badCharacters')) });
    const name = await byTestId('customer-name');
    await waitFor(() => expect(noteOf(name)).not.toBe(''));
    await fill('customer-name', '山田');
    await waitFor(() => expect(noteOf(name)).toBe(''));
    expect(shows('error-notice')).toBe(false);
  });

  it('drops what the desk found wrong when only a comma is taken out of it', async () => {
    await startWindow('register', {
      contract_register: refuses(wrong('customerEmail', 'notEmail')),
    });
    await enterSale();
    await fill('customer-email', 'a,b@x.jp');
    await press('register-submit');
    const email = await byTestId('customer-email');
    await waitFor(() => expect(noteOf(email)).not.toBe(''));
    await fill('customer-email', 'ab@x.jp');
    await waitFor(() => expect(noteOf(email)).toBe(''));
  });

  it('shows how the last attempt failed: a refused input until it changes, anything else until the next', async () => {
    await register({
      contract_register: refuses({
        ...refusal,
        code: 'diskFull',
        next: 'computer',
        serviceMessage: 'no space',
      }),
      lead_create: refuses(),
    });
    expect((await byTestId('error-notice')).textContent).toContain('no space');
    await fill('customer-name', '山田');
    expect(shows('error-notice')).toBe(true);
    await press('decline-lead');
    await says('error-notice', 'product not found');
    await fill('transaction-id', 'T-2');
    await waitFor(() => expect(shows('error-notice')).toBe(false));
  });

  it('stops at a changed price and registers with the current one when told to', async () => {
    const fake = await register({
      contract_register: refuses(asks({ kind: 'changedPrice', entered: 3980, current: 4280 })),
    });
    const dialog = await byTestId<HTMLDialogElement>('question-dialog');
    await waitFor(() => expect(dialog.textContent).toContain('4,280'));
    expect(noteOf(dialog)).toContain('4,280');
    expect(shows('receipt')).toBe(false);
    fake.answer('contract_register', () => submission);
    await press('question-price');
    await byTestId('receipt');
    expect(fake.called('contract_register')[1]).toMatchObject({
      confirmed: [],
      draft: { planPurchasePrice: '4280' },
    });
  });

  it('shows a price that is no whole amount as it came, and registers only after a yes to it', async () => {
    const fake = await register({
      contract_register: refuses(
        asks({ kind: 'priceNotUnderstood', entered: 3980, current: '"3980"' }),
      ),
    });
    const question = await byTestId('question-price-not-understood');
    expect(question.textContent).toContain('"3980"');
    expect(shows('question-price')).toBe(false);
    fake.answer('contract_register', () => submission);
    await press('question-yes');
    await byTestId('receipt');
    expect(fake.called('contract_register')[1]).toMatchObject({
      confirmed: [{ kind: 'priceNotUnderstood', current: '"3980"' }],
    });
  });

  it('sells a second contract for the same sale only after a clear yes', async () => {
    const fake = await register({ contract_register: refuses(asks(secondContract)) });
    const dialog = await byTestId<HTMLDialogElement>('question-dialog');
    await waitFor(() => expect(dialog.textContent).toContain('already be registered'));
    await press('question-back');
    expect(fake.called('contract_register')).toHaveLength(1);
    expect(shows('error-notice')).toBe(false);
    expect(await valueOf('customer-name')).toBe('山田 花子');
    await press('register-submit');
    fake.answer('contract_register', () => submission);
    await press('question-yes');
    await byTestId('receipt');
    expect(fake.called('contract_register').at(-1)).toMatchObject({
      confirmed: [{ kind: 'secondContract', submissionId: 'second' }],
    });
  });

  it('of which the entry is lost is not called a second contract', async () => {
    const lost = { ...secondContract, submissionId: null, contractId: null, profile: null };
    await register({ contract_register: refuses(asks(lost)) });
    const dialog = await byTestId('question-dialog');
    await waitFor(() => expect(dialog.textContent).toContain(t('question.lostContractWhat')));
    expect(dialog.textContent).not.toContain(t('question.secondContractWhat'));
    expect((await byTestId('question-yes')).textContent).toContain(t('question.yes'));
  });

  it('asked about twice, one question at a time, is registered after both answers', async () => {
    const price = { kind: 'changedPrice', entered: 3980, current: 4280 } as const;
    const fake = await startWindow('register', {
      contract_register: ({ confirmed }) => {
        const open = [secondContract, price].find(
          (question) => !(confirmed as Confirmed[]).some((yes) => answers(yes, question)),
        );
        // Each call finds only one of the two.
        if (!open) return submission;
        throw asks(
          (confirmed as Confirmed[]).some(({ kind }) => kind === open.kind) ? price : open,
        );
      },
    });
    await enterSale();
    const said = () => fake.called('contract_register').map(({ confirmed }) => confirmed);
    const asked = (what: string) =>
      waitFor(async () => expect((await byTestId('question-dialog')).textContent).toContain(what));
    await press('register-submit');
    await asked('already be registered');
    await press('question-yes');
    await asked('4,280');
    // The other click of a double click is no answer to what it did not see.
    for (const button of ['yes', 'price']) await pressAgain(`question-${button}`);
    await asked('4,280');
    expect(said()).toEqual([[], [yesTo(secondContract)]]);
    // An answer is for this attempt alone.
    await press('question-back');
    await press('register-submit');
    await asked('already be registered');
    await press('question-yes');
    await asked('4,280');
    await press('question-yes');
    await byTestId('receipt');
    const [second, both] = [[yesTo(secondContract)], [yesTo(secondContract), yesTo(price)]];
    expect(said()).toEqual([[], second, [], second, both]);
  });

  it('creates a lead under another id once its own is taken by other values', async () => {
    const fake = await startWindow('register', {
      lead_create: refuses({ ...refusal, code: 'alreadyRegistered' }),
    });
    await enterSale();
    await press('decline-lead');
    await byTestId('error-notice');
    fake.answer('lead_create', () => lead);
    await press('decline-lead');
    await byTestId('lead-token');
    const [first, second] = fake.called('lead_create');
    expect(second?.['id']).not.toBe(first?.['id']);
  });

  it('asks for its one lead, not for all, until the token is there', async () => {
    const fake = await startWindow('register', {
      lead_create: () => ({ ...lead, state: 'unknown', token: null }),
    });
    await enterSale();
    await press('decline-lead');
    await byTestId('lead-receipt');
    await fake.tell({ kind: 'outboxChanged' });
    await says('lead-token', 'lead-token-1');
    expect(fake.called('lead')).toContainEqual({ id: lead.id });
    expect(fake.called('leads')).toEqual([]);
  });

  it('names the transaction when it asks about a second lead for it', async () => {
    const earlierLead = { id: 'lead-0', state: 'created', enteredAt: lead.enteredAt };
    await startWindow('register', {
      lead_create: refuses({ ...refusal, code: 'secondLead', earlierLead }),
    });
    await enterSale();
    await press('decline-lead');
    const question = (await byTestId('second-lead-yes')).closest('dialog');
    expect(question?.textContent).toContain('T-1');
  });

  it('turns the entry into a lead when the customer declines, however often that is pressed', async () => {
    const fake = await startWindow();
    await enterSale();
    await fill('customer-email', '');
    await typist.keyboard('{Alt>}l{/Alt}');
    expect((await byTestId('lead-token')).textContent).toBe('lead-token-1');
    expect(fake.called('lead_create')[0]).toMatchObject({
      profileId: practice.id,
      draft: {
        transactionId: 'T-1',
        productReferenceId: REFERENCE,
        productPurchasePrice: '98000',
        quantity: '1',
        transactionDate: '',
      },
    });
    await typist.keyboard('{Alt>}l{/Alt}');
    expect(noteOf(await byTestId('transaction-id'))).toBe('');
    expect(fake.called('lead_create')).toHaveLength(1);
    expect(fake.called('contract_register')).toHaveLength(0);
  });

  it('keeps the entry whose lead the service refuses, to be corrected to a new one', async () => {
    const fake = await startWindow('register', {
      lead_create: () => ({ ...lead, state: 'rejected', token: null, refusal: 'no product' }),
    });
    await enterSale();
    await typist.keyboard('{Alt>}l{/Alt}');
    expect((await byTestId('lead-receipt')).textContent).toContain('no product');
    expect(await valueOf('customer-name')).toBe('山田 花子');
    expect(await valueOf('plan-price')).toBe('3,980');
    fake.answer('lead_create', () => lead);
    await typist.keyboard('{Alt>}l{/Alt}');
    await byTestId('lead-token');
    expect(await valueOf('customer-name')).toBe('');
    expect(new Set(fake.called('lead_create').map(({ id }) => id)).size).toBe(2);
  });

  it('keeps what was typed while another page is open', async () => {
    await startWindow();
    await enterSale();
    await press('nav-outbox');
    await byTestId('page-outbox');
    await press('nav-register');
    expect(await valueOf('customer-name')).toBe('山田 花子');
    expect(await valueOf('plan-price')).toBe('3,980');
  });

  it('shows hostile text as text', async () => {
    const hostile = '<img src=x onerror="document.title=1"> \u202Egnp.exe';
    await register({
      contract_register: () => ({ ...submission, customerName: hostile }),
    });
    const receipt = await byTestId('receipt');
    expect(receipt.textContent).toContain(hostile.replace('\u202E', '‹U+202E›'));
    expect(receipt.querySelector('img')).toBeNull();
  });

  it('says what happened, whether anything was sold, and what to do', async () => {
    await register({
      contract_register: refuses({
        ...refusal,
        code: 'diskFull',
        effect: 'none',
        next: 'computer',
      }),
    });
    const notice = await byTestId('error-notice');
    expect(notice.getAttribute('role')).toBe('alert');
    expect(notice.textContent).toContain('The service refused this.');
    expect(notice.textContent).toContain(t('effect.none'));
    expect(notice.textContent).toContain(t('next.computer'));
    expect(notice.textContent).toContain('request-9');
    expect(await valueOf('customer-name')).toBe('山田 花子');
  });
});
