import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import en from './en.json';
import ja from './ja.json';
import printedEn from './printed.en.json';
import printedJa from './printed.ja.json';
import { sentences, setLanguage, t } from './language.svelte';

type Tree = { [key: string]: string | Tree };

function flatten(tree: Tree, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') found.set(path + key, value);
    else for (const [k, v] of flatten(value, `${path}${key}.`)) found.set(k, v);
  }
  return found;
}

const english = flatten({ ...en, ...printedEn });
const japanese = flatten({ ...ja, ...printedJa });
/** Japanese has one plural form: `_one` exists in English alone. */
const stems = (keys: Iterable<string>) =>
  [...new Set([...keys].map((key) => key.replace(/_(one|other)$/, '')))].sort();
const places = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((m) => m[1]).sort();

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.(svelte|ts)$/.test(entry.name) && !entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

/** Groups that the Rust side reads; its tests check their keys. */
const backend = /^(closing|failure|fileFailure|printed|serverApproval|cannotStart|secondStart)\./;

describe('the texts', () => {
  it('are the same in both languages', () => {
    expect(stems(japanese.keys())).toEqual(stems(english.keys()));
  });

  it('are never empty', () => {
    for (const texts of [english, japanese]) {
      for (const [key, text] of texts) expect(text.trim(), key).not.toBe('');
    }
  });

  it('end each sentence once', () => {
    for (const texts of [english, japanese]) {
      for (const [key, text] of texts) expect(text, key).not.toMatch(/[.。、,]{2}(?!\w)/);
    }
  });

  it('group the digits of a count', () => {
    setLanguage('en');
    expect(t('sheet.register', { count: 1 })).toBe('Register 1 row');
    expect(t('sheet.register', { count: 1_420 })).toBe('Register 1,420 rows');
  });

  it('have no half-width colon in Japanese, whether in a text or between two', () => {
    for (const [key, text] of japanese) expect(text, key).not.toMatch(/[\P{ASCII}}]: /u);
    for (const path of sources('src')) {
      expect(readFileSync(path, 'utf8'), path).not.toMatch(/\)\}: /);
    }
  });

  it('end a Japanese question with its mark, and call the program by one name', () => {
    for (const [key, text] of japanese) {
      if (/title$/i.test(key)) expect(text, key).not.toMatch(/か$/);
      expect(text, key).not.toMatch(/この(ソフト|プログラム)/);
    }
  });

  it('fill in the same values in both languages', () => {
    for (const [key, text] of japanese) {
      const other = english.get(key) ?? '';
      expect(places(text), key).toEqual(places(other));
    }
  });

  it('exist for every key the source names', () => {
    const known = new Set(stems(english.keys()));
    for (const path of sources('src')) {
      for (const match of readFileSync(path, 'utf8').matchAll(/\bt\(\s*'([\w.]+)'/g)) {
        expect(known.has(match[1]!), `${match[1]} in ${path}`).toBe(true);
      }
    }
  });

  it('are all used', () => {
    const source = sources('src')
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n');
    const named = new Set([...source.matchAll(/\bt\(\s*'([\w.]+)'/g)].map((m) => m[1]!));
    const patterns = [...source.matchAll(/\bt\(\s*`([^`]+)`/g)].map((m) => {
      const parts = m[1]!.split(/\$\{[^}]+\}/).map((part) => part.replaceAll('.', '\\.'));
      return new RegExp(`^${parts.join('[\\w]+')}$`);
    });
    const literals = new Set([...source.matchAll(/'(\w+(?:\.\w+)+)'/g)].map((m) => m[1]!));
    const unused = stems(english.keys()).filter(
      (key) =>
        !backend.test(key) &&
        !named.has(key) &&
        !literals.has(key) &&
        !patterns.some((p) => p.test(key)),
    );
    expect(unused).toEqual([]);
  });

  it('call the token of a lead what its slip calls it, which the customer shows', () => {
    for (const texts of [english, japanese]) {
      const code = texts.get('printed.lead.code')!.toLowerCase();
      expect(texts.get('leads.token')?.toLowerCase()).toContain(code);
    }
  });

  it('follow the language', () => {
    setLanguage('en');
    expect(t('word.contract')).toBe('Contract');
    setLanguage('ja');
    expect(t('word.contract')).toBe('保証契約');
    expect(document.documentElement.lang).toBe('ja');
  });

  it('set no space after a Japanese full stop, and one after every other', () => {
    expect(sentences('保存しました。', '', '復元しました。')).toBe('保存しました。復元しました。');
    expect(sentences('It was kept.', 'It is here.')).toBe('It was kept. It is here.');
    // What a text is about stays as it is.
    expect(sentences('「A。 B」を保存しました。', '終了')).toBe('「A。 B」を保存しました。終了');
  });
});
