import { decimal } from '../units.ts';
import { type BalanceBook, monthsOf } from './balance.ts';
import { amountOf, type Must } from './engines.ts';
import type { BalancePlan } from './plan.ts';

export type { Must };

export interface Rows {
  readonly rows: readonly Readonly<Record<string, string | number | null>>[];
  readonly totals: readonly Readonly<Record<string, string | null>>[];
}

/** Every surface that the design names, month by month. @param isWhole with those that take longest */
export async function compareSurfaces(
  plan: BalancePlan,
  book: BalanceBook,
  night: number,
  must: Must,
  isWhole = true,
): Promise<string[]> {
  const faults: string[] = [];
  const months = monthsOf(plan, night);
  const same = (what: string, said: bigint, due: bigint) => {
    if (said !== due) faults.push(`${what} is ${decimal(said)}, not ${decimal(due)}`);
  };
  const read = async (...argv: string[]) =>
    JSON.parse(await must([0, 1, 3], 'report', ...argv, '--format', 'json')) as Rows;
  const rolled = await read('roll-forward', `${months[0]}..${months.at(-1)}`);
  const totals = await read('totals', `${months[0]}..${months.at(-1)}`);
  for (const month of months) {
    for (const currency of plan.bank.keys()) {
      const own = totals.rows.find((row) => row.period === month && row.currency === currency);
      const what = `${month} ${currency}: outstanding of totals`;
      same(what, amountOf(own?.outstanding), book.openOfMonth(month, currency, night));
    }
  }
  for (const [index, month] of months.entries()) {
    const closing = book.closing(month, night);
    const currencies = new Set([...closing.keys(), ...plan.bank.keys()]);
    const [openItems, ageing] = isWhole ? [await read('open-items', month), await read('ageing', month)] : [];
    const items = book.items(month, night);
    for (const currency of currencies) {
      const due = closing.get(currency) ?? 0n;
      const line = rolled.rows.find((row) => row.period === month && row.currency === currency);
      same(`${month} ${currency}: roll-forward's closing`, amountOf(line?.closing), due);
      const next = rolled.rows.find((row) => row.period === months[index + 1] && row.currency === currency);
      if (index + 1 < months.length)
        same(`${months[index + 1]} ${currency}: roll-forward's opening`, amountOf(next?.opening), due);
      if (!openItems || !ageing) continue;
      for (const [name, report] of [
        ['open-items', openItems],
        ['ageing', ageing],
      ] as const) {
        const rows = report.rows.filter((row) => row.currency === currency);
        same(
          `${month} ${currency}: the rows of ${name}`,
          rows.reduce((sum, row) => sum + amountOf(row.open), 0n),
          due,
        );
        same(
          `${month} ${currency}: the total of ${name}`,
          amountOf(report.totals.find((row) => row.currency === currency)?.open),
          due,
        );
      }
      for (const { number } of plan.invoices) {
        const rows = openItems.rows.filter(
          (row) => row.kind === 'invoice' && row.number === number && row.currency === currency,
        );
        const where = `${month} ${currency}: open of ${number}`;
        same(
          where,
          rows.reduce((sum, row) => sum + amountOf(row.open), 0n),
          items.get(`${number} ${currency}`) ?? 0n,
        );
        for (const row of rows)
          same(`${where} today`, amountOf(row.open_today), book.openToday(number, currency, night));
      }
      const advances = openItems.rows.filter((row) => row.kind === 'unallocated' && row.currency === currency);
      same(
        `${month} ${currency}: unallocated`,
        advances.reduce((sum, row) => sum + amountOf(row.open), 0n),
        items.get(`unallocated ${currency}`) ?? 0n,
      );
    }
    if (isWhole && month < months.at(-1)!) faults.push(...(await compareDashboard(must, month, book, night)));
  }
  return faults;
}

async function compareDashboard(must: Must, month: string, book: BalanceBook, night: number): Promise<string[]> {
  const { rows } = JSON.parse(await must([0, 1, 3], 'report', 'dashboard', month, '--format', 'json')) as Rows;
  const figureOf = (figure: string, currency: string) =>
    amountOf(
      rows.find((row) => row.section === 'balance' && row.figure === figure && row.currency === currency)?.amount,
    );
  const of = { closing: book.closing(month, night), open_today: book.openUpTo(month, night) };
  return Object.entries(of).flatMap(([figure, sums]) =>
    [...sums].flatMap(([currency, due]) => {
      const said = figureOf(figure, currency);
      return said === due
        ? []
        : [`${month} ${currency}: the dashboard's ${figure} is ${decimal(said)}, not ${decimal(due)}`];
    }),
  );
}
