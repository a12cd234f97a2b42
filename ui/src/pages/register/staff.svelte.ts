// Who sells, if the profile asks for it: the code in the box, and what is entered under it.
import { code, judge } from '../../components/rules';
import { commands, type Answer, type FieldProblem } from '../../ipc';
import { desk } from '../../ipc/desk.svelte';
import * as v from 'valibot';

const rules = v.object({ staffCode: code });

export class Staff {
  code = $state('');

  get asked(): boolean {
    return desk.staffPolicy !== 'off';
  }

  problems(): FieldProblem[] {
    if (!this.asked) return [];
    const judged = judge(rules, { staffCode: this.code });
    return judged.ok ? [] : judged.problems;
  }

  /** Enters something as this person; with a code per sale, nothing else is theirs. */
  async enters<T>(enter: () => Promise<Answer<T>>): Promise<Answer<T>> {
    if (!this.asked) return enter();
    const known = await commands.staffEnter(this.code);
    if (known.status === 'error') return known;
    try {
      return await enter();
    } finally {
      if (desk.staffPolicy === 'perSale') await commands.staffEnter(null);
    }
  }

  /** Takes over a code that is given once for all sales until the program ends. */
  async keep(): Promise<void> {
    if (desk.staffPolicy !== 'perStart' || this.problems().length > 0) return;
    const answer = await commands.staffEnter(this.code);
    if (answer.status === 'ok') await desk.load();
  }

  /** Fills in the code that is in effect. */
  recall(): void {
    if (desk.staffPolicy === 'perStart') this.code ||= desk.status?.staff.code ?? '';
  }

  /** The next sale may be another person's. */
  next(): void {
    if (desk.staffPolicy === 'perSale') this.code = '';
  }
}
