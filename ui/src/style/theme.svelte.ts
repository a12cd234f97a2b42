// Light or dark: the system's preference, or the choice made on this computer.
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const dark = matchMedia('(prefers-color-scheme: dark)');
let chosen = $state<Theme>('system');

function paint(): void {
  const shown = chosen === 'system' ? (dark.matches ? 'dark' : 'light') : chosen;
  document.documentElement.dataset['theme'] = shown;
}

dark.addEventListener('change', paint);
paint();

export function theme(): Theme {
  return chosen;
}

export function setTheme(next: Theme): void {
  chosen = next;
  paint();
}
