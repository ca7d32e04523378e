import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { escapeMarks } from '../base/text.ts';
import { recordsCsv } from '../render/csv.ts';
import { type Format, renderReport } from '../render/report.ts';
import { DeskTable } from './table.ts';

type FileFormat = Extract<Format, 'csv' | 'xlsx'>;

export const FILE_TYPES: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** JSON in which nothing is left that a terminal would obey. */
export function jsonText(value: object): string {
  return `${escapeMarks(JSON.stringify(value))}\n`;
}

/** A model as JSON: its table is the report's own, and what is beside it follows. */
export function modelJson(model: object): object {
  const { table, ...rest } = model as { readonly table?: unknown };
  return table instanceof DeskTable ? { ...table.toJSON(), ...rest } : model;
}

/** A model's table as a file. A model without one gives its list. */
export async function modelFile(model: object, format: FileFormat): Promise<Uint8Array> {
  const { table } = model as { readonly table?: unknown };
  if (!(table instanceof DeskTable)) return Buffer.from(recordsCsv(Object.values(model).find(Array.isArray) ?? []));
  const stream = new PassThrough();
  const bytes = buffer(stream);
  await renderReport(table.asReport(), format, stream, { generatedAt: table.generatedAt });
  stream.end();
  return bytes;
}
