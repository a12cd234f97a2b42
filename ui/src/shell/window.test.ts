import { emit } from '@tauri-apps/api/event';
import { waitFor } from '@testing-library/svelte';
import { describe, expect, it, onTestFinished } from 'vitest';
import { setLanguage } from '../i18n/language.svelte';
import type { FileDrag } from '../ipc';
import { openPage, page, PAGES } from '../navigation/route.svelte';
import {
  byTestId,
  fill,
  press,
  refusal,
  refuses,
  shows,
  startWindow,
  typist,
  valueOf,
} from '../testing/desk';
import * as sample from '../testing/samples';
import { scan } from '../testing/scanner';

const live = { profile: sample.live };

describe('the window', () => {
  it('marks practice with a band and its words', async () => {
    await startWindow();
    expect((await byTestId('mode-band')).textContent).toContain('Nothing is sold');
    expect(shows('mode-live')).toBe(false);
  });

  it('says when practice cannot try something out', async () => {
    await startWindow('today', {
      practice_try_out: ({ situation }) => {
        if (situation === 'offline') throw refusal;
        return null;
      },
    });
    const band = await byTestId('mode-band');
    expect(band.textContent).not.toContain(refusal.message.en);
    await press('practice-offline');
    await waitFor(() => expect(band.textContent).toContain(refusal.message.en));
    await press('practice-refused');
    await waitFor(() => expect(band.textContent).not.toContain(refusal.message.en));
  });

  it('shows a page again where it was left', async () => {
    await startWindow('today');
    await byTestId('today-contracts');
    const scroller = await byTestId('page-today');
    scroller.scrollTop = 700;
    await press('nav-plans');
    await byTestId('page-plans');
    await waitFor(() => expect(scroller.scrollTop).toBe(0));
    await press('nav-today');
    await waitFor(() => expect(scroller.scrollTop).toBe(700));
  });

  it.each(PAGES)('lets no scan press a button on the page %s', async (opened) => {
    await startWindow(opened);
    await byTestId(`page-${opened}`);
    const other = opened === 'plans' ? 'leads' : 'plans';
    await byTestId(`nav-${other}`).then((button) => button.focus());
    scan(sample.REFERENCE);
    expect(page()).toBe(opened);
  });

  it('marks live with its word and its store, and no band', async () => {
    await startWindow('register', sample.sellsLive);
    expect((await byTestId('mode-live')).textContent).toBe('Live');
    expect((await byTestId('store-id')).textContent).toBe('store-sample');
    expect(shows('mode-band')).toBe(false);
  });

  it.each([
    ['a live profile has no token', { ...live, token: 'absent' }, 'are not sent until'],
    [
      'there is no keychain',
      { ...live, token: 'unavailable', keychain: 'noKeychain' },
      'gnome-keyring',
    ],
    [
      'the keychain is locked',
      { ...live, token: 'unavailable', keychain: 'locked' },
      'On Windows, a security policy',
    ],
    ['no connection can be set up', { ...live, blocker: { kind: 'networkSetup' } }, 'wait to be'],
    ['practice does not run', { blocker: { kind: 'practiceNotRunning' } }, 'not running'],
  ])('says on every page that %s, and what that means', async (_, status, words) => {
    await startWindow('plans', { status: () => ({ ...sample.status, ...status }) });
    expect((await byTestId('token-banner')).textContent).toContain(words);
  });

  it('no longer says so once a program of the organization gave the token', async () => {
    let token: 'absent' | 'present' = 'absent';
    const profile = sample.live;
    const fake = await startWindow('plans', {
      status: () => ({ ...sample.status, profile, token }),
    });
    await byTestId('token-banner');
    token = 'present';
    await fake.tell({ kind: 'blockerChanged', profileId: profile.id, blocker: null });
    await waitFor(() => expect(shows('token-banner')).toBe(false));
  });

  it.each([
    ['absent', 'are not sent until'],
    ['otherServer', 'is for another address'],
  ] as const)('says so once the token is %s while the window is open', async (later, words) => {
    let token: 'present' | typeof later = 'present';
    const blocker = { kind: 'noToken' as const };
    const fake = await startWindow('plans', {
      status: () => ({ ...sample.status, profile: sample.live, token }),
    });
    expect(shows('token-banner')).toBe(false);
    token = later;
    await fake.tell({ kind: 'blockerChanged', profileId: sample.live.id, blocker });
    expect((await byTestId('token-banner')).textContent).toContain(words);
  });

  it('says on every page that the service refuses the token, and counts what waits for another', async () => {
    // Another one is held until the time that the service asked for.
    const outbox = { ...sample.summary, held: 3, heldForToken: 2 };
    const overview = { ...sample.overview, connection: 'tokenRefused' as const, allDone: false };
    await startWindow('outbox', {
      status: () => ({ ...sample.status, profile: sample.live, outbox, overview }),
    });
    expect((await byTestId('token-banner')).textContent).toContain('until another token is set');
    expect((await byTestId('nav-outbox-person')).textContent).toContain('2');
    expect((await byTestId('outbox-summary')).textContent).toContain('2 need attention');
    await press('nav-settings');
    await waitFor(() => expect(shows('token-banner')).toBe(false));
    expect((await byTestId('token-state')).textContent).toContain('refused');
  });

  it('counts what needs a person beside the outbox', async () => {
    const fake = await startWindow();
    const outbox = { ...sample.summary, needsPerson: 2, rejected: 1 };
    const open = { ...sample.overview.open, outbox };
    const profileId = sample.status.profile?.id ?? '';
    const overview = { ...sample.overview, open };
    await fake.tell({ kind: 'overviewChanged', profileId, overview });
    expect((await byTestId('nav-outbox-person')).textContent).toContain('3');
  });

  it('says why the desk cannot be opened and tries again when told to', async () => {
    const fake = await startWindow('register', {
      status: refuses({
        ...refusal,
        code: 'inUse',
        message: { en: 'In use elsewhere.', ja: '使用中です。' },
      }),
    });
    expect((await byTestId('error-notice')).textContent).toContain('In use elsewhere.');
    const { settings } = sample.status;
    fake.answer('status', () => ({ ...sample.status, settings: { ...settings, language: 'ja' } }));
    await press('open-again');
    await byTestId('page-register');
    expect((await byTestId('nav-register')).textContent).toContain('契約登録');
  });

  it('builds its first page once, in the language and theme of the settings', async () => {
    setLanguage('ja');
    const seen = new Set<string>();
    const watching = new MutationObserver(() => {
      const text = document.querySelector('[data-testid="nav-register"]')?.textContent.trim();
      if (text) seen.add(`${document.documentElement.dataset['theme']}: ${text}`);
    });
    watching.observe(document, { childList: true, characterData: true, subtree: true });
    onTestFinished(() => watching.disconnect());
    const { settings } = sample.status;
    await startWindow('register', {
      status: () => ({ ...sample.status, settings: { ...settings, theme: 'dark' } }),
    });
    await byTestId('page-register');
    expect([...seen]).toEqual(['dark: Register']);
  });
});

describe('a page that is opened while a dialog of the whole window is open', () => {
  it.each([
    [
      'from the palette',
      async () => {
        await typist.keyboard('{Control>}k{/Control}');
        const box = await byTestId('palette-input');
        await waitFor(() => expect(document.activeElement).toBe(box));
        await typist.paste('outbox');
        await typist.keyboard('{Enter}');
        await byTestId('page-outbox');
      },
    ],
    [
      'by a file dropped on the window',
      async () => {
        await emit('file-drag', { kind: 'notOneFile' } satisfies FileDrag);
        await byTestId('page-import');
      },
    ],
  ] as const)('closes that: %s', async (_, open) => {
    await startWindow('today');
    await typist.keyboard('?');
    const sheet = await byTestId<HTMLDialogElement>('shortcut-sheet');
    await waitFor(() => expect(sheet.open).toBe(true));
    await open();
    await waitFor(() => expect(sheet.open).toBe(false));
  });

  it('leaves what is typed in a drawer of the former page as it is', async () => {
    await startWindow('outbox', {
      contracts_list: () => sample.listed([sample.submission]),
    });
    await press('entry-open');
    await press('resolution-providerHasNone');
    await fill('resolution-reference', 'Ms Sato');
    openPage('today');
    await byTestId('page-today');
    openPage('outbox');
    await byTestId('case-state');
    expect(shows('leave-yes')).toBe(false);
    await press('resolution-providerHasNone');
    expect(await valueOf('resolution-reference')).toBe('Ms Sato');
  });
});
