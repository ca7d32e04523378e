import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { planDispute } from '../app/disputes/plan.ts';
import { readBooksDocument } from '../app/evidence/index.ts';
import { draftStatement } from '../app/statement/draft.ts';
import { makeTemporaryFolder } from '../base/files/index.ts';
import { claimPage } from '../render/claim/html.tsx';
import { API } from './answer.ts';
import type { Desk } from './desk.ts';
import { requestedLanguage } from './language.ts';
import { shaOf } from './reading/evidence.ts';
import { oneMonth } from './reading/month-of.ts';

const TYPES = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  html: 'text/html; charset=utf-8',
} as const;

/** Serves what is downloaded and never shown: documents as received, a month's statement, what is disputed. */
export function serveDownloads(app: FastifyInstance, { books }: Pick<Desk, 'books'>): void {
  const attach = (reply: FastifyReply, name: string, type: string, bytes: Buffer | string) =>
    reply.header('content-disposition', `attachment; filename="${name}"`).type(type).send(bytes);
  const serve = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) => {
    app.get(url, handler);
    app.get(`${API}${url}`, handler);
  };
  serve('/evidence/:sha256/download', async ({ params }, reply) => {
    const sha256 = shaOf((params as { sha256?: string }).sha256);
    const bytes = await readBooksDocument(books, sha256);
    return attach(reply, `${sha256}.bin`, 'application/octet-stream', bytes);
  });
  serve('/months/:month/statement', async (request, reply) => {
    const month = oneMonth((request.params as { month?: string }).month);
    const format = (request.query as { format?: unknown }).format === 'html' ? 'html' : 'xlsx';
    const folder = makeTemporaryFolder();
    try {
      const out = path.join(folder, `${month}.${format}`);
      await draftStatement(books, { month, format, language: requestedLanguage(request), out });
      return attach(reply, `statement-${month}.${format}`, TYPES[format], await readFile(out));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
  serve('/months/:month/dispute', async (request, reply) => {
    const month = oneMonth((request.params as { month?: string }).month);
    const selection = { ids: [], filter: { periods: [month] } };
    const by = request.who?.user ?? '';
    const plan = await planDispute(books, { selection, again: true, shortOnly: false, by });
    return attach(reply, `dispute-${month}.html`, TYPES.html, claimPage(plan, requestedLanguage(request)));
  });
}
