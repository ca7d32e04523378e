import { CHECKS } from '../../checks/catalogue/index.ts';
import type { Config } from '../../config/index.ts';
import type { Mismatch } from '../../ledger/queries/findings/mismatches.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import type { OpenAmount, PlannedSettlement } from '../../matching/settle.ts';
import { parseUnits, type Units } from '../../money/units.ts';
import { limitSubject, type TakenOff } from '../approvals/limit.ts';
import { readOpen } from '../open-amounts.ts';

/** An amount that is taken off an invoice because a finding about it is given up; `claim` is the finding's id. */
export interface FindingSettlement extends PlannedSettlement {
  readonly claim: string;
}

/** What resolving findings gives up: `settlements` are taken off invoices; `taken` has other findings' amounts too. */
export interface GivingUp {
  readonly settlements: readonly FindingSettlement[];
  readonly taken: readonly TakenOff[];
}

/** Plans what resolving findings would give up. @param settle also take what they are short off their invoices */
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
    return [{ number: limitSubject(mismatch), currency, amount: -parseUnits(effect) }];
  });
  return { settlements, taken: [...settlements, ...others] };
}

/**
 * What findings take off their invoices: what each is short, at most what is open. Findings about the rows of an
 * invoice take nothing off, since the net that it states never included them.
 */
function settlementsOf(open: readonly OpenAmount[], mismatches: readonly Mismatch[]): FindingSettlement[] {
  const left = new Map(open.map((one) => [`${one.number} ${one.currency}`, one]));
  const settling = new Set(CHECKS.filter(({ settles }) => settles).map(({ code }) => code));
  return mismatches.flatMap(({ id, code, invoice_number, currency, effect }) => {
    if (!settling.has(code)) return [];
    // A finding that an invoice is overdue names no currency: all that is open of the invoice is given up.
    const ofInvoice = [...left.values()].filter(
      (one) => one.number === invoice_number && (currency === null || one.currency === currency),
    );
    return ofInvoice.flatMap((one) => {
      const amount = nearerToZero(effect === null ? one.open : -parseUnits(effect), one.open);
      if (amount === 0n) return [];
      left.set(`${one.number} ${one.currency}`, { ...one, open: one.open - amount });
      return [{ ...one, amount, claim: id }];
    });
  });
}

/** The one nearer to zero; zero if one is owed to you and the other by you. */
function nearerToZero(found: Units, open: Units): Units {
  if (found > 0n && open > 0n) return found < open ? found : open;
  if (found < 0n && open < 0n) return found > open ? found : open;
  return 0n;
}
