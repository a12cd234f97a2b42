import axe from 'axe-core';

/** What is named by its content; a role takes this from a paragraph or a list item. */
const HANDED_ON =
  'p:not([role]), li:not([role]), h1, h2, h3, h4, label, legend, summary, button, a, [aria-hidden=true]';

/** Spans that WebKitGTK gives no screen reader, as far as the classes of a row tell without a layout. */
function unheard(): string[] {
  return [
    ...document.querySelectorAll('.row > span:not(:has(*)), [role=rowheader] > span:not(:has(*))'),
  ]
    .filter((span) => span.textContent.trim() !== '' && !span.closest(HANDED_ON))
    .filter((span) => !span.getAttributeNames().some((name) => /^(role|title|aria-)/.test(name)))
    .map((span) => `unheard: ${span.outerHTML}`);
}

/** The findings of an accessibility checker; `style/tokens.test.ts` checks colours. */
export async function faults(): Promise<string[]> {
  const found = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  });
  const violations = found.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`,
  );
  return [...violations, ...unheard()];
}
