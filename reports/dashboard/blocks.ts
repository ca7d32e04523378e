import { groupBy } from '../../src/base/group.ts';
import { type SettledSums, settledAmounts } from '../../src/checks/facts/receipts/settlements.ts';
import { readMonthHeaders } from '../../src/ledger/queries/invoices/totals.ts';
import { type ExactDecimal, parseAmount, ZERO } from '../../src/money/decimal.ts';
import { ageing, BUCKETS } from '../ageing.ts';
import { type BalanceBlock, noBalanceBlock } from '../balance.ts';
import type { ReportContext } from '../context.ts';
import { fees } from '../fees.ts';
import type { Report, Row } from '../model.ts';
import { notInvoiced } from '../not-invoiced.ts';
import { returns } from '../returns.ts';
import { historyOf } from '../statement/history.ts';
import type { CurrencyProof } from '../statement/proof.ts';
import type { CurrencyBlock, PartOfWhole } from './model.ts';

/** How many districts have a bar of their own; if two or more are left, they share one. */
const MOST_DISTRICTS = 6;

/** One block per currency in which the month has any figure, by name. */
export async function blocksOf(
  context: ReportContext,
  month: string,
  proofs: readonly CurrencyProof[],
  { settled, balance }: { settled: ReadonlyMap<string, SettledSums>; balance: readonly BalanceBlock[] },
): Promise<CurrencyBlock[]> {
  const { db, settings } = context;
  const ofMonth = { db, settings, periods: [month], period: month };
  const headers = (await readMonthHeaders(db, month)).currencies;
  const reports = {
    ageing: await readWhole(await ageing(ofMonth)),
    fees: await readWhole(await fees(ofMonth)),
    notInvoiced: await readWhole(await notInvoiced(ofMonth)),
    returns: await readWhole(await returns(ofMonth)),
  };
  const history = await historyOf(db, month);
  const reportCurrencies = [headers, proofs, reports.ageing.totals, reports.notInvoiced.totals].flatMap((lines) =>
    lines.map((line) => String(line.currency)),
  );
  return [...new Set([...reportCurrencies, ...settled.keys(), ...balance.map((block) => block.currency)])]
    .sort()
    .map((currency): CurrencyBlock => {
      const header = headers.find((line) => line.currency === currency);
      const proof = proofs.find((line) => line.currency === currency) ?? null;
      // The report has the same orders again by reference.
      const returned = reports.returns.rows.filter((row) => row.by === 'district' && row.currency === currency);
      return {
        currency,
        short: proof?.short ?? null,
        cod: header?.cod ?? ZERO,
        deliveryFee: header?.delivery_fee ?? ZERO,
        net: header?.net_due_to_merchant ?? ZERO,
        ...settledAmounts(settled.get(currency)),
        balance: balance.find((block) => block.currency === currency) ?? noBalanceBlock(currency),
        proof,
        ageing: agesOf(reports.ageing, currency),
        notInvoiced: {
          orders: reports.notInvoiced.rows.filter((row) => row.currency === currency).length,
          net: amountOf(reports.notInvoiced.totals, currency, 'net'),
        },
        fees: largestDistricts(reports.fees.rows, currency),
        returns: {
          orders: countOf(returned, 'orders'),
          returned: countOf(returned, 'returned'),
          fee: amountOf(reports.returns.totals, currency, 'delivery_fee'),
        },
        months: history.map(({ period, currencies }) => {
          const sums = currencies?.find((line) => line.currency === currency);
          return { period, net: currencies === null ? null : (sums?.net_due_to_merchant ?? ZERO) };
        }),
      };
    });
}

interface WholeReport {
  readonly rows: readonly Row[];
  readonly totals: readonly Row[];
}

export async function readWhole(report: Report): Promise<WholeReport> {
  const rows: Row[] = [];
  for await (const row of report.rows) rows.push(row);
  return { rows, totals: report.totals() };
}

function amountOf(totals: readonly Row[], currency: string, column: string): ExactDecimal {
  const cell = totals.find((row) => row.currency === currency)?.[column] ?? null;
  return cell === null ? ZERO : parseAmount(String(cell));
}

function countOf(rows: readonly Row[], column: string): number {
  return rows.reduce((sum, row) => sum + Number(row[column] ?? 0), 0);
}

function agesOf({ rows, totals }: WholeReport, currency: string): PartOfWhole[] {
  const unallocated = rows.find((row) => row.bucket === 'unallocated' && row.currency === currency);
  const ages = BUCKETS.map(({ name, title }) => ({ title, amount: amountOf(totals, currency, name) }));
  if (!unallocated) return ages;
  return [...ages, { title: 'Unallocated receipts', amount: parseAmount(String(unallocated.open)) }];
}

/** The districts with the largest delivery fees, with their names from the orders' records. */
function largestDistricts(rows: readonly Row[], currency: string): PartOfWhole[] {
  const ofCurrency = rows.filter((row) => row.currency === currency);
  const districts = groupBy(ofCurrency, ({ district }) => String(district ?? '').trim() || 'No district known');
  const parts = [...districts]
    .map(([title, ofDistrict]) => {
      const feesOfDistrict = ofDistrict.map((row) => parseAmount(String(row.delivery_fee)));
      return { title, amount: feesOfDistrict.reduce((sum, fee) => sum.plus(fee), ZERO) };
    })
    .filter(({ amount }) => !amount.isZero())
    .sort((a, b) => b.amount.comparedTo(a.amount) || (a.title < b.title ? -1 : 1));
  const others = parts.slice(MOST_DISTRICTS);
  if (others.length < 2) return parts;
  const amount = others.reduce((sum, part) => sum.plus(part.amount), ZERO);
  return [...parts.slice(0, MOST_DISTRICTS), { title: `${others.length} other districts`, amount }];
}
