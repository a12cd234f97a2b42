import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Field } from '../ipc';
import { amount, dateOrNow, email, judge, present, problemAt, written } from './rules';

const form = v.object({ transactionId: present, customerEmail: email, price: amount });

describe('a form', () => {
  it('comes out trimmed and plain when it is right', () => {
    const typed = {
      transactionId: ' T-1 ',
      customerEmail: 'hanako@example.jp',
      price: '１２,８００',
    };
    expect(judge(form, typed)).toEqual({
      ok: true,
      value: { transactionId: 'T-1', customerEmail: 'hanako@example.jp', price: '12800' },
    });
  });

  it('names every field that is wrong, and what is wrong with it', () => {
    const judged = judge(form, { transactionId: ' ', customerEmail: 'hanako', price: '12.5' });
    expect(judged.ok).toBe(false);
    const problems = judged.ok ? [] : judged.problems;
    expect(problems).toContainEqual({ field: 'transactionId', problem: 'missing' });
    expect(problems).toContainEqual({ field: 'customerEmail', problem: 'notEmail' });
    expect(problems).toContainEqual({ field: 'price', problem: 'notWholeNumber' });
    expect(problemAt(problems, 'price')).toBe('Enter a whole number (digits only).');
    expect(problemAt(problems, 'title')).toBeNull();
  });

  it('keeps spaces around a code that the service returned, and refuses a blank one', () => {
    const rules = v.object({ planId: written });
    expect(judge(rules, { planId: ' plan-1 ' })).toEqual({
      ok: true,
      value: { planId: ' plan-1 ' },
    });
    expect(judge(rules, { planId: ' \u3000' })).toEqual({
      ok: false,
      problems: [{ field: 'planId', problem: 'missing' }],
    });
  });

  it('names the limit of a text that is too long', () => {
    const said = (field: Field) => problemAt([{ field, problem: 'tooLong' }], field);
    expect(said('customerName')).toBe('Use 200 characters or fewer.');
    expect(said('transactionId')).toContain('512 bytes');
    expect(said('reference')).toBe('Too long. Shorten the text.');
  });

  it('takes no date as now and any other as typed, and refuses a date that does not exist', () => {
    const rules = v.object({ transactionDate: dateOrNow });
    for (const transactionDate of ['', '2026/11/21 1:30']) {
      expect(judge(rules, { transactionDate })).toEqual({ ok: true, value: { transactionDate } });
    }
    expect(judge(rules, { transactionDate: '2026-02-30 10:00' })).toMatchObject({
      problems: [{ field: 'transactionDate', problem: 'notDateTime' }],
    });
  });
});
