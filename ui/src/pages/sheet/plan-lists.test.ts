// Which plans a row is filled from while the lists of plans come and change.
import { waitFor } from '@testing-library/svelte';
import { afterEach, expect, it, vi } from 'vitest';
import { byTestId, held } from '../../testing/desk';
import { planList, plans, REFERENCE } from '../../testing/samples';
import { key, paste, put, run, sale, start, textAt, type } from '../../testing/sheet';
import { PlanLists } from './plan-lists.svelte';
import { sheet } from './sheet.svelte';

afterEach(() => void vi.useRealTimers());

const newPlan = { ...plans[0]!, id: 'new', title: 'New plan', storeReferenceId: null };
const refreshed = { ...planList, plans: [newPlan, ...plans] };

const isRead = () => waitFor(() => expect(sheet.planLists.isReading(REFERENCE)).toBe(false));
const offers = (title: string | null | undefined) =>
  waitFor(async () => expect((await byTestId('plan-offered')).textContent).toContain(title));

/** The cell of the plan in a row of the sample product, whose list is being refreshed. */
async function atPlan() {
  const [waits, answer] = held();
  const desk = await start({ plans_refresh: waits });
  await type(REFERENCE);
  key('Tab');
  await offers(plans[0]!.title);
  return { desk, answer };
}

it('a number chooses the plan that had it when it was typed, though the list changes', async () => {
  const { answer } = await atPlan();
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
  const { answer } = await atPlan();
  await type('4');
  answer(refreshed);
  await isRead();
  key('Tab', { shiftKey: true });
  await offers('New plan');
  expect(textAt(0, 2)).toBe('4');
});

it('a number of an earlier day chooses no plan of the first list that is read now', async () => {
  const kept = (name: string, value: unknown) => ({
    name,
    state: 'known',
    text: JSON.stringify(value),
    keptAt: run.createdAt,
  });
  await start({
    drafts: () => [
      kept('sheet/head', ['sheet/1']),
      kept('sheet/1', [[[REFERENCE, '98000', '2'], [], null]]),
    ],
  });
  await waitFor(() => expect(textAt(0, 2)).toBe('2'));
  await type(REFERENCE);
  key('Tab');
  await type('1');
  await waitFor(() => expect(textAt(1, 2)).toBe(plans[0]!.title));
  expect(textAt(0, 2)).toBe('2');
});

it('a number typed before any list came waits until the service has answered', async () => {
  const [cacheWaits, remembered] = held();
  const [waits, answer] = held();
  await start({ plans_cached: cacheWaits, plans_refresh: waits });
  await type(REFERENCE);
  key('Tab');
  await type('3');
  key('Tab', { shiftKey: true });
  remembered({ ...planList, plans: plans.slice(0, 2), source: 'cache' });
  await offers(plans[0]!.title);
  expect(textAt(0, 2)).toBe('3');
  answer(planList);
  await waitFor(() => expect(textAt(0, 2)).toBe(plans[2]!.title));
});

it('plans that were read some time ago are read again and offered until the answer', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T10:00:00+09:00') });
  const { desk, answer } = await atPlan();
  answer(planList);
  await isRead();
  const [waits, again] = held();
  desk.answer('plans_refresh', waits);
  const asked = () => desk.called('plans_refresh').length;
  const leaveAndReturn = async (minutes: number) => {
    key('Tab');
    await waitFor(() => expect(document.querySelector('[data-testid="plan-offer"]')).toBeNull());
    vi.setSystemTime(Date.now() + minutes * 60_000);
    key('Tab', { shiftKey: true });
    await offers(plans[0]!.title);
  };
  await leaveAndReturn(1);
  expect(asked()).toBe(1);
  await leaveAndReturn(10);
  await waitFor(() => expect(asked()).toBe(2));
  again(refreshed);
  await offers('New plan');
});

it('plans are read again on the way down the rows of one product', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T10:00:00+09:00') });
  const desk = await start();
  paste([sale(1), sale(2)].join('\n'));
  key('Home');
  key('Tab');
  key('Tab');
  await offers(plans[0]!.title);
  await isRead();
  vi.setSystemTime(Date.now() + 10 * 60_000);
  desk.answer('plans_refresh', () => refreshed);
  key('ArrowUp');
  key('ArrowDown');
  await offers('New plan');
});

it('a list that waited replaces no newer one', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T10:00:00+09:00') });
  const desk = await start();
  let typing = false;
  const lists = new PlanLists(
    () => {},
    () => typing,
  );
  await lists.read(REFERENCE);
  for (typing of [true, false]) {
    vi.setSystemTime(Date.now() + 10 * 60_000);
    await lists.read(REFERENCE);
    desk.answer('plans_refresh', () => refreshed);
  }
  lists.showLater();
  expect(lists.of(REFERENCE)?.plans).toEqual(refreshed.plans);
});
