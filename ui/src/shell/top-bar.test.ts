import { waitFor } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, it } from 'vitest';
import { t } from '../i18n/language.svelte';
import { page } from '../navigation/route.svelte';
import { desk } from '../ipc/desk.svelte';
import { byTestId, held, refuses, startWindow } from '../testing/desk';
import * as sample from '../testing/samples';
import type { OutboxSummary, Overview } from '../ipc';
import { outbox as outboxPage, VIEWS } from '../pages/outbox/outbox.svelte';

const shown = (id: string) => document.querySelector(`[data-testid="${id}"]`);

async function windowWith(overview: Partial<Overview>) {
  return startWindow('plans', {
    status: () => ({
      ...sample.status,
      outbox: overview.open?.outbox ?? sample.summary,
      overview: { ...sample.overview, ...overview },
    }),
  });
}

describe('the header', () => {
  it.each([
    ['does not answer', 'notReached', 'is not responding'],
    ['does not say what it did', 'connected', 'do not show what was registered'],
    ['reports errors', 'serviceErrors', 'Service reports errors'],
  ] as const)(
    'says that contracts wait for a service that %s, and when it is asked again',
    async (_, connection, words) => {
      const outbox = { ...sample.summary, waiting: 2 };
      const waits = { ...sample.overview.open, outbox };
      const askedAgainAt = '2026-11-21T01:05:20.000+00:00';
      const fake = await startWindow('plans', {
        status: () => ({
          ...sample.status,
          outbox,
          overview: { ...sample.overview, connection, open: waits, askedAgainAt },
        }),
      });
      const banner = (await byTestId('silent-banner')).textContent;
      expect(banner).toContain('10:05');
      expect(banner).toContain(words);
      const profileId = sample.practice.id;
      await fake.tell({ kind: 'overviewChanged', profileId, overview: sample.overview });
      await waitFor(() => expect(shown('silent-banner')).toBeNull());
    },
  );

  it.each([
    ['a page of the network', 'otherAnswer', 'unreadable', 'sign-in page'],
    ['a certificate nobody trusts', 'notReached', 'notSecureConnection', 'is not trusted'],
    ['a clock that is wrong', 'notReached', 'certificateTime', 'date and time of this computer'],
  ] as const)(
    'names %s that keeps contracts from the service',
    async (_, connection, failure, words) => {
      const outbox = { ...sample.summary, waiting: 1 };
      const open = { ...sample.overview.open, outbox };
      const askedAgainAt = '2026-11-21T01:05:20.000+00:00';
      await windowWith({ connection, failure, open, askedAgainAt });
      const banner = (await byTestId('silent-banner')).textContent;
      expect(banner).toContain(t(`connection.${connection}`));
      expect(banner).toContain(words);
      expect(banner).not.toContain('is not responding');
    },
  );

  it.each([
    ['a network that is away', 'notReached', 'noNetwork', {}],
    ['one odd answer, which keeps nothing back', 'otherAnswer', 'unreadable', {}],
    ['what says "nothing was sent"', 'notReached', 'certificateTime', { unknown: 1 }],
  ] as const)('leaves %s to the pill', async (_, connection, failure, counts) => {
    const outbox = { ...sample.summary, waiting: 1, ...counts };
    await windowWith({ connection, failure, open: { ...sample.overview.open, outbox } });
    await byTestId('connection');
    expect(shown('silent-banner')).toBeNull();
  });

  it('says until when the service asks to wait, where it asks for longer than a pause between two tries', async () => {
    const outbox = { ...sample.summary, waiting: 1 };
    const open = { ...sample.overview.open, outbox };
    const waits = (seconds: number): Overview => ({
      ...sample.overview,
      allDone: false,
      open,
      failure: 'tooManyRequests',
      lastContact: new Date().toISOString(),
      asksToWaitUntil: new Date(Date.now() + seconds * 1000).toISOString(),
    });
    const fake = await windowWith(waits(3600));
    const tell = (overview: Overview) =>
      fake.tell({ kind: 'overviewChanged', profileId: sample.practice.id, overview });
    const banner = await byTestId('silent-banner');
    expect(banner.textContent).toMatch(/asks to wait until \d{2}:\d{2}/);
    expect(banner.textContent).toContain('sent after that');
    expect(banner.className).not.toContain('act');
    const pill = await byTestId('connection');
    expect(pill.textContent).toContain('Service asks to wait');
    expect(pill.className).toContain('waiting');
    // An ordinary pause between two tries.
    await tell(waits(65));
    await waitFor(() => expect(shown('silent-banner')).toBeNull());
    expect(shown('connection')?.textContent).toContain('Connected');
    // With nothing to be sent the pill alone says so.
    await tell({ ...waits(3600), open: sample.overview.open });
    await waitFor(() => expect(shown('connection')?.textContent).toContain('Service asks to wait'));
    expect(shown('silent-banner')).toBeNull();
  });

  it('keeps that banner while a sale with an unknown outcome is asked about', async () => {
    const askedAgainAt = '2026-11-21T01:05:20.000+00:00';
    const silent = (counts: Partial<OutboxSummary>) => {
      const open = { ...sample.overview.open, outbox: { ...sample.summary, ...counts } };
      return { ...sample.overview, connection: 'notReached' as const, open, askedAgainAt };
    };
    const fake = await windowWith({});
    const tell = (counts: Partial<OutboxSummary>) =>
      fake.tell({
        kind: 'overviewChanged',
        profileId: sample.practice.id,
        overview: silent(counts),
      });
    await tell({ waiting: 1 });
    const banner = await byTestId('silent-banner');
    await tell({ unknown: 1 });
    await byTestId('outbox-summary');
    await tick();
    expect(banner.isConnected).toBe(true);
  });

  it('announces that something is in progress, not each number of it', async () => {
    const fake = await windowWith({});
    const tell = async (counts: Partial<OutboxSummary>) => {
      const open = { ...sample.overview.open, outbox: { ...sample.summary, ...counts } };
      const overview = { ...sample.overview, allDone: false, open };
      await fake.tell({ kind: 'overviewChanged', profileId: sample.practice.id, overview });
      await tick();
    };
    const told = () =>
      [...document.querySelectorAll('header [role="status"]')].map((one) => one.textContent.trim());
    await tell({ waiting: 298 });
    const before = told();
    expect(before.join()).toContain(t('outbox.view.open'));
    await tell({ waiting: 297, accepted: 1 });
    expect((await byTestId('outbox-summary')).textContent).toContain('298');
    await tell({ waiting: 12 });
    expect((await byTestId('outbox-summary')).textContent).toContain('12');
    expect(told()).toEqual(before);
    // Each try for a sale of unknown outcome is one that waits.
    await tell({ unknown: 1 });
    expect(told()).toEqual(before);
    await tell({ waiting: 1 });
    expect(told()).toEqual(before);
    await tell({});
    expect(told().join()).not.toContain(t('outbox.view.open'));
  });

  it('says that all is sent and confirmed only when the desk says so', async () => {
    const fake = await windowWith({});
    expect((await byTestId('connection')).textContent).toContain('Connected');
    expect(shown('all-done')).not.toBeNull();
    expect(shown('last-contact')?.querySelector('time')?.dateTime).toBe(
      sample.overview.lastContact,
    );
    // Where there is no room for it, the pill still says it.
    const said = shown('last-contact')!.querySelector('time')!.title;
    expect((await byTestId('connection')).title).toBe(`Last contact ${said}`);
    await fake.tell({
      kind: 'overviewChanged',
      profileId: sample.practice.id,
      overview: { ...sample.overview, connection: 'notReached', allDone: false },
    });
    await waitFor(() => expect(shown('connection')?.textContent).toContain('Service unreachable'));
    expect(shown('all-done')).toBeNull();
    expect(shown('outbox-summary')).toBeNull();
  });

  it.each([
    ['that has no token', { token: 'absent' }],
    ['closed by a policy', { organization: { ...sample.status.organization, closed: true } }],
  ])('calls nothing done under a live profile %s', async (_, why) => {
    await startWindow('plans', {
      status: () => ({ ...sample.status, profile: sample.live, ...why }),
    });
    await byTestId('connection');
    expect(shown('all-done')).toBeNull();
  });

  it('takes nothing off the screen for a load that another one has overtaken', async () => {
    const fake = await windowWith({});
    const replies: (() => void)[] = [];
    fake.answer('status', () => new Promise((done) => replies.push(() => done(sample.status))));
    const loads = [desk.load(), desk.load()];
    await waitFor(() => expect(replies).toHaveLength(2));
    replies[1]!();
    await loads[1];
    replies[0]!();
    await loads[0];
    expect(desk.overview).toEqual(sample.overview);
  });

  it('takes it back when the desk can no longer read what is left, until it can again', async () => {
    const fake = await windowWith({});
    await byTestId('all-done');
    await fake.tell({ kind: 'overviewLost' });
    await byTestId('overview-lost');
    expect(shown('all-done')).toBeNull();
    const profileId = sample.practice.id;
    await fake.tell({ kind: 'overviewChanged', profileId, overview: sample.overview });
    await byTestId('all-done');
    expect(shown('overview-lost')).toBeNull();
    fake.answer('status', refuses());
    await desk.load();
    await byTestId('overview-lost');
    expect(shown('all-done')).toBeNull();
  });

  it('takes nothing from another profile, and nothing older than what was reported', async () => {
    const fake = await windowWith({ allDone: false });
    const open = { ...sample.overview.open, sheetRows: 8 };
    const tell = (profileId: string, overview: Overview) =>
      fake.tell({ kind: 'overviewChanged', profileId, overview });
    await tell(sample.live.id, sample.overview);
    expect(shown('all-done')).toBeNull();
    const [waits, answer] = held();
    fake.answer('status', waits);
    const loading = desk.load();
    await tell(sample.practice.id, { ...sample.overview, open, allDone: false });
    answer(sample.status);
    await loading;
    await byTestId('nav-sheet-open');
    expect(shown('all-done')).toBeNull();
  });

  it('calls nothing done while something is not finished outside the outbox', async () => {
    const open = { ...sample.overview.open, sheetRows: 8 };
    await windowWith({ open, otherProfiles: 1, allDone: false });
    expect((await byTestId('nav-sheet-open')).textContent).toContain('8');
    const others = await byTestId('nav-settings-open');
    expect(others.textContent).toContain('1');
    // The close of the day counts what is typed there too, under another text.
    expect(others.title).toBe('Other profiles with work not sent or not confirmed');
    expect(shown('all-done')).toBeNull();
  });

  it('opens exactly what it counts, whatever was listed and searched there before', async () => {
    const outbox = { ...sample.summary, rejected: 1 };
    const open = { ...sample.overview.open, outbox };
    const overview = { ...sample.overview, open, allDone: false };
    await startWindow('plans', { status: () => ({ ...sample.status, outbox, overview }) });
    Object.assign(outboxPage, { view: 'confirmed', count: 'confirmed', text: 'T-7' });
    (await byTestId('outbox-summary')).click();
    await waitFor(() =>
      expect(outboxPage.filter).toMatchObject({
        states: VIEWS.open,
        possibleDuplicates: true,
        text: '',
      }),
    );
  });

  it('shows a service that answers with errors of its own as a problem, not as connected', async () => {
    await windowWith({ connection: 'serviceErrors', allDone: false });
    const pill = await byTestId('connection');
    expect(pill.textContent).toContain('Service reports errors');
    expect(pill.className).toContain('waiting');
  });

  it('says that the token is refused, and leads to where it is set', async () => {
    await windowWith({ connection: 'tokenRefused', allDone: false });
    (await byTestId('connection')).click();
    await waitFor(() => expect(page()).toBe('settings'));
    expect(shown('all-done')).toBeNull();
  });
});
