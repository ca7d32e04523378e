import type { ReturnsConvention } from '../../src/base/returns.ts';
import { compareText } from '../../src/base/text.ts';
import type { Movement } from '../../src/ledger/queries/balances/movements.ts';
import { readVersionReturns } from '../../src/ledger/queries/invoices/returns.ts';
import { readVersionCharges } from '../../src/ledger/queries/invoices/settlements.ts';
import type { LedgerReader } from '../../src/ledger/queries/snapshot.ts';
import type { ChargeKind } from '../../src/ledger/schema.ts';
import { inWholeCoins, smallestCoin, type Units } from '../../src/money/units.ts';
import type { JournalAccount, JournalLine, JournalTransaction } from './model.ts';

/** How a movement changes the fee of an invoice: by account, and how much of it is COD of RETURN orders. */
export interface FeeParts {
  readonly fees: readonly (readonly [JournalAccount, Units])[];
  /** COD of RETURN orders that the courier charges as a fee. It bears no tax. */
  readonly refunds: Units;
}

/** The account of a kind of charge or tax; the plain delivery charge has the account of all fees. */
export function accountOfKind(kind: ChargeKind, name: string): JournalAccount {
  return kind === 'charge' && name === 'delivery' ? 'delivery_fees' : `${kind}:${name}`;
}

type Part = JournalAccount | 'refunds';
type Parts = ReadonlyMap<Part, Units>;

const NOTHING: Parts = new Map();

type Version = Pick<Movement, 'number' | 'evidence_id' | 'currency'>;

const versionKey = ({ number, evidence_id, currency }: Version) => `${number} ${evidence_id} ${currency}`;

/** The fees of invoices, split by account if settlement sheets split them, and the refunds among them. */
export class FeeBook {
  readonly #versions: ReadonlyMap<string, Parts>;

  /** By invoice and currency: the parts booked so far; and those that were booked before the invoice vanished. */
  readonly #booked = new Map<string, Parts>();
  readonly #vanished = new Map<string, Parts>();

  /** @param versions the parts of the fee of each version of an invoice, by {@link versionKey} */
  constructor(versions: ReadonlyMap<string, Parts>) {
    this.#versions = versions;
  }

  /** @param returns how the courier's invoices show RETURN orders; null if nobody knows */
  static async read(db: LedgerReader, returns: ReturnsConvention | null): Promise<FeeBook> {
    const versions = new Map<string, Map<Part, Units>>();
    const add = (version: Version, part: Part, amount: Units) => {
      const key = versionKey(version);
      versions.set(key, (versions.get(key) ?? new Map<Part, Units>()).set(part, amount));
    };
    for (const { kind, name, amount, ...version } of await readVersionCharges(db))
      add(version, accountOfKind(kind, name), amount);
    // Only a courier that charges returns has their COD in the fee.
    if (returns === 'charged' || returns === 'charged+return-fees') {
      for (const { return_cod, ...version } of await readVersionReturns(db)) add(version, 'refunds', return_cod);
    }
    return new FeeBook(versions);
  }

  /** A book of the same invoices, with nothing booked yet. */
  unbookedCopy(): FeeBook {
    return new FeeBook(this.#versions);
  }

  /**
   * Books a movement, and returns how it changes the parts of its invoice's fee: each part less what was booked of it
   * before. Call it once for each movement of an invoice, in their order.
   */
  book({ kind, number, evidence_id, currency, money }: Movement): FeeParts {
    const key = `${number} ${currency}`;
    const before = this.#booked.get(key) ?? NOTHING;
    const ofVersion = this.#versions.get(versionKey({ number, evidence_id, currency }));
    // An invoice that came back unchanged has the parts from before it vanished; one that vanished has none.
    const after = ofVersion ?? (kind === 'back' ? this.#vanished.get(key) : undefined) ?? NOTHING;
    if (kind === 'vanished') this.#vanished.set(key, before);
    this.#booked.set(key, after);
    const changeOf = (part: Part) => (after.get(part) ?? 0n) - (before.get(part) ?? 0n);
    const accounts = [...new Set([...before.keys(), ...after.keys()])].filter((part) => part !== 'refunds');
    const refunds = changeOf('refunds');
    // No sheet splits this invoice's fee: all of it is delivery.
    if (accounts.length === 0) return { fees: [['delivery_fees', money.delivery_fee]], refunds };
    return { fees: accounts.map((account) => [account, changeOf(account)] as const), refunds };
  }
}

/** Ids of invoice bookings: `INV-7-USD`, `RES-7-R12-USD`, `ADJ-INV-7-USD-9`. Fees of accruals still include the tax. */
const INVOICED = /^(?:ADJ-)?(?:INV|RES)-/;

/** What an invoice charged so far in one currency, by the account of each fee, and the tax that was split off. */
interface Charged {
  readonly percent: number;
  readonly fees: Map<JournalAccount, Units>;
  readonly taxes: Map<JournalAccount, Units>;
}

/**
 * Splits the recoverable tax off the fees of invoices; COD of RETURN orders among them is no fee. The tax on all that
 * an invoice charged so far in one currency is rounded once, to the smallest coin. A restatement books only the
 * difference, at the percentage of its invoice's day.
 *
 * @param percentOn the tax in fees of a day, in hundredths of a percent: 1100 is 11%, 11/111 of the fee; null for none
 */
export function withFeeTax(
  transactions: readonly JournalTransaction[],
  percentOn: (day: string) => number | null,
): JournalTransaction[] {
  const charged = new Map<string, Charged>();
  const taxes = new Map<JournalTransaction, ReadonlyMap<JournalAccount, Units>>();
  for (const transaction of [...transactions].sort(byDateAndId)) {
    const { invoice } = transaction.references;
    if (invoice === undefined || !INVOICED.test(transaction.id)) continue;
    const key = `${invoice} ${transaction.currency}`;
    const percent = percentOn(transaction.date) ?? 0;
    const chargedSoFar = charged.get(key) ?? { percent, fees: new Map(), taxes: new Map() };
    charged.set(key, chargedSoFar);
    taxes.set(transaction, addFees(chargedSoFar, transaction));
  }
  return transactions.map((transaction) => splitFees(transaction, taxes.get(transaction) ?? new Map()));
}

/** Adds a transaction's fees to what its invoice charged. @returns the tax to split off, by account, without zeros */
function addFees(
  { percent, fees, taxes }: Charged,
  { currency, lines, refunds = 0n }: JournalTransaction,
): Map<JournalAccount, Units> {
  if (percent === 0) return new Map();
  for (const { account, amount } of lines) {
    if (isFee(account)) fees.set(account, (fees.get(account) ?? 0n) + amount);
  }
  if (refunds !== 0n) fees.set('delivery_fees', (fees.get('delivery_fees') ?? 0n) - refunds);
  const coin = smallestCoin(currency);
  const taxChanges = new Map<JournalAccount, Units>();
  let feesSoFar = 0n;
  let taxSoFar = 0n;
  // The accounts' taxes must add up to the rounded tax on all fees. At 11% two accounts with fees of 0.55 have 0.05 and
  // 0.06: the tax on 0.55 is 0.05, and that on 1.10 is 0.11.
  for (const [account, fee] of fees) {
    feesSoFar += fee;
    const taxWithThis = inWholeCoins(coin, feesSoFar * BigInt(percent), BigInt(10_000 + percent));
    const tax = taxWithThis - taxSoFar;
    taxSoFar = taxWithThis;
    const change = tax - (taxes.get(account) ?? 0n);
    taxes.set(account, tax);
    if (change !== 0n) taxChanges.set(account, change);
  }
  return taxChanges;
}

function splitFees(transaction: JournalTransaction, taxes: ReadonlyMap<JournalAccount, Units>): JournalTransaction {
  if (taxes.size === 0) return transaction;
  const { lines } = transaction;
  const afterFees = lines.findLastIndex(({ account }) => isFee(account)) + 1;
  const booked = new Set(lines.map(({ account }) => account));
  const split = [
    ...lines.slice(0, afterFees).map((line) => ({ ...line, amount: line.amount - (taxes.get(line.account) ?? 0n) })),
    // No line of this transaction has the account: only refunds moved in it, or the rounding of its tax.
    ...[...taxes].flatMap(([account, tax]) => (booked.has(account) ? [] : [{ account, amount: -tax }])),
    { account: 'recoverable_tax' as const, amount: [...taxes.values()].reduce((sum, tax) => sum + tax, 0n) },
    ...lines.slice(afterFees),
  ];
  return { ...transaction, lines: split.filter(({ amount }) => amount !== 0n) };
}

function isFee(account: JournalLine['account']): boolean {
  return account === 'delivery_fees' || account.startsWith('charge:');
}

function byDateAndId(a: JournalTransaction, b: JournalTransaction): number {
  return compareText(a.date, b.date) || compareText(a.id, b.id);
}
