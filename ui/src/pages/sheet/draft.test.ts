// The stored draft of the sheet: what is read back, and what is written when it changes.
import { waitFor } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { byTestId, held, press, shows } from '../../testing/desk';
import { noDraft, practice, REFERENCE } from '../../testing/samples';
import { box, cell, key, paste, put, run, start, textAt, type } from '../../testing/sheet';
import { sheet } from './sheet.svelte';

/** The codes of the rows of all blocks in the head, in order. */
function inOrder(kept: ReadonlyMap<string, string>): string[] {
  const names = JSON.parse(kept.get('sheet/head') ?? '[]') as string[];
  return names.flatMap((name) =>
    (JSON.parse(kept.get(name) ?? '[]') as [string[]][]).map(([cells]) => cells[0] ?? ''),
  );
}

describe('the sheet as it is kept', () => {
  it('comes back with what was submitted, and is not written again for that', async () => {
    const known = (name: string, value: unknown) => ({
      name,
      state: 'known',
      text: JSON.stringify(value),
      keptAt: run.createdAt,
    });
    const desk = await start({
      drafts: () => [
        known('sheet/head', ['sheet/4']),
        known('sheet/3', [[['older']]]),
        known('sheet/4', [
          [[REFERENCE, '98000'], [], null],
          [['submitted'], [], ['run-1', 1]],
        ]),
      ],
      run: () => ({ ...run, id: 'run-1', state: 'running' }),
      run_rows: () => [],
    });
    await waitFor(() => expect(textAt(1, 0)).toBe('submitted'));
    expect(textAt(0, 0)).toBe(REFERENCE);
    expect(cell(1, 0)?.getAttribute('aria-readonly')).toBe('true');
    expect(cell(0, 0)?.getAttribute('aria-readonly')).toBeNull();
    // Of every other run the desk need count nothing.
    await waitFor(() =>
      expect(desk.called('sheet_follows')).toMatchObject([{ runs: [{ id: 'run-1' }] }]),
    );
    await waitFor(() => expect(sheet.stored.settled).toBe(true));
    expect(desk.called('draft_keep')).toEqual([]);
  });

  it('takes no rows while it is being opened that it could not keep afterwards', async () => {
    const [waits, answer] = held();
    await start({ drafts: waits });
    const adding = sheet.add(practice.id, [{ ...noDraft, transactionId: 'T-1' }]);
    answer([{ name: 'sheet/head', state: 'lost', text: null, keptAt: run.createdAt }]);
    await adding;
    expect(sheet.grid.cells.length).toBe(0);
    await byTestId('sheet-discard');
  });

  it('is deleted without having been read only after a second yes', async () => {
    const desk = await start({
      drafts: () => [{ name: 'sheet/head', state: 'lost', text: null, keptAt: run.createdAt }],
    });
    await press('sheet-discard');
    await byTestId('sheet-discard-question');
    expect(desk.called('draft_drop')).toEqual([]);
    desk.answer('drafts', () => []);
    await press('sheet-discard-question-yes');
    await waitFor(() => expect(shows('sheet-discard')).toBe(false));
    expect(desk.called('draft_drop')).toHaveLength(1);
  });

  it('writes only the block of rows that changed, then the head that names it', async () => {
    const desk = await start();
    paste(Array.from({ length: 450 }, (_, at) => `code-${at}`).join('\n'));
    await waitFor(() => expect(desk.called('draft_keep').at(-1)?.name).toBe('sheet/head'));
    await waitFor(() => expect(desk.called('draft_keep')).toHaveLength(4));
    desk.calls.length = 0;
    key('Home', { ctrlKey: true });
    key('End');
    await type('changed', 'Enter');
    await waitFor(() => expect(desk.called('draft_drop')).toHaveLength(1));
    const names = desk.called('draft_keep').map(({ name }) => name);
    expect(names).toHaveLength(2);
    expect(names[1]).toBe('sheet/head');
  });

  it('with rows put in at the top writes one block of many, and comes back in its order', async () => {
    const kept = new Map<string, string>();
    const desk = await start({
      draft_keep: ({ name, text }) => (kept.set(name as string, text as string), 'file'),
      draft_drop: ({ name }) => (kept.delete(name as string), null),
    });
    const codes = Array.from({ length: 2_000 }, (_, at) => `code-${at}`);
    paste(codes.join('\n'));
    await waitFor(() => expect(kept.has('sheet/head')).toBe(true));
    desk.calls.length = 0;
    key('Home', { ctrlKey: true });
    key('+', { ctrlKey: true });
    await type('new', 'Enter');
    await waitFor(() => expect(kept.get('sheet/head')).not.toContain('sheet/1"'));
    await waitFor(() => expect(desk.called('draft_drop')).not.toEqual([]));
    const blocks = desk.called('draft_keep').filter(({ name }) => name !== 'sheet/head');
    expect(blocks.length).toBeLessThan(4);
    expect(inOrder(kept)).toEqual(['new', ...codes]);
  });

  it.each([1, 701])('loses and doubles no row when %i in the middle go', async (count) => {
    const kept = new Map<string, string>();
    await start({
      draft_keep: ({ name, text }) => (kept.set(name as string, text as string), 'file'),
      draft_drop: ({ name }) => (kept.delete(name as string), null),
    });
    const codes = Array.from({ length: 1_000 }, (_, at) => `code-${at}`);
    paste(codes.join('\n'));
    await waitFor(() => expect(kept.has('sheet/head')).toBe(true));
    key('Home', { ctrlKey: true });
    for (let step = 0; step < 150; step += 1) key('ArrowDown');
    for (let step = 1; step < count; step += 1) key('ArrowDown', { shiftKey: true });
    key('-', { ctrlKey: true });
    await waitFor(() => expect(inOrder(kept)).toEqual(codes.toSpliced(150, count)));
  });

  it('writes again what could not be written, whatever happened meanwhile', async () => {
    const kept = new Map<string, string>();
    let full = true;
    await start({
      draft_keep: ({ name, text }) => {
        if (full) throw 'full';
        kept.set(name as string, text as string);
        return 'file';
      },
    });
    paste(Array.from({ length: 500 }, (_, at) => `code-${at}`).join('\n'));
    await waitFor(() => expect(document.body.textContent).toContain('This sheet is not saved'));
    full = false;
    key('Home', { ctrlKey: true });
    key('+', { ctrlKey: true });
    await type('new', 'Enter');
    await waitFor(() => expect(inOrder(kept)).toHaveLength(501));
    expect(document.body.textContent).not.toContain('This sheet is not saved');
  });

  it('that could not be read is asked for again, and not overwritten before', async () => {
    const desk = await start({ drafts: () => Promise.reject('closed') });
    await type('new', 'Enter');
    const again = await byTestId('sheet-read-again');
    expect(desk.called('draft_keep')).toEqual([]);
    desk.answer('drafts', () => [
      { name: 'sheet/head', state: 'known', text: '["sheet/1"]', keptAt: run.createdAt },
      { name: 'sheet/1', state: 'known', text: '[[["old"],[],null]]', keptAt: run.createdAt },
    ]);
    put('more');
    again.click();
    await waitFor(() => expect(textAt(0, 0)).toBe('old'));
    expect(textAt(1, 0)).toBe('new');
    expect(box.value).toBe('more');
    key('Enter');
    await waitFor(() => expect(textAt(2, 0)).toBe('more'));
    await waitFor(() => expect(desk.called('draft_keep')).not.toEqual([]));
  });

  it('overwrites nothing that it cannot read', async () => {
    const desk = await start({
      drafts: () => [{ name: 'sheet/head', state: 'locked', text: null, keptAt: run.createdAt }],
    });
    await type('new', 'Enter');
    expect(document.body.textContent).toContain('cannot be read right now');
    expect(desk.called('draft_keep')).toEqual([]);
    expect(desk.called('draft_drop')).toEqual([]);
  });
});
