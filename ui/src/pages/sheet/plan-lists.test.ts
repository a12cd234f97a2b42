// Which plans a row is filled from while the lists of plans come and change.
import { waitFor } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { byTestId, held } from '../../testing/desk';
import { planList, plans, REFERENCE } from '../../testing/samples';
import { key, put, start, textAt, type } from '../../testing/sheet';
import { sheet } from './sheet.svelte';

const newPlan = { ...plans[0]!, id: 'new', title: 'New plan', storeReferenceId: null };
const refreshed = { ...planList, plans: [newPlan, ...plans] };

const isRead = () => waitFor(() => expect(sheet.planLists.isReading(REFERENCE)).toBe(false));
const offers = (title: string | null | undefined) =>
  waitFor(async () => expect((await byTestId('plan-offered')).textContent).toContain(title));

/** The cell of the plan in a row of the sample product, whose list is being refreshed. */
async function atPlan() {
  const [waits, answer] = held();
  await start({ plans_refresh: waits });
  await type(REFERENCE);
  key('Tab');
  await offers(plans[0]!.title);
  return answer;
}

it('a number chooses the plan that had it when it was typed, though the list changes', async () => {
  const answer = await atPlan();
  put('1');
  answer(refreshed);
  await isRead();
  await offers(plans[0]!.title);
  key('Enter');
  await waitFor(() => expect(textAt(0, 2)).toBe(plans[0]!.title));
  key('ArrowUp');
  key('End');
  key('Home');
  key('Tab');
  key('Tab');
  await offers('New plan');
});

it('a number that no plan had when it was typed chooses none that comes later', async () => {
  const answer = await atPlan();
  await type('4');
  answer(refreshed);
  await isRead();
  key('Tab', { shiftKey: true });
  await offers('New plan');
  expect(textAt(0, 2)).toBe('4');
});
