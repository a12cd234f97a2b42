// The printed document that is open: its content, language and paper size, and the result of
// printing it.
import {
  commands,
  type Language,
  type Paper,
  type PaperOf,
  type PaperSize,
  type SubmissionState,
} from '../ipc';
import { Call } from '../ipc/call.svelte';
import { ofProfile } from '../ipc/profile-reset';
import { language } from '../i18n/language.svelte';

/** Millimetres per CSS pixel, by definition. */
const MM_PER_PIXEL = 25.4 / 96;

class Papers {
  of = $state.raw<PaperOf | null>(null);
  language = $state<Language>('ja');
  size = $state<PaperSize>('a4');
  paper = $state.raw<Paper | null>(null);
  /** The contract has changed while its document was open, so the document was built again. */
  refreshed = $state(false);

  readonly making = new Call();
  readonly printing = new Call();

  /** Shows the sheet of a contract or of an entry. */
  open(of: PaperOf): void {
    this.close();
    this.of = of;
    this.language = language();
    void this.make();
  }

  close(): void {
    this.of = null;
    this.paper = null;
    this.refreshed = false;
    for (const call of [this.making, this.printing]) call.reset();
  }

  reset(): void {
    this.close();
  }

  /** Builds the document again after its contract has changed; not while it is printed. */
  async follow(): Promise<void> {
    const { of, paper } = this;
    const final = paper?.standing === 'registered' || paper?.standing === 'notRegistered';
    if (of?.kind !== 'entry' || !paper || final || this.busy) return;
    const answer = await commands.paper(of, this.language);
    if (answer.status !== 'ok' || this.of !== of || this.paper !== paper || this.busy) return;
    if (answer.data.standing === paper.standing) return;
    this.paper = answer.data;
    this.refreshed = true;
  }

  get busy(): boolean {
    return this.making.busy || this.printing.busy;
  }

  /** Builds the document again, in the selected language. */
  async make(): Promise<void> {
    const of = this.of;
    if (!of) return;
    const answer = await this.making.run(() => commands.paper(of, this.language));
    if (answer) this.paper = answer.value;
  }

  async print(sheet: HTMLElement): Promise<void> {
    const of = this.of;
    if (!of) return;
    await this.printing.run(() => commands.paperPrint(of, this.size, height(sheet)));
  }
}

/** Whether there is a customer copy: a refused or cancelled entry has none. */
export function hasPaper(state: SubmissionState): boolean {
  return state !== 'rejected' && state !== 'cancelled';
}

/** The length of a sheet on a roll, in whole millimetres, with room for rounding in print. */
export function height(sheet: HTMLElement): number {
  return Math.ceil(sheet.offsetHeight * MM_PER_PIXEL) + 2;
}

export const papers = ofProfile(new Papers());
