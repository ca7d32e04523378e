import { CHECKS } from '../../checks/catalogue/index.ts';
import type { Config } from '../../config/index.ts';
import type { Mismatch } from '../../ledger/queries/findings/mismatches.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import type { OpenAmount, PlannedSettlement } from '../../matching/settle.ts';
import { parseUnits, type Units } from '../../money/units.ts';
import { placeOf, type TakenOff } from '../approvals/limit.ts';
import { readOpen } from '../open-amounts.ts';

/** What is taken off an invoice because a finding about it is given up. */
export interface FindingSettlement extends PlannedSettlement {
  readonly claim: string;
}

/** What resolving findings gives up: what is taken off their invoices, and the amounts of those that take nothing off. */
export interface GivingUp {
  readonly settlements: readonly FindingSettlement[];
  readonly taken: readonly TakenOff[];
}

/** @param settle whether what is open of their invoices is taken off too */
export async function planGiveUp(
  db: LedgerReader,
  config: Config,
  mismatches: readonly Mismatch[],
  { settle }: { readonly settle: boolean },
): Promise<GivingUp> {
  const settlements = settle ? settlementsOf(await readOpen(db, config), mismatches) : [];
  const settled = new Set(settlements.map(({ claim }) => claim));
  const others = mismatches.flatMap((mismatch) => {
    const { id, status, currency, effect } = mismatch;
    if (settled.has(id) || status === 'resolved' || currency === null || effect === null) return [];
    return [{ number: placeOf(mismatch), currency, amount: -parseUnits(effect) }];
  });
  return { settlements, taken: [...settlements, ...others] };
}

/**
 * What findings take off their invoices: what each is short, at most what is open. Findings on the rows of an invoice take nothing off,
 * since the net that it states never held them.
 */
function settlementsOf(open: readonly OpenAmount[], mismatches: readonly Mismatch[]): FindingSettlement[] {
  const left = new Map(open.map((one) => [`${one.number} ${one.currency}`, one]));
  const settling = new Set(CHECKS.filter(({ settles }) => settles).map(({ code }) => code));
  return mismatches.flatMap(({ id, code, invoice_number, currency, effect }) => {
    if (!settling.has(code)) return [];
    // An overdue invoice has no currency of its own: all that is open of it is given up.
    const own = [...left.values()].filter(
      (one) => one.number === invoice_number && (currency === null || one.currency === currency),
    );
    return own.flatMap((one) => {
      const amount = nearerToNothing(effect === null ? one.open : -parseUnits(effect), one.open);
      if (amount === 0n) return [];
      left.set(`${one.number} ${one.currency}`, { ...one, open: one.open - amount });
      return [{ ...one, amount, claim: id }];
    });
  });
}

/** Of a finding and what is open the smaller one; nothing where one is owed to you and the other by you. */
function nearerToNothing(found: Units, open: Units): Units {
  if (found > 0n && open > 0n) return found < open ? found : open;
  if (found < 0n && open < 0n) return found > open ? found : open;
  return 0n;
}
