import { addInvoice, addOrder } from '../../test/oracle/world/beginning.ts';
import { daysAfter } from '../../test/oracle/world/clock.ts';
import { Dice } from '../../test/oracle/world/dice.ts';
import type { OrderDocument, ServerState } from '../../test/oracle/world/documents.ts';
import { agree, moved } from '../../test/oracle/world/sums.ts';
import type { Meanwhile } from '../courier.ts';

/** What the courier does while it is being read. */
const HAPPENINGS = ['list-grows', 'order-hides', 'invoice-hides', 'restated-between', 'nothing', 'nothing'] as const;

/** One happening of a night, drawn from a seed; each happens once, at the request that it waits for. */
export class Happening {
  readonly name: (typeof HAPPENINGS)[number];
  readonly #state: ServerState;
  readonly #dice: Dice;
  readonly #now: Date;
  #isOver = false;
  #putBack: (() => void) | null = null;

  constructor(state: ServerState, seed: number, now: Date) {
    this.#state = state;
    this.#dice = new Dice(seed);
    this.#now = now;
    this.name = this.#dice.pick(HAPPENINGS);
  }

  /** To be called before each answer. */
  readonly meanwhile: Meanwhile = (path, query) => {
    const page = Number(query.get('page') ?? 1);
    const month = `${query.get('year')}-${String(query.get('month')).padStart(2, '0')}`;
    if (page === 1 && (path === '/orders/' || path === '/invoices/')) this.end();
    if (this.#isOver) return;
    if (page === 2 && path === '/invoices/' && this.name === 'list-grows') this.#grow(month);
    if (page === 2 && path === '/invoices/' && this.name === 'invoice-hides') this.#hideInvoice(month);
    if (page === 2 && path === '/orders/' && this.name === 'order-hides') this.#hideOrder();
    const detail = /^\/invoices\/(\d+)\/$/.exec(path)?.[1];
    if (detail !== undefined && this.name === 'restated-between') this.#restate(Number(detail));
  };

  /** What hid is there again. */
  end(): void {
    this.#putBack?.();
    this.#putBack = null;
  }

  /** A new invoice, first of its list: every other one moves on by one place. */
  #grow(month: string): void {
    const listed = [...(this.#state.months.get(month) ?? [])].map((number) => this.#state.invoices.get(number)!);
    const issued = listed.map(({ detail }) => Date.parse(detail.issued_at)).filter((at) => !Number.isNaN(at));
    if (issued.length === 0) return;
    this.#isOver = true;
    const at = new Date(Math.max(...issued));
    addInvoice(this.#state, this.#dice, [addOrder(this.#state, this.#dice, daysAfter(at, -2))], at);
  }

  /**
   * The newest leaves the list after it was read: one that was on the second page is on the first now, and is missed.
   */
  #hideInvoice(month: string): void {
    const held = this.#state.months.get(month);
    const newest = Math.max(...(held ?? []));
    if (!held || held.size < 2) return;
    this.#isOver = true;
    held.delete(newest);
    this.#putBack = () => void held.add(newest);
  }

  #hideOrder(): void {
    const { orders } = this.#state;
    const [first] = orders;
    if (!first || orders.size < 2) return;
    this.#isOver = true;
    orders.delete(first[0]);
    this.#putBack = () => {
      const rest: [string, OrderDocument][] = [...orders];
      orders.clear();
      for (const [id, order] of [first, ...rest]) orders.set(id, order);
    };
  }

  /** Its row was read, and says what was; its detail will say what is. */
  #restate(number: number): void {
    const invoice = this.#state.invoices.get(number);
    if (!invoice || this.#now.getTime() < Date.parse(invoice.detail.issued_at)) return;
    this.#isOver = true;
    for (const field of ['cod', 'net_due_to_merchant'] as const)
      invoice.detail[field] = moved(invoice.detail[field], 'USD', BigInt(this.#dice.int(1, 900)) * 100n);
    agree(invoice);
  }
}
