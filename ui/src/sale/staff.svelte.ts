// The staff code, if the profile requires one: the text in the box, and its use when entering.
import { Problems } from '../components/problems.svelte';
import { judge, staffCode } from '../components/rules';
import { commands, type Answer, type FieldProblem } from '../ipc';
import { desk } from '../ipc/desk.svelte';
import * as v from 'valibot';

const rules = v.object({ staffCode });

/** How many calls of all pages enter something: none of them clears the code of another. */
let entering = 0;

export class Staff {
  code = $state('');
  /** What is wrong with the code, where it is judged alone. */
  readonly found = new Problems(() => ({ staffCode: this.code }));

  get asked(): boolean {
    return desk.staffPolicy !== 'off';
  }

  problems(): FieldProblem[] {
    if (!this.asked) return [];
    const judged = judge(rules, { staffCode: this.code });
    return judged.ok ? [] : judged.problems;
  }

  /** Whether something may be entered; else its box says what is wrong. */
  judge(): boolean {
    return !this.asked || this.found.judge(rules) !== null;
  }

  /** Enters something under this code; a code per sale is cleared on the desk afterwards. */
  async enters<T>(enter: () => Promise<Answer<T>>): Promise<Answer<T>> {
    if (!this.asked) return enter();
    entering += 1;
    try {
      const known = await commands.staffEnter(this.code);
      return known.status === 'error' ? known : await enter();
    } finally {
      entering -= 1;
      if (desk.staffPolicy === 'perSale' && entering === 0) await commands.staffEnter(null);
    }
  }

  /** Sets a code that is typed once and used until the program ends. */
  async keep(): Promise<void> {
    if (desk.staffPolicy !== 'perStart' || this.problems().length > 0) return;
    const answer = await commands.staffEnter(this.code);
    if (answer.status === 'ok') await desk.load();
  }

  /** Fills in the current code of the desk. */
  recall(): void {
    if (desk.staffPolicy === 'perStart') this.code = desk.status?.staff.code ?? '';
  }

  /** Clears a code per sale, because another person may make the next one. */
  next(): void {
    if (desk.staffPolicy === 'perSale') this.code = '';
  }
}
