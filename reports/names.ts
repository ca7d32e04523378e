import { type Sentence, said } from '../src/base/sentence.ts';
import { cleanText } from '../src/base/text.ts';
import { readAccount } from '../src/ledger/queries/couriers.ts';
import type { LedgerReader } from '../src/ledger/queries/snapshot.ts';

/** What the settings say of both sides; null or absent where they do not. */
export interface NameSettings {
  readonly merchantName?: string | null;
  readonly merchantAddress?: string | null;
  readonly courierTitle?: string | null;
  readonly courierAddress?: string | null;
  readonly courierEmail?: string | null;
}

/** One side of a paper: the merchant, or the courier. */
export interface Party {
  /** Null where nobody said it. */
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

/** What stands in the place of a name that nobody said. */
export type NameSentence = { id: 'name-missing'; setting: Party['setting'] };

/** A head of print has little room. */
const LONGEST_NAME = 60;

/** What a paper calls a side; where nobody said it, the setting that says it. */
export function nameOf({ name, setting }: Party): Sentence {
  const missing: NameSentence = { id: 'name-missing', setting };
  return name === null ? missing : said(cleanText(name, LONGEST_NAME));
}

/** Reads what papers call both sides: as the settings say it; the merchant also as the courier's profile does. @param db a courier's */
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
