import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { digitOf, PAGES } from '../navigation/route.svelte';
import { PAGE_LETTERS, listenForShortcuts } from './shortcuts';

const actions = {
  open: vi.fn(),
  toggleSheet: vi.fn(),
  togglePalette: vi.fn(),
  find: vi.fn(() => true),
  back: vi.fn(),
};
let stop = () => {};

beforeEach(() => {
  document.body.innerHTML = '<input id="box" /><button id="button">b</button>';
  stop = listenForShortcuts(window, actions);
});
afterEach(() => {
  stop();
  vi.clearAllMocks();
});

function press(init: KeyboardEventInit, on = '#button'): void {
  document
    .querySelector(on)!
    .dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }));
}

describe('the shortcuts of the window', () => {
  it('open a page by its number, even from a text box', () => {
    const number = String(PAGES.indexOf('products') + 1);
    press({ key: number, code: `Digit${number}`, altKey: true }, '#box');
    expect(actions.open).toHaveBeenCalledExactlyOnceWith('products');
  });

  it('have a digit of its own for every page, 0 for the tenth', () => {
    expect(new Set(PAGES.map(digitOf)).size).toBe(PAGES.length);
    press({ key: '0', code: 'Digit0', altKey: true });
    expect(actions.open).toHaveBeenCalledExactlyOnceWith(PAGES[9]);
  });

  it('open a page by g and its letter', () => {
    press({ key: 'g', code: 'KeyG' });
    press({ key: 'o', code: 'KeyO' });
    expect(actions.open).toHaveBeenCalledExactlyOnceWith('outbox');
  });

  it('move to the search box by / and Ctrl+F, and back by Alt+Left', () => {
    press({ key: '/', code: 'Slash' });
    press({ key: 'f', code: 'KeyF', ctrlKey: true }, '#box');
    expect(actions.find).toHaveBeenCalledTimes(2);
    press({ key: '/', code: 'Slash' }, '#box');
    expect(actions.find).toHaveBeenCalledTimes(2);
    press({ key: 'ArrowLeft', altKey: true });
    expect(actions.back).toHaveBeenCalledOnce();
  });

  it('leave typed text alone', () => {
    press({ key: 'g', code: 'KeyG' }, '#box');
    press({ key: 'o', code: 'KeyO' }, '#box');
    press({ key: '?', code: 'Slash' }, '#box');
    expect(actions.open).not.toHaveBeenCalled();
    expect(actions.toggleSheet).not.toHaveBeenCalled();
  });

  it('do nothing behind an open question', () => {
    document.body.append(document.createElement('dialog'));
    document.querySelector('dialog')!.setAttribute('open', '');
    press({ key: '3', code: 'Digit3', altKey: true });
    expect(actions.open).not.toHaveBeenCalled();
  });

  it('have a letter of its own for every page', () => {
    const letters = Object.values(PAGE_LETTERS);
    expect(new Set(letters).size).toBe(letters.length);
  });
});
