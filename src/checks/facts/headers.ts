import { readHeadersOff } from '../../ledger/queries/invoices/headers.ts';
import { amountOfUnits, type MoneyField } from '../../money/index.ts';
import type { CheckContext, Finding, Looked } from '../check.ts';
import { amounts, effectOf, finding } from '../finding.ts';
import { invoicePages } from './invoice-pages.ts';
import { headersWithReturns } from './returns/headers.ts';
import { statedHeaders } from './sheets.ts';

/** A header's total beside the sum of its rows, as the two header checks say it. */
export type HeaderOff<Code extends string> = {
  id: Code;
  number: number;
  currency: string;
  expected: string;
  actual: string;
  difference: string;
};

/** COD and fee of an invoice's header in one currency, and what its rows make of them, in units. */
interface HeaderBeside {
  readonly number: number;
  readonly period: string;
  readonly vanished_at: string | null;
  readonly currency: string;
  readonly header: Readonly<Record<'cod' | 'delivery_fee', bigint>>;
  readonly rows: Readonly<Record<'cod' | 'delivery_fee', bigint>>;
}

/** Headers that may not be what their rows make of them: all that differ are among them. */
function headersOff(context: CheckContext): Promise<readonly HeaderBeside[]> {
  return context.facts.once('headers-off', async () => {
    const { lines, numbers } = await headersWithReturns(context);
    const off: HeaderBeside[] = lines.map(({ expected, ...line }) => ({ ...line, rows: expected }));
    for (const page of await invoicePages(context)) {
      off.push(...(await readHeadersOff(context.db, page)).filter(({ number }) => !numbers.has(number)));
    }
    return off.sort((a, b) => a.number - b.number || (a.currency < b.currency ? -1 : 1));
  });
}

/** What the two header checks have in common: per currency, the sum of an invoice's rows against its header. */
export async function lookAtHeaders<Code extends string>(
  context: CheckContext,
  code: Code,
  field: 'cod' | 'delivery_fee',
): Promise<Looked> {
  const findings = (await headersOff(context)).flatMap(
    ({ number, period, vanished_at, currency, ...off }): Finding[] => {
      if (off.header[field] === off.rows[field]) return [];
      const [expected, actual] = [amountOfUnits(off.rows[field]), amountOfUnits(off.header[field])];
      const figures = amounts(expected, actual);
      return [
        finding<HeaderOff<Code>>({
          period,
          invoice_number: number,
          currency,
          field,
          ...figures,
          effect: vanished_at === null ? effectOf(field, actual.minus(expected)) : null,
          sentence: { id: code, number, currency, ...figures },
        }),
      ];
    },
  );
  return { findings, ...(await headersCompared(context, field)) };
}

/** How many headers the header checks compared in a field, and which they could not. */
export async function headersCompared(context: CheckContext, field: MoneyField): Promise<Omit<Looked, 'findings'>> {
  const { notComparable } = await headersWithReturns(context);
  const stated = await statedHeaders(context, field);
  return {
    ...stated,
    compared: notComparable.reduce((left, { count }) => Math.max(left - count, 0), stated.compared),
    notComparable: [...stated.notComparable, ...notComparable],
  };
}
