import { readFileSync } from 'node:fs';
import { render } from '@testing-library/svelte';
import { waitFor } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import type { Paper } from '../ipc';
import { setLanguage } from '../i18n/language.svelte';
import { byTestId, press, refuses, shows, startWindow, typist } from '../testing/desk';
import { counter } from '../pages/register/counter.svelte';
import * as sample from '../testing/samples';
import Sheet from './Sheet.svelte';

const samples: Paper[] = JSON.parse(readFileSync('../tests/fixtures/papers.json', 'utf8'));
const [first] = samples;

/** Every text of a paper, but for what says how it is drawn. */
function texts(of: unknown): string[] {
  if (typeof of !== 'object' || of === null) return typeof of === 'string' ? [of] : [];
  const parts = Object.entries(of).filter(([name]) => !/^(language|standing|qr)$/.test(name));
  return parts.flatMap(([, part]) => texts(part));
}

describe('a sheet', () => {
  it('says every word of its paper, whatever characters the word has', () => {
    expect(samples.length).toBeGreaterThan(3);
    for (const paper of samples) {
      const { container, unmount } = render(Sheet, { paper, size: 'a4' });
      for (const text of texts(paper)) expect(container.textContent).toContain(text);
      unmount();
    }
  });
});

describe('the dialog of a sheet', () => {
  const answers = {
    paper: () => first!,
    paper_print: () => null,
  };

  async function opened(otherwise: Parameters<typeof startWindow>[1] = {}) {
    setLanguage('en');
    const fake = await startWindow('contracts', { ...answers, ...otherwise });
    const box = await byTestId<HTMLInputElement>('contracts-search');
    await typist.type(box, 'contract-1');
    await press('contract-lookup');
    await press('contract-paper');
    await byTestId('paper-preview');
    await waitFor(() => expect(document.querySelector('.paper-print')).not.toBeNull());
    return fake;
  }

  it('asks for the sheet of the contract, and again in the other language', async () => {
    const fake = await opened();
    expect(fake.called('paper')[0]).toMatchObject({ of: { kind: 'contract' }, language: 'en' });
    await press('paper-ja');
    await waitFor(() => expect(fake.called('paper')).toHaveLength(2));
    expect(fake.called('paper')[1]).toMatchObject({ language: 'ja' });
  });

  it('warns before amounts are printed without a currency', async () => {
    await opened({
      status: () => ({
        ...sample.status,
        profile: { ...sample.live, display: { currency: '', termUnit: '' } },
      }),
    });
    expect(shows('paper-no-units')).toBe(true);
    await press('paper-set-units');
    await byTestId('profile-currency');
  });

  it('puts the page to be printed beside the window, in the size chosen', async () => {
    const fake = await opened();
    await press('paper-roll');
    const printed = document.querySelector('body > .paper-print > .paper');
    expect(printed?.classList.contains('roll')).toBe(true);
    await press('paper-print');
    await waitFor(() => expect(fake.called('paper_print')).toHaveLength(1));
    expect(fake.called('paper_print')[0]).toMatchObject({ size: 'roll' });
  });

  it('shows why a sheet could not be printed', async () => {
    const fake = await opened({ paper_print: refuses() });
    await press('paper-print');
    expect((await byTestId('error-notice')).textContent).toContain('refused');
    fake.answer('paper_print', () => null);
    await press('paper-print');
    await waitFor(() => expect(shows('error-notice')).toBe(false));
  });

  it('leaves nothing to be printed once it is closed', async () => {
    await opened();
    await typist.click(
      document.querySelector<HTMLElement>('[data-testid="paper-dialog"] button.close')!,
    );
    await waitFor(() => expect(document.querySelector('.paper-print')).toBeNull());
  });
});

describe('the sheet of an entry', () => {
  const pending = samples.find(({ standing }) => standing === 'pending')!;
  const registered = samples.find(({ standing }) => standing === 'registered')!;

  it('becomes that of the registered contract while it is looked at', async () => {
    setLanguage('en');
    const fake = await startWindow('register', { paper: () => pending });
    counter.progress.receipt = {
      ...sample.submission,
      state: 'accepted',
      contractId: 'contract-1',
    };
    await press('receipt-paper');
    await waitFor(() => expect(document.querySelector('.scaled .paper.pending')).not.toBeNull());
    await fake.tell({ kind: 'outboxChanged' });
    fake.answer('paper', () => registered);
    await fake.tell({ kind: 'outboxChanged' });
    await waitFor(() => expect(document.querySelector('.scaled .paper.registered')).not.toBeNull());
    expect((await byTestId('paper-refreshed')).textContent).toContain('Updated');
  });

  it('opens with one key and is printed with the same key', async () => {
    const fake = await startWindow('register', {
      paper: () => registered,
      paper_print: () => null,
    });
    counter.progress.receipt = { ...sample.submission, state: 'confirmed' };
    const button = await byTestId('receipt-paper');
    expect(button.getAttribute('aria-keyshortcuts')).toBe('Control+P');
    await typist.keyboard('{Control>}p{/Control}');
    await waitFor(() => expect(document.querySelector('.scaled .paper')).not.toBeNull());
    expect(fake.called('paper')).toMatchObject([{ of: { kind: 'entry', id: 'submission-1' } }]);
    expect(fake.called('paper_print')).toHaveLength(0);
    await typist.keyboard('{Control>}p{/Control}');
    await waitFor(() => expect(fake.called('paper_print')).toHaveLength(1));
  });

  it('is not offered for a sale that was refused', async () => {
    const fake = await startWindow('register');
    counter.progress.receipt = { ...sample.submission, state: 'rejected' };
    await byTestId('receipt');
    expect(shows('receipt-paper')).toBe(false);
    await typist.keyboard('{Control>}p{/Control}');
    expect(fake.called('paper')).toHaveLength(0);
  });
});
