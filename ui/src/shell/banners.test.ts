import { waitFor } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import type { Organization, Profile } from '../ipc';
import { faults } from '../testing/accessibility';
import { byTestId, press, refusal, refuses, shows, startWindow } from '../testing/desk';
import * as sample from '../testing/samples';

describe('a key of customers that is gone', () => {
  const lost = {
    ...sample.status,
    profile: sample.live,
    customers: { kind: 'keyLost' as const },
  };
  const entries = {
    status: () => lost,
    contracts_list: () =>
      sample.listed([
        { ...sample.submission, customer: 'lost', customerName: null, customerEmail: null },
      ]),
  };

  it('is said above every page, and names are replaced by words', async () => {
    await startWindow('outbox', entries);
    expect((await byTestId('customers-banner')).textContent).toContain('Nothing was deleted');
    expect((await byTestId('entry-row')).textContent).toContain('Can no longer be read');
    expect(await faults()).toEqual([]);
  });

  it('does not keep anybody from practising', async () => {
    await startWindow('register', { status: () => ({ ...lost, profile: sample.practice }) });
    expect((await byTestId('customers-banner')).textContent).toContain('go on practising');
  });

  it('is replaced only once that is confirmed', async () => {
    const fake = await startWindow('outbox', {
      ...entries,
      encryption_key_renew: () => ({ kind: 'readable' }),
    });
    await press('key-renew');
    expect(fake.called('encryption_key_renew')).toEqual([]);
    expect(await faults()).toEqual([]);
    fake.answer('status', () => sample.status);
    await press('key-renew-yes');
    await waitFor(() => expect(shows('customers-banner')).toBe(false));
    expect(fake.called('encryption_key_renew')).toHaveLength(1);
  });
});

describe('a file of the desk that was replaced', () => {
  const at = '2026-11-21T10:00:00.000+09:00';
  const row = {
    transactionId: 'T-9',
    productReferenceId: sample.REFERENCE,
    planId: 'plan-2',
    state: 'unknown' as const,
    contractId: null,
    enteredAt: at,
    inBackup: false,
  };
  const replaced = {
    status: () => ({
      ...sample.status,
      rescue: {
        number: 1,
        cause: 'damaged' as const,
        at,
        setAside: 'desk.db.damaged-1',
        backupTakenAt: at,
        pending: 1,
      },
    }),
    rescue: () => ({
      number: 1,
      cause: 'damaged' as const,
      at,
      setAside: 'desk.db.damaged-1',
      backupTakenAt: at,
      restoredRows: 3,
      complete: false,
      pending: [row],
    }),
  };

  it('is told above every page with what must be looked at', async () => {
    await startWindow('register', replaced);
    const banner = await byTestId('rescue-banner');
    expect(banner.textContent).toContain('desk.db.damaged-1');
    expect(banner.textContent).toContain('1 entry needs to be checked');
    await press('rescue-show');
    expect((await byTestId('rescue-row')).textContent).toContain('T-9');
    expect((await byTestId('rescue-row')).textContent).toContain('Only in this report');
    expect((await byTestId('rescue-incomplete')).textContent).toContain('may be missing');
    expect(await faults()).toEqual([]);
  });

  it('that is found while the window is open is told at once', async () => {
    const fake = await startWindow('register');
    expect(shows('rescue-banner')).toBe(false);
    fake.answer('status', replaced.status);
    await fake.tell({ kind: 'rescueFound' });
    await byTestId('rescue-banner');
  });

  it('says of an older copy put back that nothing of it is sent by itself', async () => {
    const rescue = { ...replaced.status().rescue, cause: 'putBack' as const, setAside: null };
    await startWindow('register', { ...replaced, status: () => ({ ...sample.status, rescue }) });
    const banner = await byTestId('rescue-banner');
    expect(banner.textContent).toContain('replaced by an older copy');
    expect(banner.textContent).toContain('are not sent automatically');
  });

  it('never says that nothing is missing: the list has contracts alone', async () => {
    const rescue = { ...replaced.status().rescue, pending: 0 };
    const report = { ...replaced.rescue(), pending: [], complete: true };
    const fake = await startWindow('register', {
      status: () => ({ ...sample.status, rescue }),
      rescue: () => report,
    });
    const lost = 'Imports, leads, and rows not yet registered';
    const newer = `${lost} that are newer than 2026-11-21 10:00:00 +09:00 may be missing`;
    expect((await byTestId('rescue-banner')).textContent).toContain(newer);
    await press('rescue-show');
    expect((await byTestId('rescue-missing')).textContent).toContain(newer);
    fake.answer('status', () => ({ ...sample.status, rescue: { ...rescue, backupTakenAt: null } }));
    await fake.tell({ kind: 'rescueFound' });
    const all = () => document.querySelector('[data-testid="rescue-banner"]')?.textContent;
    await waitFor(() => expect(all()).toContain(`${lost} are missing`));
  });

  it('is told until somebody has read it', async () => {
    const fake = await startWindow('register', { ...replaced, rescue_seen: () => null });
    await press('rescue-show');
    await byTestId('rescue-row');
    fake.answer('status', () => sample.status);
    await press('rescue-seen');
    await waitFor(() => expect(shows('rescue-banner')).toBe(false));
    expect(fake.called('rescue_seen')).toEqual([{ number: 1 }]);
  });

  it('shows a long report in part and says how much more there is', async () => {
    const report = { ...replaced.rescue(), pending: Array.from({ length: 502 }, () => row) };
    await startWindow('register', { ...replaced, rescue: () => report });
    await press('rescue-show');
    expect((await byTestId('rescue-more')).textContent).toContain('2 more entries');
    expect(document.querySelectorAll('[data-testid="rescue-row"]')).toHaveLength(500);
  });
});

describe('a missing token', () => {
  it('is said no longer when another program has stored it and a sale was sent', async () => {
    const live = { ...sample.status, profile: sample.live };
    const fake = await startWindow('register', {
      status: () => ({ ...live, token: 'absent' as const }),
    });
    await byTestId('token-banner');
    fake.answer('status', () => live);
    const profileId = sample.live.id;
    await fake.tell({ kind: 'overviewChanged', profileId, overview: sample.overview });
    await waitFor(() => expect(shows('token-banner')).toBe(false));
    const loaded = fake.called('status').length;
    await fake.tell({ kind: 'overviewChanged', profileId, overview: sample.overview });
    expect(fake.called('status')).toHaveLength(loaded);
  });
});

describe('a store that the organization changed', () => {
  it('is said on every page until the desk sells for it', async () => {
    const moved = { ...sample.policy, movedProfiles: [sample.live.name] };
    await startWindow('register', { ...sample.sellsLive, policy: () => moved });
    expect((await byTestId('moved-banner')).textContent).toContain(sample.live.name);
    expect(await faults()).toEqual([]);
  });
});

describe('a profile that the organization does not allow', () => {
  const under = (profile: Profile, organization: Partial<Organization>) => ({
    status: () => ({
      ...sample.status,
      profile,
      organization: { ...sample.status.organization, ...organization },
    }),
  });
  const { locked } = sample.status.organization;
  const noPractice = { locked: { ...locked, practice: true } };

  it('is said to be one when it is practice, too', async () => {
    await startWindow('register', under(sample.practice, noPractice));
    expect((await byTestId('closed-banner')).textContent).toContain('No practice on this computer');
  });

  it.each([sample.practice, sample.live])(
    'sends nobody to another one where none may be used ($kind)',
    async (profile) => {
      const none = { locked: { ...locked, practice: true, profiles: true }, profiles: [] };
      await startWindow('register', under(profile, { ...none, closed: true }));
      const banner = await byTestId('closed-banner');
      expect(banner.textContent).toContain('The settings from your organization');
    },
  );

  it('leaves practice that is allowed alone', async () => {
    await startWindow('register', under(sample.practice, { closed: true }));
    expect(shows('closed-banner')).toBe(false);
  });

  it('names whom to ask, also where that is an address alone', async () => {
    const url = 'https://help.example.jp';
    await startWindow(
      'register',
      under(sample.live, { closed: true, support: { text: null, url } }),
    );
    expect((await byTestId('closed-banner')).textContent).toContain(url);
  });
});

describe("the desk's own file", () => {
  const takenAt = '2026-11-21T10:00:00.000+09:00';
  const notBackedUp = { ...sample.status, backup: { takenAt, failed: true } };

  it('that is found damaged while the window is open is told at once', async () => {
    const fake = await startWindow('register');
    expect(shows('damaged-banner')).toBe(false);
    fake.answer('status', () => ({ ...notBackedUp, damaged: true }));
    await fake.tell({ kind: 'overviewLost' });
    const banner = await byTestId('damaged-banner');
    expect(banner.getAttribute('role')).toBe('alert');
    expect(banner.textContent).toContain('start it again');
    expect(shows('backup-banner')).toBe(false);
    expect(await faults()).toEqual([]);
  });

  it('that is too damaged to tell its state is told, too', async () => {
    const fake = await startWindow('register');
    fake.answer('status', refuses({ ...refusal, code: 'databaseDamaged' }));
    await fake.tell({ kind: 'overviewLost' });
    await byTestId('damaged-banner');
  });

  it('that is not backed up is said calmly, with the newest backup', async () => {
    await startWindow('register', { status: () => notBackedUp });
    const banner = await byTestId('backup-banner');
    expect(banner.textContent).toContain('made 2026-11-21 10:00:00 +09:00');
    expect(banner.textContent).toContain('sent as usual');
    expect(await faults()).toEqual([]);
  });

  it('is asked about again when the desk says that it changed', async () => {
    const fake = await startWindow('register');
    fake.answer('status', () => ({ ...notBackedUp, backup: { takenAt: null, failed: true } }));
    await fake.tell({ kind: 'dataFileChanged' });
    expect((await byTestId('backup-banner')).textContent).toContain('There is no backup yet');
  });
});
