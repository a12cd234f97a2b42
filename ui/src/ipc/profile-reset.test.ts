import { expect, it } from 'vitest';
import { contracts } from '../pages/contracts/contracts.svelte';
import { outbox } from '../pages/outbox/outbox.svelte';
import { plans } from '../pages/plans/plans.svelte';
import { products } from '../pages/products/products.svelte';
import { resetProfile } from './profile-reset';

it('drops what was searched and filtered under the former profile', () => {
  outbox.show('confirmed', null);
  for (const page of [outbox, products, plans, contracts]) page.text = 'T-7';
  plans.reference = 'P-3';
  contracts.state = 'rejected';
  contracts.range = 'days';
  contracts.from = contracts.to = '2026-11-20';
  resetProfile();
  for (const page of [outbox, products, plans, contracts]) expect(page.text).toBe('');
  expect(outbox.view).toBe('open');
  expect(plans.reference).toBe('');
  expect(contracts.narrowed).toBe(false);
  expect([contracts.range, contracts.from, contracts.to]).toEqual(['all', '', '']);
});
