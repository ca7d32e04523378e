import { UsageError } from '../../base/errors.ts';
import type { ReopenRecord } from '../../derive/decisions.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import { type LedgerTransaction, usingTransaction, wholeLedger } from '../../ledger/index.ts';
import { readClosesInForce } from '../../ledger/queries/closes/closes.ts';
import { closeError } from '../../words/errors/close.ts';
import { type Books, usingBooks } from '../books.ts';
import { checkLedger } from '../check.ts';
import { couriersOf, ledgerOf } from '../couriers.ts';
import { recordEvidence } from '../record.ts';
import type { RefusedClose } from './close.ts';
import { Objection } from './objection.ts';
import { laterClosed } from './objections.ts';

export interface ReopenRequest {
  /** The month, such as `2026-10`. */
  readonly month: string;
  /** Who opens it again. */
  readonly by: string;
  readonly reason: string;
}

/** A month that is open again: what `reopen --json` prints. */
export interface ReopenedMonth {
  readonly status: 'reopened';
  readonly period: string;
  /** The id of the close that is no longer in force. */
  readonly close: number;
  readonly at: string;
  readonly by: string;
  readonly reason: string;
  readonly chain_head: string;
  /** How many `closed-period-changed` mismatches it resolved. */
  readonly resolved: number;
}

export type RefusedReopen = RefusedClose;

/**
 * Opens a closed month again. The close stays in the log; mismatches about changes since the close are resolved.
 *
 * @throws UsageError where no reason is given; LedgerBusyError while another command is at work
 */
export function reopenBooks(books: Books, request: ReopenRequest): Promise<ReopenedMonth | RefusedReopen> {
  const reason = request.reason.trim();
  if (reason === '') throw new UsageError(closeError({ id: 'reason-empty' })).at('reason');
  return usingBooks(books, { exclusive: 'reopen', newSettings: 'unchecked', allCouriers: true }, async (ledger) => {
    const done = await usingTransaction(ledger, async (trx) => {
      // Nobody closes a month between reading the closes and opening this one.
      await holdHead(trx);
      return reopen(trx, { ...request, reason }, books.now());
    });
    if (done.status === 'refused') return done;
    let resolved = 0;
    for (const courier of await couriersOf(ledger.db, books.config)) {
      const driftCheck = { periods: [done.period], only: ['closed-period-changed'] };
      resolved += (await checkLedger(ledgerOf(ledger, courier), { ...books, ...courier }, driftCheck)).resolved;
    }
    return { ...done, resolved };
  });
}

async function reopen(
  trx: LedgerTransaction,
  { month, by, reason }: ReopenRequest,
  at: Date,
): Promise<Omit<ReopenedMonth, 'resolved'> | RefusedReopen> {
  const closes = await readClosesInForce(wholeLedger(trx));
  const monthClose = closes.find(({ period }) => period === month);
  const refuse = (reasons: Objection[]) => ({ status: 'refused' as const, period: month, reasons });
  if (!monthClose) return refuse([new Objection('not-closed', closeError({ id: 'not-closed', month }))]);
  const last = closes.at(-1)!;
  if (last.period > month) return refuse([laterClosed(month, last.period)]);
  const data: ReopenRecord = { close: monthClose.id, reason };
  const { chain: chain_head } = await recordEvidence(trx, { at, kind: 'reopen', actor: by, subject: month, data });
  return { status: 'reopened', period: month, close: monthClose.id, at: at.toISOString(), by, reason, chain_head };
}
