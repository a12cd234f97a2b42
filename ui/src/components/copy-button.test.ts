import { render, screen, waitFor } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { t } from '../i18n/language.svelte';
import { typist } from '../testing/desk';
import CopyButton from './CopyButton.svelte';

it('says that it copied beside the button, whose name hides its content', async () => {
  render(CopyButton, { props: { text: 'contract-1', of: 'Contract ID' } });
  const told = screen.getByRole('status');
  await typist.click(screen.getByRole('button'));
  await waitFor(() => expect(told.textContent).toContain(t('action.copied')));
  expect(told.closest('button')).toBeNull();
});
