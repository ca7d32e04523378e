import path from 'node:path';
import type { Column, Report, Row } from '../../../reports/model.ts';
import { ColumnTotals, MONEY_COLUMNS } from '../../../reports/sums.ts';
import { makeFolder } from '../../base/files/folder.ts';
import { parseAmount } from '../../money/decimal.ts';
import { eachField, MONEY_FIELDS } from '../../money/fields.ts';
import { renderReportToFile } from '../../render/report.ts';
import type { Books } from '../books.ts';
import type { CourierStatements } from './statement.ts';

const OTHER_FIGURES = ['received', 'outstanding', 'closing'] as const;
const FIGURES = [...MONEY_FIELDS, ...OTHER_FIGURES] as const;

const columns: Column[] = [
  { name: 'courier', type: 'text', key: true },
  { name: 'currency', type: 'text', key: true },
  ...MONEY_COLUMNS,
  ...OTHER_FIGURES.map((name): Column => ({ name, type: 'money' })),
  { name: 'file', type: 'text' },
];

/**
 * Writes the index of a month's statements: each courier's figures with the file of its statement, and their totals per
 * currency.
 *
 * @returns the file
 */
export async function writeCourierIndex(
  { config, now }: Pick<Books, 'config' | 'now'>,
  month: string,
  statements: CourierStatements,
): Promise<string> {
  makeFolder(config.statements);
  const file = path.join(config.statements, `${month}-index.xlsx`);
  await renderReportToFile(indexOf(month, statements), 'xlsx', file, { generatedAt: now() });
  return file;
}

function indexOf(month: string, { statements, missing }: CourierStatements): Report {
  const sums = new ColumnTotals(...FIGURES);
  const rows: Row[] = statements.flatMap(({ courier, written: { figures, files } }) =>
    figures.map((figure) => {
      const { currency } = figure;
      const money = eachField(FIGURES, (name) => figure[name]);
      const amounts = eachField(FIGURES, (name) => parseAmount(money[name]));
      sums.add(currency, amounts);
      // A split month has a file per currency.
      const ofCurrency = files.find((one) => one.currency === null || one.currency === currency);
      return { courier, currency, ...money, file: ofCurrency ? path.basename(ofCurrency.file) : null };
    }),
  );
  return {
    report: 'couriers',
    title: 'Couriers',
    period: month,
    columns,
    rows,
    totals: () => sums.rows(),
    notes: () =>
      missing.map(({ courier, error }) => ({
        id: 'courier-without-statement',
        courier,
        why: { id: 'error', why: error.explanation },
      })),
  };
}
