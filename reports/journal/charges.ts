import type { ReturnsConvention } from '../../src/base/returns.ts';
import type { Movement } from '../../src/ledger/queries/balances/movements.ts';
import { readVersionReturns } from '../../src/ledger/queries/invoices/returns.ts';
import { readVersionCharges } from '../../src/ledger/queries/invoices/settlements.ts';
import type { LedgerReader } from '../../src/ledger/queries/snapshot.ts';
import type { ChargeKind } from '../../src/ledger/schema.ts';
import type { Units } from '../../src/money/units.ts';
import type { JournalAccount } from './model.ts';

/** A movement's fee, split by account, and how much of it is COD of RETURN orders (`refunds`). */
export interface FeeParts {
  readonly fees: readonly (readonly [JournalAccount, Units])[];
  readonly refunds: Units;
}

/** The account of a kind of charge or tax; the plain delivery charge has the account of all fees. */
export function accountOfKind(kind: ChargeKind, name: string): JournalAccount {
  return kind === 'charge' && name === 'delivery' ? 'delivery_fees' : `${kind}:${name}`;
}

type Part = JournalAccount | 'refunds';
type Parts = ReadonlyMap<Part, Units>;

const NOTHING: Parts = new Map();

/** The fees of invoices, split by account if settlement sheets split them, and the refunds among them. */
export class FeeBook {
  /** By invoice, its version's evidence, and currency. */
  readonly #versions = new Map<string, Map<Part, Units>>();

  /** By invoice and currency: what was booked so far; and what was taken back when the invoice vanished. */
  readonly #booked = new Map<string, Parts>();
  readonly #vanished = new Map<string, Parts>();

  /** @param returns how the courier's invoices show RETURN orders; null if nobody knows */
  static async read(db: LedgerReader, returns: ReturnsConvention | null): Promise<FeeBook> {
    const book = new FeeBook();
    const add = (key: string, part: Part, amount: Units) =>
      book.#versions.set(key, (book.#versions.get(key) ?? new Map()).set(part, amount));
    for (const { number, evidence_id, currency, kind, name, amount } of await readVersionCharges(db))
      add(`${number} ${evidence_id} ${currency}`, accountOfKind(kind, name), amount);
    if (!returns?.startsWith('charged')) return book;
    for (const { number, evidence_id, currency, return_cod } of await readVersionReturns(db))
      add(`${number} ${evidence_id} ${currency}`, 'refunds', return_cod);
    return book;
  }

  /** The accounts of the kinds, each with the month of an invoice that has it. */
  static async kinds(db: LedgerReader): Promise<{ readonly account: JournalAccount; readonly month: string }[]> {
    const charges = await readVersionCharges(db);
    return charges.map(({ kind, name, period }) => ({ account: accountOfKind(kind, name), month: period }));
  }

  /** The same invoices, with nothing booked yet. */
  unbookedCopy(): FeeBook {
    const book = new FeeBook();
    for (const [key, parts] of this.#versions) book.#versions.set(key, parts);
    return book;
  }

  /** The parts of the fee that a movement books; call it for an invoice's movements in their order. */
  partsOf({ kind, number, evidence_id, currency, money }: Movement): FeeParts {
    const key = `${number} ${currency}`;
    const before = this.#booked.get(key) ?? NOTHING;
    const cameBack = kind === 'back' ? this.#vanished.get(key) : undefined;
    const after = this.#versions.get(`${number} ${evidence_id} ${currency}`) ?? cameBack ?? NOTHING;
    if (kind === 'vanished') this.#vanished.set(key, before);
    this.#booked.set(key, after);
    const changeOf = (part: Part) => (after.get(part) ?? 0n) - (before.get(part) ?? 0n);
    const accounts = [...new Set([...before.keys(), ...after.keys()])].filter((part) => part !== 'refunds');
    const fees = accounts.map((account) => [account, changeOf(account)] as const);
    return { fees: fees.length === 0 ? [['delivery_fees', money.delivery_fee]] : fees, refunds: changeOf('refunds') };
  }
}
