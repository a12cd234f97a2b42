// The component of each page. All but the first one are loaded when they are opened for the first
// time, so that the window starts with less.
import type { Component } from 'svelte';
import type { Page } from '../navigation/route.svelte';
import RegisterPage from './register/RegisterPage.svelte';

const LOADERS: Record<Exclude<Page, 'register'>, () => Promise<{ default: Component }>> = {
  sheet: () => import('./sheet/SheetPage.svelte'),
  today: () => import('./today/TodayPage.svelte'),
  import: () => import('./import/ImportPage.svelte'),
  plans: () => import('./plans/PlansPage.svelte'),
  products: () => import('./products/ProductsPage.svelte'),
  contracts: () => import('./contracts/ContractsPage.svelte'),
  leads: () => import('./leads/LeadsPage.svelte'),
  outbox: () => import('./outbox/OutboxPage.svelte'),
  settings: () => import('./settings/SettingsPage.svelte'),
};

const loaded = new Map<Page, Component>([['register', RegisterPage]]);

/** The component of a page, at once if it was loaded before. */
export function screenOf(page: Page): Component | Promise<Component> {
  const known = loaded.get(page);
  if (known || page === 'register') return known ?? RegisterPage;
  return LOADERS[page]().then(({ default: screen }) => {
    loaded.set(page, screen);
    return screen;
  });
}
