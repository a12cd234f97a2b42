import { waitFor } from '@testing-library/svelte';
import { expect } from 'vitest';
import type { Draft } from '../ipc';
import { byTestId, fill, press, startWindow, typist, type FakeDesk, type Reply } from './desk';
import { plans, REFERENCE } from './samples';

/** The plans offered at the counter. */
export const options = () => document.querySelectorAll<HTMLElement>('[data-testid="plan-option"]');

/** Types a product reference and ends it with Tab. */
export async function enterProduct(reference: string): Promise<void> {
  await fill('product-reference', reference);
  const box = await byTestId('product-reference');
  box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true }));
}

/** The same with the sample product, until its plans are offered. */
export async function enterSample(): Promise<void> {
  await enterProduct(REFERENCE);
  await waitFor(() => expect(options()).toHaveLength(3));
}

/** Fills in a whole sale of the second plan. */
export async function enterSale(): Promise<void> {
  await enterSample();
  await typist.click(options()[1]!);
  await fillSale();
}

/** Fills in what a sale needs besides its plan. */
export async function fillSale(): Promise<void> {
  await fill('transaction-id', 'T-1');
  await fill('transaction-total', '１００,０００');
  await fill('customer-name', '山田 花子');
  await fill('customer-email', 'hanako@example.jp');
}

/** Registers a whole sale in a new window. */
export async function register(otherwise: Record<string, Reply> = {}): Promise<FakeDesk> {
  const fake = await startWindow('register', otherwise);
  await enterSale();
  await press('register-submit');
  return fake;
}

/** A sale as it was typed and is kept. */
export const typedSale = {
  entryId: '0a1c6c1e-53d5-4f0b-9a53-0e8a6b7c1d2f',
  leadId: '1b1c6c1e-53d5-4f0b-9a53-0e8a6b7c1d2f',
  replaces: null as string | null,
  productReferenceId: REFERENCE,
  productPurchasePrice: '90,000',
  planId: plans[1]!.id,
  planPurchasePrice: '3,500',
  transactionId: 'T-1',
  transactionTotal: '100,000',
  transactionDate: '',
  customerName: '山田 花子',
  customerEmail: 'hanako@exam',
};
export const keptSale = (sale: typeof typedSale) => ({
  name: `counter/${sale.entryId}`,
  state: 'known',
  text: JSON.stringify(sale),
  keptAt: '2026-11-20T01:32:00.000+00:00',
});

/** The answers of a desk that keeps drafts, each under its profile. */
export function keepsDrafts() {
  const kept = new Map<string, Draft>();
  const place = ({ profileId, name }: Record<string, unknown>) => `${profileId} ${name}`;
  return {
    draft_keep: (args) => {
      const { name, text } = args as { name: string; text: string };
      kept.set(place(args), {
        name,
        text,
        state: 'known',
        keptAt: '2026-11-20T01:32:00.000+00:00',
      });
      return 'file';
    },
    draft_drop: (args) => (kept.delete(place(args)), null),
    drafts: ({ profileId }) =>
      [...kept].flatMap(([at, draft]) => (at.startsWith(`${profileId} `) ? draft : [])),
  } satisfies Record<string, Reply>;
}
