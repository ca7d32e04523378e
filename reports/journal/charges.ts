import type { LedgerReader, Movement } from '../../src/ledger/queries/index.ts';
import { readVersionCharges } from '../../src/ledger/queries/invoices/settlements.ts';
import type { Units } from '../../src/money/index.ts';
import type { JournalAccount } from './model.ts';

/** A fee's parts, each with its account. */
export type FeeParts = readonly (readonly [JournalAccount, Units])[];

/** The account of a kind: the plain delivery charge has the one of all fees. */
function accountOf(kind: 'charge' | 'tax', name: string): JournalAccount {
  return kind === 'charge' && name === 'delivery' ? 'delivery_fees' : `${kind}:${name}`;
}

/** What the fees of invoices are made of, where settlement sheets say so. */
export class ChargeKinds {
  readonly #at = new Map<string, Map<JournalAccount, Units>>();

  /** By invoice and currency, what was booked so far. */
  readonly #booked = new Map<string, Map<JournalAccount, Units>>();

  static async read(db: LedgerReader): Promise<ChargeKinds> {
    const kinds = new ChargeKinds();
    for (const { number, evidence_id, currency, kind, name, amount } of await readVersionCharges(db)) {
      const key = `${number} ${evidence_id} ${currency}`;
      kinds.#at.set(key, (kinds.#at.get(key) ?? new Map()).set(accountOf(kind, name), amount));
    }
    return kinds;
  }

  /** The same, of which nothing is booked yet. */
  afresh(): ChargeKinds {
    const kinds = new ChargeKinds();
    for (const [key, amounts] of this.#at) kinds.#at.set(key, amounts);
    return kinds;
  }

  /** The parts of the fee that a movement books; call it for an invoice's movements in their order. */
  partsOf({ number, evidence_id, currency, money }: Movement): FeeParts {
    const fee = money.delivery_fee;
    const now = this.#at.get(`${number} ${evidence_id} ${currency}`);
    const before = this.#booked.get(`${number} ${currency}`) ?? new Map<JournalAccount, Units>();
    if (!now && before.size === 0) return [['delivery_fees', fee]];
    const accounts = new Set([...before.keys(), ...(now?.keys() ?? [])]);
    const parts = [...accounts].map((account): FeeParts[number] => {
      return [account, (now?.get(account) ?? 0n) - (before.get(account) ?? 0n)];
    });
    this.#booked.set(`${number} ${currency}`, new Map(now ?? []));
    return parts;
  }
}
