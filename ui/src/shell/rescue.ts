// Describes in one or two sentences what happened to the desk's file.
import { storeTime } from '../components/store-time';
import { sentences, t } from '../i18n/language.svelte';
import type { RescueCause } from '../ipc';

interface Replaced {
  cause: RescueCause;
  setAside: string | null;
  backupTakenAt: string | null;
}

export function rescueWords({ cause, setAside, backupTakenAt }: Replaced): string {
  if (cause === 'putBack') {
    const lastUsed =
      backupTakenAt === null ? '' : t('rescue.lastUsed', { at: storeTime(backupTakenAt) });
    return sentences(lastUsed, t('rescue.putBackWhat'));
  }
  const before = setAside === null ? t('rescue.gone') : t('rescue.setAside', { file: setAside });
  const now =
    backupTakenAt === null
      ? t('rescue.anew')
      : t('rescue.fromCopy', { at: storeTime(backupTakenAt) });
  return sentences(before, now);
}

/** What may be gone beside entries, which alone are listed. */
export function missingWords({ backupTakenAt }: Replaced): string {
  return backupTakenAt === null
    ? t('rescue.missingAll')
    : t('rescue.missing', { at: storeTime(backupTakenAt) });
}
