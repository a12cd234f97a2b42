// Opens and stores the sheet of a profile, so that its rows outlive the window: what of the page
// goes into the draft and what comes back from it. The draft's form is in `draft.svelte.ts`.
import { isKept, type Written } from '../../ipc/draft-writer.svelte';
import type { Edit } from '../../grid/cells';
import type { Grid } from '../../grid/grid.svelte';
import { at } from '../../grid/selection';
import { MOST_ROWS } from './columns';
import { SheetDraft, type Kept, type Unreadable } from './draft.svelte';
import type { RowStatuses } from './row-status.svelte';
import type { Submission } from './submission.svelte';

/** The parts of the sheet that are stored. */
interface Content {
  readonly grid: Grid;
  readonly findings: RowStatuses;
  readonly sending: Submission;
}

export class StoredSheet {
  opening = $state(false);
  unreadable = $state<Unreadable | null>(null);
  #profile: string | null = null;
  #whenOpen = Promise.resolve();
  #draft = $state<SheetDraft | null>(null);
  /** The draft that was opened last; answers about another one are dropped. */
  #opened: SheetDraft | null = null;
  readonly #content: Content;
  readonly #kept: Kept;

  constructor(content: Content) {
    this.#content = content;
    this.#kept = keptOf(content);
  }

  /** The profile whose sheet it is. */
  get profile(): string | null {
    return this.#profile;
  }

  /** Where the sheet is stored; anything but `file` is shown. */
  get place(): Written {
    return this.#draft?.writer.place ?? 'file';
  }

  /** Whether all changes are stored. */
  get settled(): boolean {
    return this.#draft?.writer.settled ?? false;
  }

  /**
   * Opens the stored sheet of a profile; reads it again if it could not be read before. Resolves
   * when it is open, whoever asked first.
   */
  open(profile: string): Promise<void> {
    const again = this.#profile !== profile || (!this.opening && this.unreadable !== null);
    return again ? (this.#whenOpen = this.#open(profile)) : this.#whenOpen;
  }

  async #open(profile: string): Promise<void> {
    this.#profile = profile;
    const draft = new SheetDraft(profile, this.#kept);
    this.#opened = draft;
    this.opening = true;
    const failed = { rows: [], unreadable: 'failed' as const };
    const { rows, unreadable } = await draft.read().catch(() => failed);
    if (this.#opened !== draft) return;
    this.opening = false;
    this.unreadable = unreadable;
    if (unreadable) return;
    const { grid, findings, sending } = this.#content;
    const places = rows.flatMap(({ row, place }) => (place ? [[row.id, place] as const] : []));
    // Rows that were submitted are locked at once; those that came back meanwhile follow.
    const taken = sending.take(new Map(places));
    // What was typed while the sheet was being read goes below it, with the cursor.
    const cursor = grid.cursor;
    const typed = [...grid.cells.rows];
    grid.load([...rows.map(({ row }) => row), ...typed]);
    grid.selection = at(Math.min(cursor.row + rows.length, MOST_ROWS - 1), cursor.column);
    for (const { row, answers } of rows) if (answers.length > 0) findings.answer(row, answers);
    this.#draft = draft;
    if (typed.length > 0) this.edited({ at: rows.length, removed: [], added: typed });
    await taken;
    void this.#tell(draft);
  }

  edited(edit: Edit): void {
    const draft = this.#draft;
    if (draft) void this.#tell(draft, draft.edited(edit));
  }

  /** Rows came back from their run, given by their positions. */
  returned(rows: Iterable<number>): void {
    const draft = this.#draft;
    if (draft) void this.#tell(draft, draft.touched(rows));
  }

  /**
   * The answers or the run of rows have changed, given by their positions. Resolves to whether they
   * are stored, at least for now; where no sheet is stored, nothing is lost.
   */
  async touched(rows: Iterable<number>): Promise<boolean> {
    const draft = this.#draft;
    if (!draft) return true;
    await draft.touched(rows);
    return isKept(draft.writer.place);
  }

  /** Deletes a stored sheet that cannot be read. */
  async discard(): Promise<void> {
    const profile = this.#profile;
    if (profile === null) return;
    await new SheetDraft(profile, this.#kept).discard();
    if (this.#profile === profile) await this.open(profile);
  }

  /** The sheet of another profile follows. */
  leave(): void {
    this.#draft?.leave();
    this.#draft = null;
    this.#opened = null;
    this.#profile = null;
    this.opening = false;
    this.unreadable = null;
  }

  /** Tells the desk what the sheet has back, once its draft is stored whole. */
  async #tell(draft: SheetDraft, written?: Promise<void>): Promise<void> {
    await written;
    const { settled, place } = draft.writer;
    const profile = this.#profile;
    if (draft !== this.#draft || !settled || place !== 'file' || profile === null) return;
    await this.#content.sending.tell(profile);
  }
}

/** The content of the sheet for its draft. */
function keptOf({ grid, findings, sending }: Content): Kept {
  return {
    get length() {
      return grid.cells.length;
    },
    get blank() {
      return grid.blank;
    },
    get open() {
      const { checking, wrong, asks, ready } = findings.counts;
      return checking + wrong + asks + ready;
    },
    rows: (from, to) =>
      grid.cells.rows
        .slice(from, to)
        .map((row) => ({ row, answers: findings.answers(row), place: sending.place(row.id) })),
  };
}
