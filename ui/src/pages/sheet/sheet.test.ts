// The sheet in the whole window, with keys as they come and a desk that answers with samples.
import { waitFor } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { byTestId, startWindow, stopWindow, type FakeDesk } from '../../testing/desk';
import { plans, REFERENCE } from '../../testing/samples';

const run = {
  id: '',
  kind: 'contracts',
  source: 'sheet',
  name: '',
  state: 'staged',
  rows: 0,
  checked: 0,
  pending: 0,
  entered: 0,
  alreadyEntered: 0,
  differing: 0,
  rejected: 0,
  unchecked: 0,
  batches: 0,
  sent: {
    waiting: 0,
    held: 0,
    unknown: 0,
    accepted: 0,
    confirmed: 0,
    needsPerson: 0,
    rejected: 0,
    cancelled: 0,
  },
  createdAt: '2026-11-21T10:00:00.000+09:00',
  createdBy: 'clerk',
  waitingFor: null,
};

const sale = (number: number) =>
  [REFERENCE, '98000', 'plan-2', '3980', `T-${number}`, '101980', '', '見本 太郎', 'a@b.jp'].join(
    '\t',
  );

let box: HTMLTextAreaElement;

const cell = (row: number, column: number) =>
  document.querySelector(`[data-row="${row}"][data-column="${column}"]`);
const textAt = (row: number, column: number) => cell(row, column)?.textContent?.trim();
const cursor = () => box.getAttribute('aria-activedescendant')?.split('-').slice(-2).map(Number);

function key(name: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent('keydown', {
    key: name,
    bubbles: true,
    cancelable: true,
    ...more,
  });
  box.dispatchEvent(event);
  return event;
}

function put(text: string): void {
  box.value = text;
  box.dispatchEvent(new Event('input', { bubbles: true }));
}

async function type(text: string, end = 'Tab'): Promise<void> {
  put(text);
  key(end);
  await waitFor(() => expect(box.value).toBe(''));
}

function paste(text: string): void {
  const event = new Event('paste', { bubbles: true, cancelable: true });
  Object.assign(event, { clipboardData: { getData: () => text } });
  box.dispatchEvent(event);
}

async function start(otherwise: Parameters<typeof startWindow>[1] = {}): Promise<FakeDesk> {
  const desk = await startWindow('sheet', otherwise);
  box = await byTestId<HTMLTextAreaElement>('grid-box');
  await waitFor(() => expect(cell(0, 0)).not.toBeNull());
  await waitFor(() => expect(desk.called('drafts')).not.toHaveLength(0));
  return desk;
}

beforeEach(() => {
  // A window with room for rows: the test's document has no layout of its own.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1000);
});
afterEach(stopWindow);

describe('one sale by keyboard', () => {
  it('leaves with Tab after Escape only while nothing is typed in between', async () => {
    await start();
    key('Escape');
    put('typed');
    expect(key('Tab').defaultPrevented).toBe(true);
    await waitFor(() => expect(cursor()).toEqual([0, 1]));
  });

  it('brings price and fee with product and plan', async () => {
    await start();
    await type(REFERENCE);
    await waitFor(() => expect(textAt(0, 1)).toBe('98,000'));
    key('Tab');
    await type('２');
    expect(textAt(0, 2)).toBe(plans[1]!.title);
    expect(textAt(0, 3)).toBe('3,980');
    expect(cursor()).toEqual([0, 3]);
  });

  it('goes on with Enter where the row began', async () => {
    await start();
    await type(REFERENCE);
    await type('98000', 'Enter');
    expect(cursor()).toEqual([1, 0]);
  });

  it('empties price, plan and fee when the product of a row becomes another one', async () => {
    await start();
    paste(sale(1));
    key('Home');
    await type('another', 'Enter');
    expect(textAt(0, 2)).toBe('');
    expect(textAt(0, 3)).toBe('');
    key('z', { ctrlKey: true });
    await waitFor(() => expect(textAt(0, 3)).toBe('3,980'));
    expect(textAt(0, 0)).toBe(REFERENCE);
  });
});

describe('Japanese input', () => {
  function tell(name: string, data: string): void {
    const event = new CompositionEvent(name, { bubbles: true });
    Object.defineProperty(event, 'data', { value: data });
    box.dispatchEvent(event);
  }

  function compose(text: string): void {
    key('Process', { keyCode: 229 } as KeyboardEventInit);
    tell('compositionstart', '');
    put(text);
  }
  const end = () => tell('compositionend', box.value);

  it('loses no first key, and the Enter that confirms does not move', async () => {
    await start();
    compose('山田');
    key('Enter', { isComposing: true, keyCode: 229 } as KeyboardEventInit);
    end();
    key('Enter', { keyCode: 229 } as KeyboardEventInit);
    expect(cursor()).toEqual([0, 0]);
    expect(box.value).toBe('山田');
    key('Enter');
    await waitFor(() => expect(textAt(0, 0)).toBe('山田'));
    expect(cursor()).toEqual([1, 0]);
  });

  it('given up leaves the cell as it was', async () => {
    await start();
    await type('kept', 'Enter');
    key('ArrowUp');
    compose('や');
    put('');
    end();
    key('Escape', { keyCode: 229 } as KeyboardEventInit);
    key('Enter');
    await waitFor(() => expect(cursor()).toEqual([1, 0]));
    expect(textAt(0, 0)).toBe('kept');
  });
});

describe('a scan', () => {
  it('fills the cell, goes on, and hands nothing in', async () => {
    const desk = await start();
    let at = 10_000;
    const stroke = (name: string) => {
      const event = new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true });
      Object.defineProperty(event, 'timeStamp', { value: (at += 5) });
      box.dispatchEvent(event);
      if (name.length === 1 && !event.defaultPrevented) put(box.value + name);
    };
    for (const name of [...REFERENCE, 'Enter']) stroke(name);
    await waitFor(() => expect(textAt(0, 0)).toBe(REFERENCE));
    expect(cursor()).toEqual([0, 2]);
    expect(document.querySelector('dialog[open]')).toBeNull();
    expect(desk.called('sheet_stage')).toEqual([]);
  });
});

describe('a paste', () => {
  it('knows a row of column names, and names the column it leaves out', async () => {
    await start();
    paste('Transaction ID\tお客様名\tmemo\r\nT-9\t見本\tx\r\n');
    await waitFor(() => expect(textAt(0, 4)).toBe('T-9'));
    expect(textAt(0, 7)).toBe('見本');
    expect(textAt(1, 4)).toBe('');
    expect((await byTestId('sheet-left-out')).textContent).toContain('memo');
  });

  it('beyond what a sheet holds is refused whole', async () => {
    await start();
    paste(Array.from({ length: 100_001 }, (_, at) => `${at}`).join('\n'));
    expect((await byTestId('sheet-refusal')).textContent).toContain('100,000');
    expect(textAt(0, 0)).toBe('');
  });

  it('is looked at by the desk, and what is wrong stands at its cell', async () => {
    await start({
      contracts_check_rows: () => [
        {
          index: 1,
          check: {
            problems: [{ field: 'customerEmail', problem: 'notEmail' }],
            questions: [],
            warnings: [],
          },
        },
      ],
    });
    paste([sale(1), sale(2)].join('\r\n'));
    await waitFor(() => expect(cell(1, 8)?.getAttribute('aria-invalid')).toBe('true'));
    expect(document.querySelector('[data-testid="sheet-ready"]')?.textContent).toBe('1 row ready');
    key('F8');
    await waitFor(() => expect(cursor()).toEqual([1, 8]));
    expect((await byTestId('grid-note')).textContent).toBe('This is not an e-mail address.');
  });
});

describe('handing in', () => {
  const order = (desk: FakeDesk) =>
    desk.calls
      .map(({ command }) => command)
      .filter((name) => ['sheet_stage', 'draft_keep', 'run_start'].includes(name));

  async function handIn(otherwise: Parameters<typeof startWindow>[1] = {}): Promise<FakeDesk> {
    let id = '';
    const desk = await start({
      sheet_stage: (args) => ({ ...run, id: (id = args.id as string), rows: 2 }),
      run_start: () => ({ ...run, id, rows: 2, state: 'running' }),
      run_rows: () => [],
      ...otherwise,
    });
    paste([sale(1), sale(2)].join('\r\n'));
    const button = await byTestId<HTMLButtonElement>('sheet-register');
    await waitFor(() => expect(button.disabled).toBe(false));
    await waitFor(() => expect(desk.called('draft_keep').length).toBeGreaterThan(1));
    desk.calls.length = 0;
    key('Enter', { ctrlKey: true });
    (await byTestId('hand-yes')).click();
    await waitFor(() => expect(desk.called('run_start')).toHaveLength(1));
    return desk;
  }

  it('keeps the rows, notes them in the sheet, and only then starts', async () => {
    const desk = await handIn();
    expect(order(desk)[0]).toBe('sheet_stage');
    expect(order(desk).at(-1)).toBe('run_start');
    expect(order(desk)).toContain('draft_keep');
    const staged = desk.called('sheet_stage')[0] as { id: string; rows: unknown[] };
    expect(staged.rows).toHaveLength(2);
    const noted = desk.called('draft_keep').map(({ text }) => text as string);
    expect(noted.some((text) => text.includes(staged.id))).toBe(true);
  });

  it('leaves rows that can no longer be changed', async () => {
    await handIn();
    key('Home', { ctrlKey: true });
    put('x');
    await waitFor(() => expect(box.value).toBe(''));
    paste('overwritten');
    key('Delete');
    expect(textAt(0, 0)).toBe(REFERENCE);
    expect(await byTestId('sheet-refusal')).toBeTruthy();
    expect(cell(0, 0)?.getAttribute('aria-readonly')).toBe('true');
  });

  it('gives rows back that the service would not take, with the reason at the cell', async () => {
    const rejected = {
      number: 2,
      line: 2,
      outcome: 'rejected',
      problems: [{ field: 'planId', problem: 'unknownPlan' }],
      questions: [],
      differs: [],
      failure: null,
      submission: null,
    };
    const desk = await handIn({ run_rows: (args) => (args.only === 'rejected' ? [rejected] : []) });
    const { id } = desk.called('sheet_stage')[0] as { id: string };
    await desk.tell({
      kind: 'runProgressed',
      run: { ...run, id, rows: 2, rejected: 1, state: 'done' },
    } as never);
    await waitFor(() => expect(cell(1, 2)?.getAttribute('aria-invalid')).toBe('true'));
    expect(cell(1, 2)?.getAttribute('aria-readonly')).toBeNull();
    expect(cell(0, 2)?.getAttribute('aria-readonly')).toBe('true');
  });

  it('that cannot be started leaves the rows as they were', async () => {
    const desk = await handIn({
      run_start: () => Promise.reject('closed'),
      run: (args) => ({ ...run, id: args.id as string }),
      run_forget: () => null,
    });
    await waitFor(() => expect(desk.called('run_forget')).toHaveLength(1));
    await waitFor(() => expect(cell(0, 0)?.getAttribute('aria-readonly')).toBeNull());
  });

  it('asked for twice at once hands in once', async () => {
    let go = () => {};
    const waiting = new Promise<void>((resolve) => (go = resolve));
    const desk = await start({
      sheet_stage: (args) => waiting.then(() => ({ ...run, id: args.id, rows: 1 })),
      run_start: (args) => ({ ...run, id: args.id, rows: 1, state: 'running' }),
    });
    paste(sale(1));
    const button = await byTestId<HTMLButtonElement>('sheet-register');
    await waitFor(() => expect(button.disabled).toBe(false));
    key('F12');
    (await byTestId('hand-yes')).click();
    await waitFor(() => expect(desk.called('sheet_stage')).toHaveLength(1));
    key('F12');
    await tick();
    expect(document.querySelector('[data-testid="hand-yes"]')).toBeNull();
    go();
    await waitFor(() => expect(desk.called('run_start')).toHaveLength(1));
    expect(desk.called('sheet_stage')).toHaveLength(1);
    expect(cell(0, 0)?.getAttribute('aria-readonly')).toBe('true');
  });

  it('keeps the rows of a run that goes on although nobody said that it started', async () => {
    const desk = await handIn({
      run_start: () => Promise.reject('closed'),
      run: (args) => ({ ...run, id: args.id as string, rows: 2, state: 'running' }),
    });
    await waitFor(() => expect(desk.called('run')).toHaveLength(1));
    await byTestId('sheet-pause');
    expect(desk.called('run_forget')).toEqual([]);
    expect(cell(0, 0)?.getAttribute('aria-readonly')).toBe('true');
  });

  it('keeps the rows of a run that could not be forgotten', async () => {
    const desk = await handIn({
      run_start: () => Promise.reject('closed'),
      run: (args) => ({ ...run, id: args.id as string, rows: 2 }),
      run_forget: () => Promise.reject('closed'),
    });
    await waitFor(() => expect(desk.called('run_forget')).toHaveLength(1));
    await byTestId('sheet-run');
    expect(cell(0, 0)?.getAttribute('aria-readonly')).toBe('true');
  });

  it('starts nothing whose note in the sheet is not kept', async () => {
    const desk = await start({
      sheet_stage: (args) => ({ ...run, id: args.id, rows: 1 }),
      run: (args) => ({ ...run, id: args.id as string }),
      run_forget: () => null,
    });
    paste(sale(1));
    const button = await byTestId<HTMLButtonElement>('sheet-register');
    await waitFor(() => expect(button.disabled).toBe(false));
    desk.answer('draft_keep', () => 'nowhere');
    key('F12');
    (await byTestId('hand-yes')).click();
    await waitFor(() => expect(desk.called('run_forget')).toHaveLength(1));
    await waitFor(() => expect(cell(0, 0)?.getAttribute('aria-readonly')).toBeNull());
    expect(desk.called('run_start')).toEqual([]);
  });

  it('gives back what a stop called off, and never clears it away as finished', async () => {
    const calledOff = {
      number: 2,
      line: 2,
      outcome: 'entered',
      problems: [],
      questions: [],
      differs: [],
      failure: null,
      submission: { state: 'cancelled' },
    };
    const sent = { number: 1, submission: { state: 'unknown' } };
    const desk = await handIn({
      run_rows: (args) => (args.only === null ? [{ ...calledOff, ...sent }, calledOff] : []),
    });
    const { id } = desk.called('sheet_stage')[0] as { id: string };
    await desk.tell({
      kind: 'runProgressed',
      run: { ...run, id, rows: 2, entered: 2, state: 'cancelled' },
    } as never);
    await waitFor(() => expect(cell(1, 0)?.getAttribute('aria-readonly')).toBeNull());
    expect(cell(0, 0)?.getAttribute('aria-readonly')).toBe('true');
    (await byTestId('sheet-clear')).click();
    await tick();
    expect(textAt(1, 4)).toBe('T-2');
  });

  it('takes F12 for a yes, and no Enter', async () => {
    const desk = await start({ sheet_stage: () => Promise.reject('closed') });
    paste(sale(1));
    const button = await byTestId<HTMLButtonElement>('sheet-register');
    await waitFor(() => expect(button.disabled).toBe(false));
    key('F12');
    const back = await byTestId<HTMLButtonElement>('hand-back');
    // The browser gives the focus to it when the question opens.
    expect(back.autofocus).toBe(true);
    expect(desk.called('sheet_stage')).toEqual([]);
    const yes = { key: 'F12', bubbles: true, cancelable: true };
    back.dispatchEvent(new KeyboardEvent('keydown', { ...yes, repeat: true }));
    await tick();
    expect(desk.called('sheet_stage')).toEqual([]);
    back.dispatchEvent(new KeyboardEvent('keydown', yes));
    await waitFor(() => expect(desk.called('sheet_stage')).toHaveLength(1));
    // Not handed in: the row is a row like any other.
    await waitFor(() => expect(cell(0, 0)?.getAttribute('aria-readonly')).toBeNull());
  });
});

describe('the sheet as it is kept', () => {
  it('comes back with what was handed in', async () => {
    const known = (name: string, value: unknown) => ({
      name,
      state: 'known',
      text: JSON.stringify(value),
      keptAt: run.createdAt,
    });
    await start({
      drafts: () => [
        known('sheet/head', ['sheet/4']),
        known('sheet/3', [[['older']]]),
        known('sheet/4', [
          [[REFERENCE, '98000'], [], null],
          [['handed in'], [], ['run-1', 1]],
        ]),
      ],
      run: () => ({ ...run, id: 'run-1', state: 'running' }),
      run_rows: () => [],
    });
    await waitFor(() => expect(textAt(1, 0)).toBe('handed in'));
    expect(textAt(0, 0)).toBe(REFERENCE);
    expect(cell(1, 0)?.getAttribute('aria-readonly')).toBe('true');
    expect(cell(0, 0)?.getAttribute('aria-readonly')).toBeNull();
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
    expect(document.body.textContent).toContain('cannot be read now');
    expect(desk.called('draft_keep')).toEqual([]);
    expect(desk.called('draft_drop')).toEqual([]);
  });
});
