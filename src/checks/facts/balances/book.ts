/**
 * What the courier owes at each month's end: the roll-forward and its items. Every page has its balance from here. An
 * item is an invoice, or a receipt that no invoice explains yet (`unallocated`). A movement's amount is what it adds to
 * the balance.
 */
import { addMonths, lastDayOf } from '../../../base/period.ts';
import {
  type Balance,
  type BalanceMovement,
  type BalanceSums,
  balanceOf,
  noBalance,
  readFrozenBalances,
  sqlBalanceSums,
} from '../../../ledger/queries/balances/balances.ts';
import {
  bookedOn,
  type Movement,
  movementsOf,
  unallocatedMovements,
} from '../../../ledger/queries/balances/movements.ts';
import { type FrozenItem, readClosesInForce, readFrozenItems } from '../../../ledger/queries/closes/closes.ts';
import type { LedgerReader } from '../../../ledger/queries/snapshot.ts';
import type { PeriodCloseTable } from '../../../ledger/schema.ts';
import { type BalanceItem, type ItemMovement, itemKey, itemsAt, oldestItemFirst } from '../../../matching/balance.ts';
import { eachField } from '../../../money/fields.ts';
import { parseUnits, type Units } from '../../../money/units.ts';
import { type KnownMoney, readKnownAt } from '../closes/known-at-close.ts';
import { receivedMoney } from '../receipts/flows.ts';
import { invoiceKey } from '../receipts/match-books.ts';
import { readSettlements, type SettlementSettings, type Settlements } from '../receipts/settlements.ts';

/** One currency of an invoice at a month's end: COD and net by its header, and what was settled of the net. */
export interface InvoiceAtEnd extends Record<'cod' | 'net' | 'received' | 'paid_on_word' | 'differences', Units> {
  readonly number: number;
  readonly currency: string;
  /** The day on which the last receipt for it is booked; null without one. */
  received_on: string | null;
}

/** The movements that make the balances: all of them, those of invoices, and those of each open item. */
interface Movements {
  readonly flows: readonly BalanceMovement[];
  readonly invoices: readonly Movement[];
  readonly items: readonly ItemMovement[];
}

export interface BalanceBookOptions {
  /** If they were read already. */
  readonly settlements?: Settlements;
  /** The closes that count; all in force if absent. */
  readonly closed?: readonly PeriodCloseTable[];
}

/**
 * The balances of a ledger. A closed month is as it was frozen; an open month before a close is as it was known at that
 * close; any other is as it is known now. What becomes known later is a restatement in the first open month.
 */
export class BalanceBook {
  readonly #db: LedgerReader;
  readonly #closed: readonly PeriodCloseTable[];
  readonly #now: KnownMoney;
  readonly #frozen: ReadonlyMap<string, ReadonlyMap<string, Balance>>;
  /** By the id of the close; null for all that is known now. */
  readonly #movements = new Map<number | null, Promise<Movements>>();

  private constructor(
    db: LedgerReader,
    known: { closed: readonly PeriodCloseTable[]; now: KnownMoney; frozen: Map<string, Map<string, Balance>> },
  ) {
    this.#db = db;
    this.#closed = known.closed;
    this.#now = known.now;
    this.#frozen = known.frozen;
  }

  static async read(db: LedgerReader, settings: SettlementSettings, options: BalanceBookOptions = {}) {
    const closed = options.closed ?? (await readClosesInForce(db));
    const settlements = options.settlements ?? (await readSettlements(db, settings));
    const frozen = await readFrozenBalances(db, closed);
    return new BalanceBook(db, { closed, now: { histories: settlements.histories, settlements }, frozen });
  }

  /** What was paid of the invoices, by all that is known. */
  get settlements(): Settlements {
    return this.#now.settlements;
  }

  /** The roll-forwards of these months: in each month one per currency that ever moved. */
  async rollForward(months: readonly string[]): Promise<Balance[]> {
    const { flows } = await this.#movementsAt(null);
    const movedCurrencies = flows.map(({ currency }) => currency);
    const frozenCurrencies = [...this.#frozen.values()].flatMap((balances) => [...balances.keys()]);
    const currencies = [...new Set([...movedCurrencies, ...frozenCurrencies])].sort();
    const balances: Balance[] = [];
    for (const month of months) {
      const frozen = this.#frozen.get(month);
      if (frozen) {
        for (const currency of currencies) balances.push(frozen.get(currency) ?? noBalance(month, currency));
        continue;
      }
      const movements = (await this.#movementsAt(this.#closeAfter(month))).flows;
      // The month opens with the balance that the month before froze, and closes with that of the month after; where
      // that one is not closed (undefined), the movements say it. What the close before did not know is restated here.
      const closeBefore = this.#closed.find(({ period }) => period === addMonths(month, -1));
      const before = closeBefore && this.#frozen.get(closeBefore.period);
      const knownBefore = closeBefore && (await this.#movementsAt(closeBefore)).flows;
      const after = this.#frozen.get(addMonths(month, 1));
      for (const currency of currencies) {
        const opening = before && (before.get(currency)?.closing ?? 0n);
        const closing = after && (after.get(currency)?.opening ?? 0n);
        balances.push(balanceOf(month, currency, movements, { opening, closing, knownBefore }));
      }
    }
    return balances;
  }

  /**
   * The months closed after a piece of evidence whose frozen closing balance does not follow from what was known at the
   * close, as when the evidence is an import that is undone.
   */
  async closesNotFollowing(after: number): Promise<string[]> {
    const months: string[] = [];
    for (const close of this.#closed.filter(({ id }) => id > after)) {
      const { flows } = await this.#movementsAt(close);
      const frozen = this.#frozen.get(close.period)!;
      const currencies = new Set([...frozen.keys(), ...flows.map(({ currency }) => currency)]);
      const hasOtherClosing = (currency: string) =>
        balanceOf(close.period, currency, flows).closing !== (frozen.get(currency)?.closing ?? 0n);
      if ([...currencies].some(hasOtherClosing)) months.push(close.period);
    }
    return months;
  }

  /**
   * The items that were open at a month's end: together they are the closing balance. Also the items booked by then
   * that were not open and are open today, with nothing but what moved since. The oldest first.
   */
  async openItems(month: string): Promise<BalanceItem[]> {
    const end = lastDayOf(month);
    const close = this.#closed.find(({ period }) => period === month);
    const today = itemsAt((await this.#movementsAt(null)).items, end);
    const open = close
      ? (await readFrozenItems(this.#db, close.id)).map(frozenItem)
      : itemsAt((await this.#movementsAt(this.#closeAfter(month))).items, end).filter((item) => item.open !== 0n);
    const openKeys = new Set(open.map(itemKey));
    const openSince = today
      .filter((item) => item.openToday !== 0n && item.booked <= end && !openKeys.has(itemKey(item)))
      .map((item) => ({ ...item, ...NOTHING_OF_ITEM }));
    const todayByKey = new Map(today.map((item) => [itemKey(item), item]));
    return [...open, ...openSince]
      .map((item) => {
        const { receivedSince = 0n, settledSince = 0n, openToday = 0n } = todayByKey.get(itemKey(item)) ?? {};
        return { ...item, receivedSince, settledSince, openToday };
      })
      .sort(oldestItemFirst);
  }

  /** Every invoice that was booked by a month's end, open or not, as it was known then. */
  async invoicesAt(month: string): Promise<InvoiceAtEnd[]> {
    const end = lastDayOf(month);
    const close = this.#closed.find(({ period }) => period === month) ?? this.#closeAfter(month);
    const sums = new Map<string, InvoiceAtEnd>();
    for (const movement of (await this.#movementsAt(close)).invoices) {
      const { number, currency, date, amount, money } = movement;
      if (date > end) continue;
      const key = invoiceKey(movement);
      // What settles an invoice is a negative movement, because it lowers the balance.
      const sum = sums.get(key) ?? { number, currency, ...NOTHING_OF_INVOICE };
      sums.set(key, sum);
      sum.cod += money.cod;
      if (movement.kind === 'received') {
        sum.received -= amount;
        if (sum.received_on === null || date > sum.received_on) sum.received_on = date;
      } else if (movement.kind === 'paid' || movement.kind === 'already-paid') sum.paid_on_word -= amount;
      else if (movement.kind === 'difference') sum.differences -= amount;
      else sum.net += amount;
    }
    return [...sums.values()];
  }

  /** The items that are open by all that is known, the oldest first. */
  async openToday(): Promise<BalanceItem[]> {
    const items = itemsAt((await this.#movementsAt(null)).items, '9999-12-31');
    return items.filter(({ openToday }) => openToday !== 0n);
  }

  /** What is owed by all that is known, computed twice: from the movements, and by sums of the database. */
  async today(): Promise<{ readonly moved: BalanceSums; readonly summed: BalanceSums }> {
    const movedSums = { stated: new Map(), received: new Map(), differences: new Map() };
    for (const { kind, currency, amount } of (await this.#movementsAt(null)).flows) {
      // The database has nothing to sum these from: it does not keep the Paid flag as it was when it moved a balance.
      if (kind === 'paid' || kind === 'already-paid') continue;
      const { part, amount: moves } = partOf({ kind, amount });
      const sums: Map<string, Units> = movedSums[part === 'net' ? 'stated' : part];
      sums.set(currency, (sums.get(currency) ?? 0n) + moves);
    }
    const courierReceipts = [...this.#now.settlements.books.courierReceipts.keys()];
    return { moved: movedSums, summed: await sqlBalanceSums(this.#db, courierReceipts) };
  }

  /**
   * The earliest close of a later month: an open month before it is shown as it was known then, because the journal
   * booked it so.
   */
  #closeAfter(month: string): PeriodCloseTable | null {
    return this.#closed.find(({ period }) => period > month) ?? null;
  }

  /** The movements that were known at a close; null for all that are known. */
  #movementsAt(close: PeriodCloseTable | null): Promise<Movements> {
    const id = close?.id ?? null;
    const movements = this.#movements.get(id) ?? this.#readMovements(close);
    this.#movements.set(id, movements);
    return movements;
  }

  async #readMovements(close: PeriodCloseTable | null): Promise<Movements> {
    const known = close ? await readKnownAt(this.#db, this.#now.histories, close) : this.#now;
    // At this close only the earlier closes had moved the days of what became known after them.
    const closed = close ? this.#closed.filter(({ id }) => id < close.id) : this.#closed;
    const received = receivedMoney(known.settlements);
    const unallocated = unallocatedMovements(received.receipts, closed).map((movement) => {
      return { ...movement, kind: 'unallocated' as const };
    });
    const invoices = known.histories.map((history) => ({ history, moved: movementsOf(history, received, closed) }));
    const movements = invoices.flatMap(({ moved }) => moved);
    const receiptDays = new Map(received.receipts.map(({ receipt, date }) => [receipt, date]));
    return {
      invoices: movements,
      flows: [...movements, ...unallocated],
      items: [
        ...invoices.flatMap(({ history, moved }) => {
          const { number: id, issued_on } = history;
          const item = { kind: 'invoice', id, issued_on, booked: bookedOn(history) } as const;
          return moved.map((movement) => itemMovement(item, movement));
        }),
        ...unallocated.map((movement) => {
          const { kind, receipt: id } = movement;
          const day = receiptDays.get(id)!;
          return itemMovement({ kind, id, issued_on: day, booked: day }, movement);
        }),
      ],
    };
  }
}

/** An item that was not open at the month's end. */
const NOTHING_OF_ITEM = { net: 0n, received: 0n, differences: 0n, open: 0n };

const NOTHING_OF_INVOICE = { cod: 0n, net: 0n, received: 0n, paid_on_word: 0n, differences: 0n, received_on: null };

function itemMovement(
  item: Pick<ItemMovement, 'kind' | 'id' | 'issued_on' | 'booked'>,
  movement: BalanceMovement,
): ItemMovement {
  const { date, currency } = movement;
  return { ...item, date, currency, ...partOf(movement) };
}

/** The part of its item that a movement changes: what takes money off an invoice and is no payment is a difference. */
function partOf({ kind, amount }: Pick<BalanceMovement, 'kind' | 'amount'>): Pick<ItemMovement, 'part' | 'amount'> {
  if (kind === 'invoiced' || kind === 'restated' || kind === 'vanished' || kind === 'back') {
    return { part: 'net', amount };
  }
  // Money that came in for no invoice yet (`unallocated`) lowers the balance as a payment does.
  const isPayment = kind === 'received' || kind === 'paid' || kind === 'already-paid' || kind === 'unallocated';
  return { part: isPayment ? 'received' : 'differences', amount: -amount };
}

function frozenItem({ kind, subject, issued_on, currency, ...figures }: FrozenItem): BalanceItem {
  const item = { kind, id: subject, issued_on, booked: issued_on, currency };
  const net = parseUnits(figures.net_due_to_merchant);
  const parts = eachField(['received', 'differences', 'open'], (part) => parseUnits(figures[part]));
  return { ...item, net, ...parts, receivedSince: 0n, settledSince: 0n, openToday: 0n };
}
