import axe from 'axe-core';

/** What an accessibility checker finds; colours are checked in `style/tokens.test.ts`. */
export async function faults(): Promise<string[]> {
  const found = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  });
  return found.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`,
  );
}
