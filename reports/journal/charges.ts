import type { ReturnsConvention } from '../../src/base/returns.ts';
import type { Movement } from '../../src/ledger/queries/balances/movements.ts';
import { readVersionReturns } from '../../src/ledger/queries/invoices/returns.ts';
import { readVersionCharges } from '../../src/ledger/queries/invoices/settlements.ts';
import type { LedgerReader } from '../../src/ledger/queries/snapshot.ts';
import type { ChargeKind } from '../../src/ledger/schema.ts';
import type { Units } from '../../src/money/units.ts';
import type { JournalAccount } from './model.ts';

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
  /** The parts of the fee of each version of an invoice, by {@link versionKey}. */
  readonly #versions = new Map<string, Map<Part, Units>>();

  /** By invoice and currency: what was booked so far; and what was taken back when the invoice vanished. */
  readonly #booked = new Map<string, Parts>();
  readonly #vanished = new Map<string, Parts>();

  /** @param returns how the courier's invoices show RETURN orders; null if nobody knows */
  static async read(db: LedgerReader, returns: ReturnsConvention | null): Promise<FeeBook> {
    const book = new FeeBook();
    const add = (version: Version, part: Part, amount: Units) => {
      const key = versionKey(version);
      book.#versions.set(key, (book.#versions.get(key) ?? new Map()).set(part, amount));
    };
    for (const { kind, name, amount, ...version } of await readVersionCharges(db))
      add(version, accountOfKind(kind, name), amount);
    // Only a courier that charges returns has their COD in the fee.
    if (returns !== 'charged' && returns !== 'charged+return-fees') return book;
    for (const { return_cod, ...version } of await readVersionReturns(db)) add(version, 'refunds', return_cod);
    return book;
  }

  /** A book of the same invoices, with nothing booked yet. */
  unbookedCopy(): FeeBook {
    const book = new FeeBook();
    for (const [key, parts] of this.#versions) book.#versions.set(key, parts);
    return book;
  }

  /**
   * Books a movement, and returns how it changes the parts of its invoice's fee: each part less what was booked of it
   * before. Call it once for each movement of an invoice, in their order.
   */
  book({ kind, number, evidence_id, currency, money }: Movement): FeeParts {
    const key = `${number} ${currency}`;
    const before = this.#booked.get(key) ?? NOTHING;
    const cameBack = kind === 'back' ? this.#vanished.get(key) : undefined;
    // The evidence that an invoice vanished shows no version of it: nothing of its fee is left.
    const after = this.#versions.get(versionKey({ number, evidence_id, currency })) ?? cameBack ?? NOTHING;
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
