// The form of a profile: connects to a service, or changes its settings.
import * as v from 'valibot';
import { judge, present } from '../../components/rules';
import { parseAmount } from '../../format/amounts';
import { formatOffset, offsetMinutes } from '../../format/dates';
import { language, t } from '../../i18n/language.svelte';
import type { BulkFact, Display, Field, FieldProblem, Profile, ProfileDraft } from '../../ipc';

/** The time zone of this computer, as the first suggestion. */
const here = (): string => formatOffset(-new Date().getTimezoneOffset());

/** Over a year: a larger number is a typing error. */
const MAX_MINUTES = 1_000_000;

const rules = v.object({
  profileName: present,
  baseUrl: present,
  storeId: present,
  utcOffset: v.pipe(
    v.string(),
    v.trim(),
    v.check((text) => offsetMinutes(text) !== null, 'notDateTime'),
  ),
});

/** The usual currency and unit of terms for this language. */
export const usualDisplay = (): Display => ({
  currency: t('settings.usualCurrency'),
  termUnit: t('settings.usualTermUnit'),
});

export class ProfileForm {
  name = $state('');
  baseUrl = $state('');
  storeId = $state('');
  utcOffset = $state(here());
  /** IANA name; empty: the offset is valid all year. */
  timeZone = $state('');
  currency = $state('');
  termUnit = $state('');
  bulk = $state<BulkFact>('unknown');
  /** The replay window in minutes, as typed; empty while unknown. */
  replayMinutes = $state('');
  problems = $state<FieldProblem[]>([]);

  constructor(profile: Profile | null = null) {
    if (!profile) {
      // A store with Japanese staff is assumed to be in Japan; for other languages the unit is not
      // guessed.
      if (language() === 'ja') Object.assign(this, usualDisplay());
      return;
    }
    this.name = profile.name;
    this.baseUrl = profile.baseUrl;
    this.storeId = profile.storeId;
    this.utcOffset = formatOffset(profile.utcOffsetMinutes);
    this.timeZone = profile.timeZone ?? '';
    this.currency = profile.display.currency;
    this.termUnit = profile.display.termUnit;
    this.bulk = profile.facts.bulk;
    const seconds = profile.facts.keyReplaySeconds;
    this.replayMinutes = seconds === null ? '' : String(Math.floor(seconds / 60));
  }

  /** The draft for the desk, or `null` with `problems` set. */
  draft(): ProfileDraft | null {
    const judged = judge(rules, {
      profileName: this.name,
      baseUrl: this.baseUrl,
      storeId: this.storeId,
      utcOffset: this.utcOffset,
    });
    this.problems = judged.ok ? [] : judged.problems;
    if (!judged.ok) return null;
    const minutes = parseAmount(this.replayMinutes);
    return {
      name: judged.value.profileName,
      baseUrl: judged.value.baseUrl,
      storeId: judged.value.storeId,
      utcOffsetMinutes: offsetMinutes(judged.value.utcOffset) ?? 0,
      timeZone: this.timeZone.trim() || null,
      display: { currency: this.currency.trim(), termUnit: this.termUnit.trim() },
      facts: {
        bulk: this.bulk,
        keyReplaySeconds: minutes.ok && minutes.value <= MAX_MINUTES ? minutes.value * 60 : null,
      },
    };
  }

  mend(field: Field): void {
    this.problems = this.problems.filter((problem) => problem.field !== field);
  }
}
