// Profiles, their tokens, and the appearance of the program.
import { setLanguage, type Language } from '../../i18n/language.svelte';
import {
  commands,
  type Answer,
  type Profile,
  type ProfileDraft,
  type Settings,
  type StaffPolicy,
} from '../../ipc';
import { Call } from '../../ipc/call.svelte';
import { desk } from '../../ipc/desk.svelte';
import { clearTyped } from '../../ipc/profile-reset';
import { setTheme, type Theme } from '../../style/theme.svelte';
import { ProfileForm, usualDisplay } from './profile-form.svelte';

class SettingsPage {
  profiles = $state<Profile[] | null>(null);
  adding = $state(false);
  /** The profile that a person wants to remove, until it is confirmed. */
  removing = $state<Profile | null>(null);
  /** Warnings before it is removed. */

  readonly listing = new Call();
  readonly connecting = new Call();
  readonly switching = new Call();
  readonly changing = new Call();
  readonly tokening = new Call();
  readonly keeping = new Call();
  readonly retaining = new Call();
  readonly asking = new Call();

  #connect: ProfileForm | null = null;
  #details = { of: '', form: new ProfileForm() };

  /** The form of a profile as it was left, unless the profile has changed since. */
  detailsOf(profile: Profile): ProfileForm {
    const of = JSON.stringify(profile);
    if (this.#details.of !== of) this.#details = { of, form: new ProfileForm(profile) };
    return this.#details.form;
  }

  /** The form that connects to a service, as it was left. */
  connectForm(): ProfileForm {
    return (this.#connect ??= new ProfileForm());
  }

  /** A person closes the form, unless it is being connected: what comes of that is shown with it. */
  leaveConnectForm(): void {
    if (!this.connecting.busy) this.adding = false;
  }

  clearConnectForm(): void {
    this.#connect = null;
  }

  /**
   * Forgets how earlier changes failed, unless they are still under way. Language and theme
   * are changed elsewhere, too, and their failure is shown here alone: it stays.
   */
  forgetFailures(): void {
    for (const call of [
      this.switching,
      this.changing,
      this.tokening,
      this.retaining,
      this.asking,
    ]) {
      if (!call.busy) call.reset();
    }
  }

  async load(): Promise<void> {
    const answer = await this.listing.run(() => commands.profiles());
    if (answer) this.profiles = answer.value;
  }

  async use(id: string): Promise<void> {
    await this.#change(this.switching, () => commands.profileUse(id));
  }

  async practise(name: string): Promise<void> {
    await this.#change(this.switching, () => commands.profilePractise(name, usualDisplay()));
  }

  async remove(id: string): Promise<void> {
    this.removing = null;
    const inUse = id === desk.profile?.id;
    await this.#change(this.switching, async () => {
      const removed = await commands.profileRemove(id);
      // Before another profile is on screen, or it would be a draft of that one.
      if (inUse && removed.status === 'ok') clearTyped();
      return removed;
    });
  }

  async change(id: string, draft: ProfileDraft): Promise<boolean> {
    return this.#change(this.changing, () => commands.profileChange(id, draft));
  }

  /** Stores a token; it is never read back, the answer only says whether there is one. */
  async setToken(id: string, token: string): Promise<boolean> {
    return this.#change(this.tokening, () => commands.tokenSet(id, token));
  }

  async removeToken(id: string): Promise<void> {
    await this.#change(this.tokening, () => commands.tokenRemove(id));
  }

  /** Sets when a staff code is required under this profile. */
  async keepStaffPolicy(policy: StaffPolicy): Promise<void> {
    await this.asking.run(() => desk.changing(() => commands.staffPolicyChange(policy)));
  }

  /** Makes a change to the profiles or their tokens, and reads them again. */
  async #change<T>(call: Call, change: () => Promise<Answer<T>>): Promise<boolean> {
    const done = await call.run(() => desk.changing(change));
    await this.load();
    return done !== null;
  }

  async keepLanguage(language: Language): Promise<void> {
    setLanguage(language);
    await this.#keep({ language });
  }

  async keepTheme(theme: Theme): Promise<void> {
    setTheme(theme);
    await this.#keep({ theme: theme === 'system' ? null : theme });
  }

  /** Sets for how many days customers' data is stored. */
  async keepRetention(retentionDays: number): Promise<boolean> {
    return this.#keep({ retentionDays }, this.retaining);
  }

  async #keep(change: Partial<Settings>, asking = this.keeping): Promise<boolean> {
    const none: Settings = {
      language: null,
      theme: null,
      retentionDays: null,
    };
    const settings = { ...(desk.status?.settings ?? none), ...change };
    const kept = await asking.run(() => commands.settingsChange(settings));
    if (kept && desk.status) desk.status = { ...desk.status, settings };
    return kept !== null;
  }
}

export const settings = new SettingsPage();
