import { waitFor } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { byTestId, fill, held, startWindow, typist } from '../testing/desk';
import * as sample from '../testing/samples';

describe('a box that the desk fills in', () => {
  it('while somebody is about to type in it takes what is typed and nothing else', async () => {
    const [waits, answer] = held();
    await startWindow('leads', { product_last_known: waits });
    await fill('lead-product-reference', sample.REFERENCE);
    const price = await byTestId<HTMLInputElement>('lead-product-price');
    await typist.click(price);
    answer({ price: 500, title: null });
    await waitFor(() => expect(price.value).toBe('500'));
    await typist.keyboard('98000');
    expect(price.value).toBe('98000');
  });
});
