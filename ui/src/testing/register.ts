import { waitFor } from '@testing-library/svelte';
import { expect } from 'vitest';
import { fill, typist } from './desk';
import { REFERENCE } from './samples';

/** The plans offered at the counter. */
export const options = () => document.querySelectorAll<HTMLElement>('[data-testid="plan-option"]');

/** Fills in a whole sale of the second plan. */
export async function enterSale(): Promise<void> {
  await fill('product-reference', REFERENCE);
  await waitFor(() => expect(options()).toHaveLength(3));
  await typist.click(options()[1]!);
  await fill('transaction-id', 'T-1');
  await fill('transaction-total', '１００,０００');
  await fill('customer-name', '山田 花子');
  await fill('customer-email', 'hanako@example.jp');
}
