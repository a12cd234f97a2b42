// The form of a profile: connects to a service, or changes its settings.
import * as v from 'valibot';
import { Problems } from '../../components/problems.svelte';
import { amount, present } from '../../components/rules';
import { plainCode } from '../../format/plain';
import { formatOffset, offsetMinutes } from '../../format/dates';
import { language, t } from '../../i18n/language.svelte';
import type { BulkFact, Display, FieldProblem, Problem, Profile, ProfileDraft } from '../../ipc';

/** The time zone of this computer, as the first suggestion. */
const here = (): string => formatOffset(-new Date().getTimezoneOffset());

/** Over a year: a larger number is a typing error. */
const MAX_MINUTES = 1_000_000;

const minutes = v.pipe(amount, v.transform(Number), v.maxValue(MAX_MINUTES, 'tooLarge'));

const rules = v.object({
  profileName: present,
  baseUrl: present,
  storeId: present,
  utcOffset: v.pipe(
    v.string(),
    v.transform(plainCode),
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
  /** What was wrong with them when the form was judged. */
  replayProblem = $state<Problem | null>(null);
  /** Typed to connect with; passed to the keychain, never stored here and never read back. */
  token = $state('');
  readonly problems = new Problems(() => ({
    profileName: this.name,
    baseUrl: this.baseUrl,
    storeId: this.storeId,
    utcOffset: this.utcOffset,
    timeZone: this.timeZone,
    token: this.token,
  }));

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

  /** The draft for the desk, or `null` with `problems` set, also when there are some `elsewhere`. */
  draft(elsewhere: FieldProblem[] = []): ProfileDraft | null {
    const judged = this.problems.judge(rules, elsewhere);
    const typed = this.replayMinutes.trim();
    const replay = typed === '' ? null : v.safeParse(minutes, typed);
    this.replayProblem = (replay?.issues?.[0].message ?? null) as Problem | null;
    if (judged === null || this.replayProblem !== null) return null;
    return {
      name: judged.profileName,
      baseUrl: judged.baseUrl,
      storeId: judged.storeId,
      utcOffsetMinutes: offsetMinutes(judged.utcOffset) ?? 0,
      timeZone: this.timeZone.trim() || null,
      display: { currency: this.currency.trim(), termUnit: this.termUnit.trim() },
      facts: {
        bulk: this.bulk,
        keyReplaySeconds: replay?.success ? replay.output * 60 : null,
      },
    };
  }
}
