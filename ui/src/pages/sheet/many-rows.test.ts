// The cost of many rows: a key or a page renders only what is in view.
import { waitFor } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import { groupDigits } from '../../format/amounts';
import { byTestId } from '../../testing/desk';
import { cell, cursor, key, paste, put, sale, start, textAt } from '../../testing/sheet';
import { sheet } from './sheet.svelte';

const ROWS = 2_000;

const rows = () => [...document.querySelectorAll<HTMLElement>('[data-testid="grid-row"]')];
const numbers = () => rows().map((row) => Number(row.getAttribute('aria-rowindex')));

/** What an action changes in the document: the rows it touches, and the number of writes. */
async function written(deed: () => void): Promise<{ rows: Set<string>; writes: number }> {
  const grid = await byTestId('grid');
  const touched = new Set<string>();
  let writes = 0;
  const watching = new MutationObserver((records) => note(records));
  const note = (records: MutationRecord[]) => {
    for (const { target } of records) {
      const element = target instanceof Element ? target : target.parentElement;
      const row = element?.closest('[data-testid="grid-row"]');
      if (row) touched.add(row.getAttribute('aria-rowindex') ?? '');
      writes += 1;
    }
  };
  watching.observe(grid, {
    subtree: true,
    childList: true,
    attributes: true,
    characterData: true,
  });
  deed();
  await tick();
  note(watching.takeRecords());
  watching.disconnect();
  return { rows: touched, writes };
}

async function startWithMany(): Promise<void> {
  await start();
  paste(Array.from({ length: ROWS }, (_, at) => sale(at)).join('\n'));
  const ready = await byTestId('sheet-ready');
  await waitFor(() => expect(ready.textContent).toBe(`${groupDigits(ROWS)} rows ready`));
  key('Home', { ctrlKey: true });
  await tick();
}
describe('of many rows', () => {
  it('a step of the cursor writes two and looks at no other', async () => {
    await startWithMany();
    const [notes, marks] = [vi.spyOn(sheet.findings, 'note'), vi.spyOn(sheet.findings, 'standing')];
    const { rows, writes } = await written(() => key('ArrowDown'));
    expect(cursor()).toEqual([1, 0]);
    expect([...rows].sort()).toEqual(['2', '3']);
    expect(writes).toBeLessThan(20);
    expect(notes.mock.calls.length + marks.mock.calls.length).toBeLessThan(10);
  });

  it('the end of a growing selection is in sight, and the cursor with the first key typed', async () => {
    await startWithMany();
    for (let page = 0; page < 5; page += 1) key('PageDown', { shiftKey: true });
    await tick();
    expect(cell(0, 0)).toBeNull();
    const end = document.querySelectorAll('[data-testid="grid-row"] .chosen');
    expect(end.length).toBeGreaterThan(0);
    expect((await byTestId('grid-selected')).textContent).toMatch(/^\d+ × 1 cells selected$/);
    put('given up');
    await tick();
    expect(cell(0, 0)).not.toBeNull();
    key('Escape');
    await tick();
    expect(cell(0, 0)).not.toBeNull();
    put('typed');
    key('Enter');
    await tick();
    expect(textAt(0, 0)).toBe('typed');
    expect(cursor()).toEqual([1, 0]);
  });

  it('a changed cell has those in view looked at, and one written', async () => {
    await startWithMany();
    const notes = vi.spyOn(sheet.findings, 'note');
    put('changed');
    const { rows } = await written(() => key('Enter'));
    expect(textAt(0, 0)).toBe('changed');
    expect([...rows].sort()).toEqual(['2', '3']);
    expect(notes.mock.calls.length).toBeLessThan(1_000);
  });

  it('a page is shown with its key, by the elements that showed the one before', async () => {
    await startWithMany();
    key('PageDown');
    key('PageDown');
    await tick();
    const before = new Set(rows());
    key('PageDown');
    await tick();
    const [row, column] = cursor()!;
    expect(textAt(row!, 4)).toBe(`T-${row}`);
    expect(cell(row!, column!)?.id).not.toBe('');
    expect(rows().filter((element) => !before.has(element))).toEqual([]);
    expect(numbers()).toEqual(numbers().toSorted((one, other) => one - other));
  });

  it('those painted are as many at the begin, in the middle and at the end', async () => {
    await startWithMany();
    const counts = [rows().length];
    for (const [name, more] of [
      ['PageDown', {}],
      ['End', { ctrlKey: true }],
    ] as const) {
      key(name, more);
      await tick();
      counts.push(rows().length);
    }
    expect(new Set(counts).size).toBe(1);
    expect(counts[0]).toBeLessThan(60);
    expect(textAt(ROWS - 1, 4)).toBe(`T-${ROWS - 1}`);
  });
});
