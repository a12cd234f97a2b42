// Where the first read of a list fails, its error stands alone: nothing is still being loaded.
import { describe, expect, it } from 'vitest';
import { setLanguage } from '../i18n/language.svelte';
import { byTestId, press, refusal, refuses, startWindow } from '../testing/desk';

const fails = refuses();

describe('a list that cannot be read at first', () => {
  it.each([
    ['products', 'products_list', null],
    ['leads', 'leads', null],
    ['outbox', 'contracts_list', null],
    ['contracts', 'contracts_list', null],
    ['contracts', 'contract_recents', 'contracts-tab-recent'],
    ['today', 'day', null],
    ['settings', 'profiles', null],
  ] as const)('on the page %s (%s) says so and nothing else', async (page, command, tab) => {
    await startWindow(page, { [command]: fails });
    setLanguage('en');
    if (tab) await press(tab);
    expect((await byTestId('error-notice')).textContent).toContain(refusal.message.en);
    expect(document.querySelector('main .waiting[role=status]')).toBeNull();
    expect(document.querySelector('main .card.list')).toBeNull();
  });
});
