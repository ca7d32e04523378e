import { liveInOrder } from '../history/knowledge.ts';
import type { Part } from './finding.ts';
import { detailOf, type Ledger } from './ledger.ts';
import { currenciesIn, of } from './money.ts';
import type { OwnOrderFacts } from './own-book.ts';

const OUTSIDE = ['delivered-not-invoiced', 'invoice-vanished'];

export interface Step {
  readonly code: string;
  readonly count: number;
  readonly effect: bigint;
}

export interface Bridge {
  readonly period: string;
  readonly currency: string;
  readonly courier: bigint;
  /** Null when there is neither an order book nor an own one. */
  readonly ours: bigint | null;
  readonly steps: readonly Step[];
  readonly unexplained: bigint | null;
  readonly outside: readonly Step[];
  readonly short: bigint;
}

type Figures = Map<string, bigint>;

const keyOf = (period: string, currency: string): string => `${period} ${currency}`;

const add = (figures: Figures, key: string, size: bigint): void => {
  figures.set(key, (figures.get(key) ?? 0n) + size);
};

/** A bridge a month and currency. */
export function bridgesOf(ledger: Ledger, parts: readonly Part[]): Bridge[] {
  const courier = courierFigures(ledger);
  const ours = ledger.own ? ownFigures(ledger.own) : ourFigures(ledger);
  const hasOurs = ledger.hasBook || ledger.own !== null;
  const keys = new Set([...courier.keys(), ...ours.keys(), ...parts.map((part) => keyOf(part.period, part.currency))]);
  return [...keys].sort().map((key) => {
    const [period, currency] = key.split(' ') as [string, string];
    const own = parts.filter((part) => part.period === period && part.currency === currency);
    const steps = stepsOf(own.filter(({ code }) => !OUTSIDE.includes(code)));
    const outside = stepsOf(own.filter(({ code }) => OUTSIDE.includes(code)));
    const total = (list: readonly Step[]) => list.reduce((sum, { effect }) => sum + effect, 0n);
    const left = (courier.get(key) ?? 0n) - (ours.get(key) ?? 0n) - total(steps);
    return {
      period,
      currency,
      courier: courier.get(key) ?? 0n,
      ours: hasOurs ? (ours.get(key) ?? 0n) : null,
      steps,
      unexplained: hasOurs ? left : null,
      outside,
      short: total(steps.filter(({ code }) => code !== 'not-compared')) + total(outside),
    };
  });
}

/** The nets that the month's invoices state. */
function courierFigures(ledger: Ledger): Figures {
  const figures: Figures = new Map();
  for (const invoice of liveInOrder(ledger)) {
    for (const [currency, net] of detailOf(invoice)?.net_due_to_merchant ?? []) {
      add(figures, keyOf(invoice.period, currency), net);
    }
  }
  return figures;
}

/** Every order once, by its own record. Rule 22. */
function ourFigures(ledger: Ledger): Figures {
  const figures: Figures = new Map();
  for (const order_id of ledger.book.orders.keys()) {
    const facts = ledger.facts(order_id);
    const period = ledger.listing(order_id)[0]?.period;
    if (!facts || period === undefined) continue;
    const cod = facts.first?.cod;
    const fee = facts.cancelled ? undefined : (facts.first ?? facts.now).delivery_fee;
    for (const currency of currenciesIn(cod, fee)) {
      add(figures, keyOf(period, currency), of(cod, currency) - of(fee, currency));
    }
  }
  return figures;
}

/** Every invoiced order once, as the shop's own book and the agreed prices have it. Rule 51. */
function ownFigures(own: ReadonlyMap<string, OwnOrderFacts>): Figures {
  const figures: Figures = new Map();
  for (const { invoice, asked, everDelivered, agreed } of own.values()) {
    if (!invoice.live || !asked) continue;
    const cod = everDelivered ? asked : undefined;
    const fee = agreed === 'none' ? undefined : agreed;
    for (const currency of currenciesIn(cod, fee)) {
      add(figures, keyOf(invoice.period, currency), of(cod, currency) - of(fee, currency));
    }
  }
  return figures;
}

function stepsOf(parts: readonly Part[]): Step[] {
  const codes = [...new Set(parts.map(({ code }) => code))].sort();
  return codes.map((code) => {
    const own = parts.filter((part) => part.code === code);
    const count = new Set(own.map(({ finding }) => finding)).size;
    return { code, count, effect: own.reduce((sum, { effect }) => sum + effect, 0n) };
  });
}
