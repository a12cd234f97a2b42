import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Failure } from '../../ipc/failure';
import { RegisterFocus } from './focus.svelte';

const unknown = { code: 'refused' } as Failure;

let sale: {
  planId: string;
  transactionId: string;
  productPurchasePrice: string;
  unknownProduct: Failure | null;
  declined: boolean;
  canDecline: boolean;
};
let focus: RegisterFocus;

const at = () => document.activeElement?.id;
const element = (id: string) => document.getElementById(id)!;

beforeEach(() => {
  document.body.innerHTML = `<form id="form">
    <input id="reference" aria-required="true" value="P-1" />
    <div id="plan-area" tabindex="-1"></div>
    <input id="price" aria-required="true" value="98000" />
    <input id="transaction" aria-required="true" />
    <input id="name" aria-required="true" />
    <button id="decline" type="button" data-testid="decline-lead">Decline</button>
    <button id="submit" type="submit">Register</button>
  </form>`;
  sale = {
    planId: 'plan-1',
    transactionId: '',
    productPurchasePrice: '98000',
    unknownProduct: null,
    declined: false,
    canDecline: false,
  };
  focus = new RegisterFocus(sale);
  focus.form = element('form') as HTMLFormElement;
  focus.reference = element('reference') as HTMLInputElement;
  focus.planArea = element('plan-area');
  focus.price = element('price') as HTMLInputElement;
  focus.transaction = element('transaction') as HTMLInputElement;
});

afterEach(() => document.body.replaceChildren());

function fill(...ids: string[]): void {
  for (const id of ids) (element(id) as HTMLInputElement).value = 'filled';
}

function press(id: string, key: string, repeat = false): boolean {
  const event = new KeyboardEvent('keydown', { key, repeat, bubbles: true, cancelable: true });
  const handler = (pressed: Event) => focus.keydown(pressed as KeyboardEvent);
  focus.form!.addEventListener('keydown', handler, { once: true });
  return element(id).dispatchEvent(event);
}

describe('the focus of the register page', () => {
  it('waits at the plans for a product, and returns from one nobody knows', async () => {
    await focus.afterProduct(Promise.resolve());
    expect(at()).toBe('plan-area');
    sale.unknownProduct = unknown;
    await focus.afterProduct(Promise.resolve());
    expect(at()).toBe('reference');
  });

  it('stays where a person went while the product was looked up', async () => {
    sale.unknownProduct = unknown;
    let end = () => {};
    const moved = focus.afterProduct(new Promise((resolve) => (end = resolve)));
    await expect.poll(at).toBe('plan-area');
    element('name').focus();
    end();
    await moved;
    expect(at()).toBe('name');
  });

  it('goes to the transaction after a plan, and to a price that is not known', async () => {
    await focus.afterPlan(Promise.resolve());
    expect(at()).toBe('transaction');
    sale.productPurchasePrice = '';
    await focus.afterPlan(Promise.resolve());
    expect(at()).toBe('price');
  });

  it('goes to the next empty box, going round, then to the plans or the submit button', () => {
    focus.next(element('transaction'));
    expect(at()).toBe('name');
    focus.next(element('name'));
    expect(at()).toBe('transaction');
    fill('transaction', 'name');
    focus.next(element('name'));
    expect(at()).toBe('submit');
    sale.planId = '';
    focus.next(element('name'));
    expect(at()).toBe('plan-area');
  });

  it('goes to the lead of a customer who declined, or to what it still needs', async () => {
    sale.declined = true;
    element('name').setAttribute('aria-invalid', 'true');
    await focus.afterTransactionScan();
    expect(at()).toBe('name');
    sale.canDecline = true;
    await focus.afterTransactionScan();
    expect(at()).toBe('decline');
  });

  it('goes to the submit button when no box shows the problem', async () => {
    await focus.firstProblem();
    expect(at()).toBe('submit');
  });

  it('is moving until its work is over, even if that fails', async () => {
    const failing = focus.during(() => Promise.reject(new Error('no answer')));
    expect(focus.moving).toBe(true);
    await expect(failing).rejects.toThrow('no answer');
    expect(focus.moving).toBe(false);
  });

  it('moves once while Enter is held', () => {
    element('transaction').focus();
    expect(press('transaction', 'Enter')).toBe(false);
    expect(at()).toBe('name');
    expect(press('name', 'Enter', true)).toBe(false);
    expect(at()).toBe('name');
    expect(press('reference', 'Enter')).toBe(true);
    expect(press('reference', 'Enter', true)).toBe(false);
  });

  it('lets Enter press a button unless other keys came before it', () => {
    expect(press('submit', 'Enter')).toBe(true);
    press('submit', '4');
    expect(press('submit', 'Enter')).toBe(false);
    press('submit', '4');
    focus.arrived(new FocusEvent('focusin'));
    expect(press('submit', 'Enter')).toBe(true);
  });
});
