import { onClock } from '../format/dates';
import { desk } from '../ipc/desk.svelte';

interface Typed {
  transactionId: string;
  transactionDate: string;
}

/** A moment on the clock of the store, if its day is over there; else empty. */
export function ofEarlierDay(moment: string): string {
  const typed = onClock(desk.profile, moment);
  const now = onClock(desk.profile, new Date().toISOString());
  return typed.slice(0, 10) < now.slice(0, 10) ? typed : '';
}

/**
 * The date of sale of a draft: an empty one means now, which is another day once the transaction is
 * of an earlier one. The day it was typed is closest to that.
 */
function dateOf({ transactionDate, transactionId }: Typed, keptAt: string): string {
  const isMissing = transactionId.trim() !== '' && transactionDate.trim() === '';
  return (isMissing && ofEarlierDay(keptAt)) || transactionDate;
}

/** The date of a form that stays open, by the same rule. */
export class FormDate {
  #last = { text: '', transactionId: '', transactionDate: '', at: new Date().toISOString() };
  /** The date that was filled in, while it stands in the box. */
  #filledIn = '';

  /** That of a draft that is restored into the form. */
  restored(draft: Typed, keptAt: string): string {
    const date = dateOf(draft, keptAt);
    this.#filledIn = date === draft.transactionDate ? '' : date;
    this.#last = { ...draft, text: '', transactionDate: date, at: keptAt };
    return date;
  }

  /** Called after each change, as the clock goes on, and before the form is sent. */
  of(form: Typed): string {
    const { transactionId, transactionDate } = form;
    const [before, text] = [this.#last, JSON.stringify(form)];
    if (text !== before.text)
      this.#last = { text, transactionId, transactionDate, at: new Date().toISOString() };
    if (transactionDate !== this.#filledIn) this.#filledIn = '';
    // Another transaction was just typed: it is of now.
    if (transactionId !== before.transactionId) return this.#filledIn ? '' : transactionDate;
    if (transactionDate !== before.transactionDate) return transactionDate;
    const date = dateOf(form, before.at);
    if (date !== transactionDate) this.#filledIn = date;
    return date;
  }
}
