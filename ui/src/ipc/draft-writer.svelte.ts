// Stores a draft in the desk: always the newest state, one write at a time.
import { painted } from '../components/painted';
import { commands, type DraftPlace } from '.';

/** Where a draft is stored after the last write; `waiting`: nowhere while an earlier one is kept. */
export type Written = DraftPlace | 'failed' | 'waiting';

/** Whether what was written is there when it is needed, at least while the program is running. */
export function isKept(place: Written): boolean {
  return place === 'file' || place === 'memory';
}

export class DraftWriter {
  place = $state<Written>('file');
  /** Whether the newest state is written. */
  settled = $state(true);
  #next: (() => Promise<Written>) | null = null;
  #writing: Promise<void> | null = null;
  readonly #afterPaint: boolean;

  /**
   * With `afterPaint`, all changes until the next frame is painted cause one write after it: writing
   * takes longer than a key may take until it is shown.
   */
  constructor(afterPaint = false) {
    this.#afterPaint = afterPaint;
  }

  /**
   * Writes this state after the running write; a state saved later replaces it. Resolves when the
   * newest state is written or has failed.
   */
  save(write: () => Promise<Written>): Promise<void> {
    this.#next = write;
    this.settled = false;
    return (this.#writing ??= this.#write());
  }

  async #write(): Promise<void> {
    if (this.#afterPaint) await painted();
    while (this.#next) {
      const write = this.#next;
      this.#next = null;
      this.place = await write().catch(() => 'failed' as const);
    }
    this.settled = true;
    this.#writing = null;
  }
}

/** Stores one draft of a profile, with its number of `open` rows. */
export async function keepDraft(
  profile: string,
  name: string,
  text: string,
  open = 0,
): Promise<Written> {
  const answer = await commands.draftKeep(profile, name, text, open);
  return answer.status === 'ok' ? answer.data : 'failed';
}
