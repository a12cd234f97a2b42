import { waitFor } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { openPage } from '../navigation/route.svelte';
import { byTestId, fill, focusIsAt, press, startWindow, typist } from '../testing/desk';
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
