import { type MatchRows, removeMatches, withReversals, writeMatches } from '../ledger/write/matches.ts';
import { parseUnits } from '../money/index.ts';
import type { Derive } from './deriver.ts';

/** A match as its evidence keeps it: amounts as decimal text. */
export interface MatchEvidence {
  readonly rule: string;
  readonly currency: string;
  readonly receipts: readonly (readonly [id: number, amount: string])[];
  /** Number, what the match brings, and what of it a person named as a difference. */
  readonly invoices: readonly (readonly [number: number, amount: string, named: string])[];
  readonly due: string;
  readonly difference: string;
  readonly difference_kind: string | null;
  readonly note: string | null;
  readonly why: string;
  readonly reverses: number | null;
}

/** Who matches where no person did. */
const REMIT = 'remit';

/** Matches that were booked, by rules or by a person. */
export const deriveMatches: Derive = async ({ trx, evidence, body }) => {
  const { id, at, actor } = evidence;
  const matches = JSON.parse((await body()).toString('utf8')) as MatchEvidence[];
  const rows = matches.map(({ receipts, invoices, due, difference, ...match }): MatchRows => {
    const units = { due: parseUnits(due), difference: parseUnits(difference) };
    return {
      match: { evidence_id: id, at, actor: actor ?? REMIT, ...match, ...units },
      receipts: receipts.map(([receipt_id, amount]) => ({ receipt_id, amount: parseUnits(amount) })),
      invoices: invoices.map(([invoice_number, amount, named]) => {
        return { invoice_number, amount: parseUnits(amount), named: parseUnits(named) };
      }),
    };
  });
  await writeMatches(trx, rows);
};

/** A match that a person took away, and with it those that take its money back. */
export const deriveMatchRemoved: Derive = async ({ trx, evidence }) => {
  const { at, actor, subject, data } = evidence;
  const { why } = JSON.parse(data!) as { why: string };
  await removeMatches(trx, await withReversals(trx, [Number(subject)]), { at, by: actor ?? REMIT, why });
};
