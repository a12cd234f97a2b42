import { fireEvent, waitFor } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { t } from '../../i18n/language.svelte';
import { openPage } from '../../navigation/route.svelte';
import {
  byTestId,
  fill,
  held,
  noteOf,
  press,
  refusal,
  refuses,
  shows,
  startWindow,
  typist,
  valueOf,
  type FakeDesk,
  type Reply,
} from '../../testing/desk';
import * as sample from '../../testing/samples';
import { scan } from '../../testing/scanner';
import { plans } from './plans.svelte';

describe('a plan', () => {
  it('is linked against what was seen before, and the proof is shown', async () => {
    const fake = await startWindow('plans', {
      store_reference_used_by: () => ['plan-2'],
      plan_link: () => ({
        plan: { ...sample.plans[2]!, storeReferenceId: 'EW-1' },
        previous: null,
        alsoUsedBy: ['plan-2'],
      }),
    });
    await fill('plans-reference', sample.REFERENCE);
    await press('plans-show');
    await press('plan-open');
    await fill('store-reference', 'EW-1');
    const box = await byTestId('store-reference');
    await waitFor(() => expect(noteOf(box)).toContain('plan-2'));
    await press('link-submit');
    expect((await byTestId('link-proof')).textContent).toContain('EW-1');
    expect((await byTestId('link-duplicate')).textContent).toContain('plan-2');
    expect(fake.called('plan_link')).toEqual([
      { profileId: sample.practice.id, id: 'plan-3', storeReferenceId: 'EW-1', expected: null },
    ]);
  });
});

it('shows the price of a product without a title, whose reference is its heading', async () => {
  const list = { ...sample.planList, productTitle: null, productPrice: 98_765 };
  await startWindow('plans', { plans_cached: () => list, plans_refresh: () => list });
  await fill('plans-reference', sample.REFERENCE);
  await press('plans-show');
  await byTestId('plan-open');
  const { textContent } = await byTestId('page-plans');
  expect(textContent).toContain('98,765');
  expect(textContent?.split(sample.REFERENCE)).toHaveLength(2);
});

describe('a product that the service refuses', () => {
  it('is said to be unknown there, without a second trial or words of a sale', async () => {
    const none = { ...sample.planList, productTitle: null, plans: [], fetchedAt: null };
    await startWindow('plans', {
      plans_cached: () => ({ ...none, productReference: '999' }),
      plans_refresh: refuses(),
    });
    await fill('plans-reference', '999');
    await press('plans-show');
    const notice = await byTestId('error-notice');
    expect(notice.textContent).toContain('does not know this product');
    expect(notice.textContent).not.toContain(t('effect.none'));
    expect(shows('try-again')).toBe(false);
    expect((await byTestId('page-plans')).textContent?.match(/999/g)).toHaveLength(1);
  });
});

describe('a plan that is found in a search and linked', () => {
  const found = { ...sample.record, plan: { ...sample.plans[2]!, storeReferenceId: null } };
  const linked = {
    plan: { ...sample.plans[2]!, storeReferenceId: 'EW-1' },
    previous: null,
    alsoUsedBy: [],
  };

  async function openFound(replies: Record<string, Reply>): Promise<FakeDesk> {
    const fake = await startWindow('plans', {
      plans_search: () => [found],
      plan_cached: () => found,
      plan_link: () => linked,
      ...replies,
    });
    await press('plans-mode-product');
    await fill('plans-reference', sample.REFERENCE);
    await press('plans-show');
    await press('plans-mode-text');
    await fill('plans-search', 'care');
    await press('plan-open');
    await fill('store-reference', 'EW-1');
    return fake;
  }

  it('is searched again, and the list that was searched stays', async () => {
    const fake = await openFound({});
    const before = fake.called('plans_search').length;
    await press('link-submit');
    await byTestId('link-proof');
    await waitFor(() => expect(fake.called('plans_search')).toHaveLength(before + 1));
    expect(shows('plans-search')).toBe(true);
  });

  it('shows what came of it, whatever is answered late or pressed meanwhile', async () => {
    let read = (_: unknown) => {};
    const [waits, link] = held();
    await openFound({ plan_open: () => new Promise((done) => (read = done)), plan_link: waits });
    await press('link-submit');
    (await byTestId('plan-drawer')).dispatchEvent(new Event('cancel', { cancelable: true }));
    link(linked);
    read(found);
    await byTestId('link-proof');
    expect(noteOf(await byTestId('store-reference'))).toContain('EW-1');
  });
});

it('asks before a store reference that was typed is dropped', async () => {
  await startWindow('plans');
  openPage('plans', { planId: 'plan-3' });
  await fill('store-reference', 'EW-1');
  await typist.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  await press('leave-back');
  expect(await valueOf('store-reference')).toBe('EW-1');
  await typist.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  await press('leave-yes');
  await waitFor(() => expect(shows('store-reference')).toBe(false));
  expect(shows('leave-yes')).toBe(false);
});

it('asks the same before it leads to the counter, or gives way to a scanned product', async () => {
  const fake = await startWindow('plans');
  openPage('plans', { planId: 'plan-3' });
  await fill('store-reference', 'EW-1');
  await press('plan-sell');
  await press('leave-back');
  expect(await valueOf('store-reference')).toBe('EW-1');
  (await byTestId('plan-sell')).focus();
  scan('4900000000017');
  await press('leave-yes');
  await fake.hearsLast('plans_refresh', { product: '4900000000017' });
  expect((await byTestId<HTMLDialogElement>('plan-drawer')).open).toBe(false);
});

it('are shown of a known product as its reference is written, and of a typed one made plain', async () => {
  const fake = await startWindow('plans', {
    product_last_known: ({ reference }) => (reference === 'Ｐ－４' ? sample.product : null),
  });
  const asked = () => fake.called('plans_refresh').map(({ product }) => product);
  openPage('plans', { productReference: 'Ｐ－２' });
  await waitFor(() => expect(asked()).toEqual(['Ｐ－２']));
  await press('plans-show');
  await waitFor(() => expect(asked()).toEqual(['Ｐ－２', 'Ｐ－２']));
  await fill('plans-reference', 'Ｐ－３');
  await press('plans-show');
  await waitFor(() => expect(asked().at(-1)).toBe('P-3'));
  await fill('plans-reference', 'Ｐ－４');
  await press('plans-show');
  await waitFor(() => expect(asked().at(-1)).toBe('Ｐ－４'));
});

it('are shown with their age while newer ones are read', async () => {
  const never = () => new Promise(() => {});
  await startWindow('plans', {
    plans_refresh: never,
    plan_cached: () => sample.record,
    plan_open: never,
  });
  openPage('plans', { productReference: sample.REFERENCE, planId: 'plan-3' });
  for (const id of ['plans-age', 'plan-age']) {
    const age = await byTestId(id);
    await waitFor(() => expect(age.querySelector('time')).not.toBeNull());
    expect(age.textContent).toContain('Updating…');
  }
});

it('leads to the counter with its product, and asks nothing of the service for that', async () => {
  const fake = await startWindow('plans');
  openPage('plans', { planId: 'plan-3' });
  await byTestId('plan-sell');
  expect(fake.called('plans_cached')).toEqual([]);
  await press('plan-sell');
  expect(await valueOf('product-reference')).toBe(sample.REFERENCE);
});

it('is shown with all that the service says of its product', async () => {
  const product = {
    id: 'product-9',
    referenceId: sample.REFERENCE,
    title: 'Sample washing machine',
    price: 98000,
    imageUrl: 'https://sample.invalid/washer.jpg',
    createdAt: '2026-11-01T10:00:00.000+09:00',
    updatedAt: '2026-11-02T10:00:00.000+09:00',
  };
  await startWindow('plans', { plan_open: () => ({ ...sample.record, product }) });
  openPage('plans', { planId: 'plan-3' });
  const drawer = await byTestId('plan-drawer');
  await waitFor(() => expect(drawer.textContent).toContain(product.id));
  for (const shown of [product.imageUrl, '2026-11-01', '2026-11-02']) {
    expect(drawer.textContent).toContain(shown);
  }
  expect(drawer.querySelector('img')).toBeNull();
});

describe('a search', () => {
  it('is read again once all products are updated', async () => {
    const fake = await startWindow('plans');
    await press('plans-mode-text');
    await fill('plans-search', 'care');
    await waitFor(() => expect(fake.called('plans_search')).toHaveLength(1));
    const progress = { kind: 'refreshProgress', profileId: sample.practice.id, total: 2 } as const;
    await fake.tell({ ...progress, done: 1, failed: 0, finished: false });
    const bar = document.querySelector('main progress')!.closest('label')!;
    expect(bar.querySelector('[role="status"]')).toBeNull();
    await fake.tell({ ...progress, done: 2, failed: 1, finished: true });
    await waitFor(() => expect(fake.called('plans_search')).toHaveLength(2));
    expect(document.querySelector('main')!.textContent).toContain('1 updated, 1 failed');
    await fake.tell({ ...progress, profileId: 'another', done: 0, failed: 0, finished: false });
    expect(document.querySelector('main')!.textContent).toContain('1 updated, 1 failed');
  });

  it('opens what is typed with Enter, not what was found before', async () => {
    const named = (id: string) => ({ ...sample.record, plan: { ...sample.record.plan, id } });
    const fake = await startWindow('plans', {
      // Longer than what is typed last waits for more keys.
      plans_search: async ({ text }) => {
        await new Promise((answered) => setTimeout(answered, 200));
        return [named(`plan-${String(text)}`)];
      },
    });
    await press('plans-mode-text');
    await fill('plans-search', 'tv');
    await byTestId('plan-open');
    await fill('plans-search', 'fridge');
    (await byTestId('plans-search')).focus();
    await typist.keyboard('{Enter}');
    await waitFor(() =>
      expect(fake.called('plan_open').map(({ id }) => id)).toEqual(['plan-fridge']),
    );
  });

  it('stays on a plan that was opened while a search was under way', async () => {
    const [waits, answer] = held();
    const fake = await startWindow('plans', { plans_search: () => [sample.record] });
    await press('plans-mode-text');
    await fill('plans-search', 'tv');
    const row = await byTestId('plan-open');
    fake.answer('plans_search', waits);
    await fill('plans-search', 'fridge');
    (await byTestId('plans-search')).focus();
    await typist.keyboard('{Enter}');
    await waitFor(() =>
      expect(fake.called('plans_search').at(-1)).toMatchObject({ text: 'fridge' }),
    );
    await typist.click(row);
    const before = fake.called('plan_open').length;
    answer([{ ...sample.record, plan: { ...sample.record.plan, id: 'plan-fridge' } }]);
    await waitFor(() => expect(plans.searched).toBe('fridge'));
    expect(fake.called('plan_open')).toHaveLength(before);
  });
});

describe('a search that finds more plans than it shows', () => {
  it('says so', async () => {
    let found = 200;
    const plan = (_: unknown, at: number) => ({
      ...sample.record,
      plan: { ...sample.record.plan, id: `plan-${at}` },
    });
    await startWindow('plans', { plans_search: () => Array.from({ length: found }, plan) });
    await press('plans-mode-text');
    const bar = () => document.querySelector('main')?.textContent ?? '';
    await fill('plans-search', 'care');
    await waitFor(() => expect(bar()).toContain(t('plans.found', { count: 200 })));
    found = 201;
    await fill('plans-search', 'car');
    await waitFor(() => expect(bar()).toContain(t('plans.foundFirst', { count: 200 })));
  });
});

describe('a text that nothing contains', () => {
  it('is said to have no plans by a place that was there before', async () => {
    await startWindow('plans', {
      plans_search: ({ text }) => (text === 'tv' ? [] : [sample.record]),
    });
    await press('plans-mode-text');
    await fill('plans-search', 'care');
    await byTestId('plans-sums');
    const told = await byTestId('announced');
    expect(told.getAttribute('role')).toBe('status');
    await fill('plans-search', 'tv');
    await waitFor(() => expect(told.textContent).toContain(t('word.nothingFound')));
    expect(told.isConnected).toBe(true);
  });
});

describe('Enter in the box of a reference', () => {
  const enter = (box: HTMLElement) => fireEvent.keyDown(box, { key: 'Enter' });

  it('shows its plans at once, before the list of known products can take it, and once however long it is held', async () => {
    const fake = await startWindow('plans');
    await press('plans-mode-product');
    await fill('plans-reference', sample.REFERENCE);
    const box = await byTestId('plans-reference');
    await waitFor(() => expect(document.querySelector('datalist option')).not.toBeNull());
    // An event that is not prevented would go to the list.
    expect(await enter(box)).toBe(false);
    expect(await fireEvent.keyDown(box, { key: 'Enter', repeat: true })).toBe(false);
    await waitFor(() => expect(fake.called('plans_refresh')).toHaveLength(1));
    expect(document.querySelector('datalist option')).toBeNull();
  });

  it('belongs to that list once an arrow key went into it, until something is typed', async () => {
    const fake = await startWindow('plans');
    await press('plans-mode-product');
    await fill('plans-reference', '49');
    const box = await byTestId('plans-reference');
    await fireEvent.keyDown(box, { key: 'ArrowDown' });
    expect(await enter(box)).toBe(true);
    expect(fake.called('plans_refresh')).toEqual([]);
    await fill('plans-reference', sample.REFERENCE);
    expect(await enter(box)).toBe(false);
    await waitFor(() => expect(fake.called('plans_refresh')).toHaveLength(1));
  });
});

describe('a product whose plans were never loaded', () => {
  it('is not said to have none while the service cannot be reached', async () => {
    await startWindow('plans', {
      plans_cached: () => ({ ...sample.planList, plans: [], fetchedAt: null }),
      plans_refresh: refuses({ ...refusal, code: 'noNetwork' }),
    });
    await press('plans-mode-product');
    await fill('plans-reference', sample.REFERENCE);
    await press('plans-show');
    await waitFor(() => expect(document.body.textContent).toContain('not saved on this computer'));
    expect(document.body.textContent).not.toContain('offers no plans');
    expect((await byTestId('announced')).textContent).toBe(t('plans.neverAsked'));
  });
});
