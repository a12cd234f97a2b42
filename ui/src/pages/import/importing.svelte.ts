// The import of a file: choose it, name its columns, check each row, run. The desk owns the run,
// which continues without this page.
import { language, t } from '../../i18n/language.svelte';
import {
  commands,
  type AnsweredRows,
  type ChosenFile,
  type Field,
  type FileDrag,
  type FileLook,
  type Mapping,
  type QuestionKind,
  type ReadOptions,
  type RunKind,
  type RowList,
  type Reconciliation,
  type RunView,
} from '../../ipc';
import { Call } from '../../ipc/call.svelte';
import { desk } from '../../ipc/desk.svelte';
import { ofProfile } from '../../ipc/profile-reset';
import { COMPARED, FIELDS, isRequired } from './fields';
import { Staff } from '../../sale/staff.svelte';
import { Rows } from './rows.svelte';

export const KINDS: readonly RunKind[] = [
  'contracts',
  'products',
  'planLinks',
  'productReferences',
];

export const STEPS = ['choose', 'columns', 'check', 'run'] as const;
export type Step = (typeof STEPS)[number];

/** Past runs that are listed, besides open ones. */
const LISTED = 30;

/** Nothing overridden: everything is detected from the file. */
const DETECT: ReadOptions = {
  encoding: 'detect',
  separator: null,
  sheet: null,
  foundSheet: null,
  headerLine: null,
  kind: null,
  includeHidden: false,
  headers: null,
};

class Importing {
  kind = $state<RunKind>('contracts');
  /** The file is wanted for a comparison with the registered sales, and not to register its rows. */
  compares = $state(false);
  /** A file is being dragged over the window. */
  dragged = $state(false);
  /** Several files were dropped, or a folder. */
  notOneFile = $state(false);

  file = $state<ChosenFile | null>(null);
  options = $state<ReadOptions>({ ...DETECT });
  look = $state<FileLook | null>(null);
  /** The column of each field, as chosen here. */
  columns = $state<Partial<Record<Field, number>>>({});

  run = $state<RunView | null>(null);
  past = $state<RunView[] | null>(null);
  /** What a comparison of the file with the registered sales found. */
  comparison = $state<Reconciliation | null>(null);
  /** The file that rejected rows were written to. */
  saved = $state<{ name: string; rows: number } | null>(null);

  /** How often the options for reading the file were changed. */
  #wishes = 0;
  /** What the columns were guessed for last. */
  #guessedFor = '';

  readonly choosing = new Call();
  readonly looking = new Call();
  readonly staging = new Call();
  readonly comparing = new Call();
  readonly checking = new Call();
  readonly moving = new Call();
  readonly reading = new Call();
  readonly listing = new Call();
  readonly saving = new Call();
  readonly rows = new Rows();
  readonly staff = new Staff();

  get step(): Step {
    if (this.run) return this.run.state === 'staged' ? 'check' : 'run';
    return this.file ? 'columns' : 'choose';
  }

  /** Needed fields that no column is named for. */
  get missing(): Field[] {
    return FIELDS[this.kind].filter(
      (field) => this.needs(field) && this.columns[field] === undefined,
    );
  }

  /** Whether what the file is wanted for needs a field: a comparison needs the transaction alone. */
  needs(field: Field): boolean {
    return this.compares ? field === 'transactionId' : isRequired(field);
  }

  /** Fields that more than one column may hold, until one is chosen. */
  get repeated(): Field[] {
    return (this.look?.repeated ?? []).filter((field) => this.columns[field] === undefined);
  }

  /** Names of the columns that no field is read from. */
  get unused(): string[] {
    const used = new Set(Object.values(this.columns));
    const headers = this.look?.detected.headers ?? [];
    return headers.filter((name, at) => !used.has(at) && name.trim() !== '');
  }

  /** Fields that a comparison leaves out, because no column is named for them. */
  get notCompared(): Field[] {
    return COMPARED.filter((field) => this.columns[field] === undefined);
  }

  // -- choose -------------------------------------------------------------------------------------

  async choose(): Promise<void> {
    this.notOneFile = false;
    const answer = await this.choosing.run(() => commands.fileChoose(t('import.chooseTitle')));
    if (answer?.value) await this.take(answer.value);
  }

  /** Handles files dragged over the window and dropped on it. */
  async hear(drag: FileDrag): Promise<void> {
    this.dragged = drag.kind === 'over';
    this.notOneFile = drag.kind === 'notOneFile';
    if (drag.kind === 'dropped') await this.take(drag.file);
  }

  async take(file: ChosenFile): Promise<void> {
    this.startAnew();
    this.file = file;
    await this.read({ ...DETECT });
  }

  async changeKind(kind: RunKind, compares = false): Promise<void> {
    this.compares = compares;
    if (this.run) this.startAnew();
    this.leaveComparison();
    this.kind = kind;
    if (this.file) await this.read(this.options);
  }

  // -- columns ------------------------------------------------------------------------------------

  /** Reads the beginning of the file, with the chosen options. */
  async read(options: ReadOptions): Promise<void> {
    const file = this.file;
    if (!file) return;
    this.options = options;
    const kind = this.kind;
    const wish = ++this.#wishes;
    const answer = await this.looking.run(() => commands.fileLook(file.number, kind, options));
    // An answer for earlier options does not apply to the current ones.
    if (this.file !== file || wish !== this.#wishes) return;
    const look = answer?.value ?? null;
    this.look = look;
    if (!look) return;
    // The columns that a person chose hold as long as the file has the same ones. Without headers nothing
    // says that those of another sheet are the same.
    const { headers, headerLine, sheet } = look.detected;
    const unnamed = headerLine === null ? sheet : null;
    const guessedFor = JSON.stringify([kind, headerLine, headers, look.repeated, unnamed]);
    if (guessedFor === this.#guessedFor) return;
    this.#guessedFor = guessedFor;
    this.columns = Object.fromEntries(
      look.mapping.columns.map(({ field, column }) => [field, column]),
    );
  }

  /** Sets the column of a field; an empty text unsets it. */
  name(field: Field, column: string): void {
    const others = Object.entries(this.columns).filter(([other]) => other !== field);
    if (column !== '') others.push([field, Number(column)]);
    this.columns = Object.fromEntries(others);
  }

  /** The text of a row in the column of a field. */
  cell(cells: string[], field: Field): string {
    const column = this.columns[field];
    return column === undefined ? '' : (cells[column] ?? '');
  }

  // -- check --------------------------------------------------------------------------------------

  /** Compares the rows of all days of the file with what is registered. */
  async compare(): Promise<void> {
    const file = this.file;
    if (!file) return;
    const options = this.#asLooked();
    const mapping = this.#mapping();
    const answer = await this.comparing.run(() =>
      commands.fileReconcile(file.number, options, mapping, null),
    );
    if (answer && this.file === file) this.comparison = answer.value;
  }

  /** Shows the columns again; one that is still made is not shown. */
  leaveComparison(): void {
    this.comparing.reset();
    this.comparison = null;
  }

  #mapping(): Mapping {
    const columns = FIELDS[this.kind].flatMap((field) => {
      const column = this.columns[field];
      return column === undefined ? [] : [{ field, column }];
    });
    return { columns };
  }

  /** The options by which the file is read as it was looked at, or not at all. */
  #asLooked(): ReadOptions {
    const detected = this.look?.detected;
    return detected
      ? { ...this.options, foundSheet: detected.sheet, headers: detected.headers }
      : this.options;
  }

  /** Stages the rows and checks each of them. Enters nothing. */
  async stage(): Promise<void> {
    const file = this.file;
    const profile = desk.profile;
    const sells = this.kind === 'contracts';
    if (!file || !profile || (sells && !this.staff.judge())) return;
    const mapping = this.#mapping();
    const kind = this.kind;
    const options = this.#asLooked();
    const id = crypto.randomUUID();
    const stage = () => commands.fileStage(id, profile.id, file.number, kind, options, mapping);
    // A run is entered under the code that was given when its file was read.
    const answer = await this.staging.run(() => (sells ? this.staff.enters(stage) : stage()));
    if (!answer) return;
    this.staff.next();
    this.run = answer.value;
    await this.check();
  }

  async check(): Promise<void> {
    const id = this.run?.id;
    if (id === undefined) return;
    const answer = await this.checking.run(() => commands.runCheck(id));
    if (this.run?.id !== id) return;
    if (answer) this.run = answer.value;
    await this.show('found');
  }

  /** Cancels the check; findings so far are kept. */
  async stopChecking(): Promise<void> {
    const id = this.run?.id;
    if (id !== undefined) await this.moving.run(() => commands.runCheckStop(id));
  }

  /** Confirms a kind of question, for one question of a row or for all rows that ask it. */
  async answer(question: QuestionKind, rows: AnsweredRows): Promise<void> {
    const id = this.run?.id;
    if (id === undefined) return;
    const answer = await this.moving.run(() => commands.runAnswer(id, rows, question));
    if (!answer || this.run?.id !== id) return;
    this.run = answer.value;
    await this.show(this.rows.only);
  }

  /** Removes a run that was not started or is over, with its rows; what was entered stays. */
  async removeRun(): Promise<void> {
    const id = this.run?.id;
    if (id === undefined) return;
    const answer = await this.moving.run(() => commands.runForget(id));
    // It may be gone already.
    if (!answer && this.moving.failure?.code !== 'notKnown') return;
    this.leaveRun();
    void this.list();
  }

  // -- run ----------------------------------------------------------------------------------------

  start(): Promise<void> {
    return this.move((id) => commands.runStart(id, 'goodRows'));
  }

  /** Pauses, resumes or stops the run. */
  async move(call: typeof commands.runPause): Promise<void> {
    const id = this.run?.id;
    if (id === undefined) return;
    const answer = await this.moving.run(() => call(id));
    if (!answer || this.run?.id !== id) return;
    this.run = answer.value;
    await this.show('found');
  }

  /** Writes the rejected rows to a file that a person names. */
  async saveRejected(): Promise<void> {
    const id = this.run?.id;
    if (id === undefined) return;
    this.saved = null;
    const answer = await this.saving.run(() =>
      commands.runRejectedSave(id, t('import.saveRejectedTitle'), language()),
    );
    if (answer?.value) this.saved = answer.value;
  }

  // -- the desk's runs ----------------------------------------------------------------------------

  async show(only: RowList): Promise<void> {
    if (this.run) await this.rows.read(this.run.id, only);
  }

  /** Opens a run of the list, which may be out of date: the run is read again. */
  async open(run: RunView): Promise<void> {
    this.startAnew();
    this.kind = run.kind;
    this.compares = false;
    this.run = run;
    await this.readAgain();
  }

  async list(): Promise<void> {
    const answer = await this.listing.run(() => commands.runs(LISTED));
    if (answer) this.past = answer.value;
  }

  /** A run has reported a change. */
  heard(run: RunView): void {
    if (this.run?.id === run.id) this.run = run;
    this.past = this.past?.map((one) => (one.id === run.id ? run : one)) ?? null;
  }

  /** Reads the open run, its visible rows and the list again. */
  async readAgain(): Promise<void> {
    const id = this.run?.id;
    if (id !== undefined && !this.checking.busy && !this.moving.busy) {
      const answer = await this.reading.run(() => commands.run(id));
      if (answer && this.run?.id === id) {
        this.run = answer.value;
        await this.show(this.rows.only);
      }
    }
    await this.list();
  }

  /** Closes the open run, to choose another file; the run continues. */
  startAnew(): void {
    this.leaveRun();
    this.file = null;
    this.look = null;
    this.columns = {};
    this.#guessedFor = '';
    this.leaveComparison();
    this.looking.reset();
    this.staging.reset();
    this.choosing.reset();
    this.notOneFile = false;
  }

  private leaveRun(): void {
    this.run = null;
    this.saved = null;
    this.rows.reset();
    for (const call of [this.checking, this.moving, this.reading, this.saving]) call.reset();
  }

  /** Another profile has other runs; the chosen file may be meant for either profile and stays. */
  reset(): void {
    this.leaveRun();
    this.leaveComparison();
    for (const call of [this.staging, this.listing]) call.reset();
    this.past = null;
  }
}

export const importing = ofProfile(new Importing());
