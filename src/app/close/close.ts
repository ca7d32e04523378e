import { controlMonth } from '../../../reports/journal/build.ts';
import { canonicalJson } from '../../api/canonical.ts';
import { LedgerError } from '../../base/errors.ts';
import { NO_ACCOUNTING_SETTINGS } from '../../base/settings.ts';
import type { CheckSettings } from '../../checks/check.ts';
import { readClosingFigures } from '../../checks/facts/closes/figures.ts';
import { readSettlements, type SettlementSettings } from '../../checks/facts/receipts/settlements.ts';
import { countUnresolved } from '../../checks/groups.ts';
import type { Incomplete } from '../../checks/incomplete.ts';
import type { CloseRecord } from '../../derive/decisions.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import {
  type Ledger,
  type LedgerTransaction,
  ofCourier,
  readHead,
  sealBody,
  sha256,
  usingTransaction,
  wholeLedger,
} from '../../ledger/index.ts';
import { readClosingDocuments } from '../../ledger/queries/closes/figures.ts';
import { readMonthTotals } from '../../ledger/queries/invoices/totals.ts';
import { closeError } from '../../words/errors/close.ts';
import { propose, type Waiting } from '../approvals/propose.ts';
import { type Books, usingBooks } from '../books.ts';
import { checkTogether } from '../check.ts';
import { type Courier, type CourierChoice, couriersOf, ledgerOf } from '../couriers.ts';
import { recordEvidence } from '../record.ts';
import type { Objection } from './objection.ts';
import { refuseByBooks, refuseByOrder } from './objections.ts';

export interface CloseRequest {
  /** The month, such as `2026-10`. */
  readonly month: string;
  /** Who closes it. */
  readonly by: string;
  /**
   * Why it may be closed though it is incomplete, not checked or has open errors, which go on record too; else null.
   */
  readonly withOpen: string | null;
  /** The books begin with this month: the one before it need not be closed. */
  readonly first: boolean;
}

export interface ClosedMonth {
  readonly status: 'closed';
  readonly period: string;
  /** The id of the close: that of its evidence. */
  readonly close: number;
  readonly at: string;
  readonly by: string;
  /** The head of the chain of evidence at the close, which `verify --head` compares. */
  readonly chain_head: string;
  /** What was frozen of each courier. */
  readonly couriers: readonly (CloseRecord & { readonly courier: string })[];
}

/** Every reason why the month was not closed. Only the check's findings were written. */
export interface RefusedClose {
  readonly status: 'refused';
  readonly period: string;
  readonly reasons: readonly Objection[];
}

/** What `close --json` prints, also after an approval. The frozen figures of an only courier are at the top level. */
export function closeJson(result: ClosedMonth | RefusedClose) {
  if (result.status === 'refused' || result.couriers.length > 1) return result;
  const { couriers, ...head } = result;
  return { ...head, ...couriers[0]! };
}

/** If others decide or match between the check and the close, the month is checked again, at most this many times. */
const MOST_TRIES = 5;

/**
 * Closes a month: checks it, and freezes its figures, with the documents behind them, as evidence.
 *
 * @returns what was frozen, every reason why the month cannot be closed, or what waits for a second person where the
 * books ask for one
 * @throws LedgerBusyError while another command is at work
 */
export function closeBooks(books: Books, request: CloseRequest): Promise<ClosedMonth | RefusedClose | Waiting> {
  const proposeClose: ProposeClose<Waiting> = (trx, close) => propose(trx, books, { what: 'close', request }, close);
  return usingBooks(books, { exclusive: 'close', allCouriers: true }, (ledger, lent) =>
    closeLedger(ledger, lent, request, lent.config.approvals.close ? proposeClose : undefined),
  );
}

/**
 * Proposes a close to a second person, in the transaction in which the month would be closed. It calls `close` to see
 * what closing the month would do, and takes that back.
 */
type ProposeClose<Proposed> = (trx: LedgerTransaction, close: () => Promise<ClosedMonth>) => Promise<Proposed>;

/**
 * Closes a month in an open ledger that no sync can change meanwhile.
 *
 * @param proposeClose if given, it is called where nothing speaks against the close, and the month stays open
 */
export async function closeLedger<Proposed extends object = never>(
  ledger: Ledger,
  { config, now }: { readonly config: CheckSettings & CourierChoice; readonly now: () => Date },
  request: CloseRequest,
  proposeClose?: ProposeClose<Proposed>,
): Promise<ClosedMonth | RefusedClose | Proposed> {
  const couriers = await couriersOf(ledger.db, config);
  const toCheck = couriers.map((courier) => ({
    ledger: ledgerOf(ledger, courier),
    surroundings: { ...courier, now },
  }));
  for (let attempt = 1; attempt <= MOST_TRIES; attempt += 1) {
    const { checked: found, head } = await checkTogether(toCheck, [request.month]);
    const checked = couriers.map((courier, index): CheckedCourier => {
      return { courier, lacking: found[index]!.get(request.month)!.result.reasons.lacking };
    });
    const done = await usingTransaction(ledger, async (trx) => {
      await holdHead(trx);
      // Only what was checked is closed.
      return (await readHead(trx)) === head ? closeChecked(trx, request, now(), checked, proposeClose) : null;
    });
    if (done) return done;
  }
  throw new LedgerError(closeError({ id: 'changed-meanwhile', ledger: ledger.name, month: request.month }));
}

/** A courier whose month was checked, and why the month is incomplete. */
interface CheckedCourier {
  readonly courier: Courier<CheckSettings>;
  readonly lacking: readonly Incomplete[];
}

/** Closes a month of the whole books: a reason against it at one courier keeps it open for all. */
async function closeChecked<Proposed extends object>(
  trx: LedgerTransaction,
  request: CloseRequest,
  at: Date,
  checked: readonly CheckedCourier[],
  proposeClose: ProposeClose<Proposed> | undefined,
): Promise<ClosedMonth | RefusedClose | Proposed> {
  const { month, first, withOpen } = request;
  const closings: CourierClosing[] = [];
  for (const one of checked) closings.push(await readClosing(ofCourier(trx, one.courier.key), request, one));
  const { timeZone } = checked[0]!.courier.config;
  const reasons = await refuseByOrder(wholeLedger(trx), { month, first, now: at, timeZone });
  // With a reason, a month is closed in spite of what its books say against it.
  const objecting = withOpen === null ? closings : [];
  for (const { courier, objections } of objecting) {
    const acceptable = objections.map((reason) => reason.withWayToAccept());
    reasons.push(...(closings.length === 1 ? acceptable : acceptable.map((reason) => reason.inBooksOf(courier.name))));
  }
  if (reasons.length > 0) return { status: 'refused', period: month, reasons };
  const close = () => freeze(trx, request, at, closings);
  return proposeClose ? proposeClose(trx, close) : close();
}

/** The reasons against a close that are in one courier's books. */
interface CourierClosing {
  readonly courier: Courier;
  readonly objections: readonly Objection[];
  /** Makes the courier's part of the close. */
  readonly record: () => Promise<CloseRecord>;
}

async function freeze(
  trx: LedgerTransaction,
  { month, by }: CloseRequest,
  at: Date,
  closings: readonly CourierClosing[],
): Promise<ClosedMonth> {
  const couriers: Record<string, CloseRecord> = {};
  for (const { courier, record } of closings) couriers[courier.key] = await record();
  const body = await sealBody(Buffer.from(canonicalJson({ couriers })));
  const { id, chain } = await recordEvidence(trx, { at, kind: 'close', actor: by, subject: month, body });
  const head = { status: 'closed' as const, period: month, close: id, at: at.toISOString(), by, chain_head: chain };
  return { ...head, couriers: closings.map(({ courier: { key, name } }) => ({ courier: name, ...couriers[key]! })) };
}

async function readClosing(
  trx: LedgerTransaction,
  { month, withOpen, first }: CloseRequest,
  { courier, lacking }: CheckedCourier,
): Promise<CourierClosing> {
  const { config } = courier;
  const { objections, notChecked, mismatches, openErrors } = await refuseByBooks(trx, month, lacking);
  const closedAlthough = (reason: string) => ({
    reason,
    findings: openErrors.map(({ id, code, currency, effect }) => ({ mismatch_id: id, code, currency, effect })),
    reasons: objections.map(({ code, why }) => ({ code, why })),
  });
  return {
    courier,
    objections,
    record: async () => {
      // A month whose balance is not one figure is not closed.
      await controlMonth(trx, config, month);
      const { figures, settled, openItems } = await readClosingFigures(trx, await readMonthTotals(trx, month), config, {
        settlements: await readSettlements(trx, config),
      });
      return {
        first,
        with_open: withOpen === null || objections.length === 0 ? null : closedAlthough(withOpen),
        figures,
        figures_sha256: sha256(canonicalJson(figures)),
        settled,
        settings: settingsOf(config),
        open_items: openItems,
        documents: await readClosingDocuments(trx, month),
        mismatches: countUnresolved(mismatches),
        not_checked: notChecked,
      };
    },
  };
}

function settingsOf(config: CheckSettings & Pick<SettlementSettings, 'accounting'>): CloseRecord['settings'] {
  const { matchDays, remittanceLagDays, receipts, timeZone, others, name } = config;
  const { accounting = NO_ACCOUNTING_SETTINGS } = config;
  const courierSettings = { matchDays, remittanceLagDays, timeZone, receipts: rulesOf(receipts), accounting };
  if (others === undefined) return courierSettings;
  // The other couriers' rules decide too which receipts are this one's.
  const othersRules = others.map((other) => ({ key: other.key, name: other.name, receipts: rulesOf(other.receipts) }));
  return { ...courierSettings, others: othersRules, ...(name === undefined ? {} : { name }) };
}

function rulesOf({ payers, accounts }: CheckSettings['receipts']) {
  return { payers, accounts };
}
