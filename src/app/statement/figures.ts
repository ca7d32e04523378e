import { noBalanceBlock } from '../../../reports/balance.ts';
import { moneyCells } from '../../../reports/columns.ts';
import type { FigureSource } from '../../../reports/statement/figures.ts';
import type { Statement } from '../../../reports/statement/model.ts';
import type { CheckSettings } from '../../checks/check.ts';
import { settledAmounts } from '../../checks/facts/receipts/settlements.ts';
import { usingScratchLedger } from '../../ledger/copy.ts';
import { copyEvidence } from '../../ledger/evidence/copy.ts';
import { courierOf, ofCourier, wholeLedger } from '../../ledger/index.ts';
import { type ClosedSettings, readClosedSettings, readCloseOf } from '../../ledger/queries/closes/closes.ts';
import { readFigureHead } from '../../ledger/queries/evidence/chain.ts';
import { linesIn } from '../../ledger/queries/invoices/totals.ts';
import { type LedgerReader, usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { type ExactDecimal, formatAmount } from '../../money/decimal.ts';
import { eachField, type MoneyField, SETTLED_FIGURES, type SettledFigure } from '../../money/fields.ts';
import { checkWithoutStoring } from '../check.ts';
import { booksSettings, courierSettings, readSettingsRecord } from '../settings-record.ts';

/**
 * A month's key figures in one currency, as plain decimals; of a closed month those of the close. The parts of the net
 * due are among them.
 */
export interface Figures extends Readonly<Record<MoneyField | SettledFigure, string>> {
  readonly currency: string;
  /** The net of the invoices that the courier marks `PAID`. */
  readonly paid: string;
  /** What the courier owes at the month's end. */
  readonly closing: string;
  /** Whether the parts come from receipts, from the courier's Paid flag, or both; `courier` without an invoice. */
  readonly basis: 'receipts' | 'courier' | 'both';
  /** The courier's figure, and yours; null if you have no records of your own. */
  readonly courier: string;
  readonly ours: string | null;
  /** What no mismatch explains; `0.00` is the goal, null if you have no records of your own. */
  readonly unexplained: string | null;
  /** What you are short (negative) or ahead. */
  readonly short: string;
}

export function figuresOf({ totals, settled, balance, proof }: Statement): Figures[] {
  // Receipts and balances may be in a currency that no invoice of the month has.
  const owed = balance.map(({ currency }) => currency);
  return linesIn(totals.currencies, [...settled.keys(), ...owed]).map(({ currency, ...figure }) => {
    const ofInvoices = settled.get(currency);
    const parts = settledAmounts(ofInvoices);
    const block = balance.find((one) => one.currency === currency) ?? noBalanceBlock(currency);
    const bridge = proof.find((one) => one.currency === currency);
    return {
      currency,
      ...moneyCells(figure),
      paid: formatAmount(figure.paid),
      ...eachField(SETTLED_FIGURES, (part) => formatAmount(parts[part])),
      closing: formatAmount(block.closing),
      basis: ofInvoices?.basis ?? 'courier',
      courier: textOf(bridge?.courier) ?? '0.00',
      ours: textOf(bridge?.ours),
      unexplained: textOf(bridge?.unexplained),
      short: textOf(bridge?.short) ?? '0.00',
    };
  });
}

function textOf(amount: ExactDecimal | null | undefined): string | null {
  return amount ? formatAmount(amount) : null;
}

/**
 * Gives `use` a closed month as it was when it was closed: rebuilt from what was known then, and checked with the
 * settings of the close. It gives `use` null if the month is open, or if nothing became known since.
 *
 * @param db reads one courier, from a snapshot of the ledger as it is now
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
  const record = await readSettingsRecord(db, close.id);
  const recorded = { ...config, ...booksSettings(record), ...courierSettings(record, courierOf(db) ?? '') };
  const settings = asClosed(recorded, await readClosedSettings(db, close.id));
  return usingScratchLedger(async (scratch) => {
    // Loaded late: an open month does without it.
    const { replay } = await import('../../derive/deriver.ts');
    const until = { before: close.id };
    await copyEvidence(wholeLedger(db), scratch.db, until);
    await replay(wholeLedger(db), scratch.db, { until });
    return usingSnapshot(scratch, async (all) => {
      const key = courierOf(db);
      const thenDb = key === null ? all : ofCourier(all, key);
      const atClose = { config: settings, now: () => new Date(close.at) };
      const { result, facts } = await checkWithoutStoring(thenDb, atClose, month);
      const { bridge, effects, reasons } = result;
      return use({ db: thenDb, settings, facts, bridge, effects, uncompared: reasons.uncompared });
    });
  });
}

/**
 * The settings, with those of the close in place of today's. The other couriers are those of the close too: some may
 * have joined since.
 */
function asClosed(config: CheckSettings, { receipts, ...closed }: ClosedSettings): CheckSettings {
  const { others: _, name: __, ...today } = config;
  return { ...today, ...closed, receipts: { ...today.receipts, ...receipts } };
}
