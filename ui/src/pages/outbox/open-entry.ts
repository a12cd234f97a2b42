// Opens an entry: as a contract of the service once that accepted it, else in the outbox.
import type { SubmissionView } from '../../ipc';
import { openPage } from '../../navigation/route.svelte';
import { outbox } from './outbox.svelte';

export function openEntry(entry: SubmissionView): void {
  if (entry.contractId && (entry.state === 'accepted' || entry.state === 'confirmed')) {
    openPage('contracts', { contractId: entry.contractId });
    return;
  }
  openPage('outbox');
  void outbox.open(entry.id);
}
