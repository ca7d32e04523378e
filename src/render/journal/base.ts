import type { Journal } from '../../../reports/journal/model.ts';

/** The same journal in its base currency alone, for programs that have no column for a currency; as it is where it has no base. */
export function inBaseAlone(journal: Journal): Journal {
  const { base: currency } = journal;
  if (currency === null) return journal;
  const transactions = journal.transactions.flatMap((one) => {
    const lines = one.lines.flatMap(({ account, base = 0n }) => (base === 0n ? [] : [{ account, amount: base }]));
    return lines.length === 0 ? [] : [{ ...one, currency, lines }];
  });
  return { ...journal, opening: [], transactions };
}
