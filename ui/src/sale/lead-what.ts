import { t } from '../i18n/language.svelte';
import type { LeadView } from '../ipc';
import { desk } from '../ipc/desk.svelte';

/** What happened to a lead, or happens next. */
export function leadWhat({ state, mismatch, tokenKept }: LeadView): string {
  if (state === 'unknown' && mismatch) {
    const what = t('leads.mismatchWhat');
    return tokenKept ? `${what} ${t('leads.mismatchToken')}` : what;
  }
  const waitsForToken = state === 'queued' && desk.overview?.connection === 'tokenRefused';
  return t(`leadWhat.${waitsForToken ? 'queuedForToken' : state}`);
}
