// Work that can wait for the screen: what a person has just done is seen before anything else is done.

/** Longest wait, in milliseconds: a window that is out of sight paints nothing. */
const LONGEST = 500;

/** Comes once everything that has changed so far is painted. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, LONGEST);
    requestAnimationFrame(() => {
      // Frames are asked for before they are painted; a task that follows comes after.
      setTimeout(() => {
        clearTimeout(late);
        resolve();
      });
    });
  });
}
