import type { LedgerReader } from '../../src/ledger/reader/index.ts';
import { type MonthWalk, readVanishedInvoices } from '../../src/ledger/reader/statement.ts';
import { addMonths } from '../../src/period.ts';

const MOST_NAMED = 10;

/**
 * What a reader must know before trusting a month's figures: what was not brought, and what may still come.
 *
 * @param invoices how many invoices the ledger holds for the month
 */
export async function warningsOf(
  db: LedgerReader,
  month: string,
  walk: MonthWalk,
  invoices: number,
): Promise<string[]> {
  const warnings: string[] = [];
  if (walk.finished_at < addMonths(month, 1)) {
    warnings.push(
      `The month was last synced before it ended: more may be invoiced. Run \`remit sync ${month}\` again.`,
    );
  }
  if (!walk.complete) {
    warnings.push(
      `The last sync did not bring every invoice that the company lists for the month. Run \`remit sync ${month}\` again.`,
    );
  }
  if (walk.seen_count > invoices) {
    const missing = walk.seen_count - invoices;
    warnings.push(
      `${missing} of ${walk.seen_count} listed invoices could not be read and ${missing === 1 ? 'is' : 'are'} not in these figures. \`remit sync ${month}\` names them.`,
    );
  } else if (walk.run_status !== 'complete') {
    warnings.push(`The last sync of the month ended as "${walk.run_status}": something could not be brought or read.`);
  }
  const vanished = await readVanishedInvoices(db, month);
  if (vanished.length > 0) {
    const named = vanished.slice(0, MOST_NAMED).join(', ');
    const more = vanished.length > MOST_NAMED ? ` and ${vanished.length - MOST_NAMED} more` : '';
    warnings.push(
      `The company no longer lists ${vanished.length === 1 ? 'an invoice' : 'invoices'} that it once listed for the month (${named}${more}); not in these figures.`,
    );
  }
  return warnings;
}
