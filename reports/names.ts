import { type Sentence, said } from '../src/base/sentence.ts';
import { cleanText } from '../src/base/text.ts';
import { readAccount } from '../src/ledger/queries/couriers.ts';
import type { LedgerReader } from '../src/ledger/queries/snapshot.ts';

/** Names and addresses from the settings; null or absent if they are not set. */
export interface NameSettings {
  readonly merchantName?: string | null;
  readonly merchantAddress?: string | null;
  readonly courierTitle?: string | null;
  readonly courierAddress?: string | null;
  readonly courierEmail?: string | null;
}

/** One side of a paper: the merchant, or the courier. */
export interface Party {
  /** Null if it is not known. */
  readonly name: string | null;
  readonly address: string | null;
  readonly email: string | null;
  readonly setting: 'merchant_name' | 'courier_title';
}

/** Whose figures a paper shows, and who owes them. */
export interface Names {
  readonly merchant: Party;
  readonly courier: Party;
}

/** Stands in the place of a name that is not known, and says which setting gives it. */
export type NameSentence = { id: 'name-missing'; setting: Party['setting'] };

/** The head of a page has little room. */
const LONGEST_NAME = 60;

export function nameOf({ name, setting }: Party): Sentence {
  if (name === null) return { id: 'name-missing', setting } satisfies NameSentence;
  return said(cleanText(name, LONGEST_NAME));
}

/**
 * Merchant and courier, from the settings; the merchant's name else from its profile at the courier.
 *
 * @param db of one courier
 */
export async function readNames(db: LedgerReader, settings: NameSettings): Promise<Names> {
  const { merchantName, merchantAddress, courierTitle, courierAddress, courierEmail } = settings;
  return {
    merchant: {
      // A profile's name may be blank.
      name: merchantName ?? ((await readAccount(db))?.organisation_name.trim() || null),
      address: merchantAddress ?? null,
      email: null,
      setting: 'merchant_name',
    },
    courier: {
      name: courierTitle ?? null,
      address: courierAddress ?? null,
      email: courierEmail ?? null,
      setting: 'courier_title',
    },
  };
}
