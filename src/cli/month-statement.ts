import { statement } from '../../reports/statement/index.ts';
import { type CheckResult, runChecks } from '../checks/run.ts';
import type { Config } from '../config.ts';
import type { Ledger } from '../ledger/index.ts';
import { usingSnapshot } from '../ledger/reader/index.ts';
import { formatAmount } from '../money/index.ts';
import { writeStatement } from '../render/statement/index.ts';

/** A month's key figures in one currency, as plain decimals. */
export interface Figures {
  readonly currency: string;
  readonly cod: string;
  readonly delivery_fee: string;
  readonly net_due_to_merchant: string;
  readonly paid: string;
  readonly outstanding: string;
  /** What neither the courier's figures nor the mismatches account for; `0.00` is the goal. */
  readonly unexplained: string;
}

export interface WrittenStatement {
  readonly invoices: number;
  readonly orders: number;
  readonly figures: readonly Figures[];
  readonly result: CheckResult;
}

/**
 * Checks a month, so that its mismatches are of today, and writes its workbook.
 *
 * @throws LedgerError when the month was never synced, or its figures do not tie out; nothing is written then
 * @throws FileError when the file cannot be written; a former one is as it was
 */
export async function writeMonth(
  ledger: Ledger,
  { month, file, config, now }: { month: string; file: string; config: Config; now: Date },
): Promise<WrittenStatement> {
  const result = await runChecks(ledger, { periods: [month], settings: config, now });
  return usingSnapshot(ledger, async (db) => {
    const model = await statement({ db, month, skipped: result.skipped });
    await writeStatement(model, file);
    const { invoices, orders, currencies } = model.totals;
    const figures = currencies.map(({ currency, ...figure }) => ({
      currency,
      cod: formatAmount(figure.cod),
      delivery_fee: formatAmount(figure.delivery_fee),
      net_due_to_merchant: formatAmount(figure.net_due_to_merchant),
      paid: formatAmount(figure.paid),
      outstanding: formatAmount(figure.outstanding),
      unexplained: formatAmount(model.proof.find((line) => line.currency === currency)!.unexplained),
    }));
    return { invoices, orders, figures, result };
  });
}
