import { cleanup, waitFor } from '@testing-library/svelte';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runClock } from '../../components/clock.svelte';
import type { LeadView } from '../../ipc';
import { desk } from '../../ipc/desk.svelte';
import { resetProfile } from '../../ipc/profile-reset';
import {
  byTestId,
  fill,
  focusIsAt,
  held,
  keeps,
  noteOf,
  press,
  refusal,
  refuses,
  says,
  shows,
  startWindow,
  typist,
  valueOf,
  type Reply,
} from '../../testing/desk';
import { keepsDrafts } from '../../testing/register';
import { scan } from '../../testing/scanner';
import * as sample from '../../testing/samples';

const listed = () =>
  [...document.querySelectorAll<HTMLElement>('[data-testid="lead-row"]')].map(
    (row) => row.dataset['lead'],
  );

async function submitLead(): Promise<void> {
  await fill('lead-product-reference', sample.REFERENCE);
  await fill('lead-product-price', '98000');
  await fill('lead-transaction-id', 'T-1');
  await press('lead-submit');
}

const OTHER = '2000000000022';

/** Creates a lead only beside the earlier one. */
const second: Reply = ({ beside }) => {
  const earlierLead = { id: 'lead-0', state: 'created', enteredAt: sample.lead.enteredAt };
  if (beside !== 'lead-0') throw { ...refusal, code: 'secondLead', earlierLead };
  return sample.lead;
};

/** A lead that is being sent. */
async function sending(otherwise: Record<string, Reply> = {}) {
  const [waits, answer] = held();
  const fake = await startWindow('leads', { ...otherwise, lead_create: waits });
  await submitLead();
  await waitFor(() => expect(fake.called('lead_create')).toHaveLength(1));
  return { fake, answer };
}

describe('a lead that had to wait', () => {
  it('shows its token once the desk has sent it', async () => {
    const fake = await startWindow('leads', {
      lead_create: () => ({ ...sample.lead, state: 'queued', token: null }),
    });
    await submitLead();
    await byTestId('lead-receipt');
    expect(shows('lead-token')).toBe(false);
    fake.answer('leads', () => [sample.lead]);
    await fake.tell({ kind: 'outboxChanged' });
    expect((await byTestId('lead-token')).textContent).toBe('lead-token-1');
  });
});

it('that the service refuses stays in the form to be corrected, and is a new one then', async () => {
  const fake = await startWindow('leads', {
    lead_create: () => ({ ...sample.lead, state: 'rejected', token: null, refusal: 'no product' }),
  });
  await submitLead();
  expect((await byTestId('lead-receipt')).textContent).toContain('no product');
  expect(await valueOf('lead-product-reference')).toBe(sample.REFERENCE);
  fake.answer('lead_create', () => sample.lead);
  await fill('lead-product-price', '97000');
  await press('lead-submit');
  await byTestId('lead-token');
  expect(await valueOf('lead-product-reference')).toBe('');
  expect(new Set(fake.called('lead_create').map(({ id }) => id)).size).toBe(2);
});

it('with a code per sale is created only under a code, which is scanned into its own box', async () => {
  const fake = await startWindow('leads', sample.wantsStaff);
  await submitLead();
  await focusIsAt('staff-code');
  expect(fake.called('lead_create')).toEqual([]);
  await fill('staff-code', '4'.repeat(33));
  await press('lead-submit');
  const box = await byTestId('staff-code');
  await waitFor(() => expect(noteOf(box)).toContain('32 characters'));
  expect(fake.called('staff_enter')).toEqual([]);
  await typist.clear(box);
  scan('STAFF-0042');
  await waitFor(async () => expect(await valueOf('staff-code')).toBe('STAFF-0042'));
  expect(await valueOf('lead-product-reference')).toBe(sample.REFERENCE);
  await press('lead-submit');
  await byTestId('lead-token');
  expect(fake.called('staff_enter').map(({ code }) => code)).toEqual(['STAFF-0042', null]);
  expect(await valueOf('staff-code')).toBe('');
});

it('that is cleared is no longer said to lack a staff code', async () => {
  await startWindow('leads', sample.wantsStaff);
  await submitLead();
  const box = await byTestId('staff-code');
  await waitFor(() => expect(noteOf(box)).toContain('Required'));
  await press('lead-clear');
  await waitFor(() => expect(noteOf(box)).toBe(''));
  expect(box.getAttribute('aria-invalid')).toBeNull();
});

it('that is half typed is there again after a crash', async () => {
  const fake = await startWindow('leads');
  await fill('lead-transaction-id', 'T-7');
  await fill('lead-product-price', '98,000');
  await waitFor(() => expect(fake.called('draft_keep').at(-1)?.['text']).toContain('98,000'));
  const [stored] = fake.called('draft_keep').slice(-1);
  const name = stored!['name'];
  expect(stored).toMatchObject({ profileId: sample.practice.id, entries: 0 });
  cleanup();

  const again = await startWindow('leads', { drafts: keeps(name, stored!['text']) });
  await waitFor(async () => expect(await valueOf('lead-transaction-id')).toBe('T-7'));
  expect(await valueOf('lead-product-price')).toBe('98,000');
  // It was kept on an earlier day, and is of the sale of that day.
  expect(await valueOf('transaction-date')).toBe('2026-11-21 10:00');
  await fill('lead-product-reference', sample.REFERENCE);
  await press('lead-submit');
  await byTestId('lead-token');
  await again.hears('draft_drop', [{ profileId: sample.practice.id, name }]);
});

it('that could not be stored says so, and is stored once it can be', async () => {
  const fake = await startWindow('leads', { draft_keep: refuses() });
  await fill('lead-transaction-id', 'T-7');
  expect((await byTestId('draft-not-kept')).textContent).toContain('could not be saved');
  fake.answer('draft_keep', () => 'file');
  await press('nav-plans');
  await press('nav-leads');
  await waitFor(() => expect(shows('draft-not-kept')).toBe(false));
});

it('that could not be stored is dropped once it is cleared: the desk may have it', async () => {
  const fake = await startWindow('leads', { draft_keep: refuses() });
  await fill('lead-transaction-id', 'T-7');
  await byTestId('draft-not-kept');
  await press('lead-clear');
  await fake.hears('draft_drop', [{ profileId: sample.practice.id, name: 'lead/form' }]);
});

it('that was cleared and could not be dropped is dropped once the desk can do it', async () => {
  const fake = await startWindow('leads', { draft_drop: refuses() });
  await fill('lead-transaction-id', 'T-7');
  await waitFor(() => expect(fake.called('draft_keep')).toHaveLength(1));
  await press('lead-clear');
  await waitFor(() => expect(fake.called('draft_drop')).toHaveLength(1));
  fake.answer('draft_drop', () => null);
  await press('nav-plans');
  await press('nav-leads');
  await waitFor(() => expect(fake.called('draft_drop')).toHaveLength(2));
});

it('that is half typed for a live store stays there while another is created in practice', async () => {
  const fake = await startWindow('leads', sample.sellsLive);
  await fill('lead-transaction-id', 'T-7');
  await waitFor(() => expect(fake.called('draft_keep')).toHaveLength(1));
  desk.status = sample.status;
  await waitFor(() => expect(fake.called('draft_keep')).toHaveLength(2));
  await press('lead-clear');
  await waitFor(() =>
    expect(fake.called('draft_drop').map(({ profileId }) => profileId)).toEqual([
      sample.practice.id,
    ]),
  );
  const { text } = fake.called('draft_keep')[0]!;
  fake.answer('drafts', keeps('lead/form', text));
  desk.status = { ...sample.status, profile: sample.live };
  await waitFor(async () => expect(await valueOf('lead-transaction-id')).toBe('T-7'));
  expect(fake.called('draft_drop')).toHaveLength(1);
});

it('that is half typed under two live profiles is cleared under the one on screen, and done with under both', async () => {
  const fake = await startWindow('leads', sample.sellsLive);
  const other = { ...sample.live, id: 'profile-other' };
  const dropped = () => fake.called('draft_drop').map(({ profileId }) => profileId);
  await fill('lead-transaction-id', 'T-7');
  await waitFor(() => expect(fake.called('draft_keep')).toHaveLength(1));
  desk.status = { ...sample.status, profile: other };
  await waitFor(() => expect(fake.called('draft_keep')).toHaveLength(2));
  await press('lead-clear');
  await waitFor(() => expect(dropped()).not.toEqual([]));
  await new Promise((turn) => setTimeout(turn, 20));
  expect(dropped()).toEqual([other.id]);

  await fill('lead-transaction-id', 'T-8');
  await waitFor(() => expect(fake.called('draft_keep')).toHaveLength(3));
  desk.status = { ...sample.status, profile: sample.live };
  await waitFor(() => expect(fake.called('draft_keep')).toHaveLength(4));
  await fill('lead-product-reference', sample.REFERENCE);
  await fill('lead-product-price', '1000');
  await press('lead-submit');
  await waitFor(() => expect(dropped().slice(1).sort()).toEqual([sample.live.id, other.id].sort()));
});

/** Another profile is used. */
function use(profile: typeof sample.live): void {
  desk.status = { ...sample.status, profile };
}

it('created after a change of profile is no draft of the former one', async () => {
  const { fake, answer } = await sending(keepsDrafts());
  await fake.hearsLast('draft_keep', { profileId: sample.practice.id });
  use(sample.live);
  await fake.hearsLast('draft_keep', { profileId: sample.live.id });
  answer(sample.lead);
  await fake.hears('draft_drop', [{ profileId: sample.practice.id, name: 'lead/form' }]);
  expect(await valueOf('lead-transaction-id')).toBe('T-1');
});

it('refused after a change of profile is a draft of the former one still', async () => {
  const { fake, answer } = await sending(keepsDrafts());
  await fake.hearsLast('draft_keep', { profileId: sample.practice.id });
  use(sample.live);
  await fake.hearsLast('draft_keep', { profileId: sample.live.id });
  answer({ ...sample.lead, state: 'rejected', token: null });
  await new Promise((turn) => setTimeout(turn, 20));
  expect(fake.called('draft_drop')).toEqual([]);
});

it('created while an earlier draft waits drops none of it, whichever profile is used by then', async () => {
  const text = JSON.stringify({ transactionId: 'T-7' });
  const fake = await startWindow('leads', {
    drafts: keeps('lead/form', text, 'known', sample.live.id),
  });
  const [waits, answer] = held();
  fake.answer('lead_create', waits);
  await fill('lead-transaction-id', 'T-8');
  await fake.hearsLast('draft_keep', { profileId: sample.practice.id });
  use(sample.live);
  await byTestId('draft-not-kept');
  await submitLead();
  await waitFor(() => expect(fake.called('lead_create')).toHaveLength(1));
  use(sample.practice);
  answer(sample.lead);
  await new Promise((turn) => setTimeout(turn, 20));
  expect(fake.called('draft_drop')).toEqual([]);
});

it('created while its draft is still written is no draft of a former profile either', async () => {
  const drafts = keepsDrafts();
  const written: (() => void)[] = [];
  const { fake, answer } = await sending({
    ...drafts,
    draft_keep: (args) => new Promise((done) => written.push(() => done(drafts.draft_keep(args)))),
  });
  await waitFor(() => expect(written).toHaveLength(1));
  use(sample.live);
  answer(sample.lead);
  await new Promise((turn) => setTimeout(turn, 20));
  written[0]!();
  await waitFor(() => expect(written).toHaveLength(2));
  written[1]!();
  await fake.hearsLast('draft_drop', { profileId: sample.practice.id });
  expect(drafts.drafts({ profileId: sample.practice.id })).toEqual([]);
});

it('whose key is lost is dropped only by a person', async () => {
  const name = 'lead/form';
  const fake = await startWindow('leads', { drafts: keeps(name, null, 'lost') });
  await byTestId('draft-unreadable');
  expect(fake.called('draft_drop')).toEqual([]);
  fake.answer('drafts', () => []);
  await press('draft-unreadable-discard');
  expect(fake.called('draft_drop')).toEqual([{ profileId: sample.practice.id, name }]);
  await waitFor(() => expect(shows('draft-unreadable')).toBe(false));
});

it('whose key is lost is dropped, and what was typed in its place is stored again', async () => {
  const fake = await startWindow('leads', { drafts: keeps('lead/form', null, 'lost') });
  await byTestId('draft-unreadable');
  await fill('lead-transaction-id', 'T-1');
  await waitFor(() => expect(fake.called('draft_keep')).toHaveLength(1));
  fake.answer('drafts', () => []);
  await press('draft-unreadable-discard');
  await waitFor(() => expect(shows('draft-unreadable')).toBe(false));
  await waitFor(() => expect(fake.called('draft_keep')).toHaveLength(2));
  expect(fake.called('draft_keep')[1]).toEqual(fake.called('draft_keep')[0]);
});

it('that is locked is not written over, and is there once its keychain is open', async () => {
  const fake = await startWindow('leads', { drafts: keeps('lead/form', null, 'locked') });
  await byTestId('draft-unreadable');
  await fill('lead-transaction-id', 'T-1');
  await waitFor(() => expect(fake.called('drafts').length).toBeGreaterThan(1));
  await press('lead-clear');
  expect(fake.called('draft_keep')).toEqual([]);
  fake.answer('drafts', keeps('lead/form', JSON.stringify({ transactionId: 'T-9' })));
  await press('nav-plans');
  await press('nav-leads');
  await waitFor(async () => expect(await valueOf('lead-transaction-id')).toBe('T-9'));
  expect(fake.called('draft_drop')).toEqual([]);
});

it('typed where another one is kept is said to be kept nowhere, until it is cleared', async () => {
  const text = JSON.stringify({ transactionId: 'T-9' });
  const kept = keeps('lead/form', text, 'known', sample.live.id);
  const fake = await startWindow('leads', { drafts: kept });
  await fill('lead-transaction-id', 'T-1');
  await waitFor(() => expect(fake.called('draft_keep')).toHaveLength(1));
  desk.status = { ...sample.status, profile: sample.live };
  expect((await byTestId('draft-not-kept')).textContent).toContain('not saved');
  expect(fake.called('draft_keep')).toHaveLength(1);
  await press('lead-clear');
  await waitFor(async () => expect(await valueOf('lead-transaction-id')).toBe('T-9'));
  expect(shows('draft-not-kept')).toBe(false);
});

it.each([true, false])(
  'typed where another one is kept stays a draft of the profile it was typed under unless it was sent: %s',
  async (sent) => {
    const second = { ...sample.live, id: 'live-2' };
    const text = JSON.stringify({ transactionId: 'T-9' });
    const fake = await startWindow('leads', {
      ...sample.sellsLive,
      drafts: keeps('lead/form', text, 'known', second.id),
    });
    await fill('lead-transaction-id', 'T-1');
    await waitFor(() => expect(fake.called('draft_keep')).toHaveLength(1));
    desk.status = { ...sample.status, profile: second };
    await byTestId('draft-not-kept');
    if (sent) await submitLead();
    else await press('lead-clear');
    await waitFor(async () => expect(await valueOf('lead-transaction-id')).toBe('T-9'));
    const dropped = () => fake.called('draft_drop').map(({ profileId }) => profileId);
    await waitFor(() => expect(dropped()).toEqual(sent ? [sample.live.id] : []));
    await submitLead();
    await waitFor(() => expect(dropped()).toContain(second.id));
    expect(dropped().includes(sample.live.id)).toBe(sent);
  },
);

it('that is half typed while a kept one is still read deletes and overwrites nothing', async () => {
  let answer = (_: unknown) => {};
  const fake = await startWindow('leads', {
    drafts: ({ prefix }) =>
      prefix === 'lead/form' ? new Promise((done) => (answer = done)) : Promise.resolve([]),
  });
  await waitFor(() =>
    expect(fake.called('drafts')).toContainEqual(expect.objectContaining({ prefix: 'lead/form' })),
  );
  scan(OTHER);
  await waitFor(async () => expect(await valueOf('lead-product-reference')).not.toBe(''));
  answer([{ name: 'lead/form', state: 'known', text: '{}', keptAt: sample.lead.enteredAt }]);
  await new Promise((turn) => setTimeout(turn, 20));
  expect([...fake.called('draft_drop'), ...fake.called('draft_keep')]).toEqual([]);
});

describe('a lead without an answer', () => {
  it('is sent again only after a person has read the warning', async () => {
    const fake = await startWindow('leads', {
      leads: () => [{ ...sample.lead, state: 'unknown', token: null }],
      lead_send_again: () => sample.lead,
    });
    await press('lead-open');
    expect((await byTestId('lead-resend')).textContent).toContain('Resend');
    await press('lead-resend');
    expect(fake.called('lead_send_again')).toHaveLength(0);
    expect((await byTestId('lead-question-back')).autofocus).toBe(true);
    expect(noteOf(await byTestId('lead-question'))).toContain('may create a second');
    await press('lead-question-yes');
    await fake.hears('lead_send_again', [{ id: sample.lead.id, beside: null }]);
  });
});

describe('a lead in its drawer', () => {
  const drawer = async () => (await byTestId('lead-drawer')).textContent;
  const unanswered = { ...sample.lead, state: 'unknown', token: null };

  it('says what happened to it, and is cancelled without an answer only after a question', async () => {
    const fake = await startWindow('leads', {
      leads: () => [unanswered],
      lead_cancel: () => ({ ...unanswered, state: 'cancelled' }),
    });
    await press('lead-open');
    expect(await drawer()).toContain('It was sent, but no response has shown the outcome.');
    await press('lead-cancel');
    const question = (await byTestId('lead-question')).textContent;
    expect(question).toContain('it may still be open at the warranty provider: ask them');
    expect(fake.called('lead_cancel')).toEqual([]);
    await press('lead-question-yes');
    await waitFor(() => expect(fake.called('lead_cancel')).toEqual([{ id: sample.lead.id }]));
    // The page below the drawer cannot take the focus.
    const head = (await byTestId('lead-drawer')).querySelector('h2');
    await waitFor(() => expect(document.activeElement).toBe(head));
  });

  it('names no other button like the one that cancels it', async () => {
    await startWindow('leads', { leads: () => [unanswered] });
    await press('lead-open');
    expect((await byTestId('lead-follow-up-cancel')).textContent).toContain('Close');
  });

  it('with its token prints its slip', async () => {
    const fake = await startWindow('leads', { leads: () => [sample.lead] });
    await press('lead-open');
    expect(await drawer()).toContain('Give the token to the customer');
    await press('lead-paper');
    await waitFor(() =>
      expect(fake.called('paper')[0]).toMatchObject({
        of: { kind: 'lead', id: sample.lead.id, token: sample.lead.token },
      }),
    );
  });

  it('whose token was deleted does not ask to give it to the customer', async () => {
    await startWindow('leads', { leads: () => [{ ...sample.lead, token: null }] });
    await press('lead-open');
    await byTestId('lead-note');
    expect(await drawer()).not.toContain('Give the token');
  });

  it('whose token cannot be read now says so', async () => {
    const locked = { ...sample.lead, token: null, tokenUnreadable: true };
    await startWindow('leads', { leads: () => [locked] });
    await press('lead-open');
    expect(await drawer()).toContain('The token cannot be read.');
  });
});

describe('a lead that is sent again', () => {
  const unanswered = { ...sample.lead, state: 'queued', token: null };
  const other = { ...sample.lead, id: 'other', transactionId: 'T-9' };
  const openRow = async (at: number) =>
    typist.click(document.querySelectorAll('[data-testid="lead-open"]')[at]!);

  it('shows its token in its drawer', async () => {
    let lead: LeadView = { ...sample.lead, state: 'rejected', token: null };
    await startWindow('leads', {
      leads: () => [lead],
      lead_send_again: () => (lead = sample.lead),
    });
    await press('lead-open');
    await press('lead-resend');
    await says('lead-drawer', 'lead-token-1');
    // Said by a screen reader, and the keyboard goes on from there.
    expect((await byTestId('lead-state')).role).toBe('status');
    await waitFor(() => expect(document.activeElement?.tagName).toBe('H2'));
  });

  it('shows its failure, although another lead was opened meanwhile', async () => {
    const [waits, answer] = held();
    await startWindow('leads', { leads: () => [unanswered, other], lead_send_again: waits });
    await byTestId('lead-open');
    await openRow(0);
    await press('lead-resend');
    await press('lead-follow-up-cancel');
    await openRow(1);
    await press('lead-follow-up-cancel');
    answer(Promise.reject(refusal));
    await byTestId('error-notice');
  });

  it('whose failure was seen in its drawer leaves none on the page', async () => {
    await startWindow('leads', { leads: () => [unanswered], lead_send_again: refuses() });
    await press('lead-open');
    await press('lead-resend');
    await byTestId('error-notice');
    await press('lead-follow-up-cancel');
    await waitFor(() => expect(shows('error-notice')).toBe(false));
  });

  it('after a refusal asks before it is a second one for its transaction and product', async () => {
    const fake = await startWindow('leads', {
      leads: () => [{ ...sample.lead, state: 'rejected', token: null }],
      lead_send_again: second,
    });
    await press('lead-open');
    await press('lead-resend');
    const question = (await byTestId('second-lead-back')).closest('dialog');
    expect(question?.textContent).toContain(sample.lead.transactionId);
    await press('second-lead-back');
    expect(shows('second-lead-back')).toBe(false);
    expect(shows('error-notice')).toBe(false);
    await press('lead-resend');
    await press('second-lead-yes');
    await fake.hears('lead_send_again', [
      { id: sample.lead.id, beside: null },
      { id: sample.lead.id, beside: null },
      { id: sample.lead.id, beside: 'lead-0' },
    ]);
  });

  it('after a refusal is the one that is asked about, although another lead was opened meanwhile', async () => {
    const [waits, answer] = held();
    await startWindow('leads', {
      leads: () => [{ ...sample.lead, state: 'rejected', token: null }, other],
      lead_send_again: waits,
    });
    await byTestId('lead-open');
    await openRow(0);
    await press('lead-resend');
    await press('lead-follow-up-cancel');
    await openRow(1);
    const earlierLead = { id: 'lead-0', state: 'created', enteredAt: sample.lead.enteredAt };
    answer(Promise.reject({ ...refusal, code: 'secondLead', earlierLead }));
    const question = (await byTestId('second-lead-back')).closest('dialog');
    expect(question?.textContent).toContain(sample.lead.transactionId);
    expect(question?.textContent).not.toContain(other.transactionId);
  });

  it('is not sent again but now when it never was', async () => {
    await startWindow('leads', { leads: () => [unanswered] });
    await press('lead-open');
    expect((await byTestId('lead-resend')).textContent).toContain('Send now');
  });
});

describe('a lead', () => {
  it('for a transaction and product that have one is created only after a yes', async () => {
    const fake = await startWindow('leads', { lead_create: second });
    await submitLead();
    const question = (await byTestId('second-lead-yes')).closest('dialog');
    expect(question?.textContent).toContain('T-1');
    await press('second-lead-yes');
    expect((await byTestId('lead-token')).textContent).toBe('lead-token-1');
    expect(fake.called('lead_create').map(({ beside }) => beside)).toEqual([null, 'lead-0']);
  });

  it('drops each error once its field changed, and a refusal once anything did', async () => {
    const fake = await startWindow('leads');
    const price = await byTestId('lead-product-price');
    await fill('lead-transaction-id', 'T-1');
    await press('lead-submit');
    await waitFor(() => expect(price.getAttribute('aria-invalid')).toBe('true'));
    // The price of a known product is filled in.
    await fill('lead-product-reference', sample.REFERENCE);
    await waitFor(() => expect(price.getAttribute('aria-invalid')).toBeNull());
    fake.answer('lead_create', () => Promise.reject(refusal));
    await press('lead-submit');
    await byTestId('error-notice');
    await fill('lead-transaction-id', 'T-2');
    await waitFor(() => expect(shows('error-notice')).toBe(false));
    fake.answer('lead_create', () => sample.lead);
    await press('lead-submit');
    await byTestId('lead-token');
  });

  it('has the price of its own product, never of the one entered before or answered late', async () => {
    let answer = (_: unknown) => {};
    const known = { [sample.REFERENCE]: sample.product, 'B-1': null };
    await startWindow('leads', {
      product_last_known: ({ reference }) =>
        reference === OTHER
          ? new Promise((done) => (answer = done))
          : known[reference as keyof typeof known],
    });
    const price = () => valueOf('lead-product-price');
    await fill('lead-product-price', '500');
    await fill('lead-product-reference', 'B-1');
    expect(await price()).toBe('500');
    await fill('lead-product-reference', sample.REFERENCE);
    await waitFor(async () => expect(await price()).toBe('98,000'));
    await fill('lead-product-reference', OTHER);
    expect(await price()).toBe('');
    await fill('lead-product-reference', 'B-1');
    answer(sample.product);
    await new Promise((turn) => setTimeout(turn, 20));
    expect(await price()).toBe('');
  });

  it('takes a receipt that is scanned into the box of its transaction, and keeps its product', async () => {
    await startWindow('leads');
    await fill('lead-product-reference', sample.REFERENCE);
    (await byTestId('lead-transaction-id')).focus();
    scan('R-00012345');
    await waitFor(async () => expect(await valueOf('lead-transaction-id')).toBe('R-00012345'));
    expect(await valueOf('lead-product-reference')).toBe(sample.REFERENCE);
  });

  it.each(['lead-submit', '{F12}'])('that is empty leads to its first box: %s', async (by) => {
    const fake = await startWindow('leads');
    await byTestId('lead-submit');
    await (by.startsWith('{') ? typist.keyboard(by) : press(by));
    await focusIsAt('lead-product-reference');
    expect(fake.called('lead_create')).toEqual([]);
  });

  it('that is cleared leaves an empty form without errors, with the focus in its first box', async () => {
    await startWindow('leads');
    await fill('lead-product-reference', sample.REFERENCE);
    await press('lead-submit');
    const transaction = await byTestId('lead-transaction-id');
    await waitFor(() => expect(noteOf(transaction)).toBe('Required.'));
    await press('lead-clear');
    await focusIsAt('lead-product-reference');
    expect(noteOf(transaction)).toBe('');
  });

  it('does not change while it is sent', async () => {
    const { answer } = await sending();
    const boxes = [...document.querySelectorAll<HTMLInputElement>('form input')];
    expect(boxes.map(({ readOnly }) => readOnly)).toEqual(boxes.map(() => true));
    scan(OTHER);
    await new Promise((turn) => setTimeout(turn, 20));
    expect(await valueOf('lead-product-reference')).toBe(sample.REFERENCE);
    answer(sample.lead);
    await byTestId('lead-token');
    expect(boxes.map(({ readOnly }) => readOnly)).toEqual(boxes.map(() => false));
  });

  it('is followed by the product that was scanned while it was sent, also if it fails first', async () => {
    const { fake, answer } = await sending();
    scan(OTHER);
    answer(Promise.reject(refusal));
    await byTestId('error-notice');
    expect(await valueOf('lead-product-reference')).toBe(sample.REFERENCE);
    fake.answer('lead_create', () => sample.lead);
    await press('lead-submit');
    await byTestId('lead-token');
    await waitFor(async () => expect(await valueOf('lead-product-reference')).toBe(OTHER));
  });

  it('says that a scan waits for the next one, until another product is scanned into it', async () => {
    const { fake, answer } = await sending();
    scan(OTHER);
    answer({ ...sample.lead, state: 'rejected', token: null });
    await byTestId('lead-receipt');
    expect((await byTestId('lead-scan-kept')).textContent).toContain('1 scan is waiting.');
    scan(OTHER);
    await waitFor(async () => expect(await valueOf('lead-product-reference')).toBe(OTHER));
    expect(shows('lead-scan-kept')).toBe(false);
    fake.answer('lead_create', () => sample.lead);
    await press('lead-submit');
    await byTestId('lead-token');
    await new Promise((turn) => setTimeout(turn, 20));
    expect(await valueOf('lead-product-reference')).toBe('');
  });

  it('sent under another profile is not shown, and its id is not used again', async () => {
    const { fake, answer } = await sending();
    resetProfile();
    answer(sample.lead);
    await new Promise((turn) => setTimeout(turn, 20));
    expect(shows('lead-token')).toBe(false);
    await press('lead-submit');
    await waitFor(() => expect(fake.called('lead_create')).toHaveLength(2));
    const [first, second] = fake.called('lead_create');
    expect(second?.['id']).not.toBe(first?.['id']);
    answer(sample.lead);
    await byTestId('lead-token');
  });

  it('answered about something else says so', async () => {
    const mismatch = { transactionId: 'T-2', productReferenceId: null };
    const lead = { ...sample.lead, state: 'unknown', token: null, mismatch };
    await startWindow('leads', { leads: () => [lead] });
    await press('lead-open');
    expect((await byTestId('lead-mismatch')).textContent).toContain('T-2');
    expect((await byTestId('lead-what')).textContent).toContain('This lead may exist.');
  });
});

describe('a lead that waits under a lost key', () => {
  it('is not said to be sent when the service can be reached', async () => {
    const stuck = { ...sample.lead, state: 'queued', token: null, keyLost: true };
    await startWindow('leads', { leads: () => [stuck] });
    await press('lead-open');
    expect((await byTestId('lead-what')).textContent).toContain(
      'cancel this lead and create it again',
    );
  });
});

describe('the history', () => {
  it('finds a lead by its transaction with keys alone', async () => {
    await startWindow('leads', {
      leads: () => [sample.lead, { ...sample.lead, id: 'other', transactionId: 'T-9' }],
    });
    await byTestId('lead-row');
    await typist.keyboard('/');
    await focusIsAt('leads-search');
    await typist.keyboard('ｔ-9');
    await waitFor(() => expect(listed()).toEqual(['T-9']));
    await typist.keyboard('{ArrowDown}{Enter}');
    const drawer = await byTestId<HTMLDialogElement>('lead-drawer');
    await waitFor(() => expect(drawer.textContent).toContain('T-9'));
  });

  it('is entered from the search box at its first hit, wherever an opened lead was listed', async () => {
    const several = ['T-0', 'S-1', 'T-2'].map((id) => ({ ...sample.lead, id, transactionId: id }));
    await startWindow('leads', { leads: () => several });
    await waitFor(() => expect(listed()).toEqual(['T-0', 'S-1', 'T-2']));
    await typist.click(document.querySelectorAll('[data-testid="lead-open"]')[1]!);
    await typist.keyboard('{Escape}');
    const drawer = await byTestId<HTMLDialogElement>('lead-drawer');
    for (const [text, first] of [
      ['T-', 'T-0'],
      ['T-2', 'T-2'],
    ] as const) {
      await typist.clear(await byTestId('leads-search'));
      await typist.keyboard(`${text}{ArrowDown}`);
      const table = await byTestId('list');
      expect(document.activeElement).toBe(table);
      const chosen = () =>
        document.querySelector<HTMLElement>('[data-testid="lead-row"][aria-selected="true"]');
      await waitFor(() => expect(chosen()?.dataset['lead']).toBe(first));
      expect(table.getAttribute('aria-activedescendant')).toBe(chosen()!.id);
      await typist.keyboard('{Enter}');
      await waitFor(() => expect(drawer.textContent).toContain(first));
      await typist.keyboard('{Escape}');
    }
  });

  it('opens just the lead whose transaction is searched, and none while several may be meant', async () => {
    const other = (id: string) => ({ ...sample.lead, id, transactionId: id });
    await startWindow('leads', { leads: () => [other('T-12'), other('T-1'), other('T-13')] });
    await byTestId('lead-row');
    await typist.type(await byTestId('leads-search'), 'T-{Enter}');
    await waitFor(() => expect(document.activeElement?.tagName).toBe('TABLE'));
    const drawer = await byTestId<HTMLDialogElement>('lead-drawer');
    expect(drawer.open).toBe(false);
    await typist.type(await byTestId('leads-search'), '1{Enter}');
    await waitFor(() => expect(drawer.textContent).toMatch(/T-1(?!\d)/));
  });

  it('takes a code that is scanned into its search, which stays out of the form', async () => {
    await startWindow('leads', { leads: () => [sample.lead] });
    await fill('lead-product-reference', sample.REFERENCE);
    (await byTestId('leads-search')).focus();
    scan(OTHER);
    await waitFor(async () => expect(await valueOf('leads-search')).toBe(OTHER));
    expect(await valueOf('lead-product-reference')).toBe(sample.REFERENCE);
  });

  it('can be limited to one status', async () => {
    await startWindow('leads', {
      leads: () => [
        sample.lead,
        { ...sample.lead, id: 'other', transactionId: 'T-9', state: 'unknown' },
      ],
    });
    await byTestId('lead-row');
    await typist.selectOptions(await byTestId('leads-state'), 'unknown');
    await waitFor(() => expect(listed()).toEqual(['T-9']));
  });
});

describe('the date of a lead', () => {
  it('that stays typed in an open window until the next day is the day it was typed', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T19:58:00+09:00') });
    onTestFinished(() => void vi.useRealTimers());
    const fake = await startWindow('leads', { lead_create: refuses() });
    await submitLead();
    await fake.hearsLast('lead_create', { draft: { transactionDate: '' } });
    vi.setSystemTime('2026-11-21T09:40:00+09:00');
    await press('lead-submit');
    await fake.hearsLast('lead_create', { draft: { transactionDate: '2026-11-20 19:58' } });
    await press('transaction-date-now');
    expect(await valueOf('transaction-date')).toBe('');
    vi.setSystemTime('2026-11-22T09:40:00+09:00');
    onTestFinished(runClock());
    await waitFor(async () => expect(await valueOf('transaction-date')).toBe('2026-11-21 09:40'));
  });

  it('keeps the focus when it is changed and set back', async () => {
    await startWindow('leads');
    await press('transaction-date-change');
    await focusIsAt('transaction-date');
    await press('transaction-date-now');
    await focusIsAt('transaction-date');
  });
});

it('moves on with Enter and is created only by its button or its keys, as a scanner sends Enter too', async () => {
  const fake = await startWindow('leads');
  await fill('lead-product-reference', sample.REFERENCE);
  await fill('lead-transaction-id', 'T-1');
  await typist.clear(await byTestId('lead-product-price'));
  (await byTestId('lead-product-reference')).focus();
  await typist.keyboard('{Enter}');
  await focusIsAt('lead-product-price');
  await fill('lead-product-price', '98000');
  (await byTestId('lead-product-price')).focus();
  await typist.keyboard('{Enter}');
  await focusIsAt('lead-submit');
  expect(fake.called('lead_create')).toEqual([]);
  await typist.keyboard('{F12}');
  await waitFor(() => expect(fake.called('lead_create')).toHaveLength(1));
  await byTestId('lead-token');
  await fill('lead-product-reference', sample.REFERENCE);
  await fill('lead-product-price', '98000');
  await fill('lead-transaction-id', 'T-2');
  await typist.keyboard('{Control>}{Enter}{/Control}');
  await waitFor(() => expect(fake.called('lead_create')).toHaveLength(2));
});

it('is not created with the price of another product than the one in its box', async () => {
  const fake = await startWindow('leads');
  await fill('lead-product-reference', sample.REFERENCE);
  await fill('lead-transaction-id', 'T-1');
  await waitFor(async () => expect(await valueOf('lead-product-price')).not.toBe(''));
  fake.answer('product_last_known', () => null);
  const box = await byTestId<HTMLInputElement>('lead-product-reference');
  await typist.clear(box);
  await typist.type(box, 'OTHER-1{F12}');
  await focusIsAt('lead-product-price');
  expect(await valueOf('lead-product-price')).toBe('');
  expect(fake.called('lead_create')).toEqual([]);
});
