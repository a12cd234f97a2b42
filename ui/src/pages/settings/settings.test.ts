import { waitFor } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, it } from 'vitest';
import { setLanguage, t } from '../../i18n/language.svelte';
import type { Profile } from '../../ipc';
import { desk } from '../../ipc/desk.svelte';
import { openPage } from '../../navigation/route.svelte';
import {
  byTestId,
  fill,
  held,
  noteOf,
  press,
  refusal,
  refuses,
  says,
  shows,
  startWindow,
  typist,
  valueOf,
} from '../../testing/desk';
import { leads } from '../leads/leads.svelte';
import { counter } from '../register/counter.svelte';
import * as sample from '../../testing/samples';
import { scan } from '../../testing/scanner';

describe('the settings', () => {
  it('drop what is typed with the profile in use, once it is removed', async () => {
    const fake = await startWindow('settings', { profile_remove: refuses() });
    const typed = () => [counter.transactionId, leads.draft.transactionId];
    counter.transactionId = leads.draft.transactionId = 'T-1';
    /** Removes the profile of one row, and waits until the list was read again. */
    async function remove(row: string): Promise<void> {
      const read = fake.called('profiles').length;
      await byTestId('profile-row');
      await typist.click(
        document.querySelector(`[data-profile="${row}"] [data-testid="profile-remove"]`)!,
      );
      await press('profile-question-yes');
      await waitFor(() => expect(fake.called('profiles').length).toBeGreaterThan(read));
    }
    await remove(sample.practice.name);
    expect(typed()).toEqual(['T-1', 'T-1']);
    fake.answer('profile_remove', () => null);
    await remove(sample.live.name);
    expect(typed()).toEqual(['T-1', 'T-1']);
    fake.answer('status', sample.sellsLive.status);
    await remove(sample.practice.name);
    expect(typed()).toEqual(['', '']);
  });

  it('say how a change failed, also one that fails late, until the page is left', async () => {
    const [waits, answer] = held();
    const fake = await startWindow('settings', { profile_remove: waits });
    const comeBack = async () => {
      await press('nav-outbox');
      await byTestId('page-outbox');
      await press('nav-settings');
      await byTestId('profile-row');
    };
    await press('profile-remove');
    await press('profile-question-yes');
    await waitFor(() => expect(fake.called('profile_remove')).toHaveLength(1));
    await press('nav-outbox');
    await byTestId('page-outbox');
    answer(Promise.reject(refusal));
    await press('nav-settings');
    await byTestId('error-notice');
    await comeBack();
    expect(shows('error-notice')).toBe(false);
  });

  it('adds and removes a profile once, however often that is pressed', async () => {
    const [waits, answer] = held();
    const fake = await startWindow('settings', {
      profiles: () => [sample.live],
      ...sample.sellsLive,
      profile_practise: waits,
    });
    await press('profile-practise');
    await press('profile-practise');
    await press('profile-remove');
    expect(fake.called('profile_practise')).toHaveLength(1);
    expect(shows('profile-question-yes')).toBe(false);
    const remove = await byTestId('profile-remove');
    expect(remove.getAttribute('aria-busy')).toBe('true');
    answer(sample.practice);
    await waitFor(() => expect(remove.getAttribute('aria-busy')).toBeNull());
  });

  it('keeps what was typed of a profile while another page is open', async () => {
    await startWindow('settings');
    await fill('profile-name', 'Counter 7');
    await press('nav-plans');
    await byTestId('page-plans');
    await press('nav-settings');
    expect(await valueOf('profile-name')).toBe('Counter 7');
  });

  it('mark a dialog as practice, but not the one that connects to a service', async () => {
    await startWindow('settings');
    await press('profile-remove');
    await byTestId('profile-question-yes');
    expect((await byTestId('profile-question')).classList).toContain('practice');
    await press('profile-add');
    await byTestId('connect-base-url');
    expect((await byTestId('connect-dialog')).classList).not.toContain('practice');
  });

  it('keep a service that is half typed, but not its token', async () => {
    await startWindow('settings');
    await press('profile-add');
    await fill('connect-store-id', 'store-7');
    await fill('connect-token', 'secret');
    const dialog = await byTestId('connect-dialog');
    dialog.dispatchEvent(new Event('cancel', { cancelable: true }));
    await waitFor(() => expect(shows('connect-store-id')).toBe(false));
    await press('profile-add');
    expect(await valueOf('connect-store-id')).toBe('store-7');
    expect(await valueOf('connect-token')).toBe('');
  });

  it('stay at a service until it is connected, and say when that failed', async () => {
    const [waits, answer] = held();
    await startWindow('settings', { profile_connect: waits });
    await press('profile-add');
    await fill('connect-base-url', 'https://warranty.example.jp');
    await fill('connect-store-id', 'store-7');
    await fill('connect-token', 'secret');
    await press('connect-submit');
    const back = await byTestId('connect-back');
    await waitFor(() => expect(back.getAttribute('aria-disabled')).toBe('true'));
    const dialog = await byTestId<HTMLDialogElement>('connect-dialog');
    dialog.dispatchEvent(new Event('cancel', { cancelable: true }));
    await new Promise((turn) => setTimeout(turn, 20));
    expect(dialog.open).toBe(true);
    // Whoever opens another page meanwhile is told afterwards.
    openPage('today');
    await byTestId('page-today');
    answer(Promise.reject({ ...refusal, next: 'computer' }));
    openPage('settings');
    await byTestId('connect-store-id');
    await byTestId('error-notice');
    await press('connect-back');
    await waitFor(() => expect(shows('connect-store-id')).toBe(false));
  });

  it('say what a test of a service found until what was tested is typed over', async () => {
    const report = { address: 'bad', token: 'bad', store: 'unclear', failure: 'noAnswer' };
    const [waits, answer] = held();
    await startWindow('settings', { connection_test: waits });
    await press('profile-add');
    const address = await byTestId('connect-base-url');
    await fill('connect-store-id', 'store-7');
    await fill('connect-base-url', 'https://wrong.example');
    await press('connect-test');
    await fill('connect-name', 'Counter 7');
    answer(report);
    await byTestId('connect-report');
    expect(noteOf(address)).toBe('Does not respond correctly');
    await fill('connect-base-url', 'https://right.example');
    for (const box of [address, await byTestId('connect-token')]) {
      expect(box.getAttribute('aria-invalid')).toBeNull();
    }
    expect(shows('connect-report')).toBe(false);
    await press('connect-test');
    await fill('connect-store-id', 'store-8');
    answer(report);
    await new Promise((turn) => setTimeout(turn, 20));
    expect(shows('connect-report')).toBe(false);
  });

  it('speaks Japanese when told to, and keeps it', async () => {
    const fake = await startWindow('settings');
    await press('language-ja');
    await says('nav-plans', '保証プラン');
    expect(fake.called('settings_change')[0]).toEqual({
      settings: { ...sample.status.settings, language: 'ja' },
    });
    setLanguage('en');
  });

  it('shows the theme that was selected last, whatever the status said before', async () => {
    const { settings } = sample.status;
    const fake = await startWindow('settings', {
      status: () => ({ ...sample.status, settings: { ...settings, theme: 'dark' } }),
    });
    const shown = () => document.documentElement.dataset['theme'];
    expect(shown()).toBe('dark');
    for (const [selected, stored] of [
      ['system', null],
      ['dark', 'dark'],
      ['light', 'light'],
    ] as const) {
      await press(`theme-${selected}`);
      await waitFor(() =>
        expect(fake.called('settings_change').at(-1)).toEqual({
          settings: { ...settings, theme: stored },
        }),
      );
      expect(shown()).toBe(stored ?? 'light');
    }
  });
});

describe('another profile', () => {
  const ofLive = () => ({ ...sample.status, profile: sample.live });

  it('is on screen once the desk uses it, though the change was reported as failed', async () => {
    const fake = await startWindow('settings', {
      profile_use: () => {
        fake.answer('status', ofLive);
        throw refusal;
      },
    });
    await press('profile-use');
    await byTestId('token-input');
    await byTestId('error-notice');
  });

  it('keeps its button busy until it is on screen', async () => {
    const [waits, answer] = held();
    const fake = await startWindow('settings', {
      profile_use: () => {
        fake.answer('status', waits);
        return sample.live;
      },
    });
    await press('profile-use');
    await waitFor(() => expect(fake.called('status')).toHaveLength(3));
    expect((await byTestId('profile-use')).getAttribute('aria-busy')).toBe('true');
    answer(ofLive());
    await byTestId('token-input');
    expect((await byTestId('profile-use')).getAttribute('aria-busy')).toBeNull();
  });
});

describe('the details of a profile', () => {
  it('are refused at the box of the minutes when these are no whole number', async () => {
    const fake = await startWindow('settings', { profile_change: () => sample.practice });
    for (const wrong of ['10分', '10.5', '9999999']) {
      await fill('profile-replay', wrong);
      await waitFor(async () => expect(noteOf(await byTestId('profile-replay'))).toBe(''));
      await press('profile-save');
      await waitFor(async () => expect(noteOf(await byTestId('profile-replay'))).not.toBe(''));
    }
    expect(fake.called('profile_change')).toEqual([]);
    await fill('profile-replay', '１０');
    await press('profile-save');
    await byTestId('profile-saved');
    expect(fake.called('profile_change')[0]).toMatchObject({
      draft: { facts: { keyReplaySeconds: 600 } },
    });
  });

  it('say how an offset is typed, and take one in full-width characters', async () => {
    const fake = await startWindow('settings', { profile_change: () => sample.practice });
    await fill('profile-offset', '9:00');
    await press('profile-save');
    const box = await byTestId('profile-offset');
    await waitFor(() => expect(noteOf(box)).toBe('Enter a UTC offset, for example +09:00.'));
    await fill('profile-offset', '＋０９：３０');
    await press('profile-save');
    await byTestId('profile-saved');
    expect(fake.called('profile_change')).toMatchObject([{ draft: { utcOffsetMinutes: 570 } }]);
  });

  it('stay as they are typed while something else is saved, and are saved until typed again', async () => {
    const fake = await startWindow('settings', { profile_change: () => sample.practice });
    await fill('profile-name', 'Counter 2');
    await press('staff-perSale');
    await waitFor(() => expect(fake.called('status')).toHaveLength(3));
    await waitFor(() => expect(desk.loading.busy).toBe(false));
    await tick();
    expect(await valueOf('profile-name')).toBe('Counter 2');
    await press('profile-save');
    await byTestId('profile-saved');
    await fill('profile-name', 'Counter 3');
    expect(shows('profile-saved')).toBe(false);
  });
});

describe('a token', () => {
  it('is removed only after a question that says what then waits', async () => {
    const fake = await startWindow('settings', { ...sample.sellsLive, token_remove: () => null });
    await press('token-remove');
    expect((await byTestId('token-question')).textContent).toContain('wait on this computer');
    expect(fake.called('token_remove')).toEqual([]);
    await press('token-question-yes');
    await waitFor(() => expect(fake.called('token_remove')).toEqual([{ id: sample.live.id }]));
  });

  it('is that of the profile on screen from the first moment', async () => {
    const fake = await startWindow('settings', sample.sellsLive);
    const state = async () => (await byTestId('token-state')).textContent;
    await waitFor(async () => expect(await state()).toContain('Saved in the keychain'));
    const profile = { ...sample.live, id: 'profile-second' };
    fake.answer('status', () => ({ ...sample.status, profile, token: 'absent' }));
    await desk.load();
    await tick();
    expect(await state()).toContain('Not set');
  });

  it('goes in once and is gone from the window', async () => {
    const fake = await startWindow('settings', { ...sample.sellsLive, token_set: () => null });
    const box = await byTestId<HTMLInputElement>('token-input');
    expect(box.type).toBe('password');
    const told = await byTestId('token-saved');
    expect(told.getAttribute('role')).toBe('status');
    await fill('token-input', 'canary-token');
    await press('token-set');
    await waitFor(() => expect(fake.called('token_set')).toHaveLength(1));
    expect(fake.called('token_set')[0]).toEqual({ id: 'profile-live', token: 'canary-token' });
    expect(await valueOf('token-input')).toBe('');
    expect(document.body.innerHTML).not.toContain('canary-token');
    await waitFor(() => expect(told.textContent).toContain(t('settings.saved')));
    expect(told.isConnected).toBe(true);
  });

  it('is not replaced by a code that is scanned into its box', async () => {
    const fake = await startWindow('settings', { ...sample.sellsLive, token_set: () => null });
    await byTestId('token-input').then((box) => box.focus());
    scan(sample.REFERENCE);
    expect(await valueOf('token-input')).toBe('');
    await fill('token-input', 'canary-token');
    await press('token-set');
    await fake.hears('token_set', [{ id: 'profile-live', token: 'canary-token' }]);
  });
});

describe('the check of the connection', () => {
  const certificate = {
    subject: 'CN=shop.invalid',
    issuer: 'CN=Sample authority',
    validFrom: '2026-01-01T00:00:00Z',
    validUntil: '2026-12-31T23:59:59Z',
    sha256: 'ab12',
  };
  const checkOf = (...certificates: object[]) => ({
    findings: [],
    folder: { writable: true, freeBytes: null, hasSpace: true },
    keychain: null,
    customers: { kind: 'readable' },
    rescue: null,
    network: {
      host: 'shop.invalid',
      port: 443,
      proxy: false,
      addresses: ['192.0.2.1'],
      clockAheadSeconds: 0,
      clock: 'good',
      tls: { version: '1.3', certificates, root: 'public', now: '2026-06-01T00:00:00Z' },
    },
    service: null,
  });

  it('names the end of a certificate in the time of the store', async () => {
    await startWindow('settings', { diagnose: () => checkOf(certificate) });
    await press('diagnose');
    await says('diagnosis', '2027-01-01 08:59:59 +09:00');
  });

  it('names the clock of this computer beside a certificate for another time', async () => {
    const found = checkOf(certificate);
    found.network.tls.root = 'wrongTime';
    await startWindow('settings', { diagnose: () => found });
    await press('diagnose');
    await says('diagnosis', 'not valid yet by the clock of this computer (2026-06-01 09:00:00');
    await says('diagnosis', '2026-01-01 09:00:00 +09:00');
  });

  it('shows a certificate that a server sends twice', async () => {
    await startWindow('settings', { diagnose: () => checkOf(certificate, certificate) });
    await press('diagnose');
    await byTestId('diagnosis');
    expect(document.querySelectorAll('.digest')).toHaveLength(2);
  });

  it('says that no connection can be set up, and so does the banner', async () => {
    const found = { ...checkOf(), kind: 'live' };
    await startWindow('settings', {
      status: () => ({
        ...sample.status,
        profile: sample.live,
        blocker: { kind: 'networkSetup' as const },
      }),
      diagnose: () => ({ ...found, network: null, service: null }),
    });
    expect((await byTestId('token-banner')).querySelector('button')).toBe(null);
    await press('diagnose');
    await says('diagnosis', 'No connection can be set up');
  });

  it('says why nothing can be sold though everything answers', async () => {
    const rescue = { cause: 'putBack' };
    await startWindow('settings', {
      diagnose: () => ({ ...checkOf(), customers: { kind: 'keyLost' }, rescue, kind: 'practice' }),
    });
    await press('diagnose');
    await says('diagnosis', t('customers.lostTitle'));
    await says('diagnosis', t('rescue.title.putBack'));
    await says('diagnosis', t('support.practice'));
  });
});

describe('how long customers are kept', () => {
  it('is changed beside the other settings and leaves them alone', async () => {
    const fake = await startWindow('settings');
    await fill('retention-days', '30');
    await press('retention-save');
    await fake.hears('settings_change', [
      { settings: { ...sample.status.settings, retentionDays: 30 } },
    ]);
  });

  it('has its problem at its box', async () => {
    const fake = await startWindow('settings');
    const box = await byTestId('retention-days');
    for (const [typed, problem] of [
      ['many', 'Enter a whole number (digits only).'],
      ['', 'Required.'],
      ['99999999999999999', 'This number is too large.'],
    ] as const) {
      await fill('retention-days', typed);
      await press('retention-save');
      await waitFor(() => expect(noteOf(box)).toBe(problem));
      expect(box.getAttribute('aria-invalid')).toBe('true');
    }
    expect(fake.called('settings_change')).toEqual([]);
  });
});

it('a locked profile is offered while something of it is unfinished, to finish that alone, and is not said to be set by the organization', async () => {
  const { organization } = sample.status;
  const [managed, unfinished, finished] = ['Shops', 'Half done', 'Done'].map((name) => ({
    ...sample.live,
    id: name,
    name,
  })) as [Profile, Profile, Profile];
  const under = (profile: Profile) => () => ({
    ...sample.status,
    profile,
    organization: {
      ...organization,
      locked: { ...organization.locked, profiles: true },
      profiles: [managed.id],
      unfinished: [unfinished.id],
    },
  });
  const fake = await startWindow('settings', {
    status: under(managed),
    profiles: () => [managed, unfinished, finished],
    profile_use: () => {
      fake.answer('status', under(unfinished));
      return unfinished;
    },
  });
  const rows = () => document.querySelectorAll('[data-testid="profile-row"]');
  await waitFor(() => expect(rows()).toHaveLength(3));
  const isSet = (row: Element) => row.textContent.includes('Set by your organization');
  expect([...rows()].map(isSet)).toEqual([true, false, false]);
  expect(rows()[1]!.textContent).toContain('cannot be changed or removed');
  await press('profile-use');
  await says('profile-fixed', 'cannot be changed or removed');
  expect(fake.called('profile_use')).toEqual([{ id: unfinished.id }]);
  expect(shows('closed-banner')).toBe(false);
  await press('nav-register');
  const said = (await byTestId('closed-banner')).textContent;
  expect(said).toContain('No new contracts under this profile');
});
