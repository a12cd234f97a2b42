// What is wrong in a form. It is shown until it no longer holds: until its field changes.
import type * as v from 'valibot';
import { parseAmount } from '../format/amounts';
import type { Field, FieldProblem } from '../ipc';
import { problemsOf, type Failure } from '../ipc/failure';
import { judge, problemAt } from './rules';

type Form = Partial<Record<Field, string>>;

export class Problems {
  readonly #form: () => Form;
  /** The form in which the problems were found. */
  #judged = $state.raw<Form>({});
  #found = $state.raw<FieldProblem[]>([]);

  constructor(form: () => Form) {
    this.#form = form;
  }

  get all(): FieldProblem[] {
    return this.#found.filter(({ field }) => !this.#changed(field));
  }

  /** The message for the first problem of a field, or `null`. */
  at(field: Field): string | null {
    return problemAt(this.all, field);
  }

  /** Judges the form; `null` when something is wrong, with what was found elsewhere. */
  judge<S extends v.GenericSchema>(
    rules: S,
    elsewhere: FieldProblem[] = [],
  ): v.InferOutput<S> | null {
    this.#judged = { ...this.#form() };
    const judged = judge(rules, this.#judged);
    this.#found = [...(judged.ok ? [] : judged.problems), ...elsewhere];
    return judged.ok && this.#found.length === 0 ? judged.value : null;
  }

  /** Takes what the desk found wrong in the form that was judged last; nothing without a failure. */
  take(failure: Failure | null): void {
    this.#found = problemsOf(failure);
  }

  drop(...fields: Field[]): void {
    this.#found = this.#found.filter(({ field }) => !fields.includes(field));
  }

  /** A failure that no field explains; if the input has to be corrected, until it changes. */
  unexplained(failure: Failure | null): Failure | null {
    const changed = Object.keys(this.#judged).some((field) => this.#changed(field as Field));
    const explained = problemsOf(failure).length > 0 || (failure?.next === 'mend' && changed);
    return explained ? null : failure;
  }

  #changed(field: Field): boolean {
    return !alike(this.#judged[field] ?? '', this.#form()[field] ?? '');
  }
}

/** A box that is left groups the digits of its amount, which changes nothing. */
function alike(before: string, now: string): boolean {
  if (before.trim() === now.trim()) return true;
  if (!parseAmount(before).ok || !parseAmount(now).ok) return false;
  const [digits, digitsNow] = [before, now].map((text) =>
    text.normalize('NFKC').replace(/\D/g, ''),
  );
  return digits === digitsNow;
}
