import { CloseBook } from '../closes/books.ts';
import type { Expected } from '../judge/finding.ts';
import { judge, type Verdict } from '../judge/index.ts';
import { decimal } from '../units.ts';
import type { HeldInvoice, OrderDocument, Pair, ServerState } from '../world/documents.ts';
import { emptyState, listIn, rowOf } from '../world/state.ts';
import { addUp } from '../world/sums.ts';
import { nightOf, type Reading } from './night.ts';

/** `12.00` and `3.00` are USD; several currencies are written out. */
const pairs = (money: string | Pair[]): Pair[] => (typeof money === 'string' ? [['USD', money]] : money);

/** A small server, changed by hand, and the verdict after each night. */
export class HandWorld {
  readonly state: ServerState = emptyState();
  readonly books = new CloseBook();
  readonly #nights: ReturnType<typeof nightOf>[] = [];
  #verdict: Verdict | undefined;

  /** An order delivered at noon of a day, on no invoice yet; `null`: not delivered. */
  order(order_id: string, cod: string | Pair[], fee: string | Pair[], delivered: string | null): OrderDocument {
    const order: OrderDocument = {
      order_id,
      reference_id: '',
      workflow: 'STANDARD',
      cod: pairs(cod),
      delivery_fee: pairs(fee),
      delivery_state: delivered === null ? 'IN_TRANSIT' : 'DELIVERED',
      payment_state: 'UNPAID',
      merchant_invoice: null,
      statestamps:
        delivered === null
          ? []
          : [{ delivery_state: 'DELIVERED', payment_state: 'UNPAID', timestamp: `${delivered}T12:00:00.000000+03:00` }],
    };
    this.state.orders.set(order_id, order);
    return order;
  }

  /** An unpaid invoice of orders, issued at noon of a day, that adds up and is linked. */
  invoice(number: number, day: string, orders: readonly OrderDocument[]): HeldInvoice {
    const rows = orders.map((order) => rowOf(order, false));
    const detail = {
      number,
      status: 'PENDING_PAYMENT',
      issued_at: `${day}T12:00:00.000000+00:00`,
      cod: [],
      delivery_fee: [],
      net_due_to_merchant: [],
      orders: rows,
    };
    const invoice: HeldInvoice = { detail, row: {} as HeldInvoice['row'] };
    for (const order of orders) order.merchant_invoice = number;
    addUp(invoice);
    this.state.invoices.set(number, invoice);
    listIn(this.state, day.slice(0, 7), number);
    return invoice;
  }

  /** A sync at noon of a day, and a check after it. */
  night(day: string, reading: Reading = { months: ['2026-09'] }): Verdict {
    const at = `${day}T12:00:00Z`;
    this.#nights.push(nightOf(this.state, at, reading));
    this.books.see(this.#nights);
    this.#verdict = judge(this.#nights, new Date(at), this.#verdict);
    return this.#verdict;
  }
}

/** Findings of a code as short texts: what they are about, and their effect. */
export const told = (findings: readonly Expected[], code?: string): string[] =>
  findings
    .filter((finding) => finding.times !== 'may' && (code === undefined || finding.code === code))
    .map(({ code: name, invoice_number, order_id, currency, field, expected, actual, effect }) =>
      [name, invoice_number, order_id, currency, field, expected, actual, effect]
        .filter((part) => part != null)
        .join(' '),
    )
    .sort();

/** A bridge as one text: courier - ours = steps, unexplained, outside, short. */
export function bridge(verdict: Verdict, period = '2026-09', currency = 'USD'): string {
  const found = verdict.bridges.find((each) => each.period === period && each.currency === currency);
  if (!found) return 'none';
  const steps = (list: typeof found.steps) =>
    list.map(({ code, count, effect }) => `${code} ${count}x ${decimal(effect)}`);
  const figure = (size: bigint | null) => (size === null ? 'null' : decimal(size));
  return [
    `courier ${figure(found.courier)}, ours ${figure(found.ours)}`,
    ...steps(found.steps),
    `unexplained ${figure(found.unexplained)}`,
    ...steps(found.outside).map((text) => `outside ${text}`),
    `short ${figure(found.short)}`,
  ].join('; ');
}
