// A person's yes: it names what it was said to, and covers nothing that came after.
import type { Confirmed, Question } from '.';

export function yesTo(question: Question): Confirmed {
  return question.kind === 'changedPrice'
    ? { kind: 'changedPrice', current: question.current }
    : { kind: 'secondContract', submissionId: question.submissionId };
}

/** Whether a yes was said to just this. */
export function answers(yes: Confirmed, question: Question): boolean {
  if (yes.kind === 'changedPrice') {
    return question.kind === 'changedPrice' && question.current === yes.current;
  }
  return question.kind === 'secondContract' && question.submissionId === yes.submissionId;
}
