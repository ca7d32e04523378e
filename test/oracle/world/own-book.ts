import { units } from '../units.ts';
import { Dice } from './dice.ts';
import type { OrderDocument, Pair, ServerState } from './documents.ts';

/** An order as the shop wrote it down. */
export interface OwnOrder {
  readonly reference: string;
  readonly ordered_on: string;
  readonly status: 'open' | 'cancelled' | 'handed_over';
  /** Empty: not written down. */
  readonly district: string;
  readonly cod: readonly Pair[];
}

/** A line of the rate card; empty is any. */
export interface Price {
  readonly workflow: string;
  readonly district: string;
  readonly area: string;
  readonly merchant_location: string;
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  readonly fee: string;
  readonly per_package: string;
}

/** What the shop imports after a sync. */
export interface OwnFiles {
  readonly orders: readonly OwnOrder[];
  readonly prices: readonly Price[];
}

const DAYS = ['2026-05-03', '2026-06-10', '2026-07-01'];
const STATUSES = ['handed_over', 'handed_over', 'handed_over', 'open', 'cancelled'] as const;

/** What the shop knows of the orders as they are now: most of them, most of them right. */
export function ownFilesOf(state: ServerState, seed: number, isFirst: boolean): OwnFiles {
  const dice = new Dice(seed);
  const orders = new Map<string, OwnOrder>();
  for (const order of [...state.orders.values(), ...state.gone]) {
    const own = ownOrderOf(order, dice);
    if (own && !orders.has(own.reference)) orders.set(own.reference, own);
    // Another order whose reference the rule cannot tell from the first one's.
    if (own && dice.chance(0.04)) orders.set(`#${own.reference} `.trim(), { ...own, reference: `#${own.reference}` });
  }
  return { orders: [...orders.values()], prices: isFirst && dice.chance(0.75) ? pricesOf(dice) : [] };
}

function ownOrderOf({ reference_id, cod }: OrderDocument, dice: Dice): OwnOrder | null {
  const plain = reference_id.normalize('NFKC').trim();
  const reference = dice.pick([plain, plain, `#${plain}`, plain.toLowerCase(), plain.toUpperCase()]);
  const isLeftOut = dice.chance(0.1);
  const asked = [...new Map(cod.flatMap(([currency, text]) => askedOf(currency, text, dice)))];
  const rest = {
    ordered_on: dice.pick(DAYS),
    status: dice.pick(STATUSES),
    district: dice.pick(['Beirut', 'Tyre', '']),
  };
  return plain === '' || isLeftOut || asked.length === 0 ? null : { reference, ...rest, cod: asked };
}

/** An own book knows no amount below nothing. */
function askedOf(currency: string, text: string, dice: Dice): Pair[] {
  const [isOff, isOther] = [dice.chance(0.12), dice.chance(0.04)];
  const size = units(text);
  if (size === null || size > 10n ** 15n || !/^[A-Z]{3}$/.test(currency)) return [];
  if (size < 0n) return dice.chance(0.5) ? [[currency, '0.00']] : [];
  return [[isOther ? 'EUR' : currency, isOff ? `${dice.int(1, 90)}.00` : text]];
}

const PRICE: Price = {
  workflow: 'STANDARD',
  district: '',
  area: '',
  merchant_location: '',
  from: '',
  to: '',
  currency: 'USD',
  fee: '3.00',
  per_package: '',
};

function pricesOf(dice: Dice): Price[] {
  const kinds: readonly (readonly Price[])[] = [
    [
      { ...PRICE, to: '2026-06-15' },
      { ...PRICE, from: '2026-06-16', fee: '3.50' },
    ],
    [{ ...PRICE, workflow: '', fee: '1.25' }],
    [
      { ...PRICE, district: 'Tyre', fee: '4.00' },
      { ...PRICE, district: 'Tyre', currency: 'LBP', fee: '50000' },
    ],
    [{ ...PRICE, district: 'Beirut', fee: '2.00', per_package: '0.50' }],
    [{ ...PRICE, merchant_location: '7', fee: '2.25' }],
    [{ ...PRICE, area: 'Hamra', district: 'Beirut', fee: '1.75' }],
  ];
  const odds = [0.9, 0.4, 0.5, 0.25, 0.2, 0.2];
  const picked = kinds.filter((_, at) => dice.chance(odds[at]!)).flat();
  return picked.length > 0 ? picked : [PRICE];
}

/** The files as the program is given them. */
export const ordersCsv = ({ orders }: OwnFiles): string =>
  csvOf(
    'reference,ordered_on,status,currency,cod,district',
    orders.flatMap(({ reference, ordered_on, status, district, cod }) =>
      cod.map(([currency, text]) => [reference, ordered_on, status, currency, text, district].join()),
    ),
  );

export const pricesCsv = ({ prices }: OwnFiles): string =>
  csvOf(
    Object.keys(PRICE).join(),
    prices.map((price) => Object.values(price).join()),
  );

const csvOf = (head: string, lines: readonly string[]): string => `${[head, ...lines].join('\n')}\n`;
