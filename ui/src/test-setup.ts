import { beforeEach } from 'vitest';
import { setLanguage } from './i18n/language.svelte';

beforeEach(() => {
  setLanguage('en');
});
