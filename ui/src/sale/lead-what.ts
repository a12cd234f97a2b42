import { t } from '../i18n/language.svelte';
import type { LeadView } from '../ipc';
import { desk } from '../ipc/desk.svelte';

/** What happened to a lead, or happens next. */
export function leadWhat(lead: LeadView): string {
  const { state, mismatch, keyLost } = lead;
  if (state === 'unknown' && mismatch) return t('leads.mismatchWhat');
  if (keyLost) return t('leadWhat.keyLost');
  return t(`leadWhat.${waitsForToken(lead) ? 'queuedForToken' : state}`);
}

/** Whether it is sent once a person has set another token. */
export function waitsForToken({ state }: LeadView): boolean {
  return state === 'queued' && desk.overview?.connection === 'tokenRefused';
}
