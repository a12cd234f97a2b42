import { t } from './language.svelte';
import type { CaseView, SubmissionState, SubmissionView } from '../ipc';

/** What a person should know or do about an entry in its state; with its case where that is shown. */
export function whatNow(entry: SubmissionView, view?: CaseView): string {
  const reported = ['otherStore', 'reportedCancelled', 'reportedFraud'].includes(entry.case ?? '');
  if (entry.state === 'needsPerson' && reported) return t('receipt.what.reported');
  if (entry.state === 'confirmed' && reported) return t('receipt.what.settled');
  if (view?.paused) return t('case.paused');
  if (needsToken(entry)) return t(view ? 'case.heldForToken' : 'receipt.what.heldForToken');
  if (view && entry.state === 'needsPerson') {
    const { resolutions } = view;
    // The provider is asked about whatever may have reached it.
    const reached = !resolutions.includes('cancel') || resolutions.includes('giveContractId');
    return t(reached ? 'case.needsPerson' : 'case.notReached');
  }
  return t(`receipt.what.${entry.state}`);
}

/** It is held until a person sets another token; where the service asks to wait, a time is set. */
export function needsToken(entry: SubmissionView): boolean {
  return entry.state === 'held' && entry.nextAt === null;
}

/** What has become of an entry while it is corrected. */
export type Corrected = 'refused' | 'waiting' | 'sent' | 'cancelled';

const CORRECTED: Record<SubmissionState, Corrected> = {
  draft: 'waiting',
  queued: 'waiting',
  held: 'waiting',
  // It may not reach the service, and then waits again.
  inFlight: 'waiting',
  unknown: 'sent',
  accepted: 'sent',
  confirmed: 'sent',
  needsPerson: 'sent',
  rejected: 'refused',
  cancelled: 'cancelled',
};

export function whileCorrected({ state, case: reason, attempts }: SubmissionView): Corrected {
  // Without its key it is never sent again.
  return reason === 'keyLost' && attempts === 0 ? 'refused' : CORRECTED[state];
}
