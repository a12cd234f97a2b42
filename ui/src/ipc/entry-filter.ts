// The filter of entered contracts, and what counts as the code of one.
import type { EntryFilter, SubmissionView } from '.';
import { plainCode } from '../format/plain';

/** Every entry, newest first. */
export const EVERY_ENTRY: EntryFilter = {
  states: [],
  possibleDuplicates: false,
  text: '',
  from: null,
  to: null,
  sort: 'enteredAt',
  ascending: false,
  offset: 0,
  limit: 0,
};

/** Whether one of the entry's codes is exactly this text, and does not only contain it. */
export function hasCode(entry: SubmissionView, text: string): boolean {
  const code = plainCode(text).toLowerCase();
  const { transactionId, contractId, inquiryCode } = entry;
  return [transactionId, contractId, inquiryCode].some((own) => own?.toLowerCase() === code);
}
