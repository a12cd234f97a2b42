// A failed call in the form that the screens show. The desk provides the message, in both
// languages.
import type { FieldProblem, Question, UiError } from '.';

/** An error of the desk, or of the bridge before the desk received the call. */
export type Failure = Omit<UiError, 'code'> & { code: UiError['code'] | 'window' };

/** Converts any error of a call to one type. */
export function asFailure(thrown: unknown): Failure {
  if (isUiError(thrown)) return thrown;
  return {
    code: 'window',
    message: {
      en: 'The input could not be processed.',
      ja: '入力内容を処理できませんでした。',
    },
    effect: 'none',
    next: 'mend',
    requestId: null,
    serviceCode: null,
    serviceMessage: thrown instanceof Error ? thrown.message : String(thrown),
    fields: [],
    questions: [],
    earlierLead: null,
  };
}

function isUiError(thrown: unknown): thrown is UiError {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && 'effect' in thrown;
}

const KEYCHAIN: readonly Failure['code'][] = [
  'noKeychain',
  'keychainLocked',
  'keychainSlow',
  'keychainFailed',
];

/** Whether the keychain of this computer caused the failure. */
export function isOfKeychain(failure: Failure | null): boolean {
  return failure !== null && KEYCHAIN.includes(failure.code);
}

const PASSING: readonly Failure['code'][] = [
  'noNetwork',
  'noAnswer',
  'tooManyRequests',
  'serviceFault',
];

/** Whether the service cannot be asked, or cannot serve, just now: it may later, without a person. */
export function isPassing(failure: Failure | null): boolean {
  return failure !== null && PASSING.includes(failure.code);
}

/** Problems of single fields, shown beside them. */
export function problemsOf(failure: Failure | null): FieldProblem[] {
  return failure?.fields ?? [];
}

/** Questions that a person must answer before the call can continue. */
export function questionsOf(failure: Failure | null): Question[] {
  return failure?.questions ?? [];
}
