// The language of the window and its texts. Every text on screen comes from `t`.
import i18next from 'i18next';
import { groupDigits } from '../format/amounts';
import { visible } from '../format/visible';
import en from './en.json';
import ja from './ja.json';

export const LANGUAGES = ['ja', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

const NAMES: Record<Language, string> = { ja: '日本語', en: 'English' };

export const languageName = (of: Language) => NAMES[of];

type Leaves<T, Path extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${Path}${K}` : Leaves<T[K], `${Path}${K}.`>;
}[keyof T & string];

type Unplural<K extends string> = K extends `${infer Stem}_${'one' | 'other'}` ? Stem : K;

/** The keys of all texts; an unknown key does not compile. */
export type TextKey = Unplural<Leaves<typeof en>>;

const texts = i18next.createInstance();
void texts.init({
  lng: 'ja',
  fallbackLng: false,
  resources: { en: { translation: en }, ja: { translation: ja } },
  initAsync: false,
  // Values are inserted unescaped, because no text is ever used as markup.
  interpolation: { escapeValue: true, escape: visible },
});

let current = $state<Language>('ja');

export function language(): Language {
  return current;
}

/** Switches every text and sets the language of the document. */
export function setLanguage(next: Language): void {
  current = next;
  document.documentElement.lang = next;
}

/** Texts that were read before and hold no values: a page of rows asks for some of them at each key. */
const read: Record<Language, Map<TextKey, string>> = { en: new Map(), ja: new Map() };

/** Several sentences as one text; after a Japanese full stop or colon there is no space. */
export const sentences = (...all: string[]) =>
  all.reduce((text, next) => text + (text && next && !/[。：]$/.test(text) ? ' ' : '') + next, '');

/** Names or numbers as one list. */
export const listOf = (all: readonly string[]) => all.join(t('word.comma'));

export const inEach = (key: TextKey) => LANGUAGES.map((lng) => texts.t(key, { lng }));

/** The text of a key in the current language; a component that renders it follows the language. */
export function t(key: TextKey, values?: Record<string, string | number>): string {
  if (values) {
    const { count } = values;
    const replace = count === undefined ? values : { ...values, count: groupDigits(count) };
    return texts.t(key, { ...values, replace, lng: current });
  }
  const text = read[current].get(key) ?? texts.t(key, { lng: current });
  read[current].set(key, text);
  return text;
}
