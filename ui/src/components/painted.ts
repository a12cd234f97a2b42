// Delays work until the screen shows a person's last action.

/** Longest wait, in milliseconds: a hidden window paints nothing. */
const LONGEST = 500;

/** Resolves once all changes so far are painted. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, LONGEST);
    requestAnimationFrame(() => {
      // The callback of a frame runs before it is painted; a task queued there runs after.
      setTimeout(() => {
        clearTimeout(late);
        resolve();
      });
    });
  });
}
