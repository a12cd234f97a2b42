import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { guardReload } from './reload-guard';

let stop = () => {};

beforeEach(() => {
  document.body.innerHTML = '<input id="box" /><p id="text">text</p>';
  stop = guardReload(window);
});
afterEach(() => stop());

/** Whether the menu opens there. */
function opens(on: string): boolean {
  const event = new MouseEvent('contextmenu', { bubbles: true, cancelable: true });
  return document.querySelector(on)!.dispatchEvent(event);
}

describe('the menu of the web view', () => {
  it('opens in a text box, and not on the page', () => {
    expect(opens('#box')).toBe(true);
    expect(opens('#text')).toBe(false);
  });

  it('opens on selected text, to copy it', () => {
    window.getSelection()!.selectAllChildren(document.querySelector('#text')!);
    expect(opens('#text')).toBe(true);
  });
});

describe('the keys that reload a page', () => {
  const does = (init: KeyboardEventInit) =>
    document
      .querySelector('#box')!
      .dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }));

  it('reload nothing', () => {
    for (const modifiers of [{}, { ctrlKey: true }, { shiftKey: true }]) {
      expect(does({ key: 'F5', code: 'F5', ...modifiers })).toBe(false);
    }
    for (const key of ['r', 'R']) {
      expect(does({ key, code: 'KeyR', ctrlKey: true, shiftKey: key === 'R' })).toBe(false);
    }
    expect(does({ key: 'r', code: 'KeyR', metaKey: true })).toBe(false);
  });

  it('leave typing alone', () => {
    expect(does({ key: 'r', code: 'KeyR' })).toBe(true);
    expect(does({ key: 'c', code: 'KeyC', ctrlKey: true })).toBe(true);
  });
});
