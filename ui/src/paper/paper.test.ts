import { readFileSync } from 'node:fs';
import { render } from '@testing-library/svelte';
import { waitFor } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import type { Paper, PaperSize } from '../ipc';
import { setLanguage } from '../i18n/language.svelte';
import { byTestId, press, refuses, says, shows, startWindow, typist } from '../testing/desk';
import { counter } from '../pages/register/counter.svelte';
import * as sample from '../testing/samples';
import Sheet from './Sheet.svelte';

const samples: { paper: Paper; size: PaperSize; html: string }[] = JSON.parse(
  readFileSync('../tests/fixtures/papers.json', 'utf8'),
);
const [first] = samples;

/** The markup of an element without what a renderer leaves between the tags. */
function marks(element: Element): string {
  return element.outerHTML.replace(/<!--.*?-->/g, '').replace(/>\s+</g, '><');
}

function parsed(html: string): Element {
  return new DOMParser().parseFromString(html, 'text/html').body.firstElementChild!;
}

describe('a sheet', () => {
  it('is drawn on the page with the marks of the file that the desk writes', () => {
    expect(samples.length).toBeGreaterThan(3);
    for (const { paper, size, html } of samples) {
      const { container, unmount } = render(Sheet, { paper, size });
      expect(marks(container.firstElementChild!)).toBe(marks(parsed(html)));
      unmount();
    }
  });
});

describe('the dialog of a sheet', () => {
  const answers = {
    paper: () => first!.paper,
    paper_print: () => null,
    paper_save: () => 'warranty-1.pdf',
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

  it('says under which name it was saved, and nothing when it was saved nowhere', async () => {
    const fake = await opened();
    await press('paper-save');
    await says('paper-saved', 'warranty-1.pdf');
    fake.answer('paper_save', () => null);
    await press('paper-save');
    await waitFor(() => expect(fake.called('paper_save')).toHaveLength(2));
    await waitFor(async () => expect((await byTestId('paper-saved')).textContent?.trim()).toBe(''));
  });

  it('shows why a sheet could not be made, printed or saved', async () => {
    const fake = await opened();
    for (const command of ['paper_print', 'paper_save']) {
      fake.answer(command, refuses());
    }
    await press('paper-print');
    expect((await byTestId('error-notice')).textContent).toContain('refused');
    fake.answer('paper_print', () => null);
    await press('paper-print');
    await waitFor(() => expect(shows('error-notice')).toBe(false));
    await press('paper-save');
    expect((await byTestId('error-notice')).textContent).toContain('refused');
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
  const pending = samples.find(({ paper }) => paper.standing === 'pending')!.paper;
  const registered = samples.find(({ paper }) => paper.standing === 'registered')!.paper;

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
    expect((await byTestId('paper-saved')).textContent).toContain('Updated');
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
