// The text for a customer: the name or e-mail, or why it is not available.
import { visible } from '../format/visible';
import { t } from '../i18n/language.svelte';
import type { CustomerState } from '../ipc';

export function customerText(state: CustomerState, text: string | null | undefined): string {
  if (state === 'known') return visible(text ?? '');
  return t(`customer.${state}`);
}
