// Opens an entry as it is known here, with or without a network.
import { openPage } from '../../navigation/route.svelte';
import { outbox } from './outbox.svelte';

export function openEntry(id: string): void {
  openPage('outbox');
  void outbox.open(id);
}
