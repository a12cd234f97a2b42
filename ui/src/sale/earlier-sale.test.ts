// The question about a second contract says of which sale it is the second.
import { waitFor } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import type { Question } from '../ipc';
import { asks, byTestId, refuses } from '../testing/desk';
import { register } from '../testing/register';
import { secondContract, submission } from '../testing/samples';

async function asked(otherwise = {}, ...questions: Question[]) {
  await register({ contract_register: refuses(asks(secondContract, ...questions)), ...otherwise });
  return byTestId('earlier-sale');
}

describe('the question about a second contract', () => {
  it('says when the earlier one was registered, for whom, and its state', async () => {
    const named = { transactionId: '000T-1', customerName: '佐藤 次郎' };
    const earlier = { ...submission, id: 'second', state: 'accepted', ...named };
    const shown = await asked({ submission: () => earlier });
    await waitFor(() => expect(shown.textContent).toContain('佐藤 次郎'));
    expect(shown.textContent).toContain('2026-11-21 10:00:00 +09:00');
    expect(shown.querySelector('dd')?.textContent?.trim()).toBe('000T-1');
    expect(shown.textContent).toContain('Accepted');
    expect(shown.textContent).toContain('Sample plan 2');
  });

  it('says that the customer of the earlier one is no longer kept', async () => {
    const gone = { ...submission, customer: 'forgotten', customerName: null, customerEmail: null };
    const shown = await asked({ submission: () => gone });
    await waitFor(() => expect(shown.textContent).toContain('2026-11-21'));
    expect(shown.textContent).toMatch(/deleted/i);
  });

  it('is asked for each of two earlier ones, and without one that cannot be read', async () => {
    const unreadable = refuses('gone');
    await asked({ submission: unreadable }, { ...secondContract, submissionId: 'third' });
    expect(document.querySelectorAll('[data-testid="earlier-sale"]')).toHaveLength(2);
    expect((await byTestId('question-dialog')).textContent).toContain('Confirmed');
  });
});
