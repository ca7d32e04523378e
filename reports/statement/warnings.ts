import type { LedgerReader } from '../../src/ledger/read/index.ts';
import { readVanishedInvoices } from '../../src/ledger/read/statement.ts';

const MOST_NAMED = 10;

/**
 * What a reader must know before trusting a month's figures: what was not brought, what may still come, and what is gone.
 *
 * @param incomplete why the ledger may not hold all of the month, as the checks found it
 */
export async function warningsOf(
  db: LedgerReader,
  month: string,
  incomplete: readonly { readonly why: string }[],
): Promise<string[]> {
  const warnings = incomplete.map(({ why }) => `The month is incomplete: ${why}.`);
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
