import { canonicalJson } from '../../api/canonical.ts';
import type { CheckSettings } from '../../checks/check.ts';
import { readClosingFigures } from '../../checks/closes/figures.ts';
import { readSettlements } from '../../checks/receipts/settlements.ts';
import type { CloseRecord } from '../../derive/closes.ts';
import { LedgerError } from '../../errors.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import {
  type Ledger,
  type LedgerTransaction,
  readHead,
  sealBody,
  sha256,
  usingTransaction,
} from '../../ledger/index.ts';
import { type Mismatch, readClosingDocuments, readMismatches, readMonthTotals } from '../../ledger/read/index.ts';
import { type Books, usingBooks } from '../books.ts';
import { type CheckResult, checkLedger } from '../check.ts';
import { keep } from '../keep.ts';
import { type Refusal, refuseByBooks, refuseByErrors, refuseByOrder } from './refusals.ts';

export interface CloseRequest {
  /** The month, such as `2026-10`. */
  readonly month: string;
  /** Who closes it. */
  readonly by: string;
  /** Why it is closed though errors are open; they go on record with it. Null where none may be. */
  readonly withOpen: string | null;
  /** The books begin with this month: the one before it need not be closed. */
  readonly first: boolean;
}

/** A month that was closed: what `close --json` prints. */
export interface ClosedMonth extends CloseRecord {
  readonly status: 'closed';
  readonly period: string;
  /** The id of the close: that of its evidence. */
  readonly close: number;
  readonly at: string;
  readonly by: string;
  /** The head of the chain of evidence at the close, which `verify --head` compares. */
  readonly chain_head: string;
}

/** What stood against it: every reason, and nothing was written but what the check found. */
export interface RefusedClose {
  readonly status: 'refused';
  readonly period: string;
  readonly reasons: readonly Refusal[];
}

/** Others may decide or match between the check and the close: then the month is checked again. */
const MOST_TRIES = 5;

/**
 * Closes a month: checks it, and freezes its figures, with the documents behind them, as evidence.
 *
 * @returns what was frozen, or every reason why the month cannot be closed
 * @throws LedgerBusyError while a sync is at work
 */
export function closeBooks(books: Books, request: CloseRequest): Promise<ClosedMonth | RefusedClose> {
  return usingBooks(books, { exclusive: true }, (ledger) => closeLedger(ledger, books, request));
}

interface CloseBooks {
  readonly config: CheckSettings;
  readonly now: () => Date;
}

/** The same in a ledger that is open, and that no sync can change meanwhile. */
export async function closeLedger(
  ledger: Ledger,
  books: CloseBooks,
  request: CloseRequest,
): Promise<ClosedMonth | RefusedClose> {
  for (let attempt = 1; attempt <= MOST_TRIES; attempt += 1) {
    const checked = await checkLedger(ledger, books, { periods: [request.month] });
    const head = await readHead(ledger.db);
    const done = await usingTransaction(ledger, async (trx) => {
      await holdHead(trx);
      // What was checked is what is closed.
      return (await readHead(trx)) === head ? closeChecked(trx, request, checked, books) : null;
    });
    if (done) return done;
  }
  throw new LedgerError(
    `${ledger.name} was changed each time that ${request.month} had been checked`,
    'Somebody else is deciding or matching: close the month when they are done.',
  );
}

async function closeChecked(
  trx: LedgerTransaction,
  { month, by, withOpen, first }: CloseRequest,
  { incomplete }: CheckResult,
  { config, now }: CloseBooks,
): Promise<ClosedMonth | RefusedClose> {
  const at = now();
  const mismatches = await readMismatches(trx, [month]);
  const open = mismatches.filter(({ severity, status }) => severity === 'error' && status === 'open');
  const { refusals, notChecked } = await refuseByBooks(trx, { month, incomplete });
  const reasons = [
    ...(await refuseByOrder(trx, { month, first, now: at })),
    ...refusals,
    ...refuseByErrors(month, open, withOpen),
  ];
  if (reasons.length > 0) return { status: 'refused', period: month, reasons };

  const { figures, settled } = await readClosingFigures(
    trx,
    await readMonthTotals(trx, month),
    await readSettlements(trx, config),
  );
  const record: CloseRecord = {
    first,
    with_open: withOpen === null || open.length === 0 ? null : { reason: withOpen, findings: open.map(onRecord) },
    figures,
    figures_sha256: sha256(Buffer.from(canonicalJson(figures))),
    settled,
    documents: await readClosingDocuments(trx, month),
    mismatches: countsOf(mismatches),
    not_checked: notChecked,
  };
  const body = await sealBody(Buffer.from(canonicalJson(record)));
  const { id, chain } = await keep(trx, { at, kind: 'close', actor: by, subject: month, body });
  return { status: 'closed', period: month, close: id, at: at.toISOString(), by, chain_head: chain, ...record };
}

function onRecord({ id, code, currency, effect }: Mismatch) {
  return { mismatch_id: id, code, currency, effect };
}

function countsOf(mismatches: readonly Mismatch[]): CloseRecord['mismatches'] {
  const count = (of: string, status: string) =>
    mismatches.filter((one) => one.severity === of && one.status === status).length;
  return Object.fromEntries(
    ['error', 'warning', 'info'].map((severity) => [
      severity,
      { open: count(severity, 'open'), acknowledged: count(severity, 'acknowledged') },
    ]),
  );
}
