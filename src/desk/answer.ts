import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { escapeMarks } from '../base/text.ts';
import { recordsCsv } from '../render/csv.ts';
import { documentOf } from '../render/html/document.ts';
import { type Format, renderReport } from '../render/report.ts';
import type { DeskContext } from './context.ts';
import type { Models } from './models.ts';
import { PAGES } from './pages/index.ts';
import { DeskTable } from './table.ts';

/** How an answer is written. */
export type Shape = 'html' | 'json' | 'csv' | 'xlsx';

/** The paths of which every answer is JSON, unless the address names another format. */
export const API = '/api/v1';

/** What a request wants: what its address names, else what it accepts. A browser gets a page. */
export function shapeOf({ url, headers }: Pick<FastifyRequest, 'url' | 'headers'>): Shape {
  const [path = '', query] = url.split('?');
  const named = new URLSearchParams(query).get('format');
  if (named === 'csv' || named === 'xlsx' || named === 'json') return named;
  if (path === API || path.startsWith(`${API}/`) || headers.authorization !== undefined) return 'json';
  const accept = headers.accept ?? '';
  return accept.includes('application/json') && !accept.includes('text/html') ? 'json' : 'html';
}

/** A model as JSON: its table is the report's own, and what is beside it follows. */
export function modelJson(model: object): object {
  const { table, ...rest } = model as { readonly table?: unknown };
  return table instanceof DeskTable ? { ...table.toJSON(), ...rest } : model;
}

/** Sends JSON in which nothing is left that a terminal would obey. */
export function sendJson(reply: FastifyReply, value: object): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(`${escapeMarks(JSON.stringify(value))}\n`);
}

/** Sends a page. */
export function sendPage<Name extends keyof Models>(
  reply: FastifyReply,
  name: Name,
  model: Models[Name],
  desk: DeskContext,
): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(documentOf(PAGES[name](model, desk)));
}

/** Sends a model's table as a file. A model without one gives its list. */
export async function sendFile(
  reply: FastifyReply,
  name: string,
  model: object,
  format: Extract<Format, 'csv' | 'xlsx'>,
): Promise<FastifyReply> {
  const { table } = model as { readonly table?: unknown };
  reply.header('content-disposition', `attachment; filename="${name}.${format}"`);
  reply.type(
    format === 'csv' ? 'text/csv; charset=utf-8' : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  );
  if (!(table instanceof DeskTable)) return reply.send(recordsCsv(Object.values(model).find(Array.isArray) ?? []));
  const stream = new PassThrough();
  const bytes = buffer(stream);
  await renderReport(table.asReport(), format, stream, { generatedAt: table.generatedAt });
  stream.end();
  return reply.send(await bytes);
}
