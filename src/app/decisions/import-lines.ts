import { counted } from '../../base/counted.ts';
import type { LedgerTransaction } from '../../ledger/index.ts';
import { type ReceiptMoved, readMovedSince } from '../../ledger/queries/receipts/moved.ts';
import { formatUnits } from '../../money/units.ts';

/** What a file brings and takes out, a line a currency. @param before the last evidence before it was imported */
export async function linesOfImport(trx: LedgerTransaction, file: string, before: number) {
  const { added, replaced } = await readMovedSince(trx, before);
  const lines = [
    ...perCurrency(added, (count, days) => ['import', `${file}: ${counted(count, 'line')}, ${days}`]),
    ...perCurrency(replaced, (count, days) => [
      'replace',
      `${counted(count, 'line')} of ${days} no longer ${count === 1 ? 'counts' : 'count'}`,
    ]),
  ];
  return lines.length > 0 ? lines : [lineOf('import', `${file}: no new lines`, null, null)];
}

function lineOf(what: string, subject: string, currency: string | null, amount: string | null) {
  return { what, courier: null, subject, currency, amount, direction: 'none' as const };
}

function perCurrency(
  moved: readonly ReceiptMoved[],
  say: (count: number, days: string) => readonly [what: string, subject: string],
): ReturnType<typeof lineOf>[] {
  const currencies = [...new Set(moved.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const own = moved.filter((one) => one.currency === currency);
    const days = own.map(({ date }) => date).sort();
    const [what, subject] = say(own.length, days[0] === days.at(-1) ? days[0]! : `${days[0]} to ${days.at(-1)}`);
    const amount = formatUnits(own.reduce((sum, one) => sum + one.amount, 0n));
    return lineOf(what, subject, currency, amount);
  });
}
