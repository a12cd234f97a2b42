// What the palette can do besides opening something: each does what a button elsewhere does.
import {
  inEach,
  language,
  LANGUAGES,
  t,
  type Language,
  type TextKey,
} from '../i18n/language.svelte';
import { desk } from '../ipc/desk.svelte';
import { openPage, type Support } from '../navigation/route.svelte';
import { KINDS } from '../pages/import/importing.svelte';
import { plans } from '../pages/plans/plans.svelte';
import { settings } from '../pages/settings/settings.svelte';
import { theme, THEMES } from '../style/theme.svelte';

export interface PaletteAction {
  key: string;
  /** Its name in the current language. */
  name: string;
  /** What it is found by: its name in every language. */
  names: readonly string[];
  go: () => void;
}

/** An action whose name is these texts, one after the other. */
function action(texts: readonly TextKey[], go: () => void): PaletteAction {
  const joined = (each: readonly string[]) => each.join(' · ');
  return {
    key: texts.join(),
    name: joined(texts.map((key) => t(key))),
    names: LANGUAGES.map((_, at) => joined(texts.map((key) => inEach(key)[at] ?? ''))),
    go,
  };
}

const IN: Record<Language, TextKey> = { ja: 'palette.inJapanese', en: 'palette.inEnglish' };
const SUPPORT: readonly Support[] = ['check', 'bundle', 'journal'];

/** Every action that is possible now. */
export function paletteActions(showShortcuts: () => void): PaletteAction[] {
  return [
    action(['products.new'], () => openPage('products', { productReference: '' })),
    action(['nav.plans', 'plans.refreshAll'], () => {
      openPage('plans');
      if (desk.refresh?.finished !== false) void plans.refreshAll();
    }),
    action(['nav.leads', 'leads.dueFilter'], () => openPage('leads', { leads: 'due' })),
    ...KINDS.map((importKind) =>
      action(['nav.import', `runKind.${importKind}`], () => openPage('import', { importKind })),
    ),
    action(['reconcile.open'], () =>
      openPage('import', { importKind: 'contracts', compares: true }),
    ),
    action(['settings.profiles', 'settings.use'], () => openPage('settings')),
    ...SUPPORT.map((support) =>
      action([`support.${support}`], () => openPage('settings', { support })),
    ),
    ...(desk.organization.locked.language
      ? []
      : LANGUAGES.filter((other) => other !== language()).map((other) =>
          action([IN[other]], () => void settings.keepLanguage(other)),
        )),
    ...THEMES.filter((other) => other !== theme()).map((other) =>
      action(['settings.theme', `settings.themes.${other}`], () => void settings.keepTheme(other)),
    ),
    action(['shortcuts.title'], showShortcuts),
  ];
}
