import { waitFor } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runClock } from '../../components/clock.svelte';
import { setLanguage, t } from '../../i18n/language.svelte';
import { desk } from '../../ipc/desk.svelte';
import { openPage } from '../../navigation/route.svelte';
import {
  byTestId,
  fill,
  held,
  press,
  refusal,
  refuses,
  says,
  shows,
  startWindow,
  typist,
  valueOf,
} from '../../testing/desk';
import {
  enterSale,
  enterSample,
  keepsDrafts,
  keptSale,
  options,
  typedSale,
} from '../../testing/register';
import { scan } from '../../testing/scanner';
import { lead, live, practice, REFERENCE, status, submission } from '../../testing/samples';
import { counter } from './counter.svelte';

const dated = { ...typedSale, transactionDate: '2026-11-19 18:00' };
const draft = keptSale(typedSale);
const refusedLead = { ...lead, state: 'rejected', token: null, refusal: 'no product' };
const unknown = refuses({ ...refusal, code: 'notKnown' });

describe('what is typed at the counter', () => {
  it('is kept under its profile and dropped once it is registered', async () => {
    const fake = await startWindow('register', { drafts: () => [draft], submission: unknown });
    await byTestId('draft-restored');
    await fill('customer-email', 'hanako@example.jp');
    await waitFor(() => {
      const kept = fake.called('draft_keep').at(-1);
      expect(kept).toMatchObject({ profileId: practice.id, name: draft.name });
      expect(JSON.parse(String(kept?.['text']))).toEqual({
        ...typedSale,
        transactionDate: '2026-11-20 10:32',
        customerEmail: 'hanako@example.jp',
      });
    });
    await typist.click(await byTestId('register-submit'));
    await byTestId('receipt');
    expect(fake.called('contract_register')[0]).toMatchObject({ id: typedSale.entryId });
    await fake.hears('draft_drop', [{ profileId: practice.id, name: draft.name }]);
  });

  it('is there again after a restart, price and plan as they were, and can be discarded', async () => {
    const fake = await startWindow('register', { drafts: () => [draft], submission: unknown });
    const notice = await byTestId('draft-restored');
    expect(notice.textContent).toContain('2026-11-20 10:32');
    expect(await valueOf('customer-name')).toBe('山田 花子');
    await waitFor(async () => expect(await valueOf('product-price')).toBe('90,000'));
    await waitFor(() =>
      expect(
        document.querySelector<HTMLInputElement>(`input[value="${typedSale.planId}"]`)?.checked,
      ).toBe(true),
    );
    expect(await valueOf('plan-price')).toBe('3,500');
    await typist.click(await byTestId('draft-discard'));
    expect(await valueOf('customer-name')).toBe('');
    expect(shows('draft-restored')).toBe(false);
    await waitFor(() => expect(fake.called('draft_drop')).toHaveLength(1));
  });

  it('leaves a staff code that was typed before it was back', async () => {
    const [waits, answer] = held();
    await startWindow('register', {
      status: () => ({ ...status, staff: { policy: 'perSale', code: null } }),
      drafts: waits,
      submission: unknown,
    });
    await fill('staff-code', '42');
    answer([draft]);
    await byTestId('draft-restored');
    expect(await valueOf('staff-code')).toBe('42');
  });

  it('asks before a product is scanned into it that may be the next customer’s', async () => {
    const text = JSON.stringify({ ...typedSale, productReferenceId: '', planId: '' });
    await startWindow('register', { drafts: () => [{ ...draft, text }], submission: unknown });
    await byTestId('draft-restored');
    scan(REFERENCE);
    await byTestId('scan-keep');
    const question = await byTestId('scan-question');
    expect(question.textContent).toContain('T-1');
    expect(question.textContent).toContain('山田 花子');
    expect(await valueOf('product-reference')).toBe('');
    await press('scan-replace');
    await waitFor(async () => expect(await valueOf('product-reference')).toBe(REFERENCE));
  });

  it('gives its day to no other transaction that is typed over its own', async () => {
    const text = JSON.stringify(typedSale);
    await startWindow('register', { drafts: () => [{ ...draft, text }], submission: unknown });
    await byTestId('draft-restored');
    expect(await valueOf('transaction-date')).toBe('2026-11-20 10:32');
    await fill('transaction-id', 'T-2');
    expect(await valueOf('transaction-date')).toBe('');
  });

  it.each([
    ['an earlier day has the date of that day', draft.keptAt, typedSale, '2026-11-20 10:32'],
    ['an earlier day keeps a typed date', draft.keptAt, dated, dated.transactionDate],
    [
      'an earlier day without a transaction is of now',
      draft.keptAt,
      { ...typedSale, transactionId: '' },
      '',
    ],
    ['today is of now', new Date().toISOString(), typedSale, ''],
  ])('from %s', async (_, keptAt, kept, date) => {
    const text = JSON.stringify(kept);
    const drafts = () => [{ ...draft, keptAt, text }];
    await startWindow('register', { drafts, submission: unknown });
    await byTestId('draft-restored');
    expect(await valueOf('transaction-date')).toBe(date);
  });

  describe('and stays in an open window until the next day', () => {
    const [evening, morning] = ['2026-11-20T19:58:00+09:00', '2026-11-21T09:40:00+09:00'];
    beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date(evening) }));
    afterEach(() => void vi.useRealTimers());

    it('shows the day it was typed, and is registered with it', async () => {
      const fake = await startWindow('register');
      await enterSale();
      vi.setSystemTime(morning);
      onTestFinished(runClock());
      await waitFor(async () => expect(await valueOf('transaction-date')).toBe('2026-11-20 19:58'));
      await fill('customer-name', '山田 花代');
      await press('register-submit');
      await byTestId('receipt');
      const draft = { transactionDate: '2026-11-20 19:58', customerName: '山田 花代' };
      expect(fake.called('contract_register')).toMatchObject([{ draft }]);
    });

    it('has that day as well when it is registered before the clock goes on', async () => {
      const fake = await startWindow('register', { contract_register: refuses() });
      await enterSale();
      vi.setSystemTime(morning);
      await press('register-submit');
      const draft = { transactionDate: '2026-11-20 19:58' };
      await waitFor(() => expect(fake.called('contract_register')).toMatchObject([{ draft }]));
      expect(await valueOf('transaction-date')).toBe('2026-11-20 19:58');
      await press('transaction-date-now');
      await press('register-submit');
      await fake.hearsLast('contract_register', { draft: { transactionDate: '' } });
    });

    it('is of now with another transaction that is typed over it', async () => {
      await startWindow('register');
      await enterSale();
      vi.setSystemTime(morning);
      onTestFinished(runClock());
      await waitFor(async () => expect(await valueOf('transaction-date')).toBe('2026-11-20 19:58'));
      await fill('transaction-id', 'T-2');
      await fill('customer-name', '山田 花代');
      expect(await valueOf('transaction-date')).toBe('');
    });

    it('is of now when its own date is taken back', async () => {
      await startWindow('register');
      await enterSale();
      await press('transaction-date-change');
      await fill('transaction-date', '2026-11-19 12:00');
      vi.setSystemTime(morning);
      await press('transaction-date-now');
      await fill('customer-name', '山田 花代');
      expect(await valueOf('transaction-date')).toBe('');
    });
  });

  it('is not offered again when it was registered before the program ended', async () => {
    const fake = await startWindow('register', {
      drafts: () => [draft],
      submission: () => submission,
    });
    await byTestId('receipt');
    expect(await valueOf('customer-name')).toBe('');
    expect(fake.called('draft_drop')).toEqual([{ profileId: practice.id, name: draft.name }]);
  });

  it('is said to be unreadable when its key is gone', async () => {
    await startWindow('register', { drafts: () => [{ ...draft, state: 'lost', text: null }] });
    expect((await byTestId('draft-unreadable')).textContent).toContain(
      'its encryption key is missing',
    );
    expect(await valueOf('customer-name')).toBe('');
  });

  it('that is locked is back in the form once the keychain is open', async () => {
    const fake = await startWindow('register', {
      drafts: () => [{ ...draft, state: 'locked', text: null }],
      submission: unknown,
    });
    await byTestId('draft-unreadable');
    fake.answer('drafts', () => [draft]);
    await fake.tell({ kind: 'outboxChanged' });
    await byTestId('draft-restored');
    expect(await valueOf('customer-name')).toBe('山田 花子');
    expect(shows('draft-unreadable')).toBe(false);
  });

  it('is said to last only as long as the program where no key is', async () => {
    await startWindow('register', { draft_keep: () => 'memory' });
    await fill('customer-name', '山田 花子');
    expect((await byTestId('draft-not-kept')).textContent).toContain('while the app is running');
  });

  it('is said to be in this window only when it could not be written', async () => {
    await startWindow('register', { draft_keep: refuses() });
    await fill('customer-name', '山田 花子');
    expect((await byTestId('draft-not-kept')).textContent).toContain('free disk space');
  });

  it('is said in Japanese without a space between the sentences', async () => {
    await startWindow('register', { draft_keep: refuses() });
    await fill('customer-name', '山田 花子');
    await byTestId('draft-not-kept');
    openPage('register', { correct: submission });
    setLanguage('ja');
    await says('draft-not-kept', t('draft.failed') + t('register.finishFirst'));
  });

  it('that could not be written is written once it can be', async () => {
    const fake = await startWindow('register', { draft_keep: refuses() });
    await fill('customer-name', '山田 花子');
    await byTestId('draft-not-kept');
    fake.answer('draft_keep', () => 'file');
    await fake.tell({ kind: 'outboxChanged' });
    await waitFor(() => expect(shows('draft-not-kept')).toBe(false));
    const written = fake.called('draft_keep').length;
    await press('nav-plans');
    await byTestId('page-plans');
    expect(fake.called('draft_keep')).toHaveLength(written);
  });

  it('that could not be written is dropped once it is cleared: the desk may have it', async () => {
    const fake = await startWindow('register', { draft_keep: refuses() });
    await fill('customer-name', '山田 花子');
    await byTestId('draft-not-kept');
    const { name } = fake.called('draft_keep')[0]!;
    await press('register-clear');
    await fake.hears('draft_drop', [{ profileId: practice.id, name }]);
  });

  it('that was cleared and could not be dropped is dropped with the next sale', async () => {
    const fake = await startWindow('register', { draft_drop: refuses() });
    await fill('customer-name', '山田 花子');
    await waitFor(() => expect(fake.called('draft_keep')).toHaveLength(1));
    const drop = { profileId: practice.id, name: fake.called('draft_keep')[0]!['name'] };
    await press('register-clear');
    await fake.hears('draft_drop', [drop]);
    fake.answer('draft_drop', () => null);
    await fill('customer-name', '山田 太郎');
    await fake.hears('draft_drop', [drop, drop]);
  });

  it('that could not be written is dropped once it is written under another name', async () => {
    const fake = await startWindow('register', { draft_keep: refuses() });
    const names = () => [
      ...new Set(
        fake
          .called('draft_keep')
          .filter(({ profileId }) => profileId === practice.id)
          .map(({ name }) => name),
      ),
    ];
    await fill('customer-name', '山田 花子');
    await byTestId('draft-not-kept');
    desk.status = { ...status, profile: live };
    await waitFor(() => expect(fake.called('draft_keep').at(-1)?.['profileId']).toBe(live.id));
    desk.status = status;
    await fill('customer-name', '山田 太郎');
    await waitFor(() => expect(names().length).toBeGreaterThan(1));
    expect(fake.called('draft_drop')).toEqual([]);
    fake.answer('draft_keep', () => 'file');
    await fake.tell({ kind: 'outboxChanged' });
    await waitFor(() =>
      expect(fake.called('draft_drop').map(({ name }) => name)).toEqual(names().slice(0, -1)),
    );
  });

  it('that cannot be read is said to be there, and is read again', async () => {
    const fake = await startWindow('register', { drafts: refuses(), submission: unknown });
    expect((await byTestId('draft-not-read')).textContent).toContain('could not be read');
    await press('draft-read-again');
    fake.answer('drafts', () => [draft]);
    await press('draft-read-again');
    await byTestId('draft-restored');
    expect(shows('draft-not-read')).toBe(false);
  });

  it('is another sale under another profile, and takes its own place again on return', async () => {
    const fake = await startWindow('register');
    const under = async ({ id }: typeof practice) => {
      const kept = () => fake.called('draft_keep').filter(({ profileId }) => profileId === id);
      const before = kept().length;
      desk.status = { ...status, profile: id === live.id ? live : practice };
      await fill('customer-name', `山田 ${fake.called('draft_keep').length}`);
      await waitFor(() => expect(kept().length).toBeGreaterThan(before));
      const { name, text } = kept().at(-1)!;
      return { name, leadId: JSON.parse(String(text)).leadId };
    };
    const first = await under(practice);
    const elsewhere = await under(live);
    expect(elsewhere.name).not.toBe(first.name);
    expect(elsewhere.leadId).not.toBe(first.leadId);
    expect(fake.called('draft_drop')).toEqual([]);
    const again = await under(practice);
    expect(fake.called('draft_drop')).toEqual([{ profileId: practice.id, name: first.name }]);
    expect(again.name).not.toBe(elsewhere.name);
  });

  it.each([
    ['clearing it under another keeps the first', 'register-clear', [live]],
    ['registering it under another drops both', 'register-submit', [live, practice]],
  ])('typed under two profiles: %s', async (_, button, dropped) => {
    const fake = await startWindow('register');
    await enterSale();
    await waitFor(() => expect(fake.called('draft_keep')).not.toEqual([]));
    desk.status = { ...status, profile: live };
    await waitFor(() => expect(options()).toHaveLength(0));
    await enterSale();
    await waitFor(() => expect(fake.called('draft_keep').at(-1)?.['profileId']).toBe(live.id));
    await press(button);
    await waitFor(async () => expect(await valueOf('customer-name')).toBe(''));
    const form = await byTestId('register-form');
    await waitFor(() => expect(form.dataset['kept']).toBe('true'));
    const profiles = () => fake.called('draft_drop').map(({ profileId }) => profileId);
    await waitFor(() => expect(new Set(profiles())).toEqual(new Set(dropped.map(({ id }) => id))));
  });

  it('typed for a live profile stays a draft of it when it is registered while practising', async () => {
    const fake = await startWindow('register', {
      status: () => ({ ...status, profile: live }),
    });
    await enterSale();
    await waitFor(() => expect(fake.called('draft_keep')).not.toEqual([]));
    fake.answer('status', () => status);
    desk.status = status;
    await waitFor(() => expect(options()).toHaveLength(0));
    await enterSale();
    await waitFor(() => expect(fake.called('draft_keep').at(-1)?.['profileId']).toBe(practice.id));
    await press('register-submit');
    await byTestId('receipt');
    await waitFor(() => expect(fake.called('draft_drop')).not.toEqual([]));
    expect(fake.called('draft_drop').map(({ profileId }) => profileId)).not.toContain(live.id);
  });

  it.each([
    ['no draft once it is registered', 'register-submit', 'contract_register', submission, 1],
    ['no draft once it is a lead', 'decline-lead', 'lead_create', lead, 1],
    ['its draft still when its lead is refused', 'decline-lead', 'lead_create', refusedLead, 0],
  ])('has %s, whichever profile is used by then', async (_, button, command, made, drops) => {
    const [waits, answer] = held();
    const fake = await startWindow('register', { [command]: waits });
    await enterSale();
    await waitFor(() => expect(fake.called('draft_keep')).not.toEqual([]));
    const name = `counter/${counter.entryId}`;
    await press(button);
    await waitFor(() => expect(fake.called(command)).toHaveLength(1));
    desk.status = { ...status, profile: live };
    await waitFor(() => expect(options()).toHaveLength(0));
    await fill('customer-name', '鈴木 一郎');
    answer(made);
    await fake.hearsLast('draft_keep', { profileId: live.id });
    // What follows an answer that is already there.
    await new Promise((turn) => setTimeout(turn));
    await fake.hears('draft_drop', Array(drops).fill({ profileId: practice.id, name }));
    expect(await valueOf('customer-name')).toBe('鈴木 一郎');
  });

  it('typed under another profile for the next customer stays there when the sale before it is made', async () => {
    const [waits, answer] = held();
    const drafts = keepsDrafts();
    const fake = await startWindow('register', { ...drafts, contract_register: waits });
    await enterSale();
    await waitFor(() => expect(fake.called('draft_keep')).not.toEqual([]));
    const name = `counter/${counter.entryId}`;
    await press('register-submit');
    await waitFor(() => expect(fake.called('contract_register')).toHaveLength(1));
    desk.status = { ...status, profile: live };
    await waitFor(() => expect(options()).toHaveLength(0));
    await press('register-clear');
    await fill('customer-name', '鈴木 一郎');
    await fake.hearsLast('draft_keep', { profileId: live.id });
    desk.status = status;
    await fake.hearsLast('draft_keep', { profileId: practice.id });
    await waitFor(() => expect(fake.called('draft_keep').at(-1)?.['text']).toContain('鈴木'));
    answer(submission);
    await waitFor(() =>
      expect(drafts.drafts({ profileId: practice.id }).map((kept) => kept.name)).not.toContain(
        name,
      ),
    );
    await new Promise((turn) => setTimeout(turn, 20));
    for (const { id } of [practice, live]) {
      expect(drafts.drafts({ profileId: id }).map(({ text }) => text)).toEqual([
        expect.stringContaining('鈴木 一郎'),
      ]);
    }
    expect(await valueOf('customer-name')).toBe('鈴木 一郎');
  });

  it.each([
    ['registered', 'register-submit', 'contract_register', submission, 'receipt'],
    ['a lead', 'decline-lead', 'lead_create', lead, 'lead-receipt'],
  ])(
    'that was restored while it was sent is done with once it is %s',
    async (...[, button, command, made, receipt]) => {
      const [waits, answer] = held();
      const drafts = keepsDrafts();
      const fake = await startWindow('register', {
        ...drafts,
        [command]: waits,
        submission: unknown,
      });
      await enterSale();
      await waitFor(() => expect(drafts.drafts({ profileId: practice.id })).toHaveLength(1));
      await press(button);
      await waitFor(() => expect(fake.called(command)).toHaveLength(1));
      desk.status = { ...status, profile: live };
      await waitFor(() => expect(options()).toHaveLength(0));
      await press('register-clear');
      desk.status = status;
      await waitFor(async () => expect(await valueOf('customer-name')).toBe('山田 花子'));
      answer(made);
      await byTestId(receipt);
      expect(await valueOf('customer-name')).toBe('');
      await waitFor(() => expect(drafts.drafts({ profileId: practice.id })).toEqual([]));
    },
  );

  it('has no plan under another profile, though that offers one of the same id', async () => {
    await startWindow('register', { drafts: () => [draft], submission: unknown });
    await waitFor(() => expect(counter.planId).toBe(typedSale.planId));
    desk.status = { ...status, profile: live };
    await waitFor(() => expect(options()).toHaveLength(0));
    await enterSample();
    expect(counter.planId).toBe('');
  });

  it('gives way to what is typed already', async () => {
    const [waits, answer] = held();
    await startWindow('register', { drafts: waits, submission: unknown });
    await fill('customer-name', '鈴木 一郎');
    answer([draft]);
    await new Promise((turn) => setTimeout(turn, 20));
    expect(await valueOf('customer-name')).toBe('鈴木 一郎');
    expect(shows('draft-restored')).toBe(false);
  });
});
