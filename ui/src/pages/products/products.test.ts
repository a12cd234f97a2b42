import { cleanup, waitFor } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { t } from '../../i18n/language.svelte';
import {
  byTestId,
  fill,
  focusIsAt,
  held,
  keeps,
  noteOf,
  press,
  refusal,
  refuses,
  shows,
  startWindow,
  typist,
  valueOf,
  type FakeDesk,
  type Reply,
} from '../../testing/desk';
import { resetProfile } from '../../ipc/profile-reset';
import { openPage } from '../../navigation/route.svelte';
import * as sample from '../../testing/samples';
import { scan } from '../../testing/scanner';
import { products } from './products.svelte';

/** The form of the sample product, with what is known of it. */
async function opened(otherwise: Record<string, Reply> = {}): Promise<FakeDesk> {
  const fake = await startWindow('products', otherwise);
  await press('product-open');
  await waitFor(async () => expect(await valueOf('product-title')).toContain('washing'));
  return fake;
}

describe('a row of a list', () => {
  it('opens from anywhere in it, and leads on to the plans', async () => {
    await startWindow('products');
    const row = await byTestId('product-row');
    await typist.click(row.querySelector('[data-column=title]')!);
    await waitFor(async () =>
      expect((await byTestId<HTMLDialogElement>('product-drawer')).open).toBe(true),
    );
    await press('product-plans');
    await byTestId('page-plans');
  });
});

describe('the list of products', () => {
  it('is sorted by any column, and the first one found is opened from the search box', async () => {
    const fake = await startWindow('products');
    const asked = () => fake.called('products_list').at(-1)!.filter;
    await press('sort-price');
    await waitFor(() => expect(asked()).toMatchObject({ sort: 'price', ascending: false }));
    await typist.keyboard('/');
    await focusIsAt('products-search');
    await typist.keyboard('was{Enter}');
    await byTestId('product-known');
    expect(asked()).toMatchObject({ text: 'was', sort: 'price' });
    const sums = await byTestId('products-sums');
    expect(sums.textContent).toContain('1 product');
    fake.answer('products_list', () => sample.known([]));
    products.editing = false;
    await fill('products-search', 'none');
    const told = await byTestId('announced');
    await waitFor(() => expect(told.textContent).toContain(t('word.nothingFound')));
    expect(told.isConnected).toBe(true);
  });

  it('opens no product found over one that was opened meanwhile', async () => {
    const [waits, answer] = held();
    const fake = await opened();
    products.editing = false;
    fake.answer('products_list', waits);
    products.text = 'B-1';
    const search = products.openFirst();
    await products.edit(sample.product.referenceId);
    const found = sample.known([{ ...sample.product, referenceId: 'B-1' }]);
    fake.answer('products_list', () => found);
    answer(found);
    await search;
    expect(await valueOf('product-referenceId')).toBe(sample.product.referenceId);
  });
});

describe('a product', () => {
  it('opened from the list keeps its reference, and one that is typed is made plain', async () => {
    const known = { ...sample.product, referenceId: 'Ｐ－２ ' };
    const fake = await opened({
      products_list: () => ({ products: [known], count: 1 }),
      product_last_known: () => known,
    });
    await fill('product-title', 'Another name');
    await press('product-submit');
    await waitFor(() => expect(fake.called('product_put')).toHaveLength(1));
    expect(fake.called('product_put')[0]).toMatchObject({
      profileId: sample.practice.id,
      draft: { referenceId: 'Ｐ－２ ' },
    });
    await fill('product-referenceId', ' Ｐ－３ ');
    await waitFor(async () => expect(await valueOf('product-referenceId')).toBe('P-3'));
  });

  it('starts from what was last known and shows what will change', async () => {
    await opened();
    await fill('product-price', '88,000');
    const changes = await byTestId('product-changes');
    expect(changes.querySelector('del')?.textContent).toBe('98,000');
    expect(changes.querySelector('ins')?.textContent).toBe('88,000');
    expect((await byTestId('product-drawer')).textContent).toContain('brand cannot be sent');
  });

  it('keeps what was typed when the form is closed and opened again, and reads the rest anew', async () => {
    const fake = await opened();
    await fill('product-title', 'Half a thought');
    await typist.keyboard('{Escape}');
    fake.answer('product_last_known', () => ({ ...sample.product, price: 900 }));
    await press('product-open');
    await waitFor(async () => expect(await valueOf('product-price')).toBe('900'));
    expect(await valueOf('product-title')).toBe('Half a thought');
  });

  it('opened again keeps all that its form has when it cannot be read, and what was emptied', async () => {
    const fake = await opened();
    await fill('product-category', '');
    await typist.keyboard('{Escape}');
    let reads = 0;
    fake.answer('product_last_known', () => {
      reads += 1;
      throw refusal;
    });
    await press('product-open');
    await waitFor(() => expect(reads).toBe(1));
    expect(await valueOf('product-title')).toContain('washing');
    await byTestId('product-known');
    await typist.keyboard('{Escape}');
    fake.answer('product_last_known', () => ({ ...sample.product, price: 900 }));
    await press('product-open');
    await waitFor(async () => expect(await valueOf('product-price')).toBe('900'));
    expect(await valueOf('product-category')).toBe('');
  });

  it('that cannot be read is not said to be unknown, and is read again when told so', async () => {
    const fake = await startWindow('products', { product_last_known: refuses() });
    await press('product-open');
    await byTestId('try-again');
    expect(shows('product-not-known')).toBe(false);
    fake.answer('product_last_known', () => sample.product);
    await press('try-again');
    await byTestId('product-known');
    expect(await valueOf('product-title')).toContain('washing');
    expect(shows('error-notice')).toBe(false);
  });

  it('is refused without all five fields, and says when nothing is known of it', async () => {
    const fake = await startWindow('products', { product_last_known: () => null });
    await press('product-new');
    await fill('product-referenceId', 'NEW-1');
    await byTestId('product-not-known');
    await fill('product-title', 'Sample');
    await press('product-submit');
    await waitFor(async () =>
      expect((await byTestId('product-imageUrl')).getAttribute('aria-invalid')).toBe('true'),
    );
    expect(fake.called('product_put')).toHaveLength(0);
  });
});

const other = { ...sample.product, referenceId: 'B-1', title: 'Sample camera' };
const answers = {
  products_list: () => ({ products: [sample.product, other], count: 2 }),
  product_last_known: ({ reference }: Record<string, unknown>) =>
    reference === 'B-1' ? other : sample.product,
};

/** Opens one of the two from the list. */
async function open(at: number): Promise<void> {
  await byTestId('product-open');
  await typist.click(document.querySelectorAll('[data-testid="product-open"]')[at]!);
}

it('that is opened is the one that was pressed, also after another reference was typed over it', async () => {
  await startWindow('products', answers);
  await open(0);
  await waitFor(async () => expect(await valueOf('product-title')).toContain('washing'));
  await fill('product-referenceId', 'B-1');
  await waitFor(async () => expect(await valueOf('product-title')).toBe('Sample camera'));
  await typist.keyboard('{Escape}');
  await open(0);
  await waitFor(async () => expect(await valueOf('product-title')).toContain('washing'));
  expect(await valueOf('product-referenceId')).toBe(sample.product.referenceId);
  // What was typed is still that of the reference it was typed under.
  await fill('product-referenceId', 'B-1');
  await fill('product-title', 'Half a thought');
  await typist.keyboard('{Escape}');
  await open(1);
  await waitFor(async () => expect(await valueOf('product-title')).toBe('Half a thought'));
  expect(shows('product-leave-yes')).toBe(false);
});

it('that was changed is there again after a crash, and another is opened only after a yes', async () => {
  const fake = await startWindow('products', answers);
  await open(0);
  await waitFor(async () => expect(await valueOf('product-title')).toContain('washing'));
  expect(fake.called('draft_keep')).toEqual([]);
  await fill('product-title', 'Half a thought');
  await waitFor(() => expect(fake.called('draft_keep')).toHaveLength(1));
  const { name, text } = fake.called('draft_keep')[0]!;
  cleanup();

  const again = await startWindow('products', {
    ...answers,
    // It was changed meanwhile.
    product_last_known: ({ reference }) =>
      reference === 'B-1' ? other : { ...sample.product, price: 99_000 },
    drafts: keeps(name, text),
  });
  await waitFor(async () => expect(await valueOf('product-title')).toBe('Half a thought'));
  await waitFor(async () => expect(await valueOf('product-price')).toBe('99,000'));
  await typist.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  // The line of the close of the day.
  openPage('products', { productDraft: true });
  await waitFor(async () => expect(await valueOf('product-title')).toBe('Half a thought'));
  await typist.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  await open(1);
  await press('product-leave-back');
  await waitFor(async () => expect(await valueOf('product-title')).toBe('Half a thought'));
  await typist.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  await open(1);
  await press('product-leave-yes');
  await waitFor(async () => expect(await valueOf('product-title')).toBe('Sample camera'));
  await again.hears('draft_drop', [{ profileId: sample.practice.id, name }]);
});

it('that is half typed can be discarded, and one that was only opened is not half typed', async () => {
  const spaced = { ...sample.product, title: ' Sample washing machine\u3000' };
  const fake = await opened({ product_last_known: () => spaced });
  expect(shows('product-discard')).toBe(false);
  await fill('product-title', 'Half a thought');
  await waitFor(() => expect(fake.called('draft_keep')).toHaveLength(1));
  await press('product-discard');
  await waitFor(() => expect(fake.called('draft_drop')).toHaveLength(1));
  expect(shows('product-title')).toBe(false);
});

it('keeps only what was typed when its form gets another reference, and is not saved as that of the former one', async () => {
  const [waits, answer] = held();
  const fake = await opened({ product_put: () => sample.product });
  await fill('product-category', 'Typed');
  fake.answer('product_last_known', waits);
  await fill('product-referenceId', 'B-1');
  for (const field of ['title', 'price', 'imageUrl']) {
    expect(await valueOf(`product-${field}`)).toBe('');
  }
  document.querySelector<HTMLFormElement>('#product-form')!.requestSubmit();
  await fill('product-referenceId', '');
  await fill('product-referenceId', 'B-1');
  answer({ ...sample.product, referenceId: 'B-1', title: 'Sample camera', category: 'Cameras' });
  await waitFor(async () => expect(await valueOf('product-title')).toBe('Sample camera'));
  expect(await valueOf('product-category')).toBe('Typed');
  expect(fake.called('product_put')).toEqual([]);
});

describe('a reference that is typed last', () => {
  /** Types a whole product, and saves it before what is known of it is read. */
  async function savedAtOnce(
    known: unknown,
    { read = known, meanwhile = async () => {} } = {},
  ): Promise<FakeDesk> {
    const [waits, answer] = held();
    const fake = await startWindow('products', {
      product_last_known: () => null,
      product_put: () => ({ product: sample.product, echoDiffers: [] }),
    });
    await press('product-new');
    await fill('product-title', 'Sample');
    await fill('product-price', '500');
    await fill('product-category', 'Home');
    await fill('product-imageUrl', 'https://a.invalid/1.png');
    fake.answer('product_last_known', waits);
    await typist.type(await byTestId('product-referenceId'), sample.product.referenceId);
    await press('product-submit');
    document.querySelector<HTMLFormElement>('#product-form')!.requestSubmit();
    expect(fake.called('product_put')).toEqual([]);
    await meanwhile();
    fake.answer('product_last_known', () => known);
    answer(read);
    return fake;
  }

  it('is saved at the first press, as soon as nothing is known of it', async () => {
    const fake = await savedAtOnce(null);
    await byTestId('product-report');
    expect(fake.called('product_put')).toHaveLength(1);
  });

  it('is not saved when its form was closed before the press could count', async () => {
    const fake = await savedAtOnce(sample.product, { meanwhile: () => press('product-close') });
    await waitFor(() => expect(products.known).not.toBe(undefined));
    await waitFor(() => expect(products.putting.busy).toBe(false));
    expect(fake.called('product_put')).toEqual([]);
  });

  it('is not saved when it could not be read what is known of it', async () => {
    const fake = await savedAtOnce(null, { read: Promise.reject(refusal) });
    await byTestId('try-again');
    await waitFor(() => expect(products.putting.busy).toBe(false));
    expect(fake.called('product_put')).toEqual([]);
  });

  it('is shown and not saved when it is that of a known product', async () => {
    const fake = await savedAtOnce(sample.product);
    expect((await byTestId('product-renewed')).textContent).toContain('Listed price');
    expect(fake.called('product_put')).toEqual([]);
    await press('product-submit');
    await byTestId('product-report');
    expect(fake.called('product_put')).toHaveLength(1);
  });
});

it('that was only opened shows what is known now, also of a text with spaces around it', async () => {
  const spaced = { ...sample.product, title: ' Sample washing machine\u3000' };
  const fake = await opened({ product_last_known: () => spaced });
  fake.answer('product_last_known', () => ({ ...spaced, title: 'Sample camera' }));
  await typist.keyboard('{Escape}');
  await press('product-open');
  await waitFor(async () => expect(await valueOf('product-title')).toBe('Sample camera'));
});

it('saved is shown with all that the service returned, also a plan that is named twice', async () => {
  const plan = sample.plans[1]!;
  const returned = {
    ...sample.product,
    id: 'product-9',
    createdAt: '2026-11-01T10:00:00.000+09:00',
    updatedAt: '2026-11-02T10:00:00.000+09:00',
    mfrWarranty: { coverageDays: null, url: 'https://maker.invalid/warranty' },
    plans: [plan, plan],
  };
  await opened({
    product_put: () => ({ product: returned, echoDiffers: [] }),
  });
  await fill('product-title', 'Another name');
  await press('product-submit');
  const report = (await byTestId('product-report')).textContent!;
  for (const shown of ['product-9', '2026-11-01', '2026-11-02', returned.mfrWarranty.url]) {
    expect(report).toContain(shown);
  }
  expect(report.split(plan.title!)).toHaveLength(3);
});

it('that was saved, opened again and changed to the same values is asked about again', async () => {
  const saved = { ...sample.product, title: 'Another name' };
  const fake = await startWindow('products', {
    ...answers,
    product_put: () => ({ product: saved, echoDiffers: [] }),
  });
  const change = async () => {
    await open(0);
    await waitFor(async () => expect(await valueOf('product-title')).toContain('washing'));
    await fill('product-title', 'Another name');
  };
  await change();
  await press('product-submit');
  await byTestId('product-report');
  await press('product-close');
  // Another computer has changed it back, which is learnt from a plan.
  await change();
  await byTestId('product-discard');
  await products.edit('B-1');
  await press('product-leave-back');
  expect(await valueOf('product-title')).toBe('Another name');
  expect(fake.called('product_put')).toHaveLength(1);
});

it('whose answer is about another product is not said to be saved, and stays a draft', async () => {
  const fake = await opened({
    product_put: () => ({ product: other, echoDiffers: ['productReferenceId', 'title'] }),
  });
  await fill('product-title', 'Another name');
  await press('product-submit');
  const report = await byTestId('product-report');
  expect(report.className).not.toContain('good');
  expect(report.textContent).not.toContain('Saved to the service');
  expect(report.textContent).toContain('B-1');
  expect(report.textContent).toContain('not known');
  expect(shows('product-discard')).toBe(true);
  expect(fake.called('draft_drop')).toEqual([]);
});

describe('a new product', () => {
  it('that is known after all takes what is still empty from what is known', async () => {
    const fake = await startWindow('products', { product_last_known: () => null });
    await press('product-new');
    await fill('product-price', '88,000');
    await press('product-submit');
    await waitFor(async () => expect(noteOf(await byTestId('product-title'))).toBe('Required.'));
    await fill('product-category', 'Home');
    expect(noteOf(await byTestId('product-category'))).toBe('');
    fake.answer('product_last_known', () => sample.product);
    await fill('product-referenceId', sample.product.referenceId);
    await waitFor(async () => expect(await valueOf('product-title')).toContain('washing'));
    expect(noteOf(await byTestId('product-title'))).toBe('');
    expect(await valueOf('product-price')).toBe('88,000');
    expect(await valueOf('product-category')).toBe('Home');
    expect(await valueOf('product-imageUrl')).toBe(sample.product.imageUrl);
  });

  it('takes its reference from a scan, wherever the focus is in its form', async () => {
    const fake = await startWindow('products', { product_last_known: () => null });
    await press('product-new');
    expect((await byTestId('product-referenceId')).autofocus).toBe(true);
    await byTestId('product-submit').then((button) => button.focus());
    scan('4901234567894');
    await waitFor(async () => expect(await valueOf('product-referenceId')).toBe('4901234567894'));
    await byTestId('product-not-known');
    scan('https://a.invalid/1.png', await byTestId<HTMLInputElement>('product-imageUrl'));
    expect(await valueOf('product-imageUrl')).toBe('https://a.invalid/1.png');
    expect(await valueOf('product-referenceId')).toBe('4901234567894');
    expect(await valueOf('products-search')).toBe('');
    expect(fake.called('product_put')).toEqual([]);
  });

  it('takes the code that was scanned last into the box of its reference', async () => {
    await startWindow('products', { product_last_known: () => null });
    await press('product-new');
    const box = await byTestId<HTMLInputElement>('product-referenceId');
    for (const code of ['4901234567894', '4900000000017']) {
      scan(code, box);
      await waitFor(() => expect(box.value).toBe(code));
    }
  });

  it('begins empty after one whose scanned reference was known, and takes another scan', async () => {
    await startWindow('products', answers);
    await press('product-new');
    scan(sample.product.referenceId);
    await waitFor(async () => expect(await valueOf('product-title')).toContain('washing'));
    await typist.keyboard('{Escape}');
    await press('product-new');
    expect(await valueOf('product-title')).toBe('');
    scan('B-1-2');
    await waitFor(async () => expect(await valueOf('product-referenceId')).toBe('B-1-2'));
  });
});

describe('the form of a product', () => {
  /** A code that is not recognised as one of a scanner. */
  const unrecognised = (code: string) => typist.keyboard(`${code}{Enter}`);

  it('moves on with Enter, and is saved only by its button or its keys', async () => {
    const fake = await opened({
      product_put: () => ({ product: sample.product, echoDiffers: [] }),
    });
    const title = await byTestId<HTMLInputElement>('product-title');
    await typist.clear(await byTestId('product-category'));
    title.focus();
    await unrecognised('490');
    await focusIsAt('product-category');
    await typist.keyboard('Toy{Enter}');
    await focusIsAt('product-submit');
    await unrecognised('490');
    expect(fake.called('product_put')).toEqual([]);
    await typist.keyboard('{F12}');
    await waitFor(() => expect(fake.called('product_put')).toHaveLength(1));
    await byTestId('product-report');
    await typist.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(fake.called('product_put')).toHaveLength(2));
  });

  it('is saved by a key under the reference that stands in its box', async () => {
    const fake = await opened({ product_put: () => ({ product: other, echoDiffers: [] }) });
    fake.answer('product_last_known', () => other);
    const box = await byTestId('product-referenceId');
    await typist.clear(box);
    await typist.type(box, '\uff22-1{F12}');
    await byTestId('product-renewed');
    expect(await valueOf('product-title')).toBe('Sample camera');
    expect(fake.called('product_put')).toEqual([]);
    await typist.tab();
    expect(shows('product-renewed')).toBe(true);
    await typist.keyboard('{F12}');
    await waitFor(() =>
      expect(fake.called('product_put').map(({ draft }) => draft)).toEqual([
        expect.objectContaining({ referenceId: 'B-1', title: 'Sample camera' }),
      ]),
    );
  });

  it('is not saved by a key behind a question', async () => {
    const fake = await startWindow('products', answers);
    await open(0);
    await waitFor(async () => expect(await valueOf('product-title')).toContain('washing'));
    await fill('product-title', 'Half a thought');
    await products.edit('B-1');
    await byTestId('product-leave-yes');
    await typist.keyboard('{F12}');
    expect(fake.called('product_put')).toEqual([]);
    await press('product-leave-back');
  });
});

describe('a known product', () => {
  it('can be sent as it is: the service may have other values', async () => {
    const fake = await opened({
      product_put: () => ({ product: sample.product, echoDiffers: [] }),
    });
    const changes = await byTestId('product-changes');
    expect(changes.textContent).toContain('saving sends the same values again');
    await press('product-submit');
    await byTestId('product-report');
    const { referenceId, title } = sample.product;
    expect(fake.called('product_put')[0]).toMatchObject({ draft: { referenceId, title } });
    await fill('product-title', 'Another name');
    await waitFor(() => expect(changes.textContent).toContain('Changes: 1 field'));
  });

  it('whose other values changed while its form was open is saved only after a person saw them', async () => {
    const fake = await opened({
      product_put: () => ({ product: sample.product, echoDiffers: [] }),
    });
    await fill('product-title', 'Another name');
    fake.answer('product_last_known', () => ({ ...sample.product, price: 120_000 }));
    await press('product-submit');
    expect((await byTestId('product-renewed')).textContent).toContain('Listed price');
    expect(await valueOf('product-price')).toBe('120,000');
    expect(fake.called('product_put')).toEqual([]);
    await press('product-submit');
    await byTestId('product-report');
    expect(shows('product-renewed')).toBe(false);
    expect(fake.called('product_put').map(({ draft }) => draft)).toEqual([
      expect.objectContaining({ title: 'Another name', price: '120000' }),
    ]);
  });

  it('is not saved while it cannot be read whether it changed', async () => {
    const fake = await opened();
    await fill('product-title', 'Another name');
    fake.answer('product_last_known', refuses());
    await press('product-submit');
    await byTestId('error-notice');
    expect(fake.called('product_put')).toEqual([]);
  });

  it('that could not be saved again is not said to be saved, and its error is in view', async () => {
    const fake = await opened({
      product_put: () => ({ product: sample.product, echoDiffers: [] }),
    });
    await press('product-submit');
    await byTestId('product-report');
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
    fake.answer('product_put', refuses());
    await press('product-submit');
    await byTestId('error-notice');
    expect(shows('product-report')).toBe(false);
    await waitFor(() => expect(scrolled).toHaveBeenCalledWith({ block: 'end' }));
  });

  it('that nobody changed is left without a question', async () => {
    await opened();
    (await byTestId('product-drawer')).dispatchEvent(new Event('cancel', { cancelable: true }));
    await waitFor(() => expect(shows('product-submit')).toBe(false));
    expect(shows('leave-yes')).toBe(false);
  });

  it('does not change while it is sent', async () => {
    const [waits, answer] = held();
    const fake = await opened({ product_put: waits });
    const boxes = [...document.querySelectorAll<HTMLInputElement>('#product-form input')];
    await press('product-submit');
    await waitFor(() => expect(fake.called('product_put')).toHaveLength(1));
    expect(boxes.map(({ readOnly }) => readOnly)).toEqual(Array(5).fill(true));
    answer({ product: sample.product, echoDiffers: [] });
    await byTestId('product-report');
    expect(boxes.map(({ readOnly }) => readOnly)).toEqual(Array(5).fill(false));
  });

  it('that is answered after another one was restored is not shown as that one', async () => {
    const other = { ...sample.product, referenceId: 'B-1', title: 'Sample camera' };
    let found = (_: unknown) => {};
    const [waits, answer] = held();
    const fake = await opened({
      drafts: () => new Promise((done) => (found = done)),
      product_last_known: ({ reference }) => (reference === 'B-1' ? other : sample.product),
      product_put: waits,
    });
    await press('product-submit');
    await waitFor(() => expect(fake.called('product_put')).toHaveLength(1));
    await waitFor(() => expect(fake.called('drafts')).toHaveLength(1));
    const draft = { ...other, price: '500' };
    const text = JSON.stringify({ begunWith: 'B-1', draft, known: other });
    found([{ name: 'product/form', state: 'known', text, keptAt: sample.lead.enteredAt }]);
    await waitFor(async () => expect(await valueOf('product-title')).toBe('Sample camera'));
    answer({ product: sample.product, echoDiffers: [] });
    const save = await byTestId<HTMLButtonElement>('product-submit');
    await waitFor(() => expect(save.getAttribute('aria-busy')).not.toBe('true'));
    expect(shows('product-report')).toBe(false);
    const former = [...(await byTestId('product-changes')).querySelectorAll('del')];
    expect(former.map(({ textContent }) => textContent)).toEqual(['98,000']);
  });

  it('stays in its form while it is sent, although another one is opened', async () => {
    const [waits, answer] = held();
    const fake = await startWindow('products', { ...answers, product_put: waits });
    await open(0);
    await waitFor(async () => expect(await valueOf('product-title')).toContain('washing'));
    await fill('product-title', 'Another name');
    await press('product-submit');
    await waitFor(() => expect(fake.called('product_put')).toHaveLength(1));
    openPage('register');
    await byTestId('page-register');
    openPage('products', { productReference: 'B-1' });
    await waitFor(async () => expect(await valueOf('product-title')).toBe('Another name'));
    expect(shows('product-leave-yes')).toBe(false);
    answer({ product: { ...sample.product, title: 'Another name' }, echoDiffers: [] });
    await byTestId('product-report');
  });

  it('that is still sent for another profile keeps none of this one from being opened', async () => {
    const [waits] = held();
    const fake = await startWindow('products', { ...answers, product_put: waits });
    await open(0);
    await waitFor(async () => expect(await valueOf('product-title')).toContain('washing'));
    await press('product-submit');
    await waitFor(() => expect(fake.called('product_put')).toHaveLength(1));
    resetProfile();
    await products.edit('B-1');
    expect(await valueOf('product-title')).toBe('Sample camera');
  });

  it('stays open while it is sent, so that its outcome is seen', async () => {
    const [waits, answer] = held();
    const fake = await opened({ product_put: waits });
    await press('product-submit');
    await waitFor(() => expect(fake.called('product_put')).toHaveLength(1));
    (await byTestId('product-drawer')).dispatchEvent(new Event('cancel', { cancelable: true }));
    for (const way of ['product-close', 'product-plans']) {
      expect((await byTestId<HTMLButtonElement>(way)).disabled).toBe(true);
    }
    answer({ product: sample.product, echoDiffers: [] });
    await byTestId('product-report');
    await press('product-close');
    await waitFor(() => expect(shows('product-submit')).toBe(false));
  });
});
