// Words, colours and counts for runs and the findings of their rows.
import { money } from '../../components/money';
import { groupDigits, parseAmount } from '../../format/amounts';
import { visible } from '../../format/visible';
import { problemText } from '../../components/rules';
import { listOf, t, type TextKey } from '../../i18n/language.svelte';
import type { Tone } from '../../components/Pill.svelte';
import type {
  Blocker,
  Detected,
  Field,
  FieldProblem,
  LeftOut,
  ListedSale,
  Question,
  Reconciliation,
  RegisteredSale,
  RunRow,
  RunView,
  Warning,
} from '../../ipc';
import { desk } from '../../ipc/desk.svelte';
import { WARNED, type COMPARED } from './fields';

/** A file size for display. */
export function sizeText(bytes: number): string {
  const MIB = 1024 * 1024;
  return bytes >= MIB
    ? t('import.mib', { size: groupDigits(Math.round(bytes / MIB)) })
    : t('import.kib', { size: groupDigits(Math.max(1, Math.round(bytes / 1024))) });
}

/** The lines of the rows that a workbook hides. */
export function hiddenLines({ hiddenLines, hiddenRows }: LeftOut | Detected): string {
  const lines = hiddenLines.map(groupDigits);
  if (hiddenRows > lines.length) lines.push('…');
  return listOf(lines);
}

export function problemLine(found: FieldProblem): string {
  return t('import.problem', { field: t(`field.${found.field}`), what: problemText(found) });
}

export function warningText(warning: Warning): string {
  return t('import.problem', {
    field: t(`field.${WARNED[warning]}`),
    what: t(`warning.${warning}`),
  });
}

export function questionText(question: Question): string {
  if (question.kind === 'changedPrice') {
    return t('import.changedPrice', {
      entered: money(question.entered),
      current: money(question.current),
    });
  }
  if (question.kind === 'cellText') {
    return t('import.cellText', {
      field: t(`field.${question.field}`),
      cell: question.cell,
      text: visible(question.text),
    });
  }
  if (question.kind === 'priceNotUnderstood') {
    return t('import.priceNotUnderstood', {
      entered: money(question.entered),
      current: visible(question.current),
    });
  }
  if (question.kind === 'repeatedRow') {
    return t('import.repeatedRow', { line: groupDigits(question.line) });
  }
  return question.submissionId === null
    ? t('question.lostContractWhat')
    : t('import.secondContract', { state: t(`state.${question.state}`) });
}

/** The fields in which a row differs from the entry of its sale. */
export function differsText(row: RunRow): string {
  return t('import.differs', {
    fields: listOf(row.differs.map((field) => t(`field.${field}`))),
  });
}

/** Whether a run is over; its entries may still be waiting to be sent. */
export function isOver(run: RunView): boolean {
  return run.state === 'done' || run.state === 'cancelled';
}

/** Whether a run can be paused and stopped: it has rows or entries that were never sent. */
export function isHaltable(run: RunView): boolean {
  return run.state === 'running' || (run.state === 'done' && run.unsent > 0);
}

/** Whether all rows became entries, and the service has not answered about some of them. */
export function isSending({ state, sent }: RunView): boolean {
  return state === 'done' && sent.waiting + sent.held + sent.unknown > 0;
}

/** What a run is called: its file, or the sheet it comes from. */
export const runName = ({ source, name }: RunView): string =>
  source === 'sheet' ? t('nav.sheet') : name;

export function runWord(run: RunView): string {
  if (run.unreadable) return t('import.unreadable');
  if (run.state === 'done' && forPerson(run) > 0) return t('outbox.view.person');
  return isSending(run) ? t('outbox.count.waiting') : t(`runState.${run.state}`);
}

/** What a run that stands still waits for, as the notice above the page says it. */
export function blockerTitle(blocker: Blocker): string {
  switch (blocker.kind) {
    case 'noToken':
      return desk.status?.token === 'otherServer' ? t('banner.otherServer') : t('banner.noToken');
    case 'vault':
      return t(`keychain.${blocker.reason}.title`);
    case 'keyLost':
      return t('customers.lostTitle');
    case 'practiceNotRunning':
      return t('banner.noPractice');
    case 'networkSetup':
      return t('banner.noNetwork');
  }
}

export function runTone(run: RunView): Tone {
  if (run.unreadable) return 'act';
  switch (run.state) {
    case 'staged':
      return 'neutral';
    case 'running':
    case 'paused':
      return 'waiting';
    case 'cancelled':
      return 'neutral';
    case 'done':
      if (forPerson(run) > 0) return 'act';
      if (isSending(run)) return 'waiting';
      return run.rejected > 0 ? 'neutral' : 'good';
  }
}

/** What is counted of a run or a comparison: its label and its colour. */
export const COUNTED = {
  good: ['import.count.good', 'good'],
  entered: ['import.count.entered', 'neutral'],
  rejected: ['import.count.rejected', 'act'],
  already: ['import.count.already', 'neutral'],
  differing: ['import.count.differing', 'waiting'],
  warned: ['import.count.warned', 'neutral'],
  cancelled: ['state.cancelled', 'neutral'],
  waiting: ['outbox.count.waiting', 'waiting'],
  unknown: ['outbox.count.unknown', 'waiting'],
  accepted: ['outbox.count.accepted', 'waiting'],
  confirmed: ['outbox.count.confirmed', 'good'],
  person: ['outbox.view.person', 'act'],
  matched: ['reconcile.matched', 'good'],
  different: ['reconcile.different', 'act'],
  attention: ['reconcile.attention', 'act'],
  missing: ['reconcile.missing', 'act'],
  extra: ['reconcile.extra', 'act'],
  unfinished: ['reconcile.unfinished', 'waiting'],
} as const satisfies Record<string, readonly [TextKey, Tone]>;

/** In the order in which they are shown. */
export type Counts = Partial<Record<keyof typeof COUNTED, number>>;

/** The outcomes that a row may have before the run and in it. */
const outcomes = ({ rejected, alreadyEntered, differing }: RunView): Counts => ({
  rejected,
  already: alreadyEntered,
  differing,
});

/** The expected outcomes of the rows, before the run. */
export function checkTally(run: RunView): Counts {
  const good = Math.max(0, run.pending - (run.rows - run.checked));
  const counts = { good, ...outcomes(run) };
  return run.kind === 'contracts' ? { ...counts, warned: run.warned } : counts;
}

export const rowsTally = (run: RunView): Counts => ({ entered: run.entered, ...outcomes(run) });

/** Rows that were stopped before they were sent: entries, and rows that had not become one. */
export function cancelledRows({ state, sent, pending }: RunView): number {
  return sent.stopped + (state === 'cancelled' ? pending : 0);
}

/** Contracts that a person must see to; one that may exist twice may be registered as well. */
export const forPerson = ({ sent }: Pick<RunView, 'sent'>): number =>
  sent.needsPerson + sent.rejected + sent.possibleDuplicates;

/** The states of the contracts among them. */
export function sentTally({ sent }: RunView): Counts {
  const { waiting, held, unknown, accepted, confirmed, stopped } = sent;
  const counts = {
    waiting: waiting + held,
    unknown,
    accepted,
    confirmed,
    person: forPerson({ sent }),
  };
  return stopped > 0 ? { cancelled: stopped, ...counts } : counts;
}

/** A sale that is not the same in a list of the point of sale and here. */
interface ComparedRow {
  key: string;
  kind: 'different' | 'attention' | 'missing' | 'extra';
  note: string;
  line: number | null;
  transaction: string;
  product: string;
  plan: string;
  /** The fee of the list, as written. */
  listed: string | null;
  /** The fee registered here. */
  registered: number | null;
}

/** An amount of a list, like those that are registered; what is no whole amount, as written. */
export function listedMoney(written: string): string {
  const amount = parseAmount(written);
  return amount.ok ? money(amount.value) : visible(written);
}

/**
 * The values of a field in which a row and its sale differ. A transaction does so in zeros in front or
 * capitals alone.
 */
function differenceText(field: Field, { draft }: ListedSale, sale: RegisteredSale): string {
  if (field === 'transactionId') {
    return t('reconcile.rewritten', { registered: visible(sale.transactionId) });
  }
  const compared = field as (typeof COMPARED)[number];
  const registered = compared === 'transactionDate' ? sale.date : sale[compared];
  return t('reconcile.values', {
    field: t(`field.${compared}`),
    ...(typeof registered === 'number'
      ? { listed: listedMoney(draft[compared]), registered: money(registered) }
      : { listed: visible(draft[compared]), registered: visible(registered) }),
  });
}

/** The state of a sale; empty of one that the service has accepted, unless it may have it twice. */
function openState({ state, duplicatePossible }: RegisteredSale): string {
  if (duplicatePossible) return t('duplicate.mark');
  return state === 'accepted' || state === 'confirmed' ? '' : t(`state.${state}`);
}

/** What differs, in the order of the list; sales that the list does not have come last. */
export function comparedRows({
  different,
  attention,
  missing,
  extra,
}: Reconciliation): ComparedRow[] {
  const listed = [
    ...[...different, ...attention].map(({ listed, registered, fields }): ComparedRow => ({
      key: `different ${listed.line}`,
      kind: fields.length > 0 ? 'different' : 'attention',
      note: listOf(
        [
          ...fields.map((field) => differenceText(field, listed, registered)),
          openState(registered),
        ].filter((text) => text !== ''),
      ),
      line: listed.line,
      transaction: listed.draft.transactionId,
      product: registered.productTitle ?? registered.productReferenceId,
      plan: registered.planTitle ?? registered.planId,
      listed: listed.draft.planPurchasePrice,
      registered: registered.planPurchasePrice,
    })),
    ...missing.map(({ listed, notSold }): ComparedRow => ({
      key: `missing ${listed.line}`,
      kind: 'missing',
      note: notSold === null ? '' : t(`state.${notSold.state}`),
      line: listed.line,
      transaction: listed.draft.transactionId,
      product: listed.draft.productReferenceId,
      plan: listed.draft.planId,
      listed: listed.draft.planPurchasePrice,
      registered: null,
    })),
  ].sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
  const here = extra.map((sale): ComparedRow => ({
    key: `extra ${sale.id}`,
    kind: 'extra',
    note: openState(sale),
    line: null,
    transaction: sale.transactionId,
    product: sale.productTitle ?? sale.productReferenceId,
    plan: sale.planTitle ?? sale.planId,
    listed: null,
    registered: sale.planPurchasePrice,
  }));
  return [...listed, ...here];
}
