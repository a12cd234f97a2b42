import { waitFor } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import {
  byTestId,
  fill,
  focusIsAt,
  press,
  refusal,
  startWindow,
  valueOf,
} from '../../testing/desk';
import { resetProfile } from '../reset';
import * as sample from '../../testing/samples';

describe('a contract', () => {
  it('is shown with every field there is', async () => {
    await startWindow('contracts');
    await fill('contract-id', 'contract-1');
    await press('contract-lookup');
    const sheet = await byTestId('contract-sheet');
    const values = (part: unknown): string[] =>
      part && typeof part === 'object'
        ? Object.values(part).flatMap(values)
        : typeof part === 'string' && !/^\d{4}-\d{2}-\d{2}T/.test(part)
          ? [part]
          : [];
    for (const value of values(sample.contract)) expect(sheet.textContent).toContain(value);
    for (const shown of [
      '100,000 円',
      '95,000 円',
      '24',
      'Yes',
      'No',
      '2028-11-21 11:00:00 +09:00',
    ]) {
      expect(sheet.textContent).toContain(shown);
    }
    expect(sheet.querySelector('img, a')).toBeNull();
  });
});

describe('a contract that is closed', () => {
  it('leaves the focus at the lookup', async () => {
    await startWindow('contracts');
    await fill('contract-id', 'contract-1');
    await press('contract-lookup');
    await press('contract-close');
    await focusIsAt('contract-id');
  });
});

describe('another profile', () => {
  it('does not start with the contract ID of the former one', async () => {
    await startWindow('contracts');
    await fill('contract-id', 'contract-1');
    resetProfile();
    await waitFor(async () => expect(await valueOf('contract-id')).toBe(''));
  });
});

describe('a contract that is not found', () => {
  it('is no alarm: it may not be there yet', async () => {
    await startWindow('contracts', {
      contract_lookup: () => {
        throw refusal;
      },
    });
    await fill('contract-id', 'contract-0');
    await press('contract-lookup');
    const notice = await byTestId('error-notice');
    expect(notice.getAttribute('role')).toBe('status');
    expect(notice.textContent).toContain('look it up again');
    expect(notice.textContent).toContain('request-9');
  });
});
