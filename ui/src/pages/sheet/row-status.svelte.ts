// The status of each row: whether it can be sent, and the problems, questions and warnings of its
// cells. Stored by row, never by position, and counted incrementally: only the method that is called
// when the page opens looks at all rows.
import { money } from '../../components/money';
import { problemText } from '../../components/rules';
import { plainWidth } from '../../format/plain';
import { sentences, t } from '../../i18n/language.svelte';
import { visible } from '../../format/visible';
import { answers, type Confirmed, type EntryCheck, type Question } from '../../ipc';
import type { CellNote } from '../../grid/column';
import { isBlank, type Edit, type Row } from '../../grid/cells';
import { WARNED } from '../import/fields';
import { COLUMNS, columnOf, FEE, PLAN, PRODUCT, TRANSACTION } from './columns';

type Standing = 'blank' | 'checking' | 'wrong' | 'asks' | 'ready' | 'submitted';

type Counts = Record<Standing, number>;

interface Known {
  row: Row;
  /** `null` until the desk has checked it. */
  check: EntryCheck | null;
  answers: readonly Confirmed[];
  sale: string | null;
  standing: Standing;
}

/** The rows of one sale, when there are several. */
interface Same {
  ids: Set<number>;
  /** The first that was not submitted. */
  first: number | null;
  /** Whether one of them was submitted. */
  submitted: boolean;
}

const NO_ROWS: Counts = { blank: 0, checking: 0, wrong: 0, asks: 0, ready: 0, submitted: 0 };

const NONE: readonly Confirmed[] = [];

const NOTHING: EntryCheck = { problems: [], questions: [], warnings: [] };

/** Cells that an answer is about: once they change, the question is asked again. */
const ANSWERED_FOR = [PRODUCT, PLAN, FEE, TRANSACTION];

function askedAt(question: Question): number {
  if (question.kind === 'cellText') return columnOf(question.field);
  const { kind } = question;
  return kind === 'changedPrice' || kind === 'priceNotUnderstood' ? FEE : TRANSACTION;
}

/** A transaction without the zeros in front that a spreadsheet drops, in small letters, as the desk compares it. */
const plainNumber = (code: string): string =>
  /^0\d{1,17}$/.test(code)
    ? code.replace(/^0+(?=\d)/, '')
    : code.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());

/** What the desk compares to find rows of the same sale. */
export function saleOf({ cells }: Row): string | null {
  const [transaction, product, plan] = [cells[TRANSACTION], cells[PRODUCT], cells[PLAN]];
  if (!transaction || !product || !plan) return null;
  return `${plainNumber(transaction)}\n${product}\n${plainWidth(plan)}`;
}

function wordsOf(question: Question): string {
  if (question.kind === 'changedPrice') {
    return t('sheet.priceNow', { price: money(question.current) });
  }
  if (question.kind === 'cellText') return t('sheet.cellText', { text: visible(question.text) });
  if (question.kind === 'priceNotUnderstood') {
    return t('sheet.priceNotUnderstood', { price: visible(question.current) });
  }
  if (question.kind === 'repeatedRow') {
    return question.line === 0
      ? t('sheet.sameAsAnother')
      : t('sheet.sameAsRow', { row: question.line });
  }
  if (question.submissionId === null) return t('sheet.soldPerhaps');
  return t('sheet.soldBefore', { state: t(`state.${question.state}`) });
}

export class RowStatuses {
  /** Increases whenever something that is shown changes. */
  version = $state(0);
  counts = $state.raw<Counts>(NO_ROWS);
  #known = new Map<number, Known>();
  /** Rows of each transaction, product and plan; as a rule there is only one. */
  #sales = new Map<string, number | Same>();
  #unchecked = new Map<number, Row>();
  readonly #submitted: (id: number) => boolean;
  readonly #place: (id: number) => number;

  /**
   * `submitted` says whether a row was submitted: such rows need no check here. `place` returns the
   * position of a row, from 0.
   */
  constructor(submitted: (id: number) => boolean, place: (id: number) => number) {
    this.#submitted = submitted;
    this.#place = place;
  }

  row(id: number): Row | undefined {
    return this.#known.get(id)?.row;
  }

  standing(row: Row): Standing {
    return this.#known.get(row.id)?.standing ?? 'blank';
  }

  /** Updates the status of rows that were changed, added or removed. */
  changed({ removed, added }: Edit): void {
    const counts = { ...this.counts };
    if (removed.length > 0) {
      const stay = new Set(added.map(({ id }) => id));
      for (const { id } of removed) if (!stay.has(id)) this.#forget(id, counts);
    }
    for (const row of added) {
      const before = this.#known.get(row.id);
      if (before?.row === row) continue;
      const same = before && ANSWERED_FOR.every((at) => before.row.cells[at] === row.cells[at]);
      const answers = same ? before.answers : NONE;
      if (before) this.#forget(row.id, counts);
      this.#note({ row, check: null, answers, sale: saleOf(row), standing: 'blank' }, counts);
    }
    this.counts = counts;
    this.version += 1;
  }

  /** Unchecked rows, oldest change first: at least one, if there is any, and then within limits. */
  unchecked(most: { rows: number; characters: number }): Row[] {
    const rows: Row[] = [];
    let characters = 0;
    for (const row of this.#unchecked.values()) {
      for (const cell of row.cells) characters += cell.length;
      const full = rows.length === most.rows || characters > most.characters;
      if (full && rows.length > 0) break;
      rows.push(row);
    }
    return rows;
  }

  /** Stores the checks of rows; ignores rows that have changed since. */
  found(rows: readonly Row[], checks: ReadonlyMap<number, EntryCheck>): void {
    const counts = { ...this.counts };
    for (const [index, row] of rows.entries()) {
      const known = this.#known.get(row.id);
      if (known?.row !== row) continue;
      this.#unchecked.delete(row.id);
      known.check = checks.get(index) ?? NOTHING;
      this.#judge(known, counts);
    }
    this.counts = counts;
    this.version += 1;
  }

  /**
   * Stores the result of a row that was not entered; it replaces the check. As long as the sheet
   * has another row of the same sale it asks about that row itself.
   */
  refused(row: Row, check: EntryCheck): void {
    const known = this.#known.get(row.id);
    const others = check.questions.filter(({ kind }) => kind !== 'repeatedRow');
    // The desk asks again, so the earlier confirmation was for a different question.
    if (known && others.length < check.questions.length) {
      known.answers = known.answers.filter(({ kind }) => kind !== 'repeatedRow');
    }
    const questions = this.#sameOf(row.id) ? others : check.questions;
    this.found([row], new Map([[0, { ...check, questions }]]));
  }

  /** Stores a person's confirmations of what was shown. */
  answer(row: Row, yes: readonly Confirmed[]): void {
    const known = this.#known.get(row.id);
    if (!known) return;
    const counts = { ...this.counts };
    known.answers = [...known.answers, ...yes];
    this.#judge(known, counts);
    this.counts = counts;
    this.version += 1;
  }

  /** Rows were submitted or returned. */
  turned(ids: Iterable<number>): void {
    const counts = { ...this.counts };
    const sales = new Set<Same>();
    for (const id of ids) {
      const same = this.#sameOf(id);
      if (same) sales.add(same);
      this.#judgeAll([id], counts);
    }
    for (const same of sales) this.#settle(same, counts);
    this.counts = counts;
    this.version += 1;
    this.lookAgain(sales);
  }

  /** Has the desk check wrong rows again: what they refer to may be corrected elsewhere. */
  reconsider(): void {
    for (const { row, standing } of this.#known.values()) {
      if (standing === 'wrong') this.#unchecked.set(row.id, row);
    }
  }

  /** Has the desk check rows again if another row of their sale was submitted. */
  lookAgain(sales: Iterable<number | Same> = this.#sales.values()): void {
    for (const same of sales) {
      if (typeof same !== 'object' || !same.submitted) continue;
      for (const id of same.ids) {
        const row = this.#submitted(id) ? undefined : this.row(id);
        if (row) this.#unchecked.set(id, row);
      }
    }
  }

  answers(row: Row): readonly Confirmed[] {
    return this.#known.get(row.id)?.answers ?? NONE;
  }

  questions(row: Row): Question[] {
    const known = this.#known.get(row.id);
    if (!known) return [];
    return this.#asked(known).map((question) => {
      if (question.kind !== 'repeatedRow') return question;
      const before = this.#before(known);
      return { ...question, line: before === null ? 0 : this.#place(before) + 1 };
    });
  }

  /** Whether a row has an odd but legal value. */
  isOdd(row: Row): boolean {
    return (this.#known.get(row.id)?.check?.warnings.length ?? 0) > 0;
  }

  /** Whether another row of its sale was submitted that the desk does not know yet. */
  repeated(row: Row): boolean {
    const known = this.#known.get(row.id);
    return known !== undefined && this.#repeats(known);
  }

  /** Whether empty cells are the only problem of a row. */
  isIncomplete(row: Row): boolean {
    const known = this.#known.get(row.id);
    const problems = known?.check?.problems ?? [];
    const missing = problems.every(({ problem }) => problem === 'missing');
    return problems.length > 0 && missing && !this.repeated(row);
  }

  /**
   * The note of a cell. `begun`: the row is being filled in, so empty cells are no problem yet. It
   * is called only where it matters, because it would cost a look at every row with each key.
   */
  note(row: Row, column: number, begun = () => false): CellNote | null {
    const known = this.#known.get(row.id);
    if (!known?.check || known.standing === 'blank') return null;
    const { problems, warnings } = known.check;
    // As most rows are: this is asked for each cell in view with every change.
    if (known.standing === 'ready' && warnings.length === 0) return null;
    const field = COLUMNS[column]?.field;
    const found = problems.filter((one) => one.field === field);
    if (found.some(({ problem }) => problem !== 'missing') || (found.length > 0 && !begun())) {
      return { tone: 'wrong', text: sentences(...found.map(problemText)) };
    }
    if (column === TRANSACTION && this.repeated(row)) {
      return { tone: 'wrong', text: t('sheet.repeated') };
    }
    const question = this.questions(row).find((asked) => askedAt(asked) === column);
    if (question) return { tone: 'asks', text: wordsOf(question) };
    const warning = warnings.find((odd) => WARNED[odd] === field);
    return warning ? { tone: 'odd', text: t(`warning.${warning}`) } : null;
  }

  /** The question that is shown at a cell. */
  questionAt(row: Row, column: number): Question | undefined {
    if (this.note(row, column)?.tone !== 'asks') return undefined;
    return this.questions(row).find((asked) => askedAt(asked) === column);
  }

  /** The columns of a row that need attention, from the left; none for a row that needs none. */
  places(row: Row): number[] {
    const known = this.#known.get(row.id);
    if (known?.standing !== 'wrong' && known?.standing !== 'asks') return [];
    const columns = [
      ...(known.check?.problems ?? []).map(({ field }) => columnOf(field)),
      ...(this.repeated(row) ? [TRANSACTION] : []),
      ...this.questions(row).map(askedAt),
    ].filter((column) => column >= 0);
    return columns.length > 0 ? [...new Set(columns)].sort((a, b) => a - b) : [0];
  }

  clear(): void {
    this.#known.clear();
    this.#sales.clear();
    this.#unchecked.clear();
    this.counts = NO_ROWS;
    this.version += 1;
  }

  #note(known: Known, counts: Counts): void {
    const { row, sale } = known;
    this.#known.set(row.id, known);
    counts.blank += 1;
    if (!isBlank(row)) this.#unchecked.set(row.id, row);
    if (sale !== null) this.#noteSale(sale, row.id, counts);
    this.#judge(known, counts);
  }

  #noteSale(sale: string, id: number, counts: Counts): void {
    const same = this.#sales.get(sale);
    if (same === undefined) {
      this.#sales.set(sale, id);
      return;
    }
    const several =
      typeof same === 'object' ? same : { ids: new Set([same]), first: null, submitted: false };
    several.ids.add(id);
    this.#sales.set(sale, several);
    const isFirst = several.first === null || id < several.first;
    if (isFirst || this.#submitted(id)) this.#settle(several, counts);
  }

  /** Determines again which row of a sale is the first. */
  #settle(same: Same, counts: Counts): void {
    const open = [...same.ids].filter((id) => !this.#submitted(id));
    same.submitted = open.length < same.ids.size;
    same.first = open.reduce<number | null>((first, id) => Math.min(first ?? id, id), null);
    this.#judgeAll(same.ids, counts);
  }

  #sameOf(id: number): Same | null {
    const sale = this.#known.get(id)?.sale ?? null;
    const same = sale === null ? undefined : this.#sales.get(sale);
    return typeof same === 'object' ? same : null;
  }

  #forget(id: number, counts: Counts): void {
    const known = this.#known.get(id);
    this.#unchecked.delete(id);
    if (!known) return;
    counts[known.standing] -= 1;
    this.#known.delete(id);
    if (known.sale === null) return;
    const same = this.#sales.get(known.sale);
    if (typeof same !== 'object') {
      this.#sales.delete(known.sale);
      return;
    }
    same.ids.delete(id);
    const [last, another] = same.ids;
    if (last !== undefined && another === undefined) {
      this.#sales.set(known.sale, last);
      this.#judgeAll([last], counts);
    } else if (id === same.first || same.submitted) {
      this.#settle(same, counts);
    }
  }

  #judgeAll(ids: Iterable<number>, counts: Counts): void {
    for (const id of ids) {
      const known = this.#known.get(id);
      if (known) this.#judge(known, counts);
    }
  }

  #judge(known: Known, counts: Counts): void {
    counts[known.standing] -= 1;
    known.standing = this.#standingOf(known);
    counts[known.standing] += 1;
  }

  #asked(known: Known): Question[] {
    const { check, answers: said } = known;
    const asked = [...(check?.questions ?? [])];
    if (this.#before(known) !== null) asked.push({ kind: 'repeatedRow', line: 0, nth: 0 });
    return asked.filter((question) => !said.some((yes) => answers(yes, question)));
  }

  /** The first row of the same sale, if it is another one and was not submitted either. */
  #before({ row }: Known): number | null {
    const first = this.#sameOf(row.id)?.first ?? null;
    return first === row.id ? null : first;
  }

  #repeats({ row, check }: Known): boolean {
    const known = check?.questions.some(({ kind }) => kind === 'secondContract') ?? false;
    return !known && (this.#sameOf(row.id)?.submitted ?? false);
  }

  #standingOf(known: Known): Standing {
    const { row, check } = known;
    if (this.#submitted(row.id)) return 'submitted';
    if (isBlank(row)) return 'blank';
    if (check === null) return 'checking';
    if (check.problems.length > 0 || this.#repeats(known)) return 'wrong';
    return this.#asked(known).length > 0 ? 'asks' : 'ready';
  }
}
