import { cleanup, waitFor } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { desk } from '../../ipc/desk.svelte';
import { t } from '../../i18n/language.svelte';
import { resetProfile } from '../../ipc/profile-reset';
import { dayAt, daysAfter } from '../../format/days';
import {
  byTestId,
  dialogsGiveBack,
  fill,
  held,
  keeps,
  noteOf,
  press,
  refusal,
  refuses,
  shows,
  startWindow,
  typist,
  valueOf,
  wrong,
} from '../../testing/desk';
import { leads } from './leads.svelte';
import * as sample from '../../testing/samples';

const listed = () =>
  [...document.querySelectorAll<HTMLElement>('[data-testid="lead-row"]')].map(
    (row) => row.dataset['lead'],
  );

describe('a follow-up', () => {
  const today = dayAt(sample.practice, new Date());
  const due = (id: string, due: string | null) => ({ ...sample.lead, id, transactionId: id, due });

  it('is listed from the page of the day when it is due or overdue, the oldest first', async () => {
    await startWindow('today', {
      day: () => ({ ...sample.day, followUps: 2 }),
      leads: () => [
        due('none', null),
        due('today', today),
        due('later', daysAfter(today, 1)),
        due('overdue', daysAfter(today, -3)),
        { ...due('cancelled', today), state: 'cancelled' },
        { ...due('rejected', today), state: 'rejected' },
      ],
    });
    expect((await byTestId('today-follow-ups')).textContent).toContain('2');
    await press('today-follow-ups');
    await waitFor(() => expect(listed()).toEqual(['overdue', 'today']));
  });

  it('is listed in its order until its list is left, whatever way', async () => {
    const entered = (day: number) => ({ enteredAt: `2026-11-0${day}T10:00:00.000+09:00` });
    await startWindow('leads', {
      leads: () => [
        { ...due('today', today), ...entered(2) },
        { ...due('overdue', daysAfter(today, -3)), ...entered(1) },
        { ...due('later', daysAfter(today, 1)), ...entered(3) },
      ],
    });
    const newestFirst = ['later', 'today', 'overdue'];
    await waitFor(() => expect(listed()).toEqual(newestFirst));
    await typist.selectOptions(await byTestId('leads-state'), 'due');
    await waitFor(() => expect(listed()).toEqual(['overdue', 'today']));
    await typist.selectOptions(await byTestId('leads-state'), '');
    await waitFor(() => expect(listed()).toEqual(newestFirst));
    leads.show('due');
    leads.show('created');
    await waitFor(() => expect(listed()).toEqual(newestFirst));
  });

  it('is not on the page of the day while none is due', async () => {
    await startWindow('today');
    await byTestId('today-leads');
    expect(shows('today-follow-ups')).toBe(false);
  });

  it('keeps a typed note and the next day without a year, and loses only its day when it is done', async () => {
    const fake = await startWindow('leads', { leads: () => [due('lead-1', null)] });
    const next = daysAfter(today, 40);
    await press('lead-open');
    await fill('lead-due', next.slice(5).replace('-', '/'));
    await fill('lead-note', 'Call after five');
    fake.answer('leads', () => [{ ...due('lead-1', next), note: 'Call after five' }]);
    await press('lead-follow-up-save');
    await waitFor(() => expect(shows('lead-note')).toBe(false));
    await press('lead-open');
    expect(await valueOf('lead-due')).toBe(next);
    await fill('lead-note', 'Call after five, or on Monday');
    await press('lead-done');
    await waitFor(() => expect(shows('lead-note')).toBe(false));
    expect(fake.called('lead_follow_up')).toEqual([
      { id: 'lead-1', due: next, note: 'Call after five' },
      { id: 'lead-1', due: null, note: 'Call after five, or on Monday' },
    ]);
  });

  it('leaves the focus at the list that it was the last one of', async () => {
    const fake = await startWindow('leads', { leads: () => [due('lead-1', today)] });
    dialogsGiveBack();
    leads.show('due');
    (await byTestId('list')).focus();
    await typist.keyboard('{ArrowDown}{Enter}');
    fake.answer('leads', () => [due('lead-1', null)]);
    await press('lead-done');
    await waitFor(() => expect(shows('list')).toBe(false));
    await waitFor(() =>
      expect(document.activeElement?.getAttribute('aria-label')).toBe(t('leads.history')),
    );
  });

  it('names the day it understands, and is not done while another day is typed', async () => {
    await startWindow('leads', { leads: () => [due('lead-1', today)] });
    await press('lead-open');
    await byTestId('lead-done');
    const passed = daysAfter(today, -1);
    await fill('lead-due', passed.slice(5));
    expect(shows('lead-done')).toBe(false);
    const year = Number(passed.slice(0, 4)) + 1;
    expect(noteOf(await byTestId('lead-due'))).toContain(`${year}${passed.slice(4)}`);
  });

  it('asks before what was typed is dropped, and does not close while it is saved', async () => {
    const [waits, answer] = held();
    await startWindow('leads', { leads: () => [due('lead-1', null)], lead_follow_up: waits });
    await press('lead-open');
    await fill('lead-note', 'Call after five');
    await press('lead-follow-up-cancel');
    await press('leave-back');
    expect(await valueOf('lead-note')).toBe('Call after five');
    await press('lead-follow-up-save');
    const drawer = await byTestId<HTMLDialogElement>('lead-drawer');
    drawer.dispatchEvent(new Event('cancel', { cancelable: true }));
    // Chromium closes a dialog at a second Escape without asking.
    drawer.close();
    await waitFor(() => expect(drawer.open).toBe(true));
    answer(Promise.reject(refusal));
    await byTestId('error-notice');
    await press('lead-follow-up-cancel');
    await press('leave-yes');
    await waitFor(() => expect(shows('lead-note')).toBe(false));
  });

  it('that is half typed is there again after a crash, at its own lead, until it is saved', async () => {
    const both = () => [due('lead-1', null), due('lead-2', today)];
    const fake = await startWindow('leads', { leads: both });
    await byTestId('lead-open');
    await typist.click(document.querySelector('[data-lead="lead-2"] [data-testid="lead-open"]')!);
    await fill('lead-note', 'Call after five');
    await waitFor(() => expect(fake.called('draft_keep').at(-1)?.['text']).toContain('after five'));
    const { name, text } = fake.called('draft_keep').at(-1)!;
    cleanup();

    const again = await startWindow('leads', { leads: both, drafts: keeps(name, text) });
    await waitFor(async () => expect(await valueOf('lead-note')).toBe('Call after five'));
    expect(await valueOf('lead-due')).toBe(today);
    await press('lead-follow-up-save');
    await again.hears('lead_follow_up', [{ id: 'lead-2', due: today, note: 'Call after five' }]);
    await again.hears('draft_drop', [{ profileId: sample.practice.id, name }]);
  });

  it('that is half typed is not shown under another profile, and waits under its own', async () => {
    const fake = await startWindow('leads', { leads: () => [due('lead-1', null)] });
    await press('lead-open');
    await fill('lead-note', 'Call after five');
    await waitFor(() => expect(fake.called('draft_keep')).toHaveLength(1));
    const { name, text } = fake.called('draft_keep')[0]!;
    const use = async (profile: typeof sample.live) => {
      desk.status = { ...sample.status, profile };
      resetProfile();
      await new Promise((turn) => setTimeout(turn, 20));
    };
    await use(sample.live);
    expect(shows('lead-note')).toBe(false);
    expect(fake.called('draft_drop')).toEqual([]);
    fake.answer('drafts', keeps(name, text, 'known', sample.practice.id));
    await use(sample.practice);
    await leads.list();
    await waitFor(async () => expect(await valueOf('lead-note')).toBe('Call after five'));
    await press('lead-follow-up-cancel');
    await press('leave-yes');
    await waitFor(() => expect(fake.called('draft_drop')).toHaveLength(1));
    await press('lead-open');
    expect(await valueOf('lead-note')).toBe('');
  });

  it('that is still being stored when the profile changes is not dropped by another one', async () => {
    const [waits, stored] = held();
    const fake = await startWindow('leads', {
      ...sample.sellsLive,
      leads: () => [due('lead-1', null)],
      draft_keep: waits,
    });
    await press('lead-open');
    await fill('lead-note', 'Call after five');
    await waitFor(() => expect(fake.called('draft_keep')).toHaveLength(1));
    const other = { ...sample.live, id: 'live-2' };
    desk.status = { ...sample.status, profile: other };
    resetProfile();
    stored('file');
    fake.answer('draft_keep', () => 'file');
    await leads.list();
    await press('lead-open');
    await fill('lead-note', 'Another note');
    await waitFor(() => expect(fake.called('draft_keep')).toHaveLength(2));
    await press('lead-follow-up-save');
    await fake.hearsLast('draft_drop', { profileId: other.id });
    expect(fake.called('draft_drop')).toHaveLength(1);
  });

  it('with a day that does not exist, or a note refused by the desk, says so and stays open', async () => {
    const fake = await startWindow('leads', {
      leads: () => [due('lead-1', null)],
      lead_follow_up: refuses(wrong('note', 'tooLong')),
    });
    await press('lead-open');
    await fill('lead-due', '2026-02-30');
    await press('lead-follow-up-save');
    expect(noteOf(await byTestId('lead-due'))).not.toBe('');
    expect(fake.called('lead_follow_up')).toEqual([]);
    await fill('lead-due', '');
    await waitFor(async () =>
      expect((await byTestId('lead-due')).getAttribute('aria-invalid')).toBeNull(),
    );
    await press('lead-follow-up-save');
    await waitFor(async () => expect(noteOf(await byTestId('lead-note'))).toContain('200'));
    await fill('lead-note', 'Call after five');
    await waitFor(async () => expect(noteOf(await byTestId('lead-note'))).not.toContain('200'));
    expect(shows('error-notice')).toBe(false);
  });

  it('leaves a note that could not be read as it is, although it can be meanwhile', async () => {
    const fake = await startWindow('leads', {
      leads: () => [{ ...due('lead-1', today), noteUnreadable: true }],
    });
    await press('lead-open');
    await byTestId('lead-note-unreadable');
    fake.answer('leads', () => [{ ...due('lead-1', today), note: 'Call after five' }]);
    const listed = fake.called('leads').length;
    await fake.tell({ kind: 'outboxChanged' });
    await waitFor(() => expect(fake.called('leads').length).toBeGreaterThan(listed));
    await waitFor(() =>
      expect(document.querySelector('[data-testid="lead-row"]')?.textContent).toContain(
        'after five',
      ),
    );
    await press('lead-follow-up-save');
    await fake.hears('lead_follow_up', [{ id: 'lead-1', due: today, note: null }]);
  });

  it('does not send a note again that nobody changed', async () => {
    const fake = await startWindow('leads', {
      leads: () => [{ ...due('lead-1', today), note: 'Call after five' }],
    });
    await press('lead-open');
    await press('lead-done');
    await fake.hears('lead_follow_up', [{ id: 'lead-1', due: null, note: null }]);
  });

  it('takes a new note in place of one whose key is gone', async () => {
    const lost = { ...due('lead-1', null), noteUnreadable: true, noteLost: true };
    const fake = await startWindow('leads', { leads: () => [lost] });
    await press('lead-open');
    await press('lead-follow-up-save');
    await waitFor(() => expect(shows('lead-note')).toBe(false));
    await press('lead-open');
    await fill('lead-note', 'Call after five');
    await press('lead-follow-up-save');
    await waitFor(() =>
      expect(fake.called('lead_follow_up').map(({ note }) => note)).toEqual([
        null,
        'Call after five',
      ]),
    );
  });
});
