// Scanning in the sheet: the code goes where a person wants it, and nothing typed is lost.
import { waitFor } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import type { SheetPart } from '../../ipc';
import { byTestId, press } from '../../testing/desk';
import { REFERENCE } from '../../testing/samples';
import { scan } from '../../testing/scanner';
import {
  box,
  cursor,
  key,
  paste,
  pasteSales,
  put,
  runs,
  sale,
  start,
  textAt,
  type,
} from '../../testing/sheet';

const CODE = '4901234567894';

describe('a scan', () => {
  it('fills the cell, goes on, and hands nothing in', async () => {
    const desk = await start();
    scan(REFERENCE);
    await waitFor(() => expect(textAt(0, 0)).toBe(REFERENCE));
    expect(cursor()).toEqual([0, 2]);
    expect(document.querySelector('dialog[open]')).toBeNull();
    expect(desk.called('sheet_stage')).toEqual([]);
  });

  it('goes to the caret of a code that is being typed', async () => {
    await start();
    key('End');
    for (let step = 0; step < 4; step += 1) key('ArrowLeft');
    put('POS-');
    scan(CODE);
    await waitFor(() => expect(textAt(0, 4)).toBe(`POS-${CODE}`));
    expect(cursor()).toEqual([0, 5]);
  });

  it('into several cells that are selected fills the first and goes on, never round', async () => {
    await start();
    key('ArrowRight', { shiftKey: true });
    scan(CODE);
    await waitFor(() => expect(textAt(0, 0)).toBe(CODE));
    expect(cursor()).toEqual([0, 2]);
    scan('2000000000022');
    expect(textAt(0, 0)).toBe(CODE);
  });

  it('over a name that is being typed keeps the name, and goes to the product', async () => {
    await start();
    key('End');
    key('ArrowLeft');
    put('山田 花子');
    scan(CODE);
    await waitFor(() => expect(textAt(0, 0)).toBe(CODE));
    expect(textAt(0, 7)).toBe('山田 花子');
    expect(cursor()).toEqual([0, 2]);
  });

  it('on a cell of no code changes nothing there: the row has its codes, so a sale begins', async () => {
    await start();
    paste([sale(1), sale(2)].join('\n'));
    await waitFor(() => expect(textAt(1, 4)).toBe('T-2'));
    key('Home', { ctrlKey: true });
    key('End');
    scan(CODE);
    await waitFor(() => expect(textAt(2, 0)).toBe(CODE));
    expect(textAt(0, 8)).toBe('a@b.jp');
    expect(textAt(0, 0)).toBe(REFERENCE);
  });

  it('is the transaction of a row that has its product and no transaction yet', async () => {
    await start();
    await type(REFERENCE);
    scan('TR-2026-0001');
    await waitFor(() => expect(textAt(0, 4)).toBe('TR-2026-0001'));
    expect(textAt(0, 0)).toBe(REFERENCE);
  });

  it('while rows are to be confirmed goes to the next sale, once they are submitted', async () => {
    const desk = await start(runs);
    await pasteSales(1);
    await waitFor(() => expect(desk.called('draft_keep').length).toBeGreaterThan(1));
    key('F12');
    (await byTestId('submit-back')).focus();
    scan(CODE);
    await press('submit-yes');
    await waitFor(() => expect(textAt(1, 0)).toBe(CODE));
    expect(textAt(0, 0)).toBe(REFERENCE);
    await waitFor(() => expect(desk.called('run_start')).toHaveLength(1));
    const [staged] = desk.called('sheet_stage') as { part: SheetPart }[];
    expect(staged!.part.rows.map(({ draft }) => draft.productReferenceId)).toEqual([REFERENCE]);
  });

  it('while rows are to be confirmed replaces no code of theirs, though they are not submitted', async () => {
    await start();
    paste(sale(1));
    const button = await byTestId<HTMLButtonElement>('sheet-register');
    await waitFor(() => expect(button.disabled).toBe(false));
    key('Home', { ctrlKey: true });
    button.click();
    (await byTestId('submit-back')).focus();
    scan(CODE);
    await press('submit-back');
    await waitFor(() => expect(textAt(1, 0)).toBe(CODE));
    expect(textAt(0, 0)).toBe(REFERENCE);
  });

  it('in the box for finding is what is looked for', async () => {
    await start();
    paste(['first', CODE].join('\n'));
    await waitFor(() => expect(textAt(1, 0)).toBe(CODE));
    key('Home', { ctrlKey: true });
    key('f', { ctrlKey: true });
    const find = await byTestId<HTMLInputElement>('sheet-find');
    find.focus();
    scan(CODE, find);
    await waitFor(() => expect(cursor()).toEqual([1, 0]));
    expect(find.value).toBe(CODE);
    expect(textAt(0, 0)).toBe('first');
    expect(box.value).toBe('');
  });
});
