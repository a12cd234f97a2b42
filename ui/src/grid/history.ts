// Undo and redo, limited by the number of steps and of the rows they keep in memory.
import { inverse, weight, type Edit } from './cells';
import type { Selection } from './selection';

interface Step {
  /** In the order they were made. */
  edits: Edit[];
  /** What was selected before the first of them. */
  before: Selection;
}

/** The edits that undo or redo a step. */
export interface Back {
  edits: readonly Edit[];
  /** What was selected before the step. */
  selection: Selection;
}

interface HistoryBounds {
  steps: number;
  /** Rows kept in memory by all steps together. The newest step is kept whatever its size. */
  rows: number;
}

const BOUNDS: HistoryBounds = { steps: 200, rows: 400_000 };

export class History {
  #done: Step[] = [];
  #undone: Step[] = [];
  #rows = 0;
  readonly #bounds: HistoryBounds;

  constructor(bounds: HistoryBounds = BOUNDS) {
    this.#bounds = bounds;
  }

  /** Records an edit. A joined one is undone together with the one before it. */
  note(edit: Edit, before: Selection, joined = false): void {
    const last = joined ? this.#done.at(-1) : undefined;
    if (last) last.edits.push(edit);
    else this.#done.push({ edits: [edit], before });
    this.#undone = [];
    this.#rows += weight(edit);
    while (this.#done.length > 1 && this.#isFull()) {
      for (const old of this.#done.shift()?.edits ?? []) this.#rows -= weight(old);
    }
  }

  #isFull(): boolean {
    return this.#done.length > this.#bounds.steps || this.#rows > this.#bounds.rows;
  }

  /**
   * The edits that undo the last step, in the order to apply them, and the former selection. A step
   * with an edit that is not allowed now stays in the history: `refused`.
   */
  undo(may: (edit: Edit) => boolean): Back | 'refused' | null {
    const step = this.#done.at(-1);
    if (!step) return null;
    const edits = step.edits.toReversed().map(inverse);
    if (!edits.every(may)) return 'refused';
    this.#done.pop();
    this.#undone.push(step);
    return { edits, selection: step.before };
  }

  /** The edits that redo the last undone step, in the same way. */
  redo(may: (edit: Edit) => boolean): Back | 'refused' | null {
    const step = this.#undone.at(-1);
    if (!step) return null;
    if (!step.edits.every(may)) return 'refused';
    this.#undone.pop();
    this.#done.push(step);
    return { edits: step.edits, selection: step.before };
  }

  clear(): void {
    this.#done = [];
    this.#undone = [];
    this.#rows = 0;
  }
}
