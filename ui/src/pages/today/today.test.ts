import { waitFor } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, describe, expect, it } from 'vitest';
import { setLanguage, t } from '../../i18n/language.svelte';
import type { CloseItem } from '../../ipc';
import { openPage, page } from '../../navigation/route.svelte';
import {
  byTestId,
  fill,
  held,
  press,
  refuses,
  shows,
  startWindow,
  valueOf,
} from '../../testing/desk';
import * as sample from '../../testing/samples';
import { leads } from '../leads/leads.svelte';
import { outbox } from '../outbox/outbox.svelte';
import { today } from './today.svelte';
import { rate } from './words';

afterEach(() => {
  outbox.count = null;
});

async function opened(otherwise: Parameters<typeof startWindow>[1] = {}) {
  setLanguage('en');
  const fake = await startWindow('today', otherwise);
  await byTestId('today-contracts');
  return fake;
}

const textOf = async (id: string) => (await byTestId(id)).textContent?.trim().replace(/\s+/g, ' ');

describe('the page of the day', () => {
  it('shows the figures of the day', async () => {
    await opened();
    expect(await textOf('today-contracts')).toBe('3');
    expect(await textOf('today-fees')).toBe('11,940 円');
    expect(await textOf('today-rate')).toBe('75.0%');
    expect(await textOf('today-leads')).toBe('1');
    expect(await textOf('today-cases')).toBe('0');
    expect(await textOf('today-confirmed')).toBe('2');
  });

  it.each(['en', 'ja'] as const)('says what the counted contracts are: %s', async (language) => {
    await opened();
    setLanguage(language);
    const contracts = (await byTestId('today-contracts')).parentElement;
    const note = contracts?.querySelector('.note');
    await waitFor(() => expect(note?.textContent).toContain(t('state.accepted').toLowerCase()));
    expect(note?.textContent).toContain(t('state.confirmed').toLowerCase());
  });

  it('names what needs a person otherwise than the outbox, which counts duplicates apart', async () => {
    await opened();
    const name = (await byTestId('today-attention')).previousElementSibling?.textContent;
    expect(name).not.toBe(t('outbox.count.person'));
  });

  it('says by which date it counts: its own, not the date of sale of the list of contracts', async () => {
    await opened();
    expect(await textOf('today-counted')).toBe('Counted on the day they were registered here.');
  });

  it('counts with the header what waits for another token, and leads to it', async () => {
    const summary = { ...sample.summary, held: 3, heldForToken: 2, rejected: 1 };
    await opened({ status: () => ({ ...sample.status, outbox: summary }) });
    expect(await textOf('today-cases')).toBe('3');
    expect(await textOf('outbox-summary')).toContain('3 need attention');
    (await byTestId('today-cases')).querySelector('button')?.click();
    await waitFor(() => expect(page()).toBe('outbox'));
    expect(outbox.filter.states).toContain('held');
  });

  it('has every number of the bars in a table, newest first', async () => {
    await opened();
    const table = await byTestId('today-days');
    const rows = [...table.querySelectorAll('tbody tr')].map((row) =>
      [...row.children].map((cell) => cell.textContent?.trim()),
    );
    expect(rows).toHaveLength(14);
    expect(rows[0]).toEqual(['11/21 (Sat)', '3', '11,940 円', '1', '75.0%']);
    expect(table.parentElement?.classList.contains('sr-only')).toBe(true);
    await press('today-table');
    await waitFor(() => expect(shows('today-days')).toBe(true));
    expect((await byTestId('today-days')).parentElement?.classList.contains('sr-only')).toBe(false);
  });

  it('divides the day by staff member and category, and says what is not known', async () => {
    await opened();
    expect(await textOf('today-staff')).toContain('aoki');
    expect(await textOf('today-categories')).toContain('Not known13,980 円0100.0%');
  });

  it('goes to the day before, to a chosen day and back to today', async () => {
    const fake = await opened();
    const asked = () => fake.called('day').at(-1)?.['date'];
    await press('today-previous');
    await waitFor(() => expect(asked()).toBe('2026-11-20'));
    await fill('today-date', '2026-10-31');
    await waitFor(() => expect(asked()).toBe('2026-10-31'));
    for (const none of ['2026-02-30', '2026-11-22', 'x']) {
      await fill('today-date', none);
      expect((await byTestId('today-date')).getAttribute('aria-invalid')).toBe('true');
      expect(asked()).toBe('2026-10-31');
    }
    await fill('today-date', '１１／５');
    await waitFor(() => expect(asked()).toBe('2026-11-05'));
    expect(await valueOf('today-date')).toBe('2026-11-05');
    await press('today-now');
    await waitFor(() => expect(asked()).toBe(null));
    // The day of the store's clock is followed, also when it is chosen by its date.
    await today.choose('2026-11-21');
    expect(today.date).toBe(null);
  });

  it('says of a day to come that it is too late, and of no day how one is written', async () => {
    await opened();
    const said = () => document.querySelector('.picker [role="alert"]')?.textContent;
    await fill('today-date', '2026-11-22');
    expect(said()).toBe('Enter today or an earlier date.');
    await fill('today-date', 'x');
    expect(said()).toContain('a date such as');
  });

  it('reads the figures again once for a burst of changes', async () => {
    const fake = await opened();
    const before = fake.called('day').length;
    fake.answer('day', () => ({
      ...sample.day,
      figures: { ...sample.day.figures, contracts: 4 },
    }));
    for (let n = 0; n < 5; n += 1) {
      await fake.tell({ kind: 'outboxChanged' });
    }
    await waitFor(async () => expect(await textOf('today-contracts')).toBe('4'));
    expect(fake.called('day').length).toBe(before + 1);
  });

  it('keeps the figures on screen and says so when they cannot be read again', async () => {
    const fake = await opened();
    fake.answer('day', refuses());
    await press('today-previous');
    await byTestId('error-notice');
    expect(shows('today-contracts')).toBe(true);
    expect(shows('day-closed')).toBe(false);
    fake.answer('day', () => sample.day);
    await press('try-again');
    await waitFor(() => expect(shows('error-notice')).toBe(false));
  });

  it('says that nothing was sold on a day without contracts', async () => {
    await opened({ day: () => ({ ...sample.day, byStaff: [], byCategory: [] }) });
    expect((await byTestId('page-today')).textContent).toContain('No contracts or leads');
  });
});

describe('the close of the day', () => {
  it('is green only when nothing is left', async () => {
    await opened();
    expect(await textOf('day-closed')).toBe('Nothing is left. The day can be closed.');
    expect(shows('day-open')).toBe(false);
  });

  it('is not green on the page opened again before what is left was read again', async () => {
    const fake = await opened();
    await byTestId('day-closed');
    openPage('register');
    await waitFor(() => expect(shows('page-today')).toBe(false));
    const [waits, answer] = held();
    fake.answer('day', waits);
    openPage('today');
    await byTestId('today-contracts');
    expect(shows('day-closed')).toBe(false);
    await waitFor(() => expect(fake.called('day')).toHaveLength(2));
    answer(sample.openDay({ waiting: 1 }));
    await byTestId('close-waiting');
  });

  it('is not green once something is reported unfinished, nor for a draft', async () => {
    const fake = await opened();
    const profileId = sample.practice.id;
    const { open } = sample.overview;
    for (const overview of [
      { ...sample.overview, allDone: false },
      { ...sample.overview, open: { ...open, drafts: 1 } },
      { ...sample.overview, open: { ...open, leadDrafts: 1 } },
      { ...sample.overview, open: { ...open, productDrafts: 1 } },
    ]) {
      await fake.tell({ kind: 'overviewChanged', profileId, overview: sample.overview });
      await byTestId('day-closed');
      await fake.tell({ kind: 'overviewChanged', profileId, overview });
      await tick();
      expect(shows('day-closed')).toBe(false);
    }
    await fake.tell({ kind: 'overviewLost' });
    await tick();
    expect(shows('day-closed')).toBe(false);
    // It is asked for again with the day, also where nothing else happens.
    await today.read();
    await byTestId('day-closed');
  });

  it('is not green while it is read again after a failure', async () => {
    const fake = await opened();
    fake.answer('day', refuses());
    await today.read();
    await waitFor(() => expect(shows('day-closed')).toBe(false));
    fake.answer('day', () => new Promise(() => {}));
    void today.read();
    await waitFor(() => expect(shows('error-notice')).toBe(false));
    expect(shows('day-closed')).toBe(false);
  });

  const places: [CloseItem, string][] = [
    ['needsPerson', 'outbox'],
    ['rejected', 'outbox'],
    ['possibleDuplicates', 'outbox'],
    ['unknown', 'outbox'],
    ['waiting', 'outbox'],
    ['accepted', 'outbox'],
    ['leadsUnanswered', 'leads'],
    ['leadsRejected', 'leads'],
    ['otherProfiles', 'settings'],
    ['leadsWaiting', 'leads'],
    ['sheetRows', 'sheet'],
    ['runs', 'import'],
    ['drafts', 'register'],
    ['connection', 'settings'],
  ];
  it.each(places)('leads from what is left to its place: %s', async (item, place) => {
    await opened({ day: () => sample.openDay({ [item]: 2 }), rescue: () => null });
    expect(shows('day-closed')).toBe(false);
    expect(await textOf('day-open')).toBe('1 item left before closing');
    await press(`close-${item}`);
    await waitFor(() => expect(page()).toBe(place));
  });

  it.each([
    ['notReached', 1],
    ['tokenRefused', 0],
  ] as const)('checks this computer for a connection that is %s: %i times', async (is, times) => {
    const overview = { ...sample.overview, connection: is };
    const fake = await opened({
      day: () => sample.openDay({ connection: 1 }),
      status: () => ({ ...sample.status, overview }),
      diagnose: refuses(),
    });
    await press('close-connection');
    await byTestId('diagnose');
    await tick();
    expect(fake.called('diagnose')).toHaveLength(times);
  });

  it('lists exactly what a line counts, whatever was listed there before', async () => {
    await opened({ day: () => sample.openDay({ leadsUnanswered: 1 }) });
    Object.assign(leads, { filter: 'rejected', text: 'T-7' });
    await press('close-leadsUnanswered');
    await waitFor(() => expect(leads).toMatchObject({ filter: 'unknown', text: '' }));
  });

  it('opens the report that nobody has read', async () => {
    const fake = await opened({ day: () => sample.openDay({ report: 1 }), rescue: () => null });
    await press('close-report');
    await waitFor(() => expect(fake.called('rescue')).not.toEqual([]));
  });

  it('is printed and exported for the day on screen', async () => {
    const fake = await opened({ paper: refuses(), list_export: () => null });
    await press('today-export-csv');
    const list = { kind: 'day', date: '2026-11-21', list: 'sales' };
    await waitFor(() => expect(fake.called('list_export')[0]?.['list']).toEqual(list));
    await press('today-print');
    const of = { kind: 'day', date: '2026-11-21' };
    await waitFor(() => expect(fake.called('paper')[0]?.['of']).toEqual(of));
  });
});

describe('days and rates', () => {
  it('are written with one decimal place', () => {
    expect([rate(null), rate(0), rate(667), rate(1000)]).toEqual(['—', '0.0%', '66.7%', '100.0%']);
  });
});
