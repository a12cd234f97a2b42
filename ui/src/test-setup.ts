import { configure } from '@testing-library/svelte';
import { beforeEach } from 'vitest';
import { setLanguage } from './i18n/language.svelte';

// A busy machine may be slow; a condition that never becomes true still fails.
configure({ asyncUtilTimeout: 10_000 });

beforeEach(() => {
  document.body.replaceChildren();
  setLanguage('en');
});
