import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Report, Row } from '../../reports/model.ts';
import { proofOf } from '../../reports/statement/proof.ts';
import { recordInNumberTexts } from '../base/number-texts.ts';
import { escapeMarks } from '../base/text.ts';
import { formatAmount } from '../money/decimal.ts';
import { recordsCsv } from '../render/csv.ts';
import { type ReportFormat, renderReport } from '../render/report.ts';
import { isTable, reportOf, tableJson } from './desk-table.ts';
import type { MonthModel } from './models.ts';

type FileFormat = Extract<ReportFormat, 'csv' | 'xlsx'>;

/** JSON without any control character that a terminal would obey. */
export function escapedJson(value: object): string {
  return `${escapeMarks(JSON.stringify(value))}\n`;
}

/** A model as JSON: the fields of its `table` as `report NAME --json` prints them, then its others. */
export function modelJson(model: object): object {
  const parts = Object.entries(model).map(([name, part]) => [name, isTable(part) ? tableJson(part) : part]);
  const { table, ...otherFields } = Object.fromEntries(parts);
  return { ...table, ...otherFields };
}

/** A model's table as a file; if it has none, a month's bridge, or else the first list among the model's fields. */
export async function modelFile(model: object, name: string, format: FileFormat, now: Date): Promise<Uint8Array> {
  const { table, bridge } = model as { readonly table?: unknown; readonly bridge?: MonthModel['bridge'] };
  if (isTable(table)) return reportFile(reportOf(table), format, table.generatedAt);
  const list: readonly object[] = bridge ? bridgeLines(bridge) : (Object.values(model).find(Array.isArray) ?? []);
  const records = list.map((record) => recordInNumberTexts(record as Readonly<Record<string, unknown>>));
  return format === 'csv' ? Buffer.from(recordsCsv(records)) : reportFile(recordsReport(name, records), format, now);
}

async function reportFile(report: Report, format: FileFormat, generatedAt: Date): Promise<Uint8Array> {
  const stream = new PassThrough();
  const bytes = buffer(stream);
  await renderReport(report, format, stream, { generatedAt });
  stream.end();
  return bytes;
}

/** Records as a report: a column for each field of the first record, with arrays and objects as JSON. */
function recordsReport(name: string, records: readonly object[]): Report {
  const columns = Object.keys(records[0] ?? {}).map((field) => ({ name: field, title: field, type: 'text' }) as const);
  const cell = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value);
  const rows = records.map(
    (record) => Object.fromEntries(Object.entries(record).map(([field, value]) => [field, cell(value)])) as Row,
  );
  return { report: name, title: name, period: '', columns, rows, totals: () => [], notes: () => [] };
}

function bridgeLines(bridges: MonthModel['bridge']): object[] {
  return bridges.flatMap((bridge) => {
    const { courier_name, period, currency, courier, steps, ours, unexplained, outside, short } = bridge;
    // The column `courier` is the courier's name; the line `courier`, the figure that the courier states.
    const line = (name: string, count: number | null, amount: string | null) => {
      return { courier: courier_name, period, currency, line: name, count, amount };
    };
    const step = ({ code, count, effect }: (typeof steps)[number]) => line(code, count, effect);
    return [
      line('courier', null, courier),
      ...steps.map(step),
      line('ours', null, ours),
      line('unexplained', null, unexplained),
      ...outside.map(step),
      line('resolved', null, formatAmount(proofOf(bridge).resolved)),
      line('short', null, short),
    ];
  });
}
