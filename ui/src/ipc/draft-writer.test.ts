import { describe, expect, it } from 'vitest';
import { DraftWriter, type Written } from './draft-writer.svelte';

/** A writer whose writes wait until the test ends them. */
function begin(oncePerTurn = false) {
  const writer = new DraftWriter(oncePerTurn);
  const written: string[] = [];
  const ends: ((place: Written | Promise<never>) => void)[] = [];
  const save = (state: string) =>
    writer.save(() => {
      written.push(state);
      return new Promise((done) => ends.push(done));
    });
  return { writer, written, save, end: (place: Written | Promise<never>) => ends.shift()?.(place) };
}
const turn = () => new Promise((done) => setTimeout(done));

describe('the writer of a draft', () => {
  it('starts one write at a time, and then writes only the newest state', async () => {
    const { writer, written, save, end } = begin();
    void save('a');
    void save('b');
    const last = save('c');
    expect(written).toEqual(['a']);
    end('file');
    await turn();
    expect(written).toEqual(['a', 'c']);
    expect(writer.settled).toBe(false);
    end('memory');
    await last;
    expect(writer.settled).toBe(true);
    expect(writer.place).toBe('memory');
  });

  it('writes what changes within one turn once', async () => {
    const { written, save } = begin(true);
    void save('a');
    void save('b');
    expect(written).toEqual([]);
    await turn();
    expect(written).toEqual(['b']);
  });

  it('says that a write failed until a later one succeeds', async () => {
    const { writer, save, end } = begin();
    const failing = save('a');
    end(Promise.reject(new Error('closed')));
    await failing;
    expect(writer.place).toBe('failed');
    expect(writer.settled).toBe(true);
    const again = save('b');
    end('file');
    await again;
    expect(writer.place).toBe('file');
  });
});
