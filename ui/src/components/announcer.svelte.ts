/** What the window tells a screen reader of a page that shows nothing; the region itself stays in the window. */
export const announcer = $state({ text: '' });
