import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { captureScans } from './scan-capture';

let now = 0;
let stop = () => {};
const onScan = vi.fn();
const onLoneKey = vi.fn();
const onScanBehind = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  now = 1000;
  onScan.mockReset();
  onLoneKey.mockReset();
  onScanBehind.mockReset();
  document.body.innerHTML =
    '<form><input id="name" value="山田" /><button id="go">go</button></form>';
  stop = captureScans(window, {
    onScan,
    onLoneKey: (key) => () => onLoneKey(key),
    onScanBehind,
  });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

function press(target: HTMLElement, key: string, gap: number, repeat = false): KeyboardEvent {
  now += gap;
  const event = new KeyboardEvent('keydown', { key, repeat, bubbles: true, cancelable: true });
  Object.defineProperty(event, 'timeStamp', { value: now });
  target.dispatchEvent(event);
  const writes = target instanceof HTMLInputElement && key.length === 1;
  if (writes && !event.defaultPrevented) {
    target.value += key;
    target.dispatchEvent(new Event('input', { bubbles: true }));
  }
  return event;
}

const scan = (target: HTMLElement, text: string, end = 'Enter') => {
  for (const key of text) press(target, key, 6);
  return press(target, end, 6);
};

describe('a scan', () => {
  it.each(['Enter', 'Tab'])(
    'into another field gives the field back and goes to the page (%s)',
    (end) => {
      const name = document.querySelector<HTMLInputElement>('#name')!;
      const last = scan(name, '4901234567894', end);
      const source = { box: name, value: '山田', start: 2, end: 2 };
      expect(onScan).toHaveBeenCalledExactlyOnceWith('4901234567894', source);
      expect(name.value).toBe('山田');
      expect(last.defaultPrevented).toBe(true);
    },
  );

  it('never reaches the form as an Enter', () => {
    const heard = vi.fn();
    document.querySelector('form')!.addEventListener('keydown', (e) => heard(e.key));
    scan(document.querySelector<HTMLInputElement>('#name')!, '4901234567894');
    expect(heard).not.toHaveBeenCalledWith('Enter');
  });

  it.each(['Enter', 'Tab'])(
    'that ends with two keys presses nothing with the second (%s)',
    (end) => {
      const button = document.querySelector<HTMLElement>('#go')!;
      scan(document.querySelector<HTMLInputElement>('#name')!, '4901234567894', 'Tab');
      expect(press(button, end, 16).defaultPrevented).toBe(true);
      expect(press(button, end, 200).defaultPrevented).toBe(false);
    },
  );

  it('right behind another one is taken as well', () => {
    const name = document.querySelector<HTMLInputElement>('#name')!;
    for (const code of ['4901234567894', '4909876543210']) {
      scan(name, code);
      expect(onScan).toHaveBeenLastCalledWith(code, expect.anything());
    }
    expect(onScan).toHaveBeenCalledTimes(2);
    expect(name.value).toBe('山田');
  });

  it('while a button has the focus presses nothing and chooses no plan', () => {
    const last = scan(document.querySelector<HTMLElement>('#go')!, '4901234567894');
    vi.runAllTimers();
    expect(last.defaultPrevented).toBe(true);
    expect(onScan).toHaveBeenCalledOnce();
    expect(onLoneKey).not.toHaveBeenCalled();
  });

  it('whose last character comes late chooses no plan either', () => {
    const button = document.querySelector<HTMLElement>('#go')!;
    for (const key of '490123456789') press(button, key, 6);
    press(button, '4', 300);
    press(button, 'Enter', 6);
    vi.runAllTimers();
    expect(onLoneKey).not.toHaveBeenCalled();
  });

  it('answers no question: with a dialog open it is told of as such', () => {
    const dialog = document.body.appendChild(document.createElement('dialog'));
    dialog.setAttribute('open', '');
    const last = scan(document.querySelector<HTMLElement>('#go')!, '4901234567894');
    expect(last.defaultPrevented).toBe(true);
    expect(onScan).not.toHaveBeenCalled();
    expect(onScanBehind).toHaveBeenCalledExactlyOnceWith('4901234567894');
  });

  it('into a box of a dialog arrives there and nowhere else', () => {
    document.body.innerHTML = '<dialog open><input id="in" value="A-B" /></dialog>';
    const box = document.querySelector<HTMLInputElement>('#in')!;
    const changed = vi.fn();
    box.addEventListener('change', () => changed(box.value));
    const last = scan(box, '4901234567894');
    expect(last.defaultPrevented).toBe(true);
    expect(changed).toHaveBeenCalledExactlyOnceWith('A-B4901234567894');
    expect(onScanBehind).not.toHaveBeenCalled();
  });
});

describe('a scan while Japanese input is open', () => {
  function compose(target: HTMLInputElement, text: string, gap: number): void {
    const before = target.value;
    const tell = (type: string, data: string) => {
      const event = new CompositionEvent(type, { bubbles: true });
      Object.defineProperty(event, 'data', { value: data });
      Object.defineProperty(event, 'timeStamp', { value: (now += gap) });
      target.dispatchEvent(event);
    };
    tell('compositionstart', '');
    for (let length = 1; length <= text.length; length += 1) {
      tell('compositionupdate', text.slice(0, length));
      target.value = before + text.slice(0, length);
    }
    tell('compositionend', text);
    vi.runAllTimers();
  }

  it('gives the field back and goes to the page in plain characters', () => {
    const name = document.querySelector<HTMLInputElement>('#name')!;
    compose(name, '４９０１２３４５６７８９４', 3);
    expect(onScan).toHaveBeenCalledExactlyOnceWith(
      '4901234567894',
      expect.objectContaining({ box: name }),
    );
    expect(name.value).toBe('山田');
  });

  it('is no name that is composed by hand', () => {
    const name = document.querySelector<HTMLInputElement>('#name')!;
    compose(name, '２０２６', 90);
    expect(onScan).not.toHaveBeenCalled();
    expect(name.value).toBe('山田２０２６');
  });
});

describe('a hand', () => {
  it('keeps its Enter', () => {
    const name = document.querySelector<HTMLInputElement>('#name')!;
    for (const key of 'Taro') press(name, key, 120);
    expect(press(name, 'Enter', 200).defaultPrevented).toBe(false);
    expect(name.value).toBe('山田Taro');
    expect(onScan).not.toHaveBeenCalled();
  });

  it('that holds a key down is no scanner', () => {
    const name = document.querySelector<HTMLInputElement>('#name')!;
    press(name, '0', 500);
    press(name, '0', 500, true);
    for (let more = 0; more < 6; more += 1) press(name, '0', 30, true);
    expect(press(name, 'Enter', 80).defaultPrevented).toBe(false);
    expect(name.value).toBe('山田00000000');
    expect(onScan).not.toHaveBeenCalled();
  });

  it('may go on elsewhere at once after a lone digit', () => {
    press(document.querySelector<HTMLElement>('#go')!, '2', 500);
    press(document.querySelector<HTMLElement>('#name')!, 'T', 5);
    expect(onLoneKey).toHaveBeenCalledExactlyOnceWith('2');
  });

  it.each(['Enter', 'Tab'])(
    'presses a lone digit right after the key that follows it: %s',
    (key) => {
      press(document.body, '2', 300);
      expect(press(document.body, key, 40).defaultPrevented).toBe(false);
      expect(onLoneKey).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(onLoneKey).toHaveBeenCalledExactlyOnceWith('2');
    },
  );

  it('presses a lone digit before a key that no scanner sends', () => {
    press(document.body, '2', 300);
    press(document.body, 'F12', 40);
    expect(onLoneKey).toHaveBeenCalledExactlyOnceWith('2');
  });

  it('presses a lone digit as a shortcut, but not inside a text box', () => {
    press(document.querySelector<HTMLElement>('#go')!, '2', 500);
    vi.advanceTimersByTime(150);
    expect(onLoneKey).toHaveBeenCalledExactlyOnceWith('2');
    press(document.querySelector<HTMLElement>('#name')!, '3', 500);
    vi.advanceTimersByTime(150);
    expect(onLoneKey).toHaveBeenCalledTimes(1);
  });
});
