import { waitFor } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { afterEach, describe, expect, it } from 'vitest';
import { setLanguage } from '../i18n/language.svelte';
import { PAGES } from '../navigation/route.svelte';
import { byTestId, fill, noteOf, refusal, startWindow, stopWindow } from '../testing/desk';
import * as sample from '../testing/samples';

afterEach(stopWindow);

const typist = userEvent.setup({ delay: null });
const press = async (id: string) => typist.click(await byTestId(id));

/** What an accessibility checker finds; colours are judged in `style/tokens.test.ts`. */
async function faults(): Promise<string[]> {
  const found = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  });
  return found.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`,
  );
}

const filled = {
  submissions: () => [sample.submission, { ...sample.openCase.submission, id: 'submission-2' }],
  leads: () => [{ ...sample.lead, token: null }],
  contract_recents: () => [
    {
      contractId: 'contract-1',
      at: '2026-11-21T10:00:00.000+09:00',
      transactionId: 'T-1',
      productTitle: null,
      status: null,
    },
  ],
};

describe('every page', () => {
  it.each(PAGES)('can be used without seeing it: %s', async (page) => {
    await startWindow(page, filled);
    await byTestId(`page-${page}`);
    expect(await faults()).toEqual([]);
  });

  it('and the first run', async () => {
    await startWindow('register', { status: () => ({ ...sample.status, profile: null }) });
    await byTestId('first-practise');
    expect(await faults()).toEqual([]);
    await press('first-connect');
    await byTestId('connect-base-url');
    expect(await faults()).toEqual([]);
  });

  it('and the details of a case', async () => {
    await startWindow('outbox', filled);
    await press('entry-open');
    await byTestId('way-giveContractId');
    expect(await faults()).toEqual([]);
  });
});

describe('the window', () => {
  it('marks practice with a band and its words', async () => {
    await startWindow();
    expect((await byTestId('mode-band')).textContent).toContain('nothing is really sold');
    expect(document.querySelector('[data-testid="mode-live"]')).toBeNull();
  });

  it('marks live with its word and its store, and no band', async () => {
    await startWindow('register', { status: () => ({ ...sample.status, profile: sample.live }) });
    expect((await byTestId('mode-live')).textContent).toBe('Live');
    expect((await byTestId('store-id')).textContent).toBe('store-sample');
    expect(document.querySelector('[data-testid="mode-band"]')).toBeNull();
  });

  it('says on every page that a live profile has no token, and what that means', async () => {
    await startWindow('plans', {
      status: () => ({ ...sample.status, profile: sample.live, token: 'absent' }),
    });
    expect((await byTestId('token-banner')).textContent).toContain('Nothing is sent');
  });

  it('says what is wrong with the keychain and how to mend it', async () => {
    await startWindow('register', {
      status: () => ({
        ...sample.status,
        profile: sample.live,
        token: 'unavailable',
        keychain: 'noKeychain',
      }),
    });
    expect((await byTestId('token-banner')).textContent).toContain('gnome-keyring');
  });

  it('says when the practice service does not run', async () => {
    await startWindow('register', {
      status: () => ({ ...sample.status, obstacle: { kind: 'practiceNotRunning' } }),
    });
    expect((await byTestId('token-banner')).textContent).toContain('not running');
  });

  it('names a refused token at its place', async () => {
    const fake = await startWindow('register', {
      status: () => ({ ...sample.status, profile: null }),
      connection_test: () => ({
        address: 'good',
        store: 'unclear',
        product: null,
        token: 'bad',
        detail: null,
      }),
    });
    await press('first-connect');
    await fill('connect-base-url', 'https://warranty.example.jp');
    await fill('connect-store-id', 'store-1');
    await fill('connect-token', 'wrong');
    await press('connect-test');
    const box = await byTestId('connect-token');
    await waitFor(() => expect(noteOf(box)).toBe('The service refuses this token.'));
    expect(fake.called('connection_test')[0]).toMatchObject({
      draft: { baseUrl: 'https://warranty.example.jp', storeId: 'store-1' },
      token: 'wrong',
    });
  });

  it('names the other profile of a store before it connects to it a second time', async () => {
    const fake = await startWindow('register', {
      status: () => ({ ...sample.status, profile: null }),
      profile_add_warnings: () => [{ kind: 'sameStore', profile: 'Branch', removed: true }],
      profile_connect: () => sample.live,
    });
    await press('first-connect');
    await fill('connect-base-url', 'https://warranty.example.jp');
    await fill('connect-store-id', 'store-1');
    await fill('connect-token', 'right');
    await press('connect-submit');
    expect((await byTestId('same-store')).textContent).toContain('Branch');
    expect(fake.called('profile_connect')).toHaveLength(0);
    await press('connect-submit');
    await waitFor(() => expect(fake.called('profile_connect')).toHaveLength(1));
  });

  it('says how much was sold lately under a profile before it is removed', async () => {
    await startWindow('settings', {
      profile_remove_warnings: () => [{ kind: 'recentSales', count: 12, days: 30 }],
    });
    await waitFor(() => {
      if (!document.querySelector('[data-testid="profile-remove"]')) throw new Error('no profiles');
    });
    await typist.click(document.querySelector('[data-testid="profile-remove"]')!);
    expect((await byTestId('recent-sales')).textContent).toContain('12 sales');
  });

  it('says once that there is no keychain, beside the button that failed for it', async () => {
    await startWindow('register', {
      status: () => ({ ...sample.status, profile: null, keychain: 'noKeychain' }),
      profile_connect: () => {
        throw { ...refusal, code: 'noKeychain', next: 'computer' };
      },
    });
    await press('first-connect');
    await byTestId('keychain-notice');
    await fill('connect-base-url', 'https://warranty.example.jp');
    await fill('connect-store-id', 'store-1');
    await fill('connect-token', 'token');
    await press('connect-submit');
    expect((await byTestId('error-notice')).textContent).toContain('gnome-keyring');
    expect(document.querySelector('[data-testid="keychain-notice"]')).toBeNull();
  });

  it('counts what needs a person beside the outbox', async () => {
    const fake = await startWindow();
    await fake.tell({
      kind: 'outboxChanged',
      summary: { ...sample.summary, needsPerson: 2, rejected: 1 },
    });
    expect((await byTestId('nav-outbox-person')).textContent).toContain('3');
  });

  it('says why the desk cannot be opened and tries again when told to', async () => {
    const fake = await startWindow('register', {
      status: () => {
        throw {
          code: 'inUse',
          message: { en: 'In use elsewhere.', ja: '使用中です。' },
          effect: 'none',
          next: 'computer',
          requestId: null,
          serviceCode: null,
          serviceMessage: null,
          fields: [],
          questions: [],
        };
      },
    });
    expect((await byTestId('error-notice')).textContent).toContain('In use elsewhere.');
    fake.answer('status', () => sample.status);
    await press('open-again');
    await byTestId('page-register');
  });

  it('speaks Japanese when told to, and keeps it', async () => {
    const fake = await startWindow('settings');
    await press('language-ja');
    await waitFor(async () =>
      expect((await byTestId('nav-plans')).textContent).toContain('保証プラン'),
    );
    expect(fake.called('settings_change')[0]).toEqual({
      settings: { language: 'ja', theme: 'light', retentionDays: null },
    });
    setLanguage('en');
  });
});

describe('a contract', () => {
  it('is shown with every field there is', async () => {
    await startWindow('contracts');
    await fill('contract-id', 'contract-1');
    await press('contract-lookup');
    const sheet = await byTestId('contract-sheet');
    const values = (part: unknown): string[] =>
      part && typeof part === 'object'
        ? Object.values(part).flatMap(values)
        : typeof part === 'string' && !/^\d{4}-\d{2}-\d{2}T/.test(part)
          ? [part]
          : [];
    for (const value of values(sample.contract)) expect(sheet.textContent).toContain(value);
    for (const shown of [
      '100,000 円',
      '95,000 円',
      '24',
      'Yes',
      'No',
      '2028-11-21 11:00:00 +09:00',
    ]) {
      expect(sheet.textContent).toContain(shown);
    }
    expect(sheet.querySelector('img, a')).toBeNull();
  });
});

describe('a contract that is not found', () => {
  it('is no alarm: it may not be there yet', async () => {
    await startWindow('contracts', {
      contract_lookup: () => {
        throw refusal;
      },
    });
    await fill('contract-id', 'contract-0');
    await press('contract-lookup');
    const notice = await byTestId('error-notice');
    expect(notice.getAttribute('role')).toBe('status');
    expect(notice.textContent).toContain('look it up again');
    expect(notice.textContent).toContain('request-9');
  });
});

describe('a plan', () => {
  it('is linked against what was seen before, and the proof is shown', async () => {
    const fake = await startWindow('plans', {
      store_reference_used_by: () => ['plan-2'],
      plan_link: () => ({
        plan: { ...sample.plans[2]!, storeReferenceId: 'EW-1' },
        previous: null,
        alsoUsedBy: ['plan-2'],
      }),
    });
    await fill('plans-reference', sample.REFERENCE);
    await press('plans-show');
    await press('plan-open');
    await fill('store-reference', 'EW-1');
    const box = await byTestId('store-reference');
    await waitFor(() => expect(noteOf(box)).toContain('plan-2'));
    await press('link-submit');
    expect((await byTestId('link-proof')).textContent).toContain('EW-1');
    expect((await byTestId('link-duplicate')).textContent).toContain('plan-2');
    expect(fake.called('plan_link')).toEqual([
      { id: 'plan-3', storeReferenceId: 'EW-1', expected: null },
    ]);
  });
});

describe('a row of a list', () => {
  it('opens from anywhere in it, but leaves its other buttons their own', async () => {
    await startWindow('products');
    const row = await byTestId('product-row');
    await typist.click(row.querySelector('.title')!);
    await waitFor(async () =>
      expect((await byTestId<HTMLDialogElement>('product-drawer')).open).toBe(true),
    );
    await typist.keyboard('{Escape}');
    await typist.click([...row.querySelectorAll('button')].at(-1)!);
    await byTestId('page-plans');
  });
});

describe('a product', () => {
  it('opened from the list keeps its reference, and one that is typed is made plain', async () => {
    const known = { ...sample.product, referenceId: 'Ｐ－２' };
    const fake = await startWindow('products', {
      products: () => [known],
      product_last_known: () => known,
    });
    const reference = () => byTestId<HTMLInputElement>('product-referenceId');
    await press('product-open');
    await byTestId('product-known');
    await press('product-submit');
    await waitFor(() => expect(fake.called('product_put')).toHaveLength(1));
    expect(fake.called('product_put')[0]).toMatchObject({ draft: { referenceId: 'Ｐ－２' } });
    await fill('product-referenceId', 'Ｐ－３');
    await waitFor(async () => expect((await reference()).value).toBe('P-3'));
  });

  it('starts from what was last known and shows what will change', async () => {
    await startWindow('products');
    await press('product-open');
    await waitFor(async () =>
      expect((await byTestId<HTMLInputElement>('product-title')).value).toContain('washing'),
    );
    await fill('product-price', '88,000');
    const changes = await byTestId('product-changes');
    expect(changes.querySelector('del')?.textContent).toBe('98,000');
    expect(changes.querySelector('ins')?.textContent).toBe('88,000');
    expect((await byTestId('product-drawer')).textContent).toContain('brand cannot be sent');
  });

  it('keeps what was typed when the form is closed and opened again', async () => {
    await startWindow('products');
    await press('product-open');
    await waitFor(async () =>
      expect((await byTestId<HTMLInputElement>('product-title')).value).toContain('washing'),
    );
    await fill('product-title', 'Half a thought');
    await typist.keyboard('{Escape}');
    await press('product-open');
    expect((await byTestId<HTMLInputElement>('product-title')).value).toBe('Half a thought');
  });

  it('is refused without all five fields, and says when nothing is known of it', async () => {
    const fake = await startWindow('products', { product_last_known: () => null });
    await press('product-new');
    await fill('product-referenceId', 'NEW-1');
    await byTestId('product-not-known');
    await fill('product-title', 'Sample');
    await press('product-submit');
    await waitFor(async () =>
      expect((await byTestId('product-imageUrl')).getAttribute('aria-invalid')).toBe('true'),
    );
    expect(fake.called('product_put')).toHaveLength(0);
  });
});

describe('a token', () => {
  it('goes in once and is gone from the window', async () => {
    const fake = await startWindow('settings', {
      status: () => ({ ...sample.status, profile: sample.live }),
      token_set: () => null,
    });
    const box = await byTestId<HTMLInputElement>('token-input');
    expect(box.type).toBe('password');
    await fill('token-input', 'canary-token');
    await press('token-set');
    await waitFor(() => expect(fake.called('token_set')).toHaveLength(1));
    expect(fake.called('token_set')[0]).toEqual({ id: 'profile-live', token: 'canary-token' });
    expect((await byTestId<HTMLInputElement>('token-input')).value).toBe('');
    expect(document.body.innerHTML).not.toContain('canary-token');
  });
});

describe('a case', () => {
  it('offers exactly the lawful ways out', async () => {
    const fake = await startWindow('outbox', {
      ...filled,
      outbox_resolve: () => ({ ...sample.openCase, ways: [] }),
    });
    await press('entry-open');
    await byTestId('way-cancel');
    expect(document.querySelector('[data-testid="way-edit"]')).toBeNull();
    await press('way-providerHasNone');
    await fill('way-reference', 'Ms Sato, case 12');
    await press('way-confirm');
    await waitFor(() =>
      expect(fake.called('outbox_resolve')).toEqual([
        {
          id: 'submission-1',
          resolution: { way: 'providerHasNone', reference: 'Ms Sato, case 12', confirmed: [] },
        },
      ]),
    );
  });
});

describe('a case beside another entry of its sale', () => {
  it('is sent only once a person has said yes to the other one, which is named', async () => {
    for (const way of ['providerHasNone', 'replayOnce', 'sendNow'] as const) {
      let asked = false;
      const fake = await startWindow('outbox', {
        ...filled,
        outbox_case: () => ({ ...sample.openCase, ways: [way] }),
        outbox_resolve: () => {
          if (asked) return { ...sample.openCase, ways: [] };
          asked = true;
          throw {
            code: 'questions',
            message: { en: 'A question', ja: '確認' },
            effect: 'none',
            next: 'mend',
            requestId: null,
            serviceCode: null,
            serviceMessage: null,
            fields: [],
            questions: [
              {
                kind: 'secondContract',
                submissionId: 'second',
                state: 'confirmed',
                contractId: 'c-2',
                profile: 'Branch',
              },
            ],
          };
        },
      });
      await press('entry-open');
      await press(`way-${way}`);
      if (way === 'providerHasNone') await fill('way-reference', 'Ms Sato');
      await press('way-confirm');
      expect((await byTestId('question-dialog')).textContent).toContain('Branch');
      await press('question-yes');
      await waitFor(() => expect(fake.called('outbox_resolve')).toHaveLength(2));
      const sent = fake.called('outbox_resolve') as { resolution: object }[];
      expect(sent.at(-1)?.resolution).toMatchObject({
        way,
        confirmed: [{ kind: 'secondContract', submissionId: 'second' }],
      });
      await stopWindow();
    }
  });
});

describe('an entry that is mended', () => {
  it('asks what only a person can answer, and passes the answer on', async () => {
    let asked = false;
    const fake = await startWindow('outbox', {
      ...filled,
      outbox_case: () => ({ ...sample.openCase, ways: ['edit'] }),
      outbox_resolve: () => {
        if (asked) return { ...sample.openCase, ways: [] };
        asked = true;
        throw {
          code: 'questions',
          message: { en: 'A question', ja: '確認' },
          effect: 'none',
          next: 'mend',
          requestId: null,
          serviceCode: null,
          serviceMessage: null,
          fields: [],
          questions: [
            {
              kind: 'secondContract',
              submissionId: 'old',
              state: 'cancelled',
              contractId: null,
              profile: null,
            },
          ],
        };
      },
    });
    await press('entry-open');
    await press('way-edit');
    await press('way-confirm');
    await press('question-yes');
    await waitFor(() => expect(fake.called('outbox_resolve')).toHaveLength(2));
    const sent = fake.called('outbox_resolve') as { resolution: { confirmed: object[] } }[];
    expect(sent.map(({ resolution }) => resolution.confirmed)).toEqual([
      [],
      [{ kind: 'secondContract', submissionId: 'old' }],
    ]);
  });
});

describe('an entry that was entered anew', () => {
  it('leads to the entry made in its place', async () => {
    const fake = await startWindow('outbox', {
      ...filled,
      outbox_case: ({ id }) => ({
        ...sample.openCase,
        ways: [],
        replacedBy: id === 'submission-1' ? 'submission-9' : null,
      }),
    });
    await press('entry-open');
    await press('case-replacedBy');
    await waitFor(() => expect(fake.called('outbox_case').at(-1)).toEqual({ id: 'submission-9' }));
  });
});

describe('a lead that had to wait', () => {
  it('shows its token once the desk has sent it', async () => {
    const fake = await startWindow('leads', {
      lead_create: () => ({ ...sample.lead, state: 'queued', token: null }),
    });
    await fill('lead-product-reference', sample.REFERENCE);
    await fill('lead-product-price', '98000');
    await fill('lead-transaction-id', 'T-1');
    await press('lead-submit');
    await byTestId('lead-receipt');
    expect(document.querySelector('[data-testid="lead-token"]')).toBeNull();
    fake.answer('leads', () => [sample.lead]);
    await fake.tell({ kind: 'outboxChanged', summary: sample.summary });
    expect((await byTestId('lead-token')).textContent).toBe('lead-token-1');
  });
});

describe('a lead without an answer', () => {
  it('is sent again only after a person has read the warning', async () => {
    const fake = await startWindow('leads', {
      leads: () => [{ ...sample.lead, state: 'unknown', token: null }],
      lead_send_again: () => sample.lead,
    });
    const row = await byTestId('lead-row');
    await typist.click([...row.querySelectorAll('button')][0]!);
    expect(fake.called('lead_send_again')).toHaveLength(0);
    await press('lead-again-yes');
    expect((await byTestId('lead-token')).textContent).toBe('lead-token-1');
  });
});

describe('a key of customers that is gone', () => {
  const lost = { ...sample.status, customers: { kind: 'keyLost' as const } };
  const entries = {
    status: () => lost,
    submissions: () => [
      { ...sample.submission, customer: 'lost', customerName: null, customerEmail: null },
    ],
  };

  it('is said above every page, and names are replaced by words', async () => {
    await startWindow('outbox', entries);
    expect((await byTestId('customers-banner')).textContent).toContain('Nothing was deleted');
    expect((await byTestId('entry-row')).textContent).toContain('Cannot be read any more');
    expect(await faults()).toEqual([]);
  });

  it('is replaced only once that is confirmed', async () => {
    const fake = await startWindow('outbox', {
      ...entries,
      seal_key_renew: () => ({ kind: 'readable' }),
    });
    await press('key-renew');
    expect(fake.called('seal_key_renew')).toEqual([]);
    expect(await faults()).toEqual([]);
    fake.answer('status', () => sample.status);
    await press('key-renew-yes');
    await waitFor(() =>
      expect(document.querySelector('[data-testid="customers-banner"]')).toBeNull(),
    );
    expect(fake.called('seal_key_renew')).toHaveLength(1);
  });
});

describe('how long customers are kept', () => {
  it('is changed beside the other settings and leaves them alone', async () => {
    const fake = await startWindow('settings');
    await fill('retention-days', '30');
    await press('retention-save');
    await waitFor(() =>
      expect(fake.called('settings_change')).toEqual([
        { settings: { ...sample.status.settings, retentionDays: 30 } },
      ]),
    );
  });

  it('has its problem at its box', async () => {
    const fake = await startWindow('settings');
    await fill('retention-days', 'many');
    await press('retention-save');
    await waitFor(async () =>
      expect((await byTestId('retention-days')).getAttribute('aria-invalid')).toBe('true'),
    );
    expect(fake.called('settings_change')).toEqual([]);
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
    expect(banner.textContent).toContain('1 entry must be looked at');
    await press('rescue-show');
    expect((await byTestId('rescue-row')).textContent).toContain('T-9');
    expect((await byTestId('rescue-row')).textContent).toContain('Only in this report');
    expect((await byTestId('rescue-incomplete')).textContent).toContain('may be missing');
    expect(await faults()).toEqual([]);
  });

  it('that is found while the window is open is told at once', async () => {
    const fake = await startWindow('register');
    expect(document.querySelector('[data-testid="rescue-banner"]')).toBeNull();
    fake.answer('status', replaced.status);
    await fake.tell({ kind: 'rescueFound' });
    await byTestId('rescue-banner');
  });

  it('says of an older copy put back that nothing of it is sent by itself', async () => {
    const rescue = { ...replaced.status().rescue, cause: 'putBack' as const, setAside: null };
    await startWindow('register', { ...replaced, status: () => ({ ...sample.status, rescue }) });
    const banner = await byTestId('rescue-banner');
    expect(banner.textContent).toContain('An older copy of this desk');
    expect(banner.textContent).toContain('Nothing that may have been sold since is sent by itself');
  });

  it('is told until somebody has read it', async () => {
    const fake = await startWindow('register', { ...replaced, rescue_seen: () => null });
    await press('rescue-show');
    await byTestId('rescue-row');
    fake.answer('status', () => sample.status);
    await press('rescue-seen');
    await waitFor(() => expect(document.querySelector('[data-testid="rescue-banner"]')).toBeNull());
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

describe('a lead', () => {
  it('for a transaction and product that have one is created only after a yes', async () => {
    const earlier = { id: 'lead-0', state: 'created', enteredAt: sample.lead.enteredAt };
    const fake = await startWindow('leads', {
      lead_create: ({ beside }) => {
        if (beside !== 'lead-0') throw { ...refusal, code: 'secondLead', earlierLead: earlier };
        return sample.lead;
      },
    });
    await fill('lead-product-reference', sample.REFERENCE);
    await fill('lead-product-price', '98000');
    await fill('lead-transaction-id', 'T-1');
    await press('lead-submit');
    await press('second-lead-yes');
    expect((await byTestId('lead-token')).textContent).toBe('lead-token-1');
    expect(fake.called('lead_create').map(({ beside }) => beside)).toEqual([null, 'lead-0']);
  });

  it('answered about something else says so, and shows the token after a decision', async () => {
    const mismatch = { transactionId: 'T-2', productReferenceId: null };
    const kept = { ...sample.lead, state: 'unknown', token: null, mismatch, tokenKept: true };
    const fake = await startWindow('leads', { leads: () => [kept], lead_token: () => sample.lead });
    expect((await byTestId('lead-mismatch')).textContent).toContain('T-2');
    await press('lead-take-token');
    expect(fake.called('lead_token')).toEqual([]);
    await press('lead-token-question-yes');
    expect((await byTestId('lead-token')).textContent).toBe('lead-token-1');
  });
});
