import { waitFor } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { openPage } from '../navigation/route.svelte';
import {
  byTestId,
  fill,
  focusIsAt,
  held,
  press,
  refuses,
  shows,
  startWindow,
  typist,
} from '../testing/desk';
import * as sample from '../testing/samples';

it('A button keeps the focus while its work runs, and starts nothing meanwhile', async () => {
  let answer = (): void => undefined;
  const plan = { ...sample.plans[2]!, storeReferenceId: 'EW-1' };
  const fake = await startWindow('plans', {
    plan_link: () =>
      new Promise((done) => (answer = () => done({ plan, previous: null, alsoUsedBy: [] }))),
  });
  openPage('plans', { planId: 'plan-3' });
  await fill('store-reference', 'EW-1');
  const button = await byTestId<HTMLButtonElement>('link-submit');
  await waitFor(() => expect(button.disabled).toBe(false));
  button.focus();
  await typist.keyboard('{Enter}');
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'));
  await typist.keyboard('{Enter} ');
  await press('link-submit');
  expect(fake.called('plan_link')).toHaveLength(1);
  await focusIsAt('link-submit');
  expect(button.disabled).toBe(false);
  answer();
  await byTestId('link-proof');
  // There is nothing to link any more.
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await focusIsAt('link-submit');
  expect(button.disabled).toBe(false);
  await typist.tab();
  expect(button.disabled).toBe(true);
});

describe('a button that vanishes with what it did', () => {
  /** Presses a button by its key and waits until it is gone. */
  async function pressAway(id: string): Promise<void> {
    const button = await byTestId(id);
    button.focus();
    await typist.keyboard('{Enter}');
    await waitFor(() => expect(button.isConnected).toBe(false));
  }
  const focusIsOn = (name: string) =>
    waitFor(() => {
      const now = document.activeElement;
      const label = now?.getAttribute('aria-label') ?? now?.textContent?.trim();
      expect(label).toBe(name);
    });

  it('leaves the focus in the part of the page it was in, which stays as it was', async () => {
    const fake = await startWindow('contracts');
    await fill('contracts-search', 'nobody');
    await byTestId('contracts-widen');
    fake.answer('contracts_list', () => sample.page(2));
    await pressAway('contracts-widen');
    await focusIsOn('Registered here');
    const part = document.activeElement!;
    await typist.tab();
    expect(part.hasAttribute('tabindex')).toBe(false);
  });

  it('leaves it at the heading of its page, or of its dialog', async () => {
    const fake = await startWindow('products', { products_list: refuses() });
    await byTestId('try-again');
    fake.answer('products_list', () => ({ products: [sample.product], count: 1 }));
    await pressAway('try-again');
    await focusIsOn('Products');
    const [waits] = held();
    fake.answer('product_last_known', refuses());
    await press('product-open');
    await byTestId('try-again');
    fake.answer('product_last_known', waits);
    await pressAway('try-again');
    await focusIsOn('Add or edit a product');
  });

  it('leaves it at the heading of the page when it was above that', async () => {
    const fake = await startWindow('products', {
      status: () => ({ ...sample.status, blocker: { kind: 'practiceNotRunning' } }),
    });
    const again = (await byTestId('token-banner')).querySelector('button')!;
    fake.answer('status', () => sample.status);
    again.focus();
    await typist.keyboard('{Enter}');
    await waitFor(() => expect(again.isConnected).toBe(false));
    await focusIsOn('Products');
  });

  it('leaves it in the settings when another profile is used', async () => {
    const fake = await startWindow('settings', { profile_use: () => sample.live });
    await byTestId('profile-use');
    fake.answer('status', () => ({ ...sample.status, profile: sample.live }));
    await pressAway('profile-use');
    await focusIsOn('Settings');
  });

  it('leaves it alone where something else has taken it', async () => {
    await startWindow('leads');
    await fill('lead-transaction-id', 'T-1');
    await pressAway('lead-clear');
    await focusIsAt('lead-product-reference');
  });

  it('moves nothing when the person had gone on already', async () => {
    await startWindow('leads');
    await fill('lead-transaction-id', 'T-1');
    const button = await byTestId('lead-clear');
    button.focus();
    button.blur();
    await fill('lead-transaction-id', '');
    await waitFor(() => expect(shows('lead-clear')).toBe(false));
    await new Promise((turn) => setTimeout(turn, 20));
    expect(document.activeElement).toBe(document.body);
  });
});
