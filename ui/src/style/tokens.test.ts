import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync('src/style/tokens.css', 'utf8');

function palette(theme: 'light' | 'dark'): Map<string, string> {
  const start = css.indexOf(`:root[data-theme='${theme}'] {`);
  const block = css.slice(start, css.indexOf('}', start));
  return new Map([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map((m) => [m[1]!, m[2]!]));
}

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const c = parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [hi, lo] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (hi + 0.05) / (lo + 0.05);
}

const grounds = ['bg', 'surface', 'surface-2'];
const text: [string, string][] = [
  ...['text', 'text-2', 'text-3', 'accent-text', 'red-text', 'amber-text', 'green-text'].flatMap(
    (ink) => grounds.map((ground): [string, string] => [ink, ground]),
  ),
  ['text', 'accent-soft'],
  ['text-2', 'accent-soft'],
  ['text-3', 'accent-soft'],
  ['accent-text', 'accent-soft'],
  ['green-text', 'green-soft'],
  ['amber-text', 'amber-soft'],
  ['red-text', 'red-soft'],
  ['text', 'red-soft'],
  ['text', 'amber-soft'],
  ['text', 'green-soft'],
  ['sandbox-text', 'sandbox-soft'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['on-red', 'red'],
  ['on-sandbox', 'sandbox'],
  ['on-sandbox', 'sandbox-stripe'],
];
const shapes: [string, string][] = [
  ...grounds.map((ground): [string, string] => ['border-control', ground]),
  ['accent-text', 'surface'],
  ['red', 'surface'],
];

describe.each(['light', 'dark'] as const)('the %s palette', (theme) => {
  const colours = palette(theme);
  const ratio = (a: string, b: string) => contrast(colours.get(a)!, colours.get(b)!);

  it.each(text)('can be read: %s on %s (4.5:1)', (ink, ground) => {
    expect(ratio(ink, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(shapes)('can be made out: %s on %s (3:1)', (shape, ground) => {
    expect(ratio(shape, ground)).toBeGreaterThanOrEqual(3);
  });
});
