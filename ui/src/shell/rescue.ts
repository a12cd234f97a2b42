// What happened to the desk's file, in one or two sentences.
import { formatDateTimeExact } from '../format/dates';
import { t } from '../i18n/language.svelte';

interface Replaced {
  setAside: string | null;
  backupTakenAt: string | null;
}

export function rescueWords({ setAside, backupTakenAt }: Replaced): string {
  const before = setAside === null ? t('rescue.gone') : t('rescue.setAside', { file: setAside });
  const now =
    backupTakenAt === null
      ? t('rescue.anew')
      : t('rescue.fromCopy', { at: formatDateTimeExact(backupTakenAt) });
  return `${before} ${now}`;
}
