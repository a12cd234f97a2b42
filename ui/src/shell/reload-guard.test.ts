import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { guardContextMenu } from './context-menu';

let stop = () => {};

beforeEach(() => {
  document.body.innerHTML = '<input id="box" /><p id="text">text</p>';
  stop = guardContextMenu(window);
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
