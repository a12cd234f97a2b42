import { waitFor } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { byTestId, press, refusal, says, shows, startWindow, typist } from '../testing/desk';
import * as sample from '../testing/samples';
import { enterProduct } from '../testing/register';
import { scan } from '../testing/scanner';
import { counter } from '../pages/register/counter.svelte';
import { importing } from '../pages/import/importing.svelte';
import { outbox } from '../pages/outbox/outbox.svelte';
import { page } from '../navigation/route.svelte';

/** Opens the palette and pastes a text: typed without pauses it would be a scan. */
async function find(text: string): Promise<HTMLInputElement> {
  await typist.keyboard('{Control>}k{/Control}');
  const box = await byTestId<HTMLInputElement>('palette-input');
  await waitFor(() => expect(document.activeElement).toBe(box));
  if (text !== '') await typist.paste(text);
  return box;
}

const selected = () =>
  document.querySelector('.palette-item[data-selected]')?.textContent?.replace(/\s+/g, ' ').trim();

describe('the palette', () => {
  it('takes a typed product to Register, while Register is open, however soon Enter comes', async () => {
    const fake = await startWindow('register', {
      products_list: async () => {
        await new Promise((turn) => setTimeout(turn, 30));
        return sample.known([sample.product]);
      },
    });
    await find(sample.REFERENCE);
    await typist.keyboard('{Enter}');
    await waitFor(() => expect(counter.productReferenceId).toBe(sample.REFERENCE));
    expect(fake.called('contract_lookup')).toEqual([]);
    expect(page()).toBe('register');
    // The text is cleared when it is opened again.
    expect((await find('')).value).toBe('');
  });

  it('asks before a product takes the place of one whose plan is chosen', async () => {
    await startWindow('register', {
      products_list: () => sample.known([{ ...sample.product, referenceId: 'another' }]),
    });
    await enterProduct(sample.REFERENCE);
    await waitFor(() => expect(counter.planList).not.toBeNull());
    await counter.choose(sample.plans[0]!);
    await find('another');
    await typist.keyboard('{Enter}');
    await byTestId('scan-question');
    expect(counter.productReferenceId).toBe(sample.REFERENCE);
  });

  it('finds 契約登録 in the English window', async () => {
    await startWindow('plans', { products_list: () => sample.known([]) });
    await find('契約登録');
    await typist.keyboard('{Enter}');
    await waitFor(() => expect(page()).toBe('register'));
  });

  it('does what is named in either language, and never before a sale of that name', async () => {
    const sold = { ...sample.submission, customerName: '取込 商品' };
    const fake = await startWindow('plans', {
      products_list: () => sample.known([]),
      contracts_list: ({ filter }) =>
        sample.listed((filter as { text: string }).text === '取込 商品' ? [sold] : []),
    });
    await find('取込 商品');
    await waitFor(() => expect(selected()).toContain('取込 商品'));
    await typist.keyboard('{ArrowDown}');
    expect(selected()).toBe('Import · Products');
    await typist.keyboard('{Enter}');
    await waitFor(() => expect(page()).toBe('import'));
    expect(importing.kind).toBe('products');

    await find('theme dark');
    await waitFor(() => expect(selected()).toBe('Theme · Dark'));
    await typist.keyboard('{Enter}');
    await waitFor(() => expect(document.documentElement.dataset['theme']).toBe('dark'));
    expect(fake.called('settings_change').length).toBe(1);

    await find('ショートカット');
    await typist.keyboard('{Enter}');
    await byTestId('shortcut-sheet');
  });

  it('checks this computer, shows the support bundle, and leads to the profiles and the journal', async () => {
    const fake = await startWindow('plans', {
      products_list: () => sample.known([]),
      diagnose: () => Promise.reject(refusal),
      support_files: () => Promise.reject(refusal),
    });
    for (const [text, name] of [
      ['操作履歴', 'Journal'],
      ['switch', 'Profiles · Switch'],
      ['check this', 'Check this computer'],
      ['support bundle', 'Support bundle'],
    ] as const) {
      await find(text);
      await waitFor(() => expect(selected()).toBe(name));
      await typist.keyboard('{Enter}');
      await waitFor(() => expect(page()).toBe('settings'));
      await waitFor(() => expect(shows('palette-input')).toBe(false));
    }
    expect(fake.called('diagnose')).toHaveLength(1);
    await byTestId('bundle-dialog');
  });

  it('keeps a code that is scanned into it: it never enters the sale', async () => {
    await startWindow('register');
    await enterProduct(sample.REFERENCE);
    await waitFor(() => expect(counter.planList).not.toBeNull());
    await counter.choose(sample.plans[0]!);
    const box = await find('');
    scan('POS-20261121-0001', box);
    expect(box.value).toBe('POS-20261121-0001');
    (await byTestId('palette')).dispatchEvent(new Event('cancel', { cancelable: true }));
    await waitFor(() => expect(shows('palette-input')).toBe(false));
    await new Promise((turn) => setTimeout(turn));
    expect(counter.transactionId).toBe('');
  });

  it('opens a sale of a typed transaction without a network, while Contracts is open', async () => {
    const sold = { ...sample.submission, state: 'confirmed' as const, contractId: 'contract-1' };
    const fake = await startWindow('contracts', {
      products_list: () => sample.known([]),
      contracts_list: ({ filter }) =>
        sample.listed((filter as { text: string }).text === 'T-1' ? [sold] : []),
    });
    await find('T-1');
    await waitFor(() => expect(selected()).toContain('T-1 山田 花子 · Sample washing machine'));
    await typist.keyboard('{Enter}');
    await waitFor(() => expect(fake.called('outbox_case')[0]).toEqual({ id: sold.id }));
    expect(fake.called('contract_lookup')).toEqual([]);
  });

  it('puts the contract with exactly the typed transaction before a product and other contracts', async () => {
    const others = sample.page(20).entries.map((entry) => ({ ...entry, transactionId: 'T-10' }));
    const sold = { ...sample.submission, id: 'sold', transactionId: 'T-1' };
    await startWindow('register', {
      products_list: () => sample.known([{ ...sample.product, referenceId: 'T-1' }]),
      contracts_list: ({ filter }) =>
        sample.listed([...others, sold].slice(0, (filter as { limit: number }).limit)),
    });
    await find('T-1');
    await waitFor(() => expect(selected()).toContain('T-1 山田 花子'));
    await typist.keyboard('{Enter}');
    await waitFor(() => expect(outbox.openId).toBe('sold'));
    expect(counter.productReferenceId).toBe('');
  });

  it('looks a contract up by its id when nothing of that name is known here', async () => {
    const fake = await startWindow('register', { products_list: () => sample.known([]) });
    await find('contract-9');
    await typist.keyboard('{Enter}');
    await waitFor(() => expect(fake.called('contract_lookup')).toEqual([{ id: 'contract-9' }]));
    expect(page()).toBe('contracts');
  });

  it('looks a contract up by the plain form of an id typed with Japanese input on', async () => {
    const fake = await startWindow('register', { products_list: () => sample.known([]) });
    await find('ｃｏｎｔｒａｃｔー９');
    await typist.keyboard('{Enter}');
    await waitFor(() => expect(fake.called('contract_lookup')).toEqual([{ id: 'contract-9' }]));
  });

  it('waits with its first hit until all contracts are read', async () => {
    const read = sample.listed([{ ...sample.submission, transactionId: 'T-1' }]);
    const fake = await startWindow('register', {
      products_list: () => sample.known([]),
      contracts_list: () => ({ ...sample.listed([]), reading: { done: 500, total: 1000 } }),
    });
    const before = fake.called('contracts_list').length;
    await find('T-1');
    await typist.keyboard('{Enter}');
    await waitFor(() => expect(fake.called('contracts_list').length).toBeGreaterThan(before + 1));
    fake.answer('contracts_list', () => read);
    await waitFor(() => expect(outbox.openId).toBe(sample.submission.id));
    expect(fake.called('contract_lookup')).toEqual([]);
  });

  it('says when the search failed, and never takes that for nothing found', async () => {
    const fake = await startWindow('register', { products_list: () => sample.known([]) });
    fake.answer('contracts_list', () => Promise.reject(refusal));
    await find('T-1');
    await typist.keyboard('{Enter}');
    await says('error-notice', refusal.message.en);
    expect(shows('palette-input')).toBe(true);
    await typist.keyboard('{Enter}');
    expect(fake.called('contract_lookup')).toEqual([]);
    fake.answer('contracts_list', () => sample.listed([sample.submission]));
    await press('try-again');
    await waitFor(() => expect(selected()).toContain('山田 花子'));
    expect(shows('error-notice')).toBe(false);
    await typist.keyboard('{Enter}');
    await waitFor(() => expect(outbox.openId).toBe(sample.submission.id));
  });
});
