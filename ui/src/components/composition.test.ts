import { afterEach, describe, expect, it, vi } from 'vitest';
import { CompositionLatch, guardComposition } from './composition';

const enter = (keyCode: number, isComposing = false) => ({ keyCode, isComposing });

describe('the composition latch', () => {
  it('leaves ordinary keys alone', () => {
    const latch = new CompositionLatch();
    expect(latch.swallows(enter(13), 0)).toBe(false);
    expect(latch.swallows(enter(229), 10)).toBe(false);
  });

  it('swallows keys while a conversion is open', () => {
    const latch = new CompositionLatch();
    latch.started();
    expect(latch.swallows(enter(13), 10)).toBe(true);
    latch.ended(20);
    expect(new CompositionLatch().swallows(enter(229, true), 30)).toBe(true);
  });

  it('swallows the one confirming key that WebKit sends after the end', () => {
    const latch = new CompositionLatch();
    latch.started();
    latch.ended(100);
    expect(latch.swallows(enter(229), 110)).toBe(true);
    expect(latch.swallows(enter(229), 120)).toBe(false);
    expect(latch.swallows(enter(13), 130)).toBe(false);
  });

  it('gives the next Enter back when no late key came', () => {
    const latch = new CompositionLatch();
    latch.started();
    latch.ended(100);
    expect(latch.swallows(enter(13), 400)).toBe(false);
    expect(latch.swallows(enter(229), 450)).toBe(false);
  });

  it('forgets the end of a conversion after half a second', () => {
    const latch = new CompositionLatch();
    latch.started();
    latch.ended(100);
    expect(latch.swallows(enter(229), 601)).toBe(false);
  });
});

describe('the guard on the page', () => {
  let release = () => {};
  afterEach(() => release());

  function press(target: EventTarget, init: KeyboardEventInit & { keyCode?: number }) {
    const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init });
    if (init.keyCode !== undefined) {
      Object.defineProperty(event, 'keyCode', { value: init.keyCode });
    }
    target.dispatchEvent(event);
    return event;
  }

  it('keeps the confirming Enter from every handler, and lets the next Enter through', () => {
    release = guardComposition(window);
    const input = document.body.appendChild(document.createElement('input'));
    const heard = vi.fn();
    input.addEventListener('keydown', heard);

    input.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
    input.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
    const confirming = press(input, { key: 'Enter', keyCode: 229 });
    expect(heard).not.toHaveBeenCalled();
    expect(confirming.defaultPrevented).toBe(true);

    const submitting = press(input, { key: 'Enter', keyCode: 13 });
    expect(heard).toHaveBeenCalledTimes(1);
    expect(submitting.defaultPrevented).toBe(false);
  });

  it('lets keys work again when the box that was being composed in is gone', () => {
    release = guardComposition(window);
    const input = document.body.appendChild(document.createElement('input'));
    const heard = vi.fn();
    document.addEventListener('keydown', heard);
    input.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
    press(input, { key: 'Enter', keyCode: 13 });
    expect(heard).not.toHaveBeenCalled();
    input.remove();
    press(document.body, { key: 'Enter', keyCode: 13 });
    expect(heard).toHaveBeenCalledTimes(1);
    document.removeEventListener('keydown', heard);
  });

  it('keeps the Escape that cancels a conversion from closing anything', () => {
    release = guardComposition(window);
    const input = document.body.appendChild(document.createElement('input'));
    const heard = vi.fn();
    document.addEventListener('keydown', heard, { once: true });
    input.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
    const cancelling = press(input, { key: 'Escape', keyCode: 229, isComposing: true });
    expect(heard).not.toHaveBeenCalled();
    expect(cancelling.defaultPrevented).toBe(true);
  });
});
