// A refused sale is corrected in the form of the counter, and replaces the refused entry.
import { waitFor } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import type { CaseView } from '../../ipc';
import { desk } from '../../ipc/desk.svelte';
import {
  asks,
  byTestId,
  fill,
  focusIsAt,
  held,
  press,
  pressAgain,
  refusal,
  refuses,
  says,
  shows,
  startWindow,
  typist,
  valueOf,
} from '../../testing/desk';
import { enterSale, keepsDrafts, keptSale, register, typedSale } from '../../testing/register';
import { scan } from '../../testing/scanner';
import {
  listed,
  live,
  openCase,
  plans,
  REFERENCE,
  refused,
  secondContract,
  status,
  submission,
} from '../../testing/samples';
import { refusedField } from './refused-field';

const corrected = {
  ...openCase,
  submission: { ...submission, id: 'submission-2' },
  replaces: refused.id,
  resolutions: [],
};
const correctable = {
  ...openCase,
  submission: refused,
  resolutions: ['edit', 'cancel'] as const,
};

/** Registers a sale that the service refuses. */
const refusing = {
  contract_register: () => refused,
  submission: ({ id }: Record<string, unknown>) =>
    id === refused.id ? refused : corrected.submission,
  outbox_case: () => correctable,
  outbox_resolve: () => corrected,
};

const notKnown = refuses({ ...refusal, code: 'notKnown' });

/** The same with a plan that no list has. */
const older = { ...refused, planId: 'plan-of-the-sheet', planTitle: 'Older plan' };
const refusesOlder = { ...refusing, contract_register: () => older, submission: () => older };

describe('a refused sale', () => {
  it('says why, and one key fills the form in again, at the field that the service names', async () => {
    await register(refusing);
    expect((await byTestId('receipt-refusal')).textContent).toBe(refused.refusal);
    await typist.keyboard('{Alt>}c{/Alt}');
    await focusIsAt('customer-email');
    expect(await valueOf('customer-email')).toBe(refused.customerEmail);
    expect(await valueOf('customer-name')).toBe(refused.customerName);
    expect(await valueOf('transaction-id')).toBe('T-1');
    expect(await valueOf('transaction-total')).toBe('100,000');
    expect(await valueOf('product-reference')).toBe(REFERENCE);
    await waitFor(async () => expect(await valueOf('product-price')).toBe('98,000'));
    await waitFor(() =>
      expect(
        document.querySelector<HTMLInputElement>(`input[value="${plans[1]!.id}"]`)?.checked,
      ).toBe(true),
    );
    expect(await valueOf('plan-price')).toBe('3,980');
    expect((await byTestId('correcting')).textContent).toContain(refused.refusal);
  });

  it('is replaced by the corrected one, and by no second entry', async () => {
    const fake = await register(refusing);
    await press('receipt-correct');
    await fill('customer-email', 'hanako@example.com');
    fake.answer('outbox_resolve', refuses(asks(secondContract)));
    await typist.keyboard('{F12}');
    fake.answer('outbox_resolve', () => corrected);
    await press('question-yes');
    await says('receipt-state', 'Waiting to be sent');
    expect(fake.called('contract_register')).toHaveLength(1);
    expect(fake.called('outbox_resolve').at(-1)).toMatchObject({
      id: refused.id,
      resolution: {
        kind: 'edit',
        draft: { customerEmail: 'hanako@example.com', planId: plans[1]!.id },
        confirmed: [{ kind: 'secondContract', submissionId: 'second' }],
      },
    });
    expect(shows('correcting')).toBe(false);
    expect(await valueOf('transaction-id')).toBe('');
  });

  it('keeps its plan where no list has it', async () => {
    const fake = await register(refusesOlder);
    await press('receipt-correct');
    expect((await byTestId('kept-plan')).textContent).toContain('Older plan');
    await fill('customer-email', 'hanako@example.com');
    await press('register-submit');
    await fake.hearsLast('outbox_resolve', {
      resolution: { draft: { planId: 'plan-of-the-sheet', planPurchasePrice: '3980' } },
    });
  });

  it('with a kept plan asks before a scan takes the place of its product', async () => {
    await register(refusesOlder);
    await press('receipt-correct');
    await byTestId('kept-plan');
    scan('2000000000022');
    await byTestId('scan-keep');
    expect((await byTestId('scan-question')).textContent).toContain('Older plan');
    expect(await valueOf('product-reference')).toBe(REFERENCE);
  });

  it('is corrected in the same form from the outbox', async () => {
    await startWindow('outbox', { ...refusing, contracts_list: () => listed([refused]) });
    await press('entry-open');
    await press('resolution-edit');
    await focusIsAt('customer-email');
    expect(await valueOf('customer-email')).toBe(refused.customerEmail);
  });

  it('that waits is never called unsold, and says when it was sent as it was', async () => {
    const fake = await startWindow('outbox', {
      contracts_list: () => listed([submission]),
      outbox_case: () => ({ ...correctable, submission }),
    });
    await press('entry-open');
    const offered = await byTestId('resolution-edit');
    expect(offered.textContent).toContain('It may be sent as it was');
    expect(offered.textContent).not.toContain('Nothing was sold');
    offered.click();
    const notice = await byTestId('correcting');
    expect(notice.textContent).toContain('may be sent as it was');
    expect(notice.textContent).not.toContain('not sold');
    await waitFor(() => expect(fake.called('submission')).toHaveLength(1));
    fake.answer('submission', () => ({ ...submission, state: 'accepted' }));
    await fake.tell({ kind: 'outboxChanged', changed: ['another'] });
    await fake.tell({ kind: 'outboxChanged', changed: [submission.id] });
    await says('correcting', 'can no longer be corrected');
    expect(fake.called('submission')).toHaveLength(2);
  });

  it('does not push another sale out of the form: that one comes back afterwards', async () => {
    await register({ ...refusing, ...keepsDrafts(), submission: notKnown });
    await byTestId('receipt');
    await fill('transaction-id', 'T-2');
    await press('receipt-correct');
    await waitFor(async () => expect(await valueOf('transaction-id')).toBe('T-1'));
    await press('register-clear');
    await waitFor(async () => expect(await valueOf('transaction-id')).toBe('T-2'));
    expect(shows('correcting')).toBe(false);
  });

  it('gives back another sale that no second press of a double one ends', async () => {
    let at = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => at);
    const fake = await register({ ...refusing, ...keepsDrafts(), submission: notKnown });
    await byTestId('receipt');
    await enterSale();
    await fill('transaction-id', 'T-2');
    const isWhole = () =>
      waitFor(async () => {
        expect(await valueOf('transaction-id')).toBe('T-2');
        expect(document.querySelector('[data-testid="plan-option"] :checked')).not.toBeNull();
      });
    for (const end of ['register-clear', 'register-submit']) {
      at += 1_000;
      await press('receipt-correct');
      await waitFor(async () => expect(await valueOf('transaction-id')).toBe('T-1'));
      await press(end);
      await isWhole();
      await pressAgain(end);
      await pressAgain('decline-lead');
      await typist.keyboard('{F12}');
    }
    await isWhole();
    expect(fake.called('outbox_resolve')).toHaveLength(1);
    expect(fake.called('contract_register')).toHaveLength(1);
    expect(fake.called('lead_create')).toEqual([]);
    at += 1_000;
    await typist.keyboard('{F12}');
    await fake.hearsLast('contract_register', { draft: { transactionId: 'T-2' } });
  });

  it('leaves the form with its profile, and replaces its entry when that is used again', async () => {
    const fake = await register({
      ...refusing,
      ...keepsDrafts(),
      submission: notKnown,
    });
    await press('receipt-correct');
    await fill('transaction-id', 'T-10');
    desk.status = { ...status, profile: live };
    await waitFor(async () => expect(await valueOf('transaction-id')).toBe(''));
    await enterSale();
    await press('register-submit');
    await byTestId('receipt');
    desk.status = status;
    await waitFor(async () => expect(await valueOf('transaction-id')).toBe('T-10'));
    await byTestId('correcting');
    await typist.keyboard('{F12}');
    await waitFor(() =>
      expect(fake.called('outbox_resolve')).toMatchObject([
        { id: refused.id, resolution: { kind: 'edit', draft: { transactionId: 'T-10' } } },
      ]),
    );
    expect(fake.called('contract_register')).toHaveLength(2);
  });

  it('that is answered after a change of profile touches no draft of the other', async () => {
    const [waits, answer] = held();
    const fake = await register({ ...refusing, submission: notKnown, outbox_resolve: waits });
    await press('receipt-correct');
    await press('register-submit');
    await waitFor(() => expect(fake.called('outbox_resolve')).toHaveLength(1));
    desk.status = { ...status, profile: live };
    await waitFor(async () => expect(await valueOf('transaction-id')).toBe(''));
    await fill('transaction-id', 'T-2');
    const kept = () => fake.called('draft_keep').filter(({ profileId }) => profileId !== live.id);
    const before = kept().length;
    answer(corrected);
    await fake.hearsLast('draft_keep', { profileId: live.id });
    expect(kept()).toHaveLength(before);
  });

  it.each(['failed', 'nowhere'])(
    'leaves another sale in the form that is not kept (%s), and says what to do first',
    async (place) => {
      const fake = await register(refusing);
      await byTestId('receipt');
      fake.answer('draft_keep', () => {
        if (place === 'failed') throw refusal;
        return place;
      });
      await fill('transaction-id', 'T-2');
      await typist.keyboard('{Alt>}c{/Alt}');
      await waitFor(async () =>
        expect((await byTestId('draft-not-kept')).textContent).toContain(
          'Register or clear the sale on screen first.',
        ),
      );
      expect(await valueOf('transaction-id')).toBe('T-2');
      expect(shows('correcting')).toBe(false);
      fake.answer('draft_keep', () => 'memory');
      await fill('transaction-total', '1,000');
      await waitFor(async () =>
        expect((await byTestId('draft-not-kept')).textContent).toContain(
          'while the app is running',
        ),
      );
      expect((await byTestId('draft-not-kept')).textContent).not.toContain('on screen first');
      fake.answer('draft_keep', () => 'nowhere');
      await press('register-clear');
      await fill('transaction-id', 'T-3');
      expect((await byTestId('draft-not-kept')).textContent).not.toContain('on screen first');
    },
  );

  /** A window with the stored draft of a correction of this entry. */
  const storedFor = (entry: Partial<CaseView>) => {
    const draft = keptSale({ ...typedSale, replaces: refused.id, transactionId: 'T-10' });
    return startWindow('register', {
      outbox_case: () => ({ ...correctable, ...entry }),
      submission: notKnown,
      drafts: () => [draft],
    });
  };

  it('is not offered for correction again once that was done, also by a stored draft', async () => {
    const fake = await storedFor({ resolutions: [], replacedBy: 'submission-2' });
    await waitFor(() => expect(fake.called('draft_drop')).toHaveLength(1));
    expect(await valueOf('transaction-id')).toBe('');
  });

  it.each([
    ['inFlight', 'may be sent as it was'],
    ['unknown', 'can no longer be corrected here'],
    ['accepted', 'can no longer be corrected here'],
    ['confirmed', 'can no longer be corrected here'],
    // Nothing of it can be corrected while the profile is for another store.
    ['rejected', 'was not sold'],
  ] as const)(
    'comes back with what was typed, and says what became of its entry: %s',
    async (state, words) => {
      const fake = await storedFor({ submission: { ...refused, state }, resolutions: [] });
      const notice = await byTestId('correcting');
      expect(notice.textContent).toContain(words);
      expect(await valueOf('transaction-id')).toBe('T-10');
      expect(fake.called('draft_drop')).toEqual([]);
      await press('register-clear');
      await waitFor(() => expect(fake.called('draft_drop')).toHaveLength(1));
    },
  );

  it.each([
    [0, 'was not sold'],
    [1, 'can no longer be corrected here'],
  ])('whose key is lost is called not sold only if it never left (%i)', async (attempts, words) => {
    const lost = { ...refused, state: 'needsPerson' as const, case: 'keyLost' as const, attempts };
    await storedFor({ submission: lost, resolutions: [] });
    expect((await byTestId('correcting')).textContent).toContain(words);
  });
});

describe('the field of a refusal', () => {
  it.each([
    [`contracts[0]: product "${REFERENCE}" is not found`, 'productReferenceId'],
    ['contracts[0]: plan "plan-2" is not found', 'planId'],
    ['contracts[0].plan.purchasePrice must be an integer', 'planPurchasePrice'],
    ['the transaction T-1 is too old', 'transactionId'],
    ['bad request', null],
  ])('%s', (refusal, field) => {
    expect(refusedField({ ...refused, refusal })).toBe(field);
  });
});
