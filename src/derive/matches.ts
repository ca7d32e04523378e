import { type MatchRows, removeMatches, withReversals, writeMatches } from '../ledger/write/matches.ts';
import { parseUnits } from '../money/units.ts';
import type { Derive } from './derivation.ts';

/** A match in the body of its evidence; amounts are decimal text. */
export interface MatchEvidence {
  readonly rule: string;
  readonly currency: string;
  readonly receipts: readonly (readonly [id: number, amount: string])[];
  /** Invoice number, the amount matched, and how much of it a person named as a difference. */
  readonly invoices: readonly (readonly [number: number, amount: string, named: string])[];
  readonly due: string;
  readonly difference: string;
  readonly difference_kind: string | null;
  readonly note: string | null;
  readonly why: string;
  readonly reverses: number | null;
  /** The mismatch whose claim was written off. */
  readonly claim?: string | null;
  /** A receipt in another currency than the invoices: its rate and currency. */
  readonly rate?: string | null;
  readonly paid_currency?: string | null;
}

const REMIT = 'remit';

/** Matches made by rules or by a person. */
export const deriveMatches: Derive = async ({ trx, evidence, body }) => {
  const { id, at, actor } = evidence;
  const matches = JSON.parse((await body()).toString('utf8')) as MatchEvidence[];
  const rows = matches.map(
    ({ receipts, invoices, due, difference, claim = null, rate = null, paid_currency = null, ...match }): MatchRows => {
      const units = { due: parseUnits(due), difference: parseUnits(difference) };
      return {
        match: { evidence_id: id, at, actor: actor ?? REMIT, claim, rate, paid_currency, ...match, ...units },
        receipts: receipts.map(([receipt_id, amount]) => ({ receipt_id, amount: parseUnits(amount) })),
        invoices: invoices.map(([invoice_number, amount, named]) => {
          return { invoice_number, amount: parseUnits(amount), named: parseUnits(named) };
        }),
      };
    },
  );
  await writeMatches(trx, rows);
};

/** A match that a person removed, with the reversals of it. */
export const deriveMatchRemoved: Derive = async ({ trx, evidence }) => {
  const { at, actor, subject, data } = evidence;
  const { why } = JSON.parse(data!) as { why: string };
  await removeMatches(trx, await withReversals(trx, [Number(subject)]), { at, by: actor ?? REMIT, why });
};
