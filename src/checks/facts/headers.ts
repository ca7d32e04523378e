import { chunks } from '../../ledger/chunks.ts';
import { readStatedHeaders } from '../../ledger/queries/invoices/headers.ts';
import { readRowCounts } from '../../ledger/queries/invoices/invoices.ts';
import { type RowSums, readRowSums } from '../../ledger/queries/invoices/totals.ts';
import type { MoneyField, NetField, OrderMoneyField } from '../../money/fields.ts';
import type { RowUnits } from '../../money/returns.ts';
import { amountOfUnits } from '../../money/units.ts';
import { type CheckContext, type CheckCoverage, type CheckOutcome, type Finding, SharedFacts } from '../check.ts';
import { amounts, effectOf, type Figures, finding, type NetAmounts, NO_AMOUNTS } from '../finding.ts';
import { coverageOfStatedHeaders } from './population.ts';
import { invoiceKey } from './receipts/match-books.ts';
import { headersWithReturns } from './returns/convention.ts';

/** A sentence about a figure, such as a header's total: as stated (`actual`), and as it should be (`expected`). */
export type FigureSentence<Code extends string> = Figures & { id: Code; number: number; currency: string };

/** COD and fee of an invoice in one currency: by the header, and by the rows under the convention for returns. */
interface HeaderAndRows extends Omit<RowSums, OrderMoneyField> {
  readonly header: NetAmounts;
  readonly rows: NetAmounts;
}

/** The sums of the rows of these months' invoices, also of vanished ones, one per invoice and currency. */
export function rowSumsOfMonths(context: CheckContext): Promise<readonly RowSums[]> {
  return context.facts.once('row-sums', () => inInvoicePages(context, (page) => readRowSums(context.db, page)));
}

/** The headers of these months that differ from the sums of their rows, sorted by number and currency. */
function differingHeaders(context: CheckContext): Promise<readonly HeaderAndRows[]> {
  return context.facts.once('differing-headers', async () => {
    const { headers, invoiceNumbers } = await headersWithReturns(context);
    const withReturns = headers.map(({ expected, header, ...place }) => {
      return { ...place, header: inMoney(header), rows: inMoney(expected) };
    });
    const differing = withReturns.filter(isDiffering);
    for (const period of context.periods) {
      const withoutReturns = (await headersIn(ofMonth(context, period))).filter(
        ({ number }) => !invoiceNumbers.has(number),
      );
      differing.push(...withoutReturns.filter(isDiffering));
    }
    return differing.sort((a, b) => a.number - b.number || (a.currency < b.currency ? -1 : 1));
  });
}

/** The context's headers with the sums of their rows, also headers without rows and rows without a header. */
async function headersIn(context: CheckContext): Promise<HeaderAndRows[]> {
  const byKey = new Map<string, HeaderAndRows>();
  for (const rows of await rowSumsOfMonths(context)) {
    byKey.set(invoiceKey(rows), { ...placeOf(rows), header: NO_AMOUNTS, rows });
  }
  for (const header of await readStatedHeaders(context.db, context.periods)) {
    const rows = byKey.get(invoiceKey(header))?.rows ?? NO_AMOUNTS;
    byKey.set(invoiceKey(header), { ...placeOf(header), header, rows });
  }
  return [...byKey.values()];
}

function isDiffering({ header, rows }: HeaderAndRows): boolean {
  return !header.cod.eq(rows.cod) || !header.delivery_fee.eq(rows.delivery_fee);
}

/** The context of one month alone, with facts of its own that can be freed before the next month is read. */
function ofMonth(context: CheckContext, period: string): CheckContext {
  return context.periods.length === 1 ? context : { ...context, periods: [period], facts: new SharedFacts() };
}

function placeOf({ number, period, vanished_at, currency }: Omit<HeaderAndRows, 'header' | 'rows'>) {
  return { number, period, vanished_at, currency };
}

function inMoney({ cod, delivery_fee }: RowUnits): NetAmounts {
  return { cod: amountOfUnits(cod), delivery_fee: amountOfUnits(delivery_fee) };
}

/** What both header checks do: compare a figure of each header with the sum of its rows. */
export async function headerOutcome(
  context: CheckContext,
  code: 'invoice-cod-total' | 'invoice-fee-total',
  field: NetField,
): Promise<CheckOutcome> {
  const findings = (await differingHeaders(context)).flatMap(
    ({ number, period, vanished_at, currency, header, rows }): Finding[] => {
      const [expected, actual] = [rows[field], header[field]];
      if (expected.eq(actual)) return [];
      const figures = amounts(expected, actual);
      return [
        finding<FigureSentence<typeof code>>({
          period,
          invoice_number: number,
          currency,
          field,
          ...figures,
          // The money of a vanished invoice is an effect of `invoice-vanished` alone.
          effect: vanished_at === null ? effectOf(field, actual.minus(expected)) : null,
          sentence: { id: code, number, currency, ...figures },
        }),
      ];
    },
  );
  return { findings, ...(await headersCompared(context, field)) };
}

/** How many headers state a figure and can be compared, and why others cannot. */
export async function headersCompared(context: CheckContext, field: MoneyField): Promise<CheckCoverage> {
  const { notComparable } = await headersWithReturns(context);
  const stated = await coverageOfStatedHeaders(context, field);
  const uncompared = notComparable.reduce((sum, { count }) => sum + count, 0);
  // None is compared if all come from sheets that do not state the figure.
  const compared = Math.max(stated.compared - uncompared, 0);
  return { ...stated, compared, notComparable: [...(stated.notComparable ?? []), ...notComparable] };
}

/** The most rows that one statement sorts, so that its memory does not grow with the months. */
const MOST_ROWS = 50_000;

/** Reads rows for these months' invoices, in the order of their numbers, a page of invoices at a time. */
export async function inInvoicePages<Row>(
  { db, periods, facts }: CheckContext,
  read: (numbers: readonly number[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const pages = await facts.once('invoice-pages', async () =>
    pagesOfInvoices(await readRowCounts(db, periods), MOST_ROWS),
  );
  const rows: Row[] = [];
  for (const page of pages) rows.push(...(await read(page)));
  return rows;
}

/** Cuts invoices into pages of at most `most` rows that one SQL statement can take. A larger invoice is alone. */
export function pagesOfInvoices(
  invoices: readonly { readonly number: number; readonly row_count: number }[],
  most: number,
): readonly (readonly number[])[] {
  const stretches: number[][] = [];
  let stretch: number[] = [];
  let rows = 0;
  for (const { number, row_count } of invoices) {
    if (stretch.length > 0 && rows + row_count > most) {
      stretches.push(stretch);
      stretch = [];
      rows = 0;
    }
    stretch.push(number);
    rows += row_count;
  }
  stretches.push(stretch);
  return stretches.flatMap((numbers) => [...chunks(numbers)]);
}
