import { waitFor } from '@testing-library/svelte';
import { expect } from 'vitest';
import { byTestId, fill, typist } from './desk';
import { REFERENCE } from './samples';

/** The plans offered at the counter. */
export const options = () => document.querySelectorAll<HTMLElement>('[data-testid="plan-option"]');

/** Types a product reference and ends it with Tab. */
export async function enterProduct(reference: string): Promise<void> {
  await fill('product-reference', reference);
  const box = await byTestId('product-reference');
  box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true }));
}

/** Fills in a whole sale of the second plan. */
export async function enterSale(): Promise<void> {
  await enterProduct(REFERENCE);
  await waitFor(() => expect(options()).toHaveLength(3));
  await typist.click(options()[1]!);
  await fill('transaction-id', 'T-1');
  await fill('transaction-total', '１００,０００');
  await fill('customer-name', '山田 花子');
  await fill('customer-email', 'hanako@example.jp');
}
