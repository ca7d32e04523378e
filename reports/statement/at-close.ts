import { LedgerError } from '../../src/base/errors.ts';
import { type LedgerReader, readClosedFigures, readCloseOf, TOTALS_FIGURES } from '../../src/ledger/queries/index.ts';
import { ExactDecimal, formatAmount, parseAmount } from '../../src/money/index.ts';
import { because } from '../../src/words/errors/controls.ts';
import { NOTHING_SETTLED, settledAmounts } from '../settlement-figures.ts';
import type { MonthFigures } from './figures.ts';
import { keeps, type Only } from './only.ts';

const ZERO = new ExactDecimal(0);

/**
 * The control of a closed month: its figures, rebuilt from what was known at the close, are those that the close froze.
 *
 * @param db the ledger as it is, which holds the close
 * @throws LedgerError naming the first figure on which they differ
 */
export async function assertAsClosed(
  db: LedgerReader,
  month: string,
  { totals, settled }: MonthFigures,
  only: Only,
): Promise<void> {
  const close = (await readCloseOf(db, month))!;
  const rows = await readClosedFigures(db, close.id);
  const frozen = new Map(
    rows
      .filter(({ section }) => section === 'totals')
      .map(({ currency, figure, value }) => [`${currency} ${figure}`, value]),
  );
  // Of one currency alone nothing was counted.
  for (const figure of only === null ? (['invoices', 'orders'] as const) : []) {
    const closed = rows.find((row) => row.section === 'counts' && row.figure === figure)?.value ?? '0';
    const rebuilt = String(totals[figure]);
    if (rebuilt === closed) continue;
    throw new LedgerError(because({ id: 'closed-figure-fails', month, figure, currency: null, closed, rebuilt }));
  }
  const named = [...frozen.keys()].map((key) => key.split(' ')[0]!);
  const held = [...totals.currencies.map(({ currency }) => currency), ...settled.keys()];
  for (const currency of [...new Set([...named, ...held])].sort()) {
    if (!keeps(only, currency)) continue;
    const line = totals.currencies.find((one) => one.currency === currency);
    const all = { ...line, ...settledAmounts(settled.get(currency) ?? NOTHING_SETTLED) };
    for (const figure of TOTALS_FIGURES) {
      const rebuilt = all[figure] ?? ZERO;
      const closed = parseAmount(frozen.get(`${currency} ${figure}`) ?? '0');
      if (rebuilt.eq(closed)) continue;
      const amounts = { closed: formatAmount(closed), rebuilt: formatAmount(rebuilt) };
      throw new LedgerError(because({ id: 'closed-figure-fails', month, figure, currency, ...amounts }));
    }
  }
}
