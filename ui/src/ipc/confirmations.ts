// A person's confirmation of a question: it names the data that was shown and covers nothing else.
import type { Confirmed, Question_Serialize as Question } from './bindings';

export function yesTo(question: Question): Confirmed {
  switch (question.kind) {
    case 'changedPrice':
      return { kind: 'changedPrice', current: question.current };
    case 'priceNotUnderstood':
      return { kind: 'priceNotUnderstood', current: question.current };
    case 'secondContract':
      return { kind: 'secondContract', submissionId: question.submissionId };
    case 'repeatedRow':
      return { kind: 'repeatedRow', line: question.line, nth: question.nth };
    case 'cellText':
      return { kind: 'cellText', cell: question.cell, text: question.text };
  }
}

/** Whether a confirmation is for exactly this question. */
export function answers(yes: Confirmed, question: Question): boolean {
  // Rows may move, so the position of the other row is not compared.
  if (yes.kind === 'repeatedRow') return question.kind === 'repeatedRow';
  const said: Record<string, unknown> = yes;
  return Object.entries(yesTo(question)).every(([name, value]) => said[name] === value);
}
