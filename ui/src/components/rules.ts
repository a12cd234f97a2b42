// Validation of typed text before the desk is called, with the desk's own problem codes. The desk
// validates again and decides; these rules only save the round trip.
import * as v from 'valibot';
import type { Field, FieldProblem, Problem } from '../ipc';
import { parseAmount } from '../format/amounts';
import { toDateTime } from '../format/dates';
import { plainCode } from '../format/plain';
import { t } from '../i18n/language.svelte';

const MOST_IN_STAFF_CODE = 32;

const said = <P extends Problem>(problem: P): P => problem;

/** Required text. */
export const present = v.pipe(v.string(), v.trim(), v.nonEmpty(said('missing')));

/** A required code as it is written: one that the service returned may have spaces around it. */
export const written = v.pipe(
  v.string(),
  v.check((text) => text.trim() !== '', said('missing')),
);

/** A required code, converted to plain characters. */
export const code = v.pipe(v.string(), v.transform(plainCode), v.nonEmpty(said('missing')));

/** Who sells, exactly as the desk checks it: not every form has a place for what the desk refuses. */
export const staffCode = v.pipe(
  code,
  v.regex(/^\P{Cc}*$/u, said('badCharacters')),
  v.check((typed) => [...typed].length <= MOST_IN_STAFF_CODE, said('tooLong')),
);

/** An e-mail address, checked loosely: stricter rules refuse valid addresses. */
export const email = v.pipe(code, v.regex(/^[^\s@]+@[^\s@]+$/, said('notEmail')));

/** A whole number as people type it; the output is plain digits. */
export const amount = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const parsed = parseAmount(dataset.value);
    if (parsed.ok) return String(parsed.value);
    const problems = {
      empty: 'missing',
      notWhole: 'notWholeNumber',
      tooLarge: 'tooLarge',
    } as const satisfies Record<string, Problem>;
    addIssue({ message: problems[parsed.reason] });
    return NEVER;
  }),
);

/** A date as typed, to which the desk adds the offset; or empty, which means now. */
export const dateOrNow = v.pipe(
  v.string(),
  v.check((typed) => typed.trim() === '' || toDateTime(typed) !== null, said('notDateTime')),
);

type Judged<T> = { ok: true; value: T } | { ok: false; problems: FieldProblem[] };

/** Validates a form; the keys of the schema are the names of the fields. */
export function judge<S extends v.GenericSchema>(
  rules: S,
  form: unknown,
): Judged<v.InferOutput<S>> {
  const result = v.safeParse(rules, form);
  if (result.success) return { ok: true, value: result.output };
  const problems = result.issues.flatMap((issue): FieldProblem[] => {
    const field = issue.path?.[0]?.key;
    return typeof field === 'string'
      ? [{ field: field as Field, problem: issue.message as Problem }]
      : [];
  });
  return { ok: false, problems };
}

/** The longest text of each field, as the desk checks it: in characters, or in bytes of UTF-8. */
const LIMITS: Partial<Record<Field, { characters: number } | { bytes: number }>> = {
  transactionId: { bytes: 512 },
  productReferenceId: { bytes: 512 },
  planId: { bytes: 512 },
  storeReferenceId: { bytes: 512 },
  contractId: { bytes: 512 },
  token: { bytes: 2048 },
  imageUrl: { bytes: 2048 },
  customerName: { characters: 200 },
  staffCode: { characters: MOST_IN_STAFF_CODE },
  note: { characters: 200 },
  customerEmail: { characters: 254 },
  title: { characters: 500 },
  category: { characters: 200 },
  profileName: { characters: 100 },
  baseUrl: { characters: 500 },
  storeId: { characters: 128 },
};

/** The message for one problem; a text that is too long names the limit of its field. */
export function problemText({ field, problem }: FieldProblem): string {
  if (field === 'utcOffset' && problem === 'notDateTime') return t('problem.notOffset');
  const limit = problem === 'tooLong' ? LIMITS[field] : undefined;
  if (!limit) return t(`problem.${problem}`);
  return 'bytes' in limit
    ? t('problem.tooManyBytes', { limit: limit.bytes })
    : t('problem.tooManyCharacters', { limit: limit.characters });
}

/** The message for the first problem of a field, or `null`. */
export function problemAt(problems: FieldProblem[], field: Field): string | null {
  const found = problems.find((problem) => problem.field === field);
  return found ? problemText(found) : null;
}
