import { fireEvent, waitFor } from '@testing-library/svelte';
import { emit } from '@tauri-apps/api/event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  Blocker,
  FileDrag,
  FileLook,
  Overview,
  Question,
  ReadOptions,
  Reconciliation,
  RegisteredSale,
  RunRow,
  RunView,
} from '../../ipc';
import {
  byTestId,
  fill,
  focusIsAt,
  held,
  press,
  pressAgain,
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
import { t } from '../../i18n/language.svelte';
import { faults } from '../../testing/accessibility';
import * as sample from '../../testing/samples';
import { scan } from '../../testing/scanner';
import { run, runRow } from '../../testing/sheet';
import { openPage } from '../../navigation/route.svelte';
import { openPlace } from '../today/words';
import { TRANSACTION } from '../sheet/columns';
import { sheet } from '../sheet/sheet.svelte';
import { FIELDS } from './fields';
import { importing } from './importing.svelte';

const file = { number: 1, name: 'sales.csv', bytes: 4096 };

const look: FileLook = {
  detected: {
    kind: 'csv',
    encoding: 'cp932',
    separator: 'comma',
    sheets: [],
    sheet: null,
    otherSheets: [],
    headerLine: 1,
    hiddenRows: 0,
    hiddenLines: [],
    headers: ['伝票番号', '合計', '販売日', '氏名', 'メール', 'JAN', '単価', 'プラン', '保証料'],
  },
  mapping: { columns: FIELDS.contracts.map((field, column) => ({ field, column })) },
  repeated: [],
  remembered: false,
  rows: [
    {
      line: 2,
      cells: ['T-1', '1000', '2026/11/21', '見本 太郎', 'a@b.jp', '2000', '900', 'p-1', '100'],
    },
  ],
};

const staged: RunView = {
  ...run,
  id: 'run-1',
  source: 'file',
  name: 'sales.csv',
  rows: 12,
  pending: 12,
};
const checked: RunView = {
  ...staged,
  checked: 12,
  pending: 8,
  alreadyEntered: 2,
  differing: 1,
  rejected: 2,
};
const running: RunView = { ...checked, state: 'running', entered: 3, pending: 5, batches: 1 };

const row: RunRow = {
  ...runRow(3),
  line: 4,
  outcome: 'rejected',
  problems: [{ field: 'customerEmail', problem: 'notEmail' }],
  content: ['T-3', 'plan-2'],
};
const asking: RunRow = {
  ...row,
  number: 4,
  line: 5,
  problems: [],
  questions: [{ kind: 'changedPrice', entered: 100, current: 120 }],
};

const usual = {
  file_choose: () => file,
  file_look: () => look,
  file_stage: () => staged,
  run_check: () => checked,
  run_rows: () => [row, asking],
  run: () => checked,
  run_start: () => running,
};

/** A desk with a file chosen. */
async function chosen(otherwise: Record<string, Reply> = {}): Promise<FakeDesk> {
  const fake = await startWindow('import', { ...usual, ...otherwise });
  await press('import-choose');
  await byTestId('import-check');
  return fake;
}

/** A desk with this run. */
const withRun = (one: RunView) =>
  startWindow('import', { ...usual, runs: () => [one], run: () => one });

/** A desk with a file chosen, whose rows are checked. */
async function checking(otherwise: Record<string, Reply> = {}): Promise<FakeDesk> {
  const fake = await chosen(otherwise);
  await press('import-check');
  return fake;
}

/** The same file, compared with what is registered. */
async function comparing(otherwise: Record<string, Reply>): Promise<FakeDesk> {
  const fake = await chosen(otherwise);
  await press('import-compare');
  return fake;
}

beforeEach(() => {
  importing.startAnew();
  importing.reset();
  importing.kind = 'contracts';
  importing.compares = false;
});
describe('a file', () => {
  it('is looked at as soon as it is chosen, and says what it was found to be', async () => {
    const fake = await chosen();
    expect((await byTestId('import-encoding')).textContent).toContain('Detected: Shift_JIS');
    expect((await byTestId('import-separator')).textContent).toContain('Detected: Comma');
    expect((await byTestId('import-field-transactionDate')).textContent).toContain('2026/11/21');
    expect((await byTestId('import-offset')).textContent).toContain('+09:00');
    expect(fake.called('file_look')[0]).toMatchObject({ file: 1, kind: 'contracts' });
  });

  it('is not asked for again when the person chose none', async () => {
    const fake = await startWindow('import', { ...usual, file_choose: () => null });
    await press('import-choose');
    await waitFor(() => expect(fake.called('file_choose')).toHaveLength(1));
    expect(fake.called('file_look')).toEqual([]);
    expect(shows('import-choose')).toBe(true);
  });

  it('is read anew in the encoding a person names', async () => {
    const fake = await chosen();
    await typist.selectOptions(await byTestId('import-encoding'), 'utf8');
    await fake.hearsLast('file_look', { options: { encoding: 'utf8' } });
  });

  it('without headers says so, and is read without them when a person says so', async () => {
    const fake = await chosen();
    const bare = { ...look, detected: { ...look.detected, headerLine: null } };
    fake.answer('file_look', () => bare);
    const line = await byTestId<HTMLInputElement>('import-header-line');
    await fireEvent.change(line, { target: { value: '0' } });
    await fake.hearsLast('file_look', { options: { headerLine: 0 } });
    await importing.take(file);
    await waitFor(() => expect(line.value).toBe('0'));
  });

  it('of which no header is known is said to lose its first line, until that is settled', async () => {
    const detected = { ...look.detected, headerLine: 2 };
    const unknown = { ...look, detected, mapping: { columns: [] } };
    const fake = await chosen({ file_look: () => unknown });
    expect((await byTestId('import-header-unknown')).textContent).toContain('Line 2');
    await typist.selectOptions(await byTestId('import-column-transactionId'), '0');
    expect(shows('import-header-unknown')).toBe(true);
    expect(await faults()).toEqual([]);
    await press('import-header-confirm');
    await fake.hearsLast('file_look', { options: { headerLine: 2 } });
    await waitFor(() => expect(shows('import-header-unknown')).toBe(false));
    expect((await byTestId<HTMLSelectElement>('import-column-transactionId')).value).toBe('0');
    for (const known of [
      { ...unknown, remembered: true },
      { ...unknown, repeated: ['transactionId' as const] },
      { ...unknown, mapping: look.mapping },
      { ...unknown, detected: { ...detected, headerLine: null } },
    ]) {
      fake.answer('file_look', () => known);
      await importing.take(file);
      await byTestId('import-check');
      expect(shows('import-header-unknown')).toBe(false);
    }
  });

  it('is imported and compared only with the headers that were looked at', async () => {
    const fake = await chosen({ file_reconcile: refuses() });
    const options = { headers: look.detected.headers };
    await press('import-compare');
    await waitFor(() => expect(fake.called('file_reconcile')).toHaveLength(1));
    expect(fake.called('file_reconcile')[0]).toMatchObject({ options });
    await press('import-check');
    await waitFor(() => expect(fake.called('file_stage')[0]).toMatchObject({ options }));
    expect(fake.called('file_look').at(-1)).toMatchObject({ options: { headers: null } });
  });

  it('with sales on other sheets too names them', async () => {
    const detected = { ...look.detected, sheet: '10月', otherSheets: ['11月', '12月'] };
    const fake = await chosen({ file_look: () => ({ ...look, detected }) });
    expect((await byTestId('import-sheets')).textContent).toContain('11月, 12月');
    // The sheet was found and not chosen, so the others are still left out.
    await press('import-check');
    await fake.hearsLast('file_stage', { options: { sheet: null, foundSheet: '10月' } });
  });

  it('with two sheets of one name, as in a broken workbook, offers both', async () => {
    const detected = { ...look.detected, kind: 'xlsx', sheet: '10月', sheets: ['10月', '10月'] };
    await chosen({ file_look: () => ({ ...look, detected }) });
    const box = await byTestId<HTMLSelectElement>('import-sheet');
    expect(box.options).toHaveLength(2);
  });

  it('told twice at once how to be read says so, and is read the second way, whichever answer comes first', async () => {
    const answers = new Map<string, () => void>();
    const fake = await chosen();
    fake.answer('file_look', ({ options }) => {
      const { encoding } = options as Required<ReadOptions>;
      const answer = { ...look, detected: { ...look.detected, encoding } };
      return new Promise((resolve) => answers.set(encoding ?? '', () => resolve(answer)));
    });
    const encoding = await byTestId<HTMLSelectElement>('import-encoding');
    await typist.selectOptions(encoding, 'cp932');
    await typist.selectOptions(encoding, 'utf8');
    await waitFor(() => expect(answers.size).toBe(2));
    const check = await byTestId<HTMLButtonElement>('import-check');
    expect(check.disabled).toBe(true);
    const step = check.closest('section')!;
    await waitFor(() => expect(step.textContent).toContain(t('import.reading')));
    answers.get('utf8')!();
    await waitFor(() => expect(check.disabled).toBe(false));
    answers.get('cp932')!();
    await new Promise((turn) => setTimeout(turn));
    expect(shows('import-field-transactionId')).toBe(true);
    expect(importing.look?.detected.encoding).toBe('utf8');
    expect(encoding.value).toBe('utf8');
  });

  it('with rows that the workbook hides names them, and takes them only when told to', async () => {
    const detected = { ...look.detected, hiddenRows: 2, hiddenLines: [3, 5] };
    const fake = await chosen({ file_look: () => ({ ...look, detected }) });
    expect((await byTestId('import-hidden')).textContent).toContain('lines 3, 5');
    await press('import-check');
    await fake.hearsLast('file_stage', { options: { includeHidden: false } });

    await importing.take(file);
    await press('import-include-hidden');
    await fake.hearsLast('file_look', { options: { includeHidden: true } });
  });

  it('read anew with the same headers keeps the columns a person chose, and with others does not', async () => {
    const detected = { ...look.detected, hiddenRows: 2, hiddenLines: [3, 5] };
    const fake = await chosen({ file_look: () => ({ ...look, detected }) });
    const fee = await byTestId<HTMLSelectElement>('import-column-planPurchasePrice');
    const guessed = fee.value;
    await typist.selectOptions(fee, '6');
    await press('import-include-hidden');
    await press('import-check');
    await waitFor(() => expect(fake.called('file_stage')).toHaveLength(1));
    const { mapping } = fake.called('file_stage')[0] as { mapping: FileLook['mapping'] };
    expect(mapping.columns).toContainEqual({ field: 'planPurchasePrice', column: 6 });

    fake.answer('run_forget', () => null);
    await press('import-back');
    const others = [...detected.headers, '担当'];
    fake.answer('file_look', () => ({ ...look, detected: { ...detected, headers: others } }));
    await press('import-include-hidden');
    await waitFor(() => expect(importing.columns.planPurchasePrice).toBe(Number(guessed)));
  });

  it('of which another sheet leaves open which column is meant asks for it', async () => {
    const fake = await chosen({});
    const columns = look.mapping.columns.filter(({ field }) => field !== 'planId');
    fake.answer('file_look', () => ({ ...look, mapping: { columns }, repeated: ['planId'] }));
    await importing.read({ ...importing.options, sheet: '11月' });
    expect(await byTestId('import-repeated')).toBeTruthy();
    expect(importing.columns.planId).toBeUndefined();
  });

  it('that cannot be read says why, and another one can be chosen', async () => {
    const fake = await startWindow('import', {
      ...usual,
      file_look: refuses({
        ...refusal,
        code: 'file',
        message: { en: 'This is no text.', ja: '不可' },
      }),
    });
    await press('import-choose');
    const notice = (await byTestId('error-notice')).textContent;
    expect(notice).toContain('This is no text.');
    expect(notice).not.toContain(t('effect.none'));
    expect(await byTestId<HTMLButtonElement>('import-check')).toHaveProperty('disabled', true);
    await press('import-other');
    await byTestId('import-choose');
    expect(fake.called('file_stage')).toEqual([]);
  });

  it('dropped anywhere on the window opens its page', async () => {
    await startWindow('products', usual);
    await emit('file-drag', { kind: 'dropped', file } satisfies FileDrag);
    await byTestId('page-import');
    expect((await byTestId('import-field-planId')).textContent).toContain('p-1');
  });

  it('is not taken when several are dropped', async () => {
    const fake = await startWindow('import', usual);
    await emit('file-drag', { kind: 'notOneFile' } satisfies FileDrag);
    await byTestId('import-not-one');
    expect(fake.called('file_look')).toEqual([]);
  });

  it('is of the kind that another page asks for', async () => {
    const fake = await startWindow('products', usual);
    await press('products-file');
    await press('import-choose');
    await waitFor(() => expect(fake.called('file_look')[0]).toMatchObject({ kind: 'products' }));
  });
});

describe('a field without a column', () => {
  it('is named and keeps the rows from being checked until one is chosen', async () => {
    const fake = await chosen({
      file_look: () => ({
        ...look,
        mapping: { columns: look.mapping.columns.filter(({ field }) => field !== 'planId') },
      }),
    });
    expect((await byTestId('import-missing')).textContent).toContain('Plan ID');
    expect(await byTestId<HTMLButtonElement>('import-check')).toHaveProperty('disabled', true);
    await typist.selectOptions(await byTestId('import-column-planId'), '7');
    await press('import-check');
    await waitFor(() => expect(fake.called('file_stage')).toHaveLength(1));
    expect(fake.called('file_stage')[0]).toMatchObject({
      mapping: { columns: look.mapping.columns },
    });
  });

  it('are not checked while two of them may hold the same', async () => {
    await chosen({
      file_look: () => ({
        ...look,
        mapping: {
          columns: look.mapping.columns.filter(({ field }) => field !== 'transactionDate'),
        },
        repeated: ['transactionDate'],
      }),
    });
    expect((await byTestId('import-repeated')).textContent).toContain('Date');
    expect(await byTestId<HTMLButtonElement>('import-check')).toHaveProperty('disabled', true);
    await typist.selectOptions(await byTestId('import-column-transactionDate'), '2');
    expect(await byTestId<HTMLButtonElement>('import-check')).toHaveProperty('disabled', false);
  });

  it('of which the file has more is not read, and each such column is named, also after a change', async () => {
    const headers = [...look.detected.headers, '数量', ' '];
    await chosen({ file_look: () => ({ ...look, detected: { ...look.detected, headers } }) });
    const unused = await byTestId('import-unused');
    expect(unused.textContent).toContain('Columns not used: 数量.');
    expect(unused.textContent).toContain('Each row is one contract');
    await typist.selectOptions(await byTestId('import-column-transactionDate'), '');
    await waitFor(() => expect(unused.textContent).toContain('販売日, 数量.'));
  });

  it('may be the date, and then it is said what the date will be', async () => {
    await chosen();
    await typist.selectOptions(await byTestId('import-column-transactionDate'), '');
    expect((await byTestId('import-undated')).textContent).toContain(
      'dated when you press “Check all rows”',
    );
    expect(await byTestId<HTMLButtonElement>('import-check')).toHaveProperty('disabled', false);
  });
});

describe('the check', () => {
  it('counts the rows and names each finding at its line, entering nothing', async () => {
    const fake = await checking();
    await byTestId('import-start');
    expect((await byTestId('import-count-good')).textContent).toContain('8');
    expect((await byTestId('import-count-rejected')).textContent).toContain('2');
    expect((await byTestId('import-count-already')).textContent).toContain('2');
    const found = await byTestId('import-row');
    expect(found.dataset.line).toBe('4');
    expect(found.textContent).toContain('Email: Enter a valid email address.');
    expect(fake.called('run_start')).toEqual([]);
  });

  it('is staged under the code of who imports it, if the profile wants one per sale', async () => {
    const fake = await chosen(sample.wantsStaff);
    await press('import-check');
    await focusIsAt('staff-code');
    expect(fake.called('file_stage')).toEqual([]);
    await fill('staff-code', '42');
    await press('import-check');
    await byTestId('import-start');
    expect(fake.called('staff_enter').map(({ code }) => code)).toEqual(['42', null]);
  });

  it('takes a staff card that is scanned into its box, and checks nothing at its end', async () => {
    const fake = await chosen(sample.wantsStaff);
    const box = await byTestId('staff-code');
    box.focus();
    scan('STAFF-0042');
    expect(await valueOf('staff-code')).toBe('STAFF-0042');
    expect(fake.called('file_stage')).toEqual([]);
  });

  it('has no question answered by a scan', async () => {
    const fake = await checking({ run_answer: () => checked });
    await byTestId('import-answer').then((button) => button.focus());
    scan(sample.REFERENCE);
    await press('import-answer-all-changedPrice');
    await waitFor(() => expect(fake.called('run_answer')).toHaveLength(1));
    expect(fake.called('run_answer')).toMatchObject([{ rows: { which: 'all' } }]);
  });

  it('asks about a changed price, of one row or of all', async () => {
    const fake = await checking({ run_answer: () => checked });
    await press('import-answer');
    await press('import-answer-all-changedPrice');
    await waitFor(() => expect(fake.called('run_answer')).toHaveLength(2));
    expect(fake.called('run_answer')).toEqual([
      {
        id: 'run-1',
        rows: { which: 'one', of: { number: 4, yes: { kind: 'changedPrice', current: 120 } } },
        question: 'changedPrice',
      },
      { id: 'run-1', rows: { which: 'all' }, question: 'changedPrice' },
    ]);
  });

  it('keeps the focus in each step, and moves it on to the next question', async () => {
    const like: RunRow = { ...asking, number: 5, line: 6 };
    let open = [asking, like];
    const fake = await chosen({
      run_rows: () => open,
      run_answer: () => {
        open = open.slice(1);
        return checked;
      },
    });
    const isIn = (step: string) =>
      waitFor(() =>
        expect(document.activeElement?.closest('section')?.getAttribute('aria-label')).toBe(
          t(`import.step.${step}` as 'import.step.columns'),
        ),
      );
    await isIn('columns');
    await byTestId('import-check').then((button) => button.focus());
    await typist.keyboard('{Enter}');
    await byTestId('import-answer').then((button) => button.focus());
    await isIn('check');
    await typist.keyboard('{Enter}');
    await waitFor(() =>
      expect(document.querySelectorAll('[data-testid="import-answer"]')).toHaveLength(1),
    );
    await focusIsAt('import-answer');
    await typist.keyboard('{Enter}');
    await waitFor(() => expect(shows('import-answer')).toBe(false));
    await isIn('check');
    await byTestId('import-start').then((button) => button.focus());
    fake.answer('run_rows', () => []);
    await typist.keyboard('{Enter}');
    await isIn('run');
    await press('import-another');
    await isIn('choose');
  });

  it('answers one of two like questions of a row for itself', async () => {
    const cell = (cell: string, text: string): Question => ({
      kind: 'cellText',
      field: cell === 'A5' ? 'transactionId' : 'planId',
      cell,
      text,
    });
    const twice = { ...asking, questions: [cell('A5', '42'), cell('H5', '7')] };
    const fake = await checking({ run_answer: () => checked, run_rows: () => [twice] });
    await byTestId('import-answer');
    const answers = document.querySelectorAll('[data-testid="import-answer"]');
    expect(answers).toHaveLength(2);
    await typist.click(answers[1]!);
    await waitFor(() =>
      expect(fake.called('run_answer')[0]).toMatchObject({
        rows: { of: { number: 4, yes: { kind: 'cellText', cell: 'H5', text: '7' } } },
      }),
    );
  });

  it('speaks of including a row only at its last question', async () => {
    let open: Question[] = [...asking.questions, sample.secondContract];
    await checking({
      run_rows: () => [{ ...asking, questions: open }],
      run_answer: () => ((open = open.slice(1)), checked),
    });
    await byTestId('import-answer');
    const names = () =>
      [...document.querySelectorAll('[data-testid="import-answer"]')].map((button) =>
        button.textContent?.trim(),
      );
    expect(names()).toEqual([t('sheet.yes'), t('question.yes')]);
    await press('import-answer');
    await waitFor(() => expect(names()).toEqual([t('question.include')]));
  });

  it('takes no second click of a double click for an answer to the next question', async () => {
    let open: Question[] = [...asking.questions, { kind: 'changedPrice', entered: 9, current: 7 }];
    const fake = await checking({
      run_rows: () => [{ ...asking, questions: open }],
      run_answer: () => ((open = open.slice(1)), checked),
    });
    const left = () => document.querySelectorAll('[data-testid="import-answer"]').length;
    await waitFor(() => expect(left()).toBe(2));
    await press('import-answer');
    await waitFor(() => expect(left()).toBe(1));
    await pressAgain('import-answer');
    await pressAgain('import-answer-all-changedPrice');
    expect(fake.called('run_answer')).toHaveLength(1);
  });

  it('calls no row not completed yet, and one that only waits for an answer not wrong', async () => {
    await checking();
    await byTestId('import-row');
    expect((await byTestId('page-import')).textContent).not.toMatch(/not completed/i);
    const [wrong, waiting] = [...document.querySelectorAll('[data-testid="import-row"]')];
    expect(wrong!.textContent).toContain('Needs correction');
    expect(waiting!.textContent).toContain('Needs confirmation');
  });

  it('counts what is unusual and names it at its line, calmly', async () => {
    const odd: RunRow = {
      ...row,
      number: 6,
      line: 7,
      outcome: null,
      problems: [],
      warnings: ['totalBelowPrice', 'feeHigh'],
    };
    const view = { ...checked, warned: 1 };
    const fake = await checking({
      run_check: () => view,
      run: () => view,
      run_rows: () => [row, odd],
    });
    await byTestId('import-start');
    expect((await byTestId('import-count-warned')).textContent).toContain('1');
    await byTestId('import-warning');
    const [first, second] = [...document.querySelectorAll('[data-testid="import-warning"]')];
    expect(first!.closest('tr')!.dataset['line']).toBe('7');
    expect(first!.textContent).toContain('Lower than the product price');
    expect(first!.classList).toContain('muted');
    expect(second!.textContent).toContain('Warranty fee');
    await press('import-show-warned');
    await waitFor(() => expect(fake.called('run_rows').at(-1)).toMatchObject({ only: 'warned' }));
  });

  it('says beside its buttons what came of saving the rows that need a person', async () => {
    const fake = await checking({ run_rejected_save: refuses() });
    await press('import-save-rejected');
    const footer = (await byTestId('import-save-rejected')).closest('footer')!;
    await waitFor(() => expect(footer.contains(document.querySelector('.notice.act'))).toBe(true));
    fake.answer('run_rejected_save', () => ({ name: 'mend.csv', rows: 2, unreadCustomers: 0 }));
    await press('import-save-rejected');
    expect(footer.contains(await byTestId('import-saved'))).toBe(true);
  });

  it('of a file that was entered before says so and offers nothing to enter', async () => {
    await checking({
      run_check: () => ({ ...checked, pending: 0, alreadyEntered: 12, differing: 0, rejected: 0 }),
    });
    expect((await byTestId('import-all-before')).textContent).toContain('Nothing is sold twice');
    expect(await byTestId<HTMLButtonElement>('import-start')).toHaveProperty('disabled', true);
  });

  it('shows how far it is, and can be ended', async () => {
    const [waits, end] = held();
    const fake = await checking({ run_check: waits, run_check_stop: () => null });
    await byTestId('import-check-stop');
    await fake.tell({ kind: 'runProgressed', run: { ...staged, checked: 5 } });
    await says('import-progress', '5 of 12');
    await press('import-check-stop');
    end({ ...staged, checked: 5 });
    await byTestId('import-partly');
    expect(fake.called('run_check_stop')).toEqual([{ id: 'run-1' }]);
    expect(shows('import-start')).toBe(false);
    await byTestId('import-row');
    expect((await byTestId('page-import')).textContent).not.toMatch(/not completed/i);
  });

  it('cannot have its columns changed while the file is read', async () => {
    await chosen({ file_stage: () => new Promise(() => {}) });
    const column = await byTestId<HTMLSelectElement>('import-column-transactionDate');
    expect(column.disabled).toBe(false);
    await press('import-check');
    await waitFor(() => expect(column.disabled).toBe(true));
  });

  it('goes back to the columns without losing what was chosen there', async () => {
    const fake = await chosen({ run_forget: () => null });
    await typist.selectOptions(await byTestId('import-column-transactionDate'), '');
    await press('import-check');
    await press('import-back');
    const date = await byTestId<HTMLSelectElement>('import-column-transactionDate');
    expect(date.value).toBe('');
    expect(fake.called('run_forget')).toEqual([{ id: 'run-1' }]);
  });
});

describe('the buttons of an import', () => {
  it('take no second click of a double click on what was in their place', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(0);
    const fake = await chosen({ run_forget: () => null, run: () => running });
    await press('import-check');
    await pressAgain('import-start');
    await press('import-back');
    await pressAgain('import-other');
    await press('import-check');
    await byTestId('import-start');
    expect(fake.called('run_start')).toEqual([]);
    await press('import-start');
    await pressAgain('import-another');
    await byTestId('import-another');
    expect(importing.step).toBe('run');
  });

  it('take no second click of a double click on an import in the list', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(1_000_000);
    const fake = await withRun(checked);
    await typist.click(await byTestId('import-past-run'));
    await pressAgain('import-start');
    importing.startAnew();
    await press('import-past-open');
    await pressAgain('import-start');
    expect(fake.called('run_start')).toEqual([]);
    await pressAgain('import-start', 600);
    await waitFor(() => expect(fake.called('run_start')).toHaveLength(1));
  });
});

describe('a run that is removed', () => {
  it('is removed once, however often its button is pressed', async () => {
    const [waits, answer] = held();
    const fake = await checking({ run_forget: waits });
    await press('import-back');
    await press('import-back');
    answer(null);
    await byTestId('import-column-transactionDate');
    expect(fake.called('run_forget')).toEqual([{ id: 'run-1' }]);
  });

  it('is left if it was gone already', async () => {
    await checking({ run_forget: refuses({ ...refusal, code: 'notKnown' }) });
    await press('import-back');
    await byTestId('import-column-transactionDate');
  });
});

describe('a run', () => {
  it('that cannot be read again says so', async () => {
    const fake = await checking({
      run: refuses({ ...refusal, message: { en: 'Cannot be read.', ja: '読めません。' } }),
    });
    await byTestId('import-start');
    await fake.tell({ kind: 'outboxChanged' });
    expect((await byTestId('error-notice')).textContent).toContain('Cannot be read.');
  });

  async function begun(otherwise: Record<string, Reply> = {}): Promise<FakeDesk> {
    const fake = await checking(otherwise);
    await press('import-start');
    await byTestId('import-pause');
    return fake;
  }

  it('enters the good rows, and is the desk’s: leaving the page changes nothing', async () => {
    const fake = await begun({ run: () => running });
    expect(fake.called('run_start')).toEqual([{ id: 'run-1', mode: 'goodRows' }]);
    openPage('plans');
    await byTestId('page-plans');
    await fake.tell({ kind: 'runProgressed', run: { ...running, entered: 8, pending: 0 } });
    openPage('import');
    expect((await byTestId('import-count-entered')).textContent).toMatch(/[38]/);
    expect(fake.called('run_cancel')).toEqual([]);
  });

  it('is paused, goes on and is ended after a question', async () => {
    const fake = await begun({
      run: () => running,
      run_pause: () => ({ ...running, state: 'paused' }),
      run_resume: () => running,
      run_cancel: () => ({ ...running, state: 'cancelled' }),
    });
    await press('import-pause');
    expect((await byTestId('import-paused')).textContent).toContain(
      'Rows already sent are not affected',
    );
    await says('import-paused', 'under another store');
    await pressAgain('import-resume');
    expect(fake.called('run_resume')).toEqual([]);
    await press('import-resume');
    await press('import-cancel');
    expect((await byTestId('import-stop-question')).textContent).toContain('cannot be resumed');
    expect(fake.called('run_cancel')).toEqual([]);
    await press('import-stop-question-yes');
    await byTestId('import-cancelled');
    expect(fake.called('run_resume')).toHaveLength(1);
  });

  it.each([checked, { ...running, state: 'done' as const }])(
    'that is opened later says again what is left out of its workbook: $state',
    async (one) => {
      const leftOut = { hiddenRows: 2, hiddenLines: [3, 5], otherSheets: ['12月'] };
      await withRun({ ...one, leftOut });
      await press('import-past-open');
      expect((await byTestId('import-hidden')).textContent).toContain('lines 3, 5');
      expect((await byTestId('import-sheets')).textContent).toContain('12月');
    },
  );

  it('with sales that may exist twice needs a person, and marks them', async () => {
    const sent = { ...running.sent, confirmed: 3, possibleDuplicates: 1 };
    const submission = {
      id: 'entry-1',
      state: 'confirmed' as const,
      contractId: null,
      settled: false,
      duplicatePossible: true,
    };
    const fake = await withRun({ ...running, state: 'done', sent: { ...sent, waiting: 2 } });
    fake.answer('run_rows', () => [runRow(3, { submission })]);
    await press('import-past-open');
    expect((await byTestId('import-count-person')).textContent).toContain('1');
    const state = await byTestId('import-run-state');
    expect(state.className).toContain('act');
    expect(state.textContent).toContain('Needs attention');
    expect((await byTestId('import-attention')).textContent).toContain('1 contract needs');
    expect(shows('import-done')).toBe(false);
    expect((await byTestId('import-row')).textContent).toContain(t('duplicate.mark'));
  });

  it('that was stopped says how many of its contracts were cancelled, also in the list of imports', async () => {
    // One more was corrected, and its other entry continues.
    const sent = { ...running.sent, accepted: 1, cancelled: 3, stopped: 2 };
    const fake = await withRun({ ...running, state: 'cancelled', sent });
    const listed = await byTestId('import-past-run');
    expect(listed.textContent).toContain('7 cancelled');
    await press('import-past-open');
    expect((await byTestId('import-count-cancelled')).textContent).toContain('2');
    // Two contracts, and five rows that had not become one.
    const notice = await byTestId('import-cancelled');
    expect(notice.textContent).toContain('7 rows were cancelled');

    const done = { ...running, state: 'done' as const, pending: 0 };
    fake.answer('run', () => done);
    await importing.readAgain();
    await waitFor(() => expect(shows('import-cancelled')).toBe(false));
    expect(shows('import-count-cancelled')).toBe(false);
  });

  it('with every row entered is paused and ended as long as something of it was not sent', async () => {
    const done = { ...running, state: 'done' as const, entered: 8, pending: 0 };
    const open = { ...done, unsent: 5 };
    const fake = await begun({
      run: () => open,
      run_start: () => open,
      run_pause: () => ({ ...open, state: 'paused' }),
      run_resume: () => open,
    });
    await press('import-pause');
    await byTestId('import-paused');
    await press('import-resume');
    await byTestId('import-cancel');
    expect(fake.called('run_pause')).toEqual([{ id: 'run-1' }]);
    await fake.tell({ kind: 'runProgressed', run: done });
    await waitFor(() => expect(shows('import-cancel')).toBe(false));
    expect(shows('import-pause')).toBe(false);
  });

  it('is not called completed before the service has answered about every contract', async () => {
    const done = { ...running, state: 'done' as const, entered: 8, pending: 0, rejected: 0 };
    const sent = { ...done.sent, waiting: 5, unknown: 1, accepted: 2 };
    const fake = await begun({ run: () => ({ ...done, sent }), run_start: () => running });
    await fake.tell({ kind: 'runProgressed', run: { ...done, sent } });
    const notice = await byTestId('import-sending');
    expect(notice.classList).toContain('waiting');
    expect(notice.textContent).toContain(t('import.sending'));
    const overview = { ...sample.overview, connection: 'notReached' as const, allDone: false };
    await fake.tell({ kind: 'overviewChanged', profileId: sample.practice.id, overview });
    await says('import-sending', 'waiting to be sent');
    const tell = (told: Partial<Overview>) =>
      fake.tell({
        kind: 'overviewChanged',
        profileId: sample.practice.id,
        overview: { ...overview, connection: 'connected', ...told },
      });
    await tell({});
    await says('import-sending', t('import.sending'));
    await tell({ asksToWaitUntil: new Date(Date.now() + 3_600_000).toISOString() });
    await says('import-sending', 'waiting to be sent');
    // They may be sold by now.
    const unknown = { ...done, sent: { ...done.sent, unknown: 8 } };
    await fake.tell({ kind: 'runProgressed', run: unknown });
    await says('import-sending', t('import.sending'));
    expect((await byTestId('import-run-state')).textContent).toContain('Waiting or sending');
    expect((await byTestId('import-count-entered')).textContent).toContain('Imported');
    await fake.tell({
      kind: 'runProgressed',
      run: { ...done, sent: { ...done.sent, accepted: 8 } },
    });
    expect((await byTestId('import-done')).classList).toContain('good');
    const state = await byTestId('import-run-state');
    expect(state.textContent).toContain('Completed');
    expect(state.classList).toContain('good');
    // Rows that were left out are no success.
    await fake.tell({ kind: 'runProgressed', run: { ...done, rejected: 1, entered: 7 } });
    await waitFor(() =>
      expect(document.querySelector('[data-testid=import-done]')?.classList).not.toContain('good'),
    );
    await fake.tell({ kind: 'runProgressed', run: { ...done, rejected: done.rows, entered: 0 } });
    await waitFor(() => expect(shows('import-done')).toBe(false));
    expect((await byTestId('import-run-state')).classList).toContain('neutral');
  });

  it('gives the rows left out back as a file', async () => {
    const fake = await begun({
      run: () => running,
      run_rejected_save: () => ({ name: 'sales-left-out.csv', rows: 2, unreadCustomers: 0 }),
    });
    await press('import-save-rejected');
    const saved = await byTestId('import-saved');
    expect(saved.textContent).toContain('sales-left-out.csv');
    // Just above the button, where it is seen.
    expect(saved.nextElementSibling?.contains(await byTestId('import-save-rejected'))).toBe(true);
    expect(fake.called('run_rejected_save')).toHaveLength(1);
  });

  it('of the sheet, which has no file, is named after it', async () => {
    await withRun({ ...running, source: 'sheet', name: '' });
    expect((await byTestId('import-past-open')).textContent?.trim()).toBe('Sheet');
  });

  it('whose rows cannot be read says so, and can be ended', async () => {
    await withRun({ ...running, unreadable: true });
    expect((await byTestId('import-past-run')).textContent).toContain('Some rows cannot be read');
    await press('import-past-open');
    expect((await byTestId('import-unreadable')).textContent).toContain('They are saved');
    await byTestId('import-cancel');
  });

  it('of store references does not wait for an access token', async () => {
    await withRun({ ...running, kind: 'productReferences', waitingFor: { kind: 'noToken' } });
    await press('import-past-open');
    await byTestId('import-run-state');
    expect(shows('import-waiting')).toBe(false);
  });

  const waits: [Blocker, string][] = [
    [{ kind: 'noToken' }, 'No access token is set'],
    [{ kind: 'vault', reason: 'locked' }, 'The keychain is locked'],
    [{ kind: 'keyLost' }, 'Customer data can no longer be read'],
    [{ kind: 'practiceNotRunning' }, 'The practice service is not running'],
    [{ kind: 'networkSetup' }, 'No connection can be set up'],
  ];
  it.each(waits)('that stands still says why and that it goes on: %o', async (blocker, why) => {
    const fake = await withRun({ ...running, waitingFor: blocker });
    await press('import-past-open');
    const said = (await byTestId('import-waiting')).textContent;
    expect(said).toContain(why);
    expect(said).toContain('continues automatically');
    fake.answer('run', () => running);
    const profileId = sample.practice.id;
    await fake.tell({ kind: 'blockerChanged', profileId, blocker: null });
    await waitFor(() => expect(shows('import-waiting')).toBe(false));
  });

  it.each(['products', 'planLinks', 'productReferences'] as const)(
    'of %s that is paused does not speak of contracts of another store',
    async (kind) => {
      const paused = { ...running, kind, state: 'paused' as const };
      await startWindow('import', { ...usual, runs: () => [paused], run: () => paused });
      await press('import-past-open');
      expect((await byTestId('import-paused')).textContent).not.toContain('another store');
    },
  );

  it('that was interrupted is offered at the start and opened where it stands', async () => {
    const paused = { ...running, state: 'paused' as const };
    const open = { ...sample.overview.open, runs: 1 };
    await startWindow('import', {
      ...usual,
      status: () => ({ ...sample.status, overview: { ...sample.overview, open } }),
      runs: () => [paused],
      run: () => paused,
    });
    await byTestId('import-unfinished');
    await press('import-past-open');
    await byTestId('import-resume');
  });

  it('with rows to correct counts as unfinished, like in the header', async () => {
    const open = { ...sample.overview.open, runs: 2 };
    await startWindow('import', {
      ...usual,
      status: () => ({ ...sample.status, overview: { ...sample.overview, open } }),
      runs: () => [{ ...checked, state: 'done' }],
    });
    expect((await byTestId('import-unfinished')).textContent).toContain('2 imports');
  });

  it('that is unfinished is in sight from the close of the day, whatever file is chosen', async () => {
    await chosen({ runs: () => [{ ...running, state: 'paused' }] });
    openPage('today');
    await byTestId('page-today');
    openPlace('runs');
    await byTestId('import-past-run');
    await byTestId('import-column-transactionDate');
    await press('import-past-open');
  });

  it('takes the focus with its list, also where that is read only after the link from Today', async () => {
    const [waits, answer] = held();
    await startWindow('today', { ...usual, runs: waits });
    await byTestId('page-today');
    openPlace('runs');
    await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
    answer([{ ...running, state: 'paused' }]);
    const list = (await byTestId('import-past-run')).closest('section');
    await waitFor(() => expect(document.activeElement).toBe(list));
  });

  it('opened from a list that is out of date shows where it stands now', async () => {
    const done = { ...running, state: 'done' as const, pending: 0 };
    const listed = { ...done, sent: { ...done.sent, accepted: 8 } };
    const now = { ...done, sent: { ...done.sent, confirmed: 8 } };
    await startWindow('import', { ...usual, runs: () => [listed], run: () => now });
    await press('import-past-open');
    await says('import-count-confirmed', '8');
    expect((await byTestId('import-count-accepted')).textContent).toContain('0');
  });

  it('of another profile is not shown', async () => {
    const fake = await begun({ run: () => running });
    fake.answer('run', () => running);
    importing.reset();
    await waitFor(() => expect(shows('import-pause')).toBe(false));
  });
});

describe('a check that is answered after another profile was chosen', () => {
  it.each(['import-check', 'import-compare'])('is not shown there: %s', async (button) => {
    const [waits, answer] = held();
    await chosen({ file_stage: waits, file_reconcile: waits });
    await press(button);
    importing.reset();
    answer(staged);
    await new Promise((turn) => setTimeout(turn, 20));
    expect([importing.run, importing.comparison]).toEqual([null, null]);
    expect(importing.staging.busy || importing.comparing.busy).toBe(false);
  });
});

describe('every step', () => {
  it('can be used without seeing it', async () => {
    await chosen({ run: () => running, runs: () => [checked] });
    expect(await faults()).toEqual([]);
    await press('import-check');
    await byTestId('import-row');
    expect(await faults()).toEqual([]);
    await press('import-start');
    await byTestId('import-pause');
    expect(await faults()).toEqual([]);
    await press('import-another');
    await byTestId('import-past-run');
    expect(await faults()).toEqual([]);
  });
});

describe('a list of the point of sale', () => {
  const registered: RegisteredSale = {
    id: 'entry-1',
    state: 'confirmed',
    transactionId: 'T-1',
    date: '2026-11-21',
    transactionTotal: 118_000,
    productReferenceId: 'SKU-1',
    productTitle: '見本の冷蔵庫',
    productPurchasePrice: 98_000,
    planId: 'p-1',
    planTitle: null,
    planPurchasePrice: 20_000,
    duplicatePossible: false,
  };
  const listed = (line: number, transactionId: string) => ({
    line,
    draft: { ...sample.noDraft, transactionId, planPurchasePrice: '19000' },
  });
  const nothing: Reconciliation = {
    days: ['2026-11-21', '2026-11-21'],
    agrees: true,
    matched: 3,
    unfinished: 0,
    otherDays: 0,
    missing: [],
    extra: [],
    different: [],
    attention: [],
    unreadable: [],
    hiddenRows: 0,
    hiddenLines: [],
    otherSheets: [],
  };

  it('asked for from the close of the day is compared, and nothing leads to selling it', async () => {
    const columns = look.mapping.columns.filter(({ field }) => field === 'transactionId');
    const fake = await startWindow('today', {
      ...usual,
      file_look: () => ({ ...look, mapping: { columns } }),
      file_reconcile: () => nothing,
    });
    await press('today-compare');
    const page = await byTestId('page-import');
    expect(page.textContent).toContain(t('reconcile.what'));
    await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
    expect(page.querySelector('h1')?.textContent).toContain(t('reconcile.title'));
    expect(page.textContent).not.toContain(t('import.kindWhat.contracts'));
    expect(shows('import-kind-contracts')).toBe(false);
    expect(shows('import-step-run')).toBe(false);
    await press('import-choose');
    expect((await byTestId('import-compare')).className).toContain('primary');
    expect(shows('import-missing')).toBe(false);
    expect(shows('import-check')).toBe(false);
    expect((await byTestId('import-column-planId')).getAttribute('aria-invalid')).toBe(null);
    expect(await faults()).toEqual([]);
    fake.answer('file_look', () => look);
    await press('import-other');
    await press('import-choose');
    await press('import-compare');
    await byTestId('compared-agrees');
    expect((await byTestId('import-step-result')).getAttribute('aria-current')).toBe('step');
    await press('compared-back');
    await press('import-instead');
    const step = (await byTestId('import-check')).closest('section');
    await waitFor(() => expect(document.activeElement).toBe(step));
    expect((await byTestId('import-check')).className).toContain('primary');
  });

  it('asked for and not wanted any more gives way to an import before a file is chosen', async () => {
    await startWindow('today', usual);
    await press('today-compare');
    await press('import-instead');
    await byTestId('import-kind-contracts');
    await byTestId('import-step-run');
  });

  it('asked for earlier, and no file chosen, leaves the page to importing', async () => {
    await startWindow('today', usual);
    await press('today-compare');
    await byTestId('page-import');
    openPage('today');
    await byTestId('page-today');
    await emit('file-drag', { kind: 'dropped', file } satisfies FileDrag);
    await byTestId('import-check');
    expect(shows('import-instead')).toBe(false);
  });

  it('that agrees is said to agree, and only then', async () => {
    await comparing({ file_reconcile: () => nothing });
    expect((await byTestId('import-count-matched')).textContent).toContain('3');
    await byTestId('compared-agrees');
    expect(shows('compared-into-sheet')).toBe(false);
  });

  it('of which something is not accepted yet is not said to agree, and why is said', async () => {
    await comparing({ file_reconcile: () => ({ ...nothing, agrees: false, unfinished: 2 }) });
    expect((await byTestId('compared-unfinished')).textContent).toContain('2 sales');
    expect(shows('compared-agrees')).toBe(false);
    expect(await faults()).toEqual([]);
  });

  it('whose transactions lost zeros or capitals says how they are registered', async () => {
    const sale = { ...registered, transactionId: '000101' };
    const one = { listed: listed(2, '101'), registered: sale, fields: ['transactionId' as const] };
    await comparing({ file_reconcile: () => ({ ...nothing, agrees: false, different: [one] }) });
    expect((await byTestId('compared-different')).textContent).toMatch(/000101.*101/);
  });

  it('with another total than is registered shows both', async () => {
    const of = {
      ...listed(2, 'T-1'),
      draft: { ...listed(2, 'T-1').draft, transactionTotal: '11800' },
    };
    const one = { listed: of, registered, fields: ['transactionTotal' as const] };
    await comparing({ file_reconcile: () => ({ ...nothing, agrees: false, different: [one] }) });
    const said = (await byTestId('compared-different')).textContent;
    expect(said).toContain('19,000 円');
    expect(said).toMatch(/Transaction total.*11,800 円.*118,000 円/);
  });

  it('with a sale that is registered for another day says for which', async () => {
    const of = {
      ...listed(2, '101'),
      draft: { ...listed(2, '101').draft, transactionDate: '24/11' },
    };
    const one = { listed: of, registered, fields: ['transactionDate' as const] };
    await comparing({ file_reconcile: () => ({ ...nothing, agrees: false, different: [one] }) });
    const said = (await byTestId('compared-different')).textContent;
    expect(said).toContain('24/11');
    expect(said).toContain(registered.date);
  });

  it('says in what state a sale is that differs or is not in the list, unless it was accepted', async () => {
    const queued = { ...registered, state: 'queued' as const };
    const fields = ['planPurchasePrice' as const];
    await comparing({
      file_reconcile: () => ({
        ...nothing,
        agrees: false,
        different: [
          { listed: listed(2, 'T-1'), registered: queued, fields },
          { listed: listed(3, 'T-1'), registered: { ...queued, duplicatePossible: true }, fields },
        ],
        extra: [{ ...queued, id: 'entry-9' }, registered],
      }),
    });
    const notes = (of: string) =>
      [...document.querySelectorAll(`[data-testid="compared-${of}"]`)].map(noteIn);
    const noteIn = (row: Element) => row.querySelector('.note')?.textContent ?? '';
    await byTestId('compared-extra');
    expect(notes('extra')).toEqual([t('state.queued'), '']);
    expect(notes('different')[0]).toContain(t('state.queued'));
    expect(notes('different')[1]).toContain(t('duplicate.mark'));
  });

  it('without dates is compared with all days, and nothing else is said to be registered', async () => {
    await comparing({ file_reconcile: () => ({ ...nothing, days: null }) });
    expect((await byTestId('compared-days')).textContent).toContain('all days');
    expect((await byTestId('compared-agrees')).textContent).not.toContain('nothing else');
  });

  it('without columns of amounts is not said to agree in them', async () => {
    const columns = look.mapping.columns.filter(({ field }) => field === 'transactionId');
    await comparing({
      file_look: () => ({ ...look, mapping: { columns } }),
      file_reconcile: () => nothing,
    });
    const agrees = await byTestId('compared-agrees');
    expect(agrees.textContent).toContain('Everything that was compared matches');
    const left = (await byTestId('compared-not')).textContent;
    for (const name of ['Transaction total', 'Product reference', 'Plan ID', 'Warranty fee']) {
      expect(left).toContain(name);
    }
    expect(left).not.toContain('Customer name');
    expect(await faults()).toEqual([]);
  });

  it('of which hidden rows or other sheets are left out is not said to agree', async () => {
    const hides = { ...nothing, hiddenRows: 2, hiddenLines: [3, 5] };
    const fake = await comparing({ file_reconcile: () => ({ ...hides, otherSheets: ['12月'] }) });
    expect((await byTestId('reconcile-hidden')).textContent).toContain('lines 3, 5');
    expect((await byTestId('reconcile-sheets')).textContent).toContain('12月');
    expect(shows('compared-agrees')).toBe(false);
    expect(await faults()).toEqual([]);
    fake.answer('file_reconcile', () => nothing);
    await press('compared-again');
    await byTestId('compared-agrees');
    expect(shows('reconcile-hidden')).toBe(false);
    // The rows were hidden after the file was looked at.
    fake.answer('file_reconcile', () => hides);
    await press('compared-again');
    await byTestId('reconcile-hidden');
    expect(shows('compared-agrees')).toBe(false);
  });

  it('is compared by its columns, and its missing sales go into the sheet', async () => {
    const fake = await comparing({
      draft_read: () => null,
      file_reconcile: () => ({
        ...nothing,
        agrees: false,
        missing: [{ listed: listed(4, 'T-4'), notSold: null }],
        different: [{ listed: listed(2, 'T-1'), registered, fields: ['planPurchasePrice'] }],
        attention: [
          {
            listed: listed(3, 'T-3'),
            registered: { ...registered, state: 'unknown' },
            fields: [],
          },
        ],
        extra: [{ ...registered, id: 'entry-9', transactionId: 'T-9' }],
      }),
    });
    expect((await byTestId('compared-different')).textContent).toMatch(/T-1.*19,000 円.*20,000 円/);
    expect((await byTestId('compared-attention')).textContent).toContain('T-3');
    expect((await byTestId('compared-extra')).textContent).toContain('T-9');
    expect(shows('compared-agrees')).toBe(false);
    expect(fake.called('file_reconcile')[0]).toMatchObject({ file: file.number, day: null });
    await press('compared-into-sheet');
    await waitFor(() => expect(sheet.grid.cells.at(0)?.cells[TRANSACTION]).toBe('T-4'));
    expect(fake.called('file_stage')).toEqual([]);
  });

  it('goes nowhere by the second click of a double click on what led to it', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(0);
    const missing = [{ listed: listed(4, 'T-4'), notSold: null }];
    const fake = await comparing({ file_reconcile: () => ({ ...nothing, missing }) });
    await pressAgain('compared-again');
    await pressAgain('compared-into-sheet');
    expect(fake.called('file_reconcile')).toHaveLength(1);
    await press('compared-back');
    importing.compares = true;
    await press('import-instead');
    await pressAgain('import-check');
    expect(importing.staging.busy).toBe(false);
    expect(sheet.grid.cells.length).toBe(0);
  });

  it('puts its missing sales into the sheet once, however often the button is pressed', async () => {
    const missing = [{ listed: listed(4, 'T-4'), notSold: null }];
    await comparing({ file_reconcile: () => ({ ...nothing, missing }) });
    const button = await byTestId('compared-into-sheet');
    for (let pressed = 0; pressed < 3; pressed += 1) button.click();
    await byTestId('page-sheet');
    await waitFor(() => expect(sheet.stored.opening).toBe(false));
    await press('nav-import');
    await byTestId('import-compare');
    expect(shows('compared-into-sheet')).toBe(false);
    expect(sheet.grid.cells.rows.map(({ cells }) => cells[TRANSACTION])).toEqual(['T-4']);
  });

  it('stays open while the sheet cannot take its missing sales', async () => {
    const missing = [{ listed: listed(4, 'T-4'), notSold: null }];
    const fake = await chosen({ file_reconcile: () => ({ ...nothing, missing }) });
    fake.answer('drafts', () => Promise.reject(refusal));
    await press('import-compare');
    await press('compared-into-sheet');
    await byTestId('page-sheet');
    await press('nav-import');
    fake.answer('drafts', () => []);
    await press('compared-into-sheet');
    await waitFor(() => expect(sheet.grid.cells.at(0)?.cells[TRANSACTION]).toBe('T-4'));
  });

  it('is compared again when one comes back to it', async () => {
    let missing = [{ listed: listed(4, 'T-4'), notSold: null }];
    await comparing({
      file_reconcile: () => ({ ...nothing, agrees: missing.length === 0, missing }),
    });
    await byTestId('compared-missing');
    missing = [];
    await press('nav-today');
    await byTestId('page-today');
    await press('nav-import');
    await byTestId('compared-agrees');
    await press('nav-today');
    await byTestId('page-today');
    openPage('import', { importKind: 'planLinks' });
    await byTestId('page-import');
    expect(shows('compared-agrees')).toBe(false);
  });

  it('that is left while it is compared again does not come back', async () => {
    const [waits, answer] = held();
    const missing = [{ listed: listed(4, 'T-4'), notSold: null }];
    const fake = await comparing({ file_reconcile: () => ({ ...nothing, missing }) });
    fake.answer('file_reconcile', waits);
    await press('compared-again');
    expect((await byTestId('compared-into-sheet')).hasAttribute('disabled')).toBe(true);
    await press('compared-back');
    answer({ ...nothing, missing });
    await byTestId('import-compare');
    expect(shows('compared-into-sheet')).toBe(false);
  });

  it('cannot be compared without a column of transactions', async () => {
    await chosen({ file_look: () => ({ ...look, mapping: { columns: [] } }) });
    expect((await byTestId('import-compare')).hasAttribute('disabled')).toBe(true);
  });
});

it('says that all rows are checked by a place that was there before', async () => {
  const [waits, answer] = held();
  await checking({ run_check: waits });
  const told = (await byTestId('import-check-stop'))
    .closest('section')!
    .querySelector<HTMLElement>('[role="status"]')!;
  expect(told.textContent).toBe('');
  answer(checked);
  const all = checked.rows;
  await waitFor(() => expect(told.textContent).toBe(t('import.rowsChecked', { done: all, all })));
  expect(told.isConnected).toBe(true);
});
