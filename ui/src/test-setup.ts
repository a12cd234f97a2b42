import { configure } from '@testing-library/svelte';
import { beforeEach } from 'vitest';
import { setLanguage } from './i18n/language.svelte';

// A busy machine may take its time; a condition that never comes true still fails.
configure({ asyncUtilTimeout: 10_000 });

beforeEach(() => {
  setLanguage('en');
});
