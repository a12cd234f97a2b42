import { t } from './language.svelte';
import type { SubmissionView } from '../ipc';

/** What a person should know or do about an entry in its state. */
export function whatNow(entry: SubmissionView): string {
  const reported = entry.case === 'reportedCancelled' || entry.case === 'reportedFraud';
  return entry.state === 'needsPerson' && reported
    ? t('receipt.what.reported')
    : t(`receipt.what.${entry.state}`);
}
