import { counted } from '../../base/counted.ts';
import type { LedgerTransaction } from '../../ledger/index.ts';
import { type ReceiptMoved, readMovedSince } from '../../ledger/queries/receipts/receipts.ts';
import { formatUnits } from '../../money/units.ts';

/**
 * What a file of receipts brings and takes out: the lines that a decision shows, one for each currency.
 *
 * @param before the id of the last evidence before it was imported
 * @param until the id of the first evidence of the next file that was imported with it
 */
export async function linesOfImport(trx: LedgerTransaction, file: string, before: number, until?: number) {
  const { added, replaced } = await readMovedSince(trx, before, until);
  const lines = [
    ...perCurrency('import', file, added, (count, days) => `${file}: ${counted(count, 'line')}, ${days}`),
    ...perCurrency('replace', file, replaced, (count, days) => {
      return `${counted(count, 'line')} of ${days} no longer ${count === 1 ? 'counts' : 'count'}`;
    }),
  ];
  if (lines.length > 0) return lines;
  const nothing = { what: 'import', courier: null, subject: `${file}: no new lines`, currency: null, amount: null };
  return [{ ...nothing, rows: 0, direction: 'none' as const }];
}

function perCurrency(
  what: 'import' | 'replace',
  file: string,
  moved: readonly ReceiptMoved[],
  subjectOf: (count: number, days: string) => string,
) {
  const currencies = [...new Set(moved.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const own = moved.filter((one) => one.currency === currency);
    const days = own.map(({ date }) => date).sort();
    const [from, to] = [days[0]!, days.at(-1)!];
    const subject = subjectOf(own.length, from === to ? from : `${from} to ${to}`);
    const about = { id: 'about-file', file, lines: own.length, from, to };
    const amount = formatUnits(own.reduce((sum, one) => sum + one.amount, 0n));
    const line = { what, courier: null, subject, about, rows: own.length, currency, amount };
    return { ...line, direction: 'none' as const };
  });
}
