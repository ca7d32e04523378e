import type { FigureSource } from '../../../reports/statement/figures.ts';
import type { CheckSettings } from '../../checks/check.ts';
import { copyEvidence } from '../../ledger/evidence/copy.ts';
import { courierOf, ofCourier, wholeLedger } from '../../ledger/index.ts';
import { type ClosedSettings, readClosedSettings, readCloseOf } from '../../ledger/queries/closes/closes.ts';
import { readFigureHead } from '../../ledger/queries/evidence/chain.ts';
import { type LedgerReader, usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { usingScratchLedger } from '../../ledger/scratch.ts';
import { lookIn } from '../check.ts';
import { booksSettings, courierSettings, readRecord } from '../settings-record.ts';

/**
 * Lends a closed month as it was when it was closed: rebuilt from what was known then, and checked again with the settings of the close.
 * Null where the month is open, and where nothing became known since.
 *
 * @param db a courier's, in a snapshot of the ledger as it is
 */
export async function usingMonthAtClose<T>(
  db: LedgerReader,
  config: CheckSettings,
  month: string,
  use: (atClose: FigureSource | null) => Promise<T>,
): Promise<T> {
  const close = await readCloseOf(db, month);
  const head = close && (await readFigureHead(wholeLedger(db)));
  if (!close || !head || head.id <= close.id) return use(null);
  const record = await readRecord(db, close.id);
  const recorded = { ...config, ...booksSettings(record), ...courierSettings(record, courierOf(db) ?? '') };
  const settings = asClosed(recorded, await readClosedSettings(db, close.id));
  return usingScratchLedger(async (scratch) => {
    // Loaded late: an open month does without it.
    const { replay } = await import('../../derive/replay.ts');
    const until = { before: close.id };
    await copyEvidence(wholeLedger(db), scratch.db, until);
    await replay(wholeLedger(db), scratch.db, { until });
    return usingSnapshot(scratch, async (all) => {
      const key = courierOf(db);
      const then = key === null ? all : ofCourier(all, key);
      const { result, facts } = await lookIn(then, { config: settings, now: () => new Date(close.at) }, month);
      const { bridge, effects, reasons } = result;
      return use({ db: then, settings, facts, bridge, effects, uncompared: reasons.uncompared });
    });
  });
}

/** The settings with those of a close in their places. A courier that joined the books since was none of the others then. */
function asClosed(config: CheckSettings, { receipts, ...closed }: ClosedSettings): CheckSettings {
  const { others: _, name: __, ...own } = config;
  return { ...own, ...closed, receipts: { ...own.receipts, ...receipts } };
}
