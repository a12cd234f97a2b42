// The box of the product reference offers what is known here, and a code goes before an offer.
import { waitFor } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
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
import { enterProduct, options } from '../../testing/register';
import { scan } from '../../testing/scanner';
import {
  known,
  overview,
  planList,
  plans,
  practice,
  product,
  record,
  REFERENCE,
  status,
} from '../../testing/samples';
import { counter } from './counter.svelte';

const OTHER = '2000000000022';
const offers = known([
  { ...product, referenceId: OTHER, title: 'Sample camera', price: 52000 },
  product,
]);

/** Types into the box and waits for the offer. */
async function offered(text: string) {
  const fake = await startWindow('register', { products_list: () => offers });
  (await byTestId('product-reference')).focus();
  await typist.keyboard(text);
  await byTestId('product-offers');
  return fake;
}

/** Ends a reference with Enter, too slowly for a scanner. */
async function enter(reference: string): Promise<void> {
  await fill('product-reference', reference);
  (await byTestId('product-reference')).focus();
  await typist.keyboard('{Enter}');
}

const looked = (fake: Awaited<ReturnType<typeof offered>>) =>
  fake.called('plans_cached').map(({ product }) => product);

describe('the box of the product', () => {
  it('offers known products by name while one types, with reference and price', async () => {
    const fake = await offered('was');
    expect(fake.called('products_list').at(-1)).toMatchObject({ filter: { text: 'was' } });
    const list = await byTestId('product-offers');
    expect(list.textContent).toContain('Sample camera');
    expect(list.textContent).toContain(OTHER);
    expect(list.textContent).toContain('52,000');
    await typist.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    await waitFor(() => expect(options()).toHaveLength(3));
    expect(await valueOf('product-reference')).toBe(REFERENCE);
    expect(shows('product-offers')).toBe(false);
    expect(looked(fake)).toEqual([REFERENCE]);
  });

  it('opens a known reference as it is written', async () => {
    const wide = 'Ｐ－２';
    const fake = await startWindow('register', {
      products_list: () => known([{ ...product, referenceId: wide }]),
      plans_cached: ({ product }) => ({ ...planList, productReference: product }),
      plans_refresh: ({ product }) => ({ ...planList, productReference: product }),
    });
    (await byTestId('product-reference')).focus();
    await typist.keyboard('was');
    await press('product-offer');
    await waitFor(() => expect(options()).toHaveLength(3));
    (await byTestId('product-reference')).focus();
    await typist.keyboard('{Enter}');
    await waitFor(() => expect(looked(fake)).toEqual([wide, wide]));
    await enter('Ｐ－３');
    await waitFor(() => expect(looked(fake).at(-1)).toBe('P-3'));
  });

  it('takes one that is clicked', async () => {
    const fake = await offered('was');
    await press('product-offer');
    await waitFor(() => expect(looked(fake)).toEqual([OTHER]));
    expect(await valueOf('product-reference')).toBe(OTHER);
  });

  it('looks up what is typed as long as no offer was chosen', async () => {
    const fake = await offered('20000');
    await typist.keyboard('{Enter}');
    await waitFor(() => expect(looked(fake)).toEqual(['20000']));
    expect(shows('product-offers')).toBe(false);
  });

  it('takes a scanned code, also while an offer is marked', async () => {
    const fake = await offered('was');
    await typist.keyboard('{ArrowDown}');
    scan(REFERENCE);
    await waitFor(() => expect(looked(fake)).toEqual([REFERENCE]));
    expect(await valueOf('product-reference')).toBe(REFERENCE);
    await waitFor(() => expect(shows('product-offers')).toBe(false));
  });

  it('keeps the focus when Enter is pressed in it while it is empty', async () => {
    const fake = await startWindow();
    (await byTestId('product-reference')).focus();
    await typist.keyboard('{Enter}');
    await focusIsAt('product-reference');
    await typist.keyboard('20000{Enter}');
    await waitFor(() => expect(looked(fake)).toEqual(['20000']));
  });

  it('leaves the focus where somebody types when the product they entered is found late', async () => {
    const [waits, answer] = held();
    await startWindow('register', { plans_cached: () => null, plans_refresh: waits });
    await enter(REFERENCE);
    (await byTestId('customer-name')).focus();
    answer(planList);
    await waitFor(() => expect(options()).toHaveLength(3));
    await new Promise((turn) => setTimeout(turn));
    await focusIsAt('customer-name');
  });

  it('leaves the fee as it was when its plan was chosen, even if the service answers later', async () => {
    const [waits, answer] = held();
    await startWindow('register', { plans_refresh: waits });
    await enter(REFERENCE);
    await waitFor(() => expect(options()).toHaveLength(3));
    await typist.click(options()[1]!);
    answer({ ...planList, plans: plans.map((plan) => ({ ...plan, price: 4980 })) });
    await waitFor(() => expect(counter.plan?.price).toBe(4980));
    expect(await valueOf('plan-price')).toBe('3,980');
  });

  it('takes no key for itself once Enter shows plans, even before the service answers', async () => {
    await startWindow('register', { plans_refresh: () => new Promise(() => {}) });
    await enter(REFERENCE);
    await waitFor(() => expect(options()).toHaveLength(3));
    // A person's key comes after the longest pause inside a scanner's burst.
    await new Promise((rest) => setTimeout(rest, 260));
    await typist.keyboard('1');
    await focusIsAt('transaction-id');
    expect(await valueOf('product-reference')).toBe(REFERENCE);
  });

  it('closes the offer with Escape and keeps what was typed', async () => {
    await offered('was');
    await typist.keyboard('{Escape}');
    expect(shows('product-offers')).toBe(false);
    expect(await valueOf('product-reference')).toBe('was');
    await focusIsAt('product-reference');
  });
});

describe('a product whose plans are saved here', () => {
  const failing = async (code: string) => {
    await startWindow('register', {
      plans_refresh: refuses({
        ...refusal,
        code,
        next: code === 'tokenRefused' ? 'token' : 'again',
      }),
    });
    await enterProduct(REFERENCE);
    return (await byTestId('error-notice')).textContent;
  };

  it.each(['noNetwork', 'noAnswer', 'serviceFault', 'tooManyRequests'])(
    'can be sold while the service gives no plans, and its notice says so (%s)',
    async (code) => {
      const notice = await failing(code);
      expect(notice).toContain('sent automatically once the service responds again');
      expect((await byTestId('error-notice')).role).toBe('status');
    },
  );

  it('is read again once the service is reached', async () => {
    const out = { ...overview, connection: 'notReached' as const };
    const profileId = practice.id;
    const fake = await startWindow('register', {
      status: () => ({ ...status, overview: out }),
      plans_refresh: refuses({ ...refusal, code: 'noNetwork' }),
    });
    await enterProduct(REFERENCE);
    await byTestId('error-notice');
    fake.answer('plans_refresh', () => planList);
    await fake.tell({ kind: 'overviewChanged', profileId, overview: out });
    expect(shows('error-notice')).toBe(true);
    await fake.tell({ kind: 'overviewChanged', profileId, overview });
    await waitFor(() => expect(shows('error-notice')).toBe(false));
    expect(fake.called('plans_refresh')).toHaveLength(2);
  });

  it.each(['redirected', 'unreadable', 'unclearError', 'serviceError'])(
    'is not said to be sent automatically while a person may be needed (%s)',
    async (code) => {
      expect(await failing(code)).not.toContain('saved plans');
      expect((await byTestId('error-notice')).role).toBe('alert');
    },
  );

  it('is not said to be sold as usual while the access token is refused', async () => {
    const notice = await failing('tokenRefused');
    expect(notice).toContain('Set the access token again');
    expect(notice).not.toContain('saved plans');
  });
});

describe('a product whose plans are not saved here, while the service cannot be reached', () => {
  it('says so and what to do, and F12 goes to the plans that are missing', async () => {
    await startWindow('register', {
      plans_cached: () => ({ ...planList, plans: [], fetchedAt: null }),
      plans_refresh: refuses({ ...refusal, code: 'noNetwork' }),
    });
    (await byTestId('product-reference')).focus();
    await typist.keyboard('20000{Enter}');
    const notice = (await byTestId('error-notice')).textContent;
    expect(notice).toContain('not saved on this computer');
    expect(notice).toContain('register it once the service responds again');
    await typist.keyboard('{F12}');
    await waitFor(() => expect(document.activeElement?.textContent).toContain('Choose a plan.'));
  });
});

it.each([
  [null, '90,000'],
  ['95000', '95,000'],
])('replaces a filled in price by that of the service, unless edited: %s', async (edited, kept) => {
  const [waits, answer] = held();
  await startWindow('register', { plan_open: waits });
  await enterProduct(REFERENCE);
  await waitFor(async () => expect(await valueOf('product-price')).toBe('98,000'));
  if (edited) await fill('product-price', edited);
  answer({ ...record, product: { ...product, price: 90000 } });
  await waitFor(() => expect(document.body.textContent).toContain('90,000'));
  expect(await valueOf('product-price')).toBe(kept);
});
