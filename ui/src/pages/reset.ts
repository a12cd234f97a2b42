// Resets every page when another profile is chosen.
import { contracts } from './contracts/contracts.svelte';
import { importing } from './import/importing.svelte';
import { leads } from './leads/leads.svelte';
import { outbox } from './outbox/outbox.svelte';
import { plans } from './plans/plans.svelte';
import { products } from './products/products.svelte';
import { papers } from '../paper/papers.svelte';
import { counter } from './register/counter.svelte';
import { scans } from './register/scans.svelte';
import { sheet } from './sheet/sheet.svelte';
import { today } from './today/today.svelte';

/** Drops the data of the former profile's service; keeps typed input. */
export function resetProfile(): void {
  const read = [contracts, importing, leads, outbox, papers, plans, products, today];
  const entered = [counter, scans, sheet];
  for (const page of [...read, ...entered]) page.reset();
}
