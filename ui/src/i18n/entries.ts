import { t } from './language.svelte';
import type { SubmissionView } from '../ipc';

/** What an entry's state means for whoever looks at it. */
export function whatNow(entry: SubmissionView): string {
  const reported = entry.case === 'reportedCancelled' || entry.case === 'reportedFraud';
  return entry.state === 'needsPerson' && reported
    ? t('receipt.what.reported')
    : t(`receipt.what.${entry.state}`);
}
