import { screen, waitFor } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { setLanguage, t } from '../../i18n/language.svelte';
import {
  asks,
  byTestId,
  dialogsGiveBack,
  fill,
  focusIsAt,
  held,
  press,
  refusal,
  refuses,
  says,
  shows,
  startWindow,
  typist,
  valueOf,
  type FakeDesk,
  type Reply,
} from '../../testing/desk';
import type { CaseView } from '../../ipc';
import { scan } from '../../testing/scanner';
import * as sample from '../../testing/samples';
import { COUNTS, outbox } from './outbox.svelte';

const entries = [sample.submission];

/** The list of one entry, whose case is open. */
async function opened(
  view: Partial<CaseView> = {},
  otherwise: Record<string, Reply> = {},
): Promise<FakeDesk> {
  const fake = await startWindow('outbox', {
    contracts_list: () => sample.listed(entries),
    outbox_case: () => ({ ...sample.openCase, ...view }),
    ...otherwise,
  });
  await press('entry-open');
  return fake;
}

describe('a case', () => {
  it('says how it ended, and leaves the focus in the page when it was the last one of the list', async () => {
    dialogsGiveBack();
    const fake = await startWindow('outbox', {
      contracts_list: () => sample.listed(entries),
      outbox_case: () => sample.openCase,
    });
    (await byTestId('list')).focus();
    await typist.keyboard('{ArrowDown}{Enter}');
    await byTestId('resolution-cancel');
    const told = (await byTestId('case-state')).closest('[role="status"]');
    const submission = { ...sample.submission, state: 'cancelled' };
    fake.answer('outbox_resolve', () => ({ ...sample.openCase, submission, resolutions: [] }));
    fake.answer('contracts_list', () => sample.listed([]));
    await press('resolution-cancel');
    await press('resolution-confirm');
    await fake.tell({ kind: 'outboxChanged' });
    await waitFor(() => expect(told?.textContent ?? '').toContain(t('state.cancelled')));
    expect(told?.isConnected).toBe(true);
    await waitFor(() => expect(shows('list')).toBe(false));
    await typist.click(await screen.findByLabelText(t('action.close')));
    await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
  });

  it('offers exactly the ways that are possible', async () => {
    const resolved = () => ({ ...sample.openCase, resolutions: [] });
    const fake = await opened({}, { outbox_resolve: resolved });
    await byTestId('resolution-cancel');
    expect(shows('resolution-edit')).toBe(false);
    await press('resolution-providerHasNone');
    await fill('resolution-reference', 'Ms Sato, case 12');
    await press('resolution-confirm');
    await fake.hears('outbox_resolve', [
      {
        id: 'submission-1',
        resolution: { kind: 'providerHasNone', reference: 'Ms Sato, case 12', confirmed: [] },
      },
    ]);
  });
});

it('says of its own action alone that it changed nothing, never of the sale', async () => {
  await opened({}, { outbox_resolve: refuses({ ...refusal, code: 'notAllowed' }) });
  await press('resolution-cancel');
  await press('resolution-confirm');
  await says('error-notice', 'This action registered or changed nothing at the service.');
});

it('says of a contract ID that is not found neither that it was refused nor that nothing was sold', async () => {
  await opened({}, { outbox_resolve: refuses() });
  await press('resolution-giveContractId');
  await fill('resolution-contract-id', 'c-mistyped');
  await press('resolution-confirm');
  await says('error-notice', t('contracts.notFound'));
  const { textContent } = await byTestId('error-notice');
  expect(textContent).toContain(t('resolution.giveContractId.notFound'));
  expect(textContent).not.toContain(t('failure.refused'));
  expect(textContent).not.toContain(t('effect.none'));
});

it('says nothing of a change where only the list could not be read', async () => {
  await startWindow('outbox', { contracts_list: refuses({ ...refusal, code: 'database' }) });
  expect((await byTestId('error-notice')).textContent).not.toContain(t('effect.none'));
});

it('has nothing good to say of a contract that may exist twice', async () => {
  const submission = { ...sample.submission, state: 'confirmed' as const };
  const fake = await opened({ submission });
  await says('case-drawer', t('receipt.what.confirmed'));
  fake.answer('outbox_case', () => ({
    ...sample.openCase,
    submission: { ...submission, duplicatePossible: true },
  }));
  await outbox.readAgain();
  await says('case-drawer', t('duplicate.title'));
  expect((await byTestId('case-drawer')).textContent).not.toContain(t('receipt.what.confirmed'));
});

it('says of an entry that waits for another token where it is sent all the same', async () => {
  await opened({ submission: { ...sample.submission, state: 'held' } });
  await says('case-drawer', '"Send now" below');
});

it('stays open while it is decided, and shows what came of it', async () => {
  const [waits, answer] = held();
  await opened({ replaces: 'submission-0' }, { outbox_resolve: waits });
  await press('resolution-cancel');
  await press('resolution-confirm');
  for (const id of ['case-paper', 'case-replaces', 'resolution-back', 'resolution-replayOnce']) {
    expect((await byTestId<HTMLButtonElement>(id)).disabled, id).toBe(true);
  }
  (await byTestId('case-drawer')).dispatchEvent(new Event('cancel', { cancelable: true }));
  const { submission } = sample.openCase;
  answer({
    ...sample.openCase,
    submission: { ...submission, state: 'cancelled', case: null },
    resolutions: [],
  });
  await says('case-state', t('state.cancelled'));
});

it('a sale that is sent anew is followed as its new entry', async () => {
  const { submission } = sample.openCase;
  const anew = {
    ...sample.openCase,
    submission: { ...submission, id: 'submission-2', state: 'queued' as const, case: null },
    replaces: submission.id,
    resolutions: [],
  };
  const fake = await opened({}, { outbox_resolve: () => anew });
  await press('resolution-providerHasNone');
  await fill('resolution-reference', 'Ms Sato, case 12');
  fake.answer('outbox_case', () => anew);
  fake.calls.length = 0;
  await press('resolution-confirm');
  // It is read again, because something has changed.
  await waitFor(() => expect(fake.called('outbox_case')).toEqual([{ id: 'submission-2' }]));
  await byTestId('case-replaces');
  expect((await byTestId('case-state')).textContent).toContain(t('state.queued'));
});

it('says how a refused sale of the former store is sold', async () => {
  const refused = { ...sample.submission, state: 'rejected' as const, case: null };
  const view = { ...sample.openCase, submission: refused };
  const fake = await startWindow('outbox', {
    contracts_list: () => sample.listed([refused]),
    outbox_case: () => ({ ...view, resolutions: ['cancel'] }),
  });
  await press('entry-open');
  await byTestId('resolution-cancel');
  const drawer = await byTestId('case-drawer');
  expect(drawer.textContent).toContain(t('case.formerStore'));
  fake.answer('outbox_case', () => ({ ...view, resolutions: ['edit', 'cancel'] }));
  await typist.keyboard('{Escape}');
  await press('entry-open');
  await byTestId('resolution-edit');
  expect(drawer.textContent).not.toContain(t('case.formerStore'));
});

it.each(['queued', 'held'] as const)(
  'does not say of an entry whose import or sheet is paused that it will be sent (%s)',
  async (state) => {
    const nextAt = '2026-11-21T10:05:00.000+09:00';
    const waiting = { ...sample.submission, state, case: null, nextAt };
    await opened({ submission: waiting, paused: true, resolutions: ['edit', 'cancel'] });
    const drawer = await byTestId('case-drawer');
    await waitFor(() => expect(drawer.textContent).toContain('not sent until that is resumed'));
    expect(drawer.textContent).not.toContain(t(`receipt.what.${state}`));
    expect(drawer.textContent).not.toContain('Next automatic attempt');
  },
);

it('says of a contract that the service gave twice that another entry may have it', async () => {
  const submission = { ...sample.openCase.submission, case: 'contradiction' as const };
  const [first] = sample.openCase.attempts;
  const answered = { ...first!, class: 'accepted' as const, status: 200, detail: 'C-1' };
  await opened({ submission, attempts: [answered] });
  const drawer = await byTestId('case-drawer');
  await waitFor(() => expect(drawer.textContent).toContain('or belongs to another entry'));
  const shown = (await byTestId('attempt')).textContent?.replace(/\s+/g, ' ');
  expect(shown).toContain('The response named a contract of another entry: C-1');
});

it('finds a scanned receipt among all entries, whichever were listed', async () => {
  const fake = await startWindow('outbox', { contracts_list: () => sample.listed(entries) });
  await press('outbox-count-held');
  scan('POS-20261121-0001');
  await fake.hearsLast('contracts_list', {
    filter: { states: [], possibleDuplicates: false, text: 'POS-20261121-0001' },
  });
});

it('says of a contract that the service reports whether a person has settled that', async () => {
  const reported = { ...sample.submission, case: 'reportedFraud' as const };
  for (const [state, what] of [
    ['needsPerson', t('receipt.what.reported')],
    ['confirmed', t('receipt.what.settled')],
  ] as const) {
    const submission = { ...reported, state };
    await startWindow('outbox', {
      contracts_list: () => sample.listed([submission]),
      outbox_case: () => ({ ...sample.openCase, submission, resolutions: [] }),
    });
    await press('entry-open');
    await says('case-drawer', what);
    await says('case-drawer', t('case.reason.reportedFraud'));
  }
});

it('calls no contract registered whose status may say that it failed', async () => {
  const reported = { case: 'reportedCancelled' as const, status: '登録失敗' };
  const submission = { ...sample.submission, ...reported, state: 'needsPerson' as const };
  await opened({ submission, resolutions: [] });
  const drawer = await byTestId('case-drawer');
  for (const [language, stands] of [
    ['ja', '登録されています'],
    ['en', 'exists'],
  ] as const) {
    setLanguage(language);
    await waitFor(() => expect(drawer.textContent).toContain(t('receipt.what.reported')));
    expect(drawer.textContent).not.toContain(stands);
  }
});

it('says that a sale which never reached the service was not sold', async () => {
  const lost = { ...sample.submission, state: 'needsPerson' as const, case: 'keyLost' as const };
  const view = { ...sample.openCase, submission: lost };
  const fake = await startWindow('outbox', {
    contracts_list: () => sample.listed([lost]),
    outbox_case: () => ({ ...view, resolutions: ['edit', 'cancel'] }),
  });
  await press('entry-open');
  await byTestId('resolution-edit');
  const drawer = await byTestId('case-drawer');
  expect(drawer.textContent).toContain(t('case.notReached'));
  expect(drawer.textContent).not.toContain(t('case.needsPerson'));
  // It may have been sent before its key was lost, and nothing is said of a profile that was removed.
  for (const resolutions of [['giveContractId', 'providerHasNone', 'cancel'], []]) {
    fake.answer('outbox_case', () => ({ ...view, resolutions }));
    await typist.keyboard('{Escape}');
    await press('entry-open');
    await waitFor(() => expect(drawer.textContent).toContain(t('case.needsPerson')));
    expect(drawer.textContent).not.toContain(t('case.notReached'));
  }
});

it('asks before what was typed for a case is dropped', async () => {
  await opened();
  await press('resolution-providerHasNone');
  await fill('resolution-reference', 'Ms Sato, case 12');
  await typist.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  await press('leave-back');
  expect(await valueOf('resolution-reference')).toBe('Ms Sato, case 12');
  await typist.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  await press('leave-yes');
  await waitFor(() => expect(shows('resolution-reference')).toBe(false));
});

it('stays open with what was typed for it when an earlier search is answered', async () => {
  const [waits, answer] = held();
  const fake = await startWindow('outbox', { contracts_list: () => sample.listed(entries) });
  const row = await byTestId('entry-open');
  fake.answer('contracts_list', waits);
  outbox.text = 'T-other';
  const search = outbox.openFound();
  await typist.click(row);
  await press('resolution-providerHasNone');
  await fill('resolution-reference', 'Ms Sato, case 12');
  const found = sample.listed([{ ...sample.submission, id: 'submission-2' }]);
  fake.answer('contracts_list', () => found);
  answer(found);
  await search;
  expect(await valueOf('resolution-reference')).toBe('Ms Sato, case 12');
  expect(fake.called('outbox_case')).toEqual([{ id: 'submission-1' }]);
});

it.each([
  ['case-replacedBy', () => says('case-drawer', 'T-9')],
  ['case-lookup', () => byTestId('page-contracts')],
  ['resolution-edit', () => byTestId('page-register')],
] as const)('asks the same before %s leads away from it', async (button, there) => {
  const submission = { ...sample.openCase.submission, contractId: 'c-1' };
  const other = { ...sample.openCase, submission: { ...submission, transactionId: 'T-9' } };
  const shown: CaseView = {
    ...sample.openCase,
    submission,
    replacedBy: 'submission-9',
    resolutions: ['providerHasNone', 'edit'],
  };
  await opened({}, { outbox_case: ({ id }) => (id === 'submission-9' ? other : shown) });
  await press('resolution-providerHasNone');
  await fill('resolution-reference', 'Ms Sato, case 12');
  await press(button);
  await press('leave-back');
  expect(await valueOf('resolution-reference')).toBe('Ms Sato, case 12');
  await press(button);
  await press('leave-yes');
  await there();
  expect(shows('leave-yes')).toBe(false);
});

it('keeps a contract ID that was typed while another way is looked at', async () => {
  await opened();
  await press('resolution-giveContractId');
  await fill('resolution-contract-id', 'c-2');
  await press('resolution-providerHasNone');
  await press('resolution-giveContractId');
  expect(await valueOf('resolution-contract-id')).toBe('c-2');
});

it('gives way to a receipt that is scanned, after the same question', async () => {
  const fake = await opened();
  await press('resolution-providerHasNone');
  await fill('resolution-reference', 'Ms Sato');
  (await byTestId('resolution-confirm')).focus();
  scan('POS-20261121-0001');
  await press('leave-yes');
  await fake.hearsLast('contracts_list', { filter: { states: [], text: 'POS-20261121-0001' } });
  await waitFor(async () =>
    expect((await byTestId<HTMLDialogElement>('case-drawer')).open).toBe(false),
  );
});

describe('an entry that the palette finds while a case is open', () => {
  const other = { ...sample.submission, id: 'submission-9', transactionId: 'T-9' };
  const byCase = {
    contracts_list: () => sample.listed([...entries, other]),
    products_list: () => sample.known([]),
    outbox_case: ({ id }: Record<string, unknown>) =>
      id === other.id ? { ...sample.openCase, submission: other } : sample.openCase,
  };
  async function find(code: string): Promise<void> {
    await typist.keyboard('{Control>}k{/Control}');
    await focusIsAt('palette-input');
    await typist.paste(code);
    await typist.keyboard('{Enter}');
    await waitFor(() => expect(shows('palette-input')).toBe(false));
  }

  it('takes its place after the same question, and its own entry without one', async () => {
    await opened({}, byCase);
    await press('resolution-providerHasNone');
    await fill('resolution-reference', 'Ms Sato');
    await find('T-9');
    await press('leave-back');
    await find(sample.submission.transactionId);
    expect(shows('leave-back')).toBe(false);
    expect(await valueOf('resolution-reference')).toBe('Ms Sato');
    await find('T-9');
    await press('leave-yes');
    await says('case-drawer', 'T-9');
  });

  it('leaves one that is being decided, whose outcome is shown', async () => {
    const [waits, answer] = held();
    await opened({}, { ...byCase, outbox_resolve: waits });
    await press('resolution-providerHasNone');
    await fill('resolution-reference', 'Ms Sato');
    await press('resolution-confirm');
    await find('T-9');
    answer(Promise.reject(refusal));
    await says('case-drawer', refusal.message.en);
  });
});

describe('a case beside another entry of its sale', () => {
  const kinds = ['providerHasNone', 'replayOnce', 'sendNow'] as const;
  it.each(kinds)('is sent only after a yes to the other entry: %s', async (kind) => {
    const refused = { outbox_resolve: refuses(asks(sample.secondContract)) };
    const fake = await opened({ resolutions: [kind] }, refused);
    await press(`resolution-${kind}`);
    if (kind === 'providerHasNone') await fill('resolution-reference', 'Ms Sato');
    await press('resolution-confirm');
    expect((await byTestId('question-dialog')).textContent).toContain('Branch');
    fake.answer(
      'outbox_resolve',
      refuses(asks({ ...sample.secondContract, submissionId: 'third' })),
    );
    await press('question-yes');
    const asked = () => fake.called('outbox_resolve');
    await waitFor(() => expect(asked()).toHaveLength(2));
    // A yes that was said is not asked for again.
    fake.answer('outbox_resolve', () => ({ ...sample.openCase, resolutions: [] }));
    await press('question-yes');
    const yes = (submissionId: string) => ({ kind: 'secondContract', submissionId });
    await waitFor(() =>
      expect(asked()).toMatchObject([
        { resolution: { kind, confirmed: [] } },
        { resolution: { kind, confirmed: [yes('second')] } },
        { resolution: { kind, confirmed: [yes('second'), yes('third')] } },
      ]),
    );
  });
});

describe('a case whose contract the service named', () => {
  it('is sent again only after a question that says so, and that it was sent before', async () => {
    const itself = { ...sample.secondContract, submissionId: sample.openCase.submission.id };
    const refused = { outbox_resolve: refuses(asks(itself)) };
    const fake = await opened({ resolutions: ['providerHasNone'] }, refused);
    await press('resolution-providerHasNone');
    await fill('resolution-reference', 'Ms Sato');
    await press('resolution-confirm');
    const dialog = (await byTestId('question-dialog')).textContent;
    expect(dialog).toContain(t('question.namedContract'));
    expect(dialog).not.toContain(t('question.nothingSent'));
    expect(fake.called('outbox_resolve')).toHaveLength(1);
  });
});

describe('an entry that was entered anew', () => {
  it('leads to the entry made in its place', async () => {
    const fake = await opened({ resolutions: [], replacedBy: 'submission-9' });
    await press('case-replacedBy');
    await waitFor(() => expect(fake.called('outbox_case').at(-1)).toEqual({ id: 'submission-9' }));
  });
});

describe('the list', () => {
  it('is sorted by any column, and just the entry that is searched is opened from the search box', async () => {
    const other = { ...sample.submission, id: 'submission-2', transactionId: 'T-other' };
    const fake = await startWindow('outbox', {
      contracts_list: () => sample.listed([other, ...entries]),
    });
    const asked = () => fake.called('contracts_list').at(-1)!.filter;
    await press('sort-state');
    await waitFor(() => expect(asked()).toMatchObject({ sort: 'state', ascending: true }));
    await typist.keyboard('/');
    await focusIsAt('outbox-search');
    await typist.keyboard('T{Enter}');
    await waitFor(() => expect(document.activeElement?.tagName).toBe('TABLE'));
    expect(asked()).toMatchObject({ text: 'T', sort: 'state' });
    expect(fake.called('outbox_case')).toEqual([]);
    await fill('outbox-search', entries[0]!.transactionId);
    await typist.type(await byTestId('outbox-search'), '{Enter}');
    await byTestId('case-drawer');
    await waitFor(() => expect(fake.called('outbox_case')).toEqual([{ id: 'submission-1' }]));
  });
});

describe('a count above the list', () => {
  it('shows the entries it counts, and all open ones when pressed again', async () => {
    const fake = await startWindow('outbox', {
      contracts_list: () => sample.listed(entries),
    });
    const asked = () => fake.called('contracts_list').at(-1)!.filter;
    await press('outbox-count-held');
    await waitFor(() =>
      expect(asked()).toMatchObject({ states: ['held'], possibleDuplicates: false }),
    );
    expect((await byTestId('outbox-count-held')).getAttribute('aria-pressed')).toBe('true');
    await press('outbox-count-duplicates');
    await waitFor(() => expect(asked()).toMatchObject({ states: [], possibleDuplicates: true }));
    await press('outbox-count-duplicates');
    await waitFor(() =>
      expect(asked()).toMatchObject({ states: expect.arrayContaining(['accepted']) }),
    );
  });

  it('is left for the open ones by their button, which is not pressed meanwhile', async () => {
    const fake = await startWindow('outbox', {
      contracts_list: () => sample.listed(entries),
    });
    const asked = () => fake.called('contracts_list').at(-1)!.filter;
    const open = async () => (await byTestId('outbox-view-open')).classList.contains('on');
    expect(await open()).toBe(true);
    await press('outbox-count-held');
    await waitFor(() => expect(asked()).toMatchObject({ states: ['held'] }));
    expect(await open()).toBe(false);
    await press('outbox-view-open');
    await waitFor(() =>
      expect(asked()).toMatchObject({ states: expect.arrayContaining(['accepted']) }),
    );
    expect(await open()).toBe(true);
  });
});

it('groups the digits of the counts above the list', async () => {
  const outbox = { ...sample.summary, confirmed: 12_345 };
  await startWindow('outbox', { status: () => ({ ...sample.status, outbox }) });
  await says('outbox-count-confirmed', '12,345');
});

describe('the details of an entry', () => {
  it('show the times of the store, also those that came as UTC', async () => {
    const view = sample.openCase;
    await opened({
      submission: { ...view.submission, enteredAt: '2026-11-20T01:02:03.000Z' },
      attempts: view.attempts.map((one) => ({ ...one, startedAt: '2026-11-20T01:02:04.000Z' })),
    });
    const drawer = await byTestId('case-drawer');
    await waitFor(() => expect(drawer.textContent).toContain('2026-11-20 10:02:03 +09:00'));
    expect((await byTestId('attempt')).textContent).toContain('2026-11-20 10:02:04 +09:00');
    expect(drawer.textContent).not.toContain('+00:00');
  });

  it('show how long each attempt took, but not of one without an end', async () => {
    const [first] = sample.openCase.attempts;
    const died = { ...first!, number: 2, finishedAt: null, class: null };
    await opened({ attempts: [first!, died] });
    await byTestId('attempt');
    const shown = [...document.querySelectorAll('[data-testid="attempt"]')];
    expect(shown.map(({ textContent }) => textContent!.includes('60 sec'))).toEqual([true, false]);
  });

  it.each(['restoredFromBackup', 'olderFilePutBack', 'unknownTooLong'] as const)(
    'are called missing, not none, only where the data file is an older one (%s)',
    async (reason) => {
      const submission = { ...sample.openCase.submission, case: reason, attempts: 0 };
      await opened({ submission, attempts: [] });
      const drawer = await byTestId('case-drawer');
      const older = reason !== 'unknownTooLong';
      await waitFor(() => expect(drawer.textContent?.includes('no record of any')).toBe(older));
      expect(drawer.textContent?.includes(t('case.noAttempts'))).toBe(!older);
    },
  );

  it('say in the language of the window what became of an attempt without an answer', async () => {
    await opened();
    const attempt = await byTestId('attempt');
    expect(attempt.textContent).toContain('The service did not respond.');
    expect(attempt.textContent).not.toContain('no answer in time');
  });

  it.each([
    ['notSent', null, 'The request did not leave this computer.'],
    ['unknown', 200, 'The response does not prove the result:'],
    ['declined', 429, 'A network sign-in page or a wrong address may be the cause.'],
  ] as const)(
    'say what is known of an attempt that is %s, and why (status %s)',
    async (found, status, said) => {
      const attempt = {
        ...sample.openCase.attempts[0]!,
        class: found,
        status,
        detail: 'the reason',
      };
      await opened({ attempts: [attempt] });
      const shown = (await byTestId('attempt')).textContent?.replace(/\s+/g, ' ');
      expect(shown).toContain(`${said} the reason`);
    },
  );

  it('show an unclear outcome with the way to its actions on this page', async () => {
    await opened();
    const drawer = await byTestId('case-drawer');
    await waitFor(() => expect(drawer.textContent).toContain(`"${t('case.actions')}" below`));
  });

  it('say that an entry was corrected, not cancelled', async () => {
    const view = sample.openCase;
    await opened({
      submission: { ...view.submission, state: 'cancelled', case: null },
      resolutions: [],
      replacedBy: 'submission-9',
    });
    expect((await byTestId('case-state')).textContent).toContain('Corrected');
    expect((await byTestId('case-drawer')).textContent).not.toContain('Cancelled');
  });
});

describe('a question before sending', () => {
  it('has the focus at going back', async () => {
    const refused = { outbox_resolve: refuses(asks(sample.secondContract)) };
    await opened({ resolutions: ['sendNow'] }, refused);
    await press('resolution-sendNow');
    await press('resolution-confirm');
    // The browser gives the focus of an opened dialog to its element with `autofocus`.
    expect((await byTestId('question-back')).autofocus).toBe(true);
  });
});

describe('the counts above the list', () => {
  it.each(['en', 'ja'] as const)(
    'have the name of the state they count, and not that of all that needs a person (%s)',
    (language) => {
      setLanguage(language);
      for (const [count, states] of Object.entries(COUNTS)) {
        if (states.length !== 1) continue;
        expect(t(`outbox.count.${count as keyof typeof COUNTS}`)).toBe(t(`state.${states[0]!}`));
      }
      // These count refused entries and possible duplicates too.
      expect(t('outbox.view.person')).not.toBe(t('outbox.count.person'));
      setLanguage('en');
    },
  );
});
