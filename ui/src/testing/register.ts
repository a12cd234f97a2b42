import { waitFor } from '@testing-library/svelte';
import { expect } from 'vitest';
import type { Draft } from '../ipc';
import { byTestId, fill, typist, type Reply } from './desk';
import { REFERENCE } from './samples';

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
