import { expect, it } from 'vitest';
import { DraftWriter, type Written } from './draft-writer.svelte';

function begin(afterPaint = false) {
  const writer = new DraftWriter(afterPaint);
  const written: string[] = [];
  const save = (state: string, place: Written | Promise<never> = 'file') =>
    writer.save(() => {
      written.push(state);
      return new Promise((done) => setTimeout(done, 1, place));
    });
  return { writer, written, save };
}

it('runs one write at a time, and then writes only the newest state', async () => {
  const { writer, written, save } = begin();
  void save('a');
  void save('b');
  const last = save('c', 'memory');
  expect(written).toEqual(['a']);
  expect(writer.settled).toBe(false);
  await last;
  expect(written).toEqual(['a', 'c']);
  expect(writer.settled).toBe(true);
  expect(writer.place).toBe('memory');
});

it('writes what changes until a frame is painted once', async () => {
  const { written, save } = begin(true);
  void save('a');
  const last = save('b');
  expect(written).toEqual([]);
  await last;
  expect(written).toEqual(['b']);
});

it('says that a write failed until a later one succeeds', async () => {
  const { writer, save } = begin();
  const failed = Promise.reject(new Error('closed'));
  failed.catch(() => {});
  await save('a', failed);
  expect(writer.place).toBe('failed');
  expect(writer.settled).toBe(true);
  await save('b');
  expect(writer.place).toBe('file');
});
