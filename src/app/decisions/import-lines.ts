import { counted } from '../../base/counted.ts';
import type { LedgerTransaction } from '../../ledger/index.ts';
import { type ReceiptMoved, readMovedSince } from '../../ledger/queries/receipts/receipts.ts';
import { formatUnits } from '../../money/units.ts';

/**
 * What importing a file of receipts adds and replaces, as lines of a decision: one for each currency.
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
  const nothing = { currency: null, amount: null, rows: 0, direction: 'none' as const };
  return [{ what: 'import', courier: null, subject: `${file}: no new lines`, ...nothing }];
}

function perCurrency(
  what: 'import' | 'replace',
  file: string,
  receiptsMoved: readonly ReceiptMoved[],
  subjectOf: (count: number, days: string) => string,
) {
  const currencies = [...new Set(receiptsMoved.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const receipts = receiptsMoved.filter((one) => one.currency === currency);
    const days = receipts.map(({ date }) => date).sort();
    const [from, to] = [days[0]!, days.at(-1)!];
    const subject = subjectOf(receipts.length, from === to ? from : `${from} to ${to}`);
    const about = { id: 'about-file', file, lines: receipts.length, from, to };
    const amount = formatUnits(receipts.reduce((sum, one) => sum + one.amount, 0n));
    const direction = 'none' as const;
    return { what, courier: null, subject, about, rows: receipts.length, currency, amount, direction };
  });
}
