import { type Explanation, UsageError } from '../../base/errors.ts';
import { CHECKS } from '../../checks/catalogue/index.ts';
import { readSettlements, type SettlementSettings } from '../../checks/facts/receipts/settlements.ts';
import type { Config } from '../../config/index.ts';
import { type Mismatch, readMismatchesById } from '../../ledger/queries/findings/mismatches.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { outstandingOf } from '../../matching/model.ts';
import type { OpenAmount, PlannedSettlement } from '../../matching/settle.ts';
import { formatMoney } from '../../money/decimal.ts';
import { amountOfUnits, parseUnits, type Units } from '../../money/units.ts';
import { decidingError } from '../../words/errors/deciding.ts';
import { limitSubject, type TakenOff } from '../approvals/limit.ts';

/** The checks whose findings are about what is unpaid of an invoice. */
const ABOUT_UNPAID: ReadonlySet<string> = new Set(
  CHECKS.filter(({ isAboutPayment }) => isAboutPayment).map(({ code }) => code),
);

export function isAboutUnpaid({ code }: Pick<Mismatch, 'code'>): boolean {
  return ABOUT_UNPAID.has(code);
}

/** An amount that is taken off an invoice because a finding about it is given up. */
interface FindingSettlement extends PlannedSettlement {
  /** The finding's id. */
  readonly finding: string;
}

/** The open amount of each invoice in each currency, settled ones included. */
export async function readOpen(db: LedgerReader, config: SettlementSettings): Promise<readonly OpenAmount[]> {
  const { invoices } = await readSettlements(db, config);
  return invoices.map(({ number, currency, outstanding }) => ({ number, currency, open: outstanding }));
}

/** What a finding says is owed to you, positive as what is open is; its effect is negative where you are short. */
function owedBy(effect: string): Units {
  return -parseUnits(effect);
}

/**
 * Plans what resolving findings would give up.
 *
 * @param ids whole ids of findings
 * @param settle also take what they are short off their invoices
 * @returns `mismatches`: the findings; `settlements`: what is taken off invoices; `givenUp`: all that counts for the
 * limit of the books, which is the settlements and the amounts of the other findings
 */
export async function planGiveUp(
  db: LedgerReader,
  config: Config,
  ids: readonly string[],
  { settle }: { readonly settle: boolean },
) {
  const mismatches = [...(await readMismatchesById(db, ids)).values()];
  const settlements = settle ? settlementsOf(await readOpen(db, config), mismatches) : [];
  const settled = new Set(settlements.map(({ finding }) => finding));
  const others = mismatches.flatMap((mismatch) => {
    const { id, status, currency, effect } = mismatch;
    if (settled.has(id) || status === 'resolved' || currency === null || effect === null) return [];
    return [{ number: limitSubject(mismatch), currency, amount: owedBy(effect) }];
  });
  const givenUp: readonly TakenOff[] = [...settlements, ...others];
  return { mismatches, settlements, givenUp };
}

/**
 * What findings take off their invoices: what each is short, at most what is open. Findings about the rows of an
 * invoice take nothing off, since the net that it states never included them.
 */
function settlementsOf(openAmounts: readonly OpenAmount[], mismatches: readonly Mismatch[]): FindingSettlement[] {
  const keyOf = ({ number, currency }: OpenAmount) => `${number} ${currency}`;
  const stillOpen = new Map(openAmounts.map((one) => [keyOf(one), one]));
  return mismatches.filter(isAboutUnpaid).flatMap(({ id, invoice_number, currency, effect }) => {
    // A finding that an invoice is overdue names no currency: all that is open of the invoice is given up.
    const ofInvoice = [...stillOpen.values()].filter(
      (one) => one.number === invoice_number && (currency === null || one.currency === currency),
    );
    return ofInvoice.flatMap((one) => {
      const amount = nearerToZero(effect === null ? one.open : owedBy(effect), one.open);
      if (amount === 0n) return [];
      stillOpen.set(keyOf(one), { ...one, open: one.open - amount });
      return [{ ...one, amount, finding: id }];
    });
  });
}

/** The one nearer to zero; zero if one is owed to you and the other by you. */
function nearerToZero(owed: Units, open: Units): Units {
  if (owed > 0n && open > 0n) return owed < open ? owed : open;
  if (owed < 0n && open < 0n) return owed > open ? owed : open;
  return 0n;
}

/**
 * Refuses to give up more of an invoice than is open: a finding may name more until the books are checked again.
 *
 * @param settlements what is taken off invoices, which is at most what is open
 * @throws UsageError
 */
export async function requireOpen(
  db: LedgerReader,
  config: Config,
  mismatches: readonly Mismatch[],
  settlements: readonly FindingSettlement[],
): Promise<void> {
  const settled = new Set(settlements.map(({ finding }) => finding));
  const others = mismatches.filter(({ id }) => !settled.has(id));
  const [why] = (await outdatedOf(db, config, others)).values();
  if (why) throw new UsageError(why);
}

/** The findings that say that more of an invoice is unpaid than is open now, by their ids, and what to do. */
export async function outdatedOf(
  db: LedgerReader,
  config: Config,
  mismatches: readonly Mismatch[],
): Promise<ReadonlyMap<string, Explanation>> {
  const compared = mismatches.filter(
    (one) => isAboutUnpaid(one) && one.status !== 'resolved' && one.currency !== null && one.effect !== null,
  );
  if (compared.length === 0) return new Map();
  const { of: settledInvoice } = await readSettlements(db, config);
  return new Map(
    compared.flatMap(({ id, invoice_number, currency, effect }) => {
      const invoice = settledInvoice(invoice_number!, currency);
      // Not `invoice.outstanding`: for the checks, what only the Paid flag settles is unpaid. A vanished invoice asks
      // nothing.
      const open = invoice ? outstandingOf({ ...invoice, net: invoice.vanished_at === null ? invoice.net : 0n }) : 0n;
      const owed = owedBy(effect!);
      if (nearerToZero(owed, open) === owed) return [];
      const say = (units: Units) => formatMoney({ currency: currency!, amount: amountOfUnits(units) });
      return [
        [id, decidingError({ id: 'finding-outdated', mismatch: id, amount: say(owed), open: say(open) })] as const,
      ];
    }),
  );
}
