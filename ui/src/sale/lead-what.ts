import { t } from '../i18n/language.svelte';
import type { LeadView } from '../ipc';
import { desk } from '../ipc/desk.svelte';

/** What happened to a lead, or happens next. */
export function leadWhat({ state, mismatch, keyLost }: LeadView): string {
  if (state === 'unknown' && mismatch) return t('leads.mismatchWhat');
  if (keyLost) return t('leadWhat.keyLost');
  const waitsForToken = state === 'queued' && desk.overview?.connection === 'tokenRefused';
  return t(`leadWhat.${waitsForToken ? 'queuedForToken' : state}`);
}
