import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Books } from '../app/books.ts';
import { readLetter } from '../app/disputes/list.ts';
import { readBooksDocument } from '../app/evidence/index.ts';
import { sendFile, serveAt } from './answer.ts';
import { requestedLanguage } from './languages.ts';
import { requireMonth, requireSha256 } from './reading/address.ts';
import type { Thread } from './thread/thread.ts';

/** The month of a download, the courier that its address names, and what stands for both in the file's name. */
function monthAndCourierOf({ params, query }: FastifyRequest) {
  const month = requireMonth((params as { month?: string }).month);
  const { courier: sent } = query as { courier?: unknown };
  const courier = typeof sent === 'string' && sent !== '' ? sent : null;
  return { month, courier, nameInFile: courier === null ? month : `${month}-${courier}` };
}

/** Serves files to download: documents as received, a month's statement and disputes, and letters that were sent. */
export function serveDownloads(app: FastifyInstance, books: Books, thread: Thread): void {
  const serve = (path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) =>
    serveAt(app, path, { method: 'GET', handler });
  serve('/evidence/:sha256/download', async ({ params }, reply) => {
    const sha256 = requireSha256((params as { sha256?: string }).sha256);
    return sendFile(reply, sha256, 'bin', await readBooksDocument(books, sha256));
  });
  serve('/months/:month/statement', async (request, reply) => {
    const { month, courier, nameInFile } = monthAndCourierOf(request);
    const format = (request.query as { format?: unknown }).format === 'html' ? 'html' : 'xlsx';
    const bytes = await thread.read('statement', { month, courier, format, language: requestedLanguage(request) });
    return sendFile(reply, `statement-${nameInFile}`, format, bytes);
  });
  serve('/months/:month/dispute', async (request, reply) => {
    const { month, courier, nameInFile } = monthAndCourierOf(request);
    const by = request.who?.user ?? '';
    const bytes = await thread.read('dispute', { month, courier, language: requestedLanguage(request), by });
    return sendFile(reply, `dispute-${nameInFile}`, 'html', bytes);
  });
  serve('/claims/:id/letter', async ({ params }, reply) => {
    const { id: mismatchId = '' } = params as { id?: string };
    const { claim, bytes, format } = await readLetter(books, { id: mismatchId });
    const ending = format === 'html' || format === 'xlsx' || format === 'csv' ? format : 'txt';
    return sendFile(reply, `claim-${claim}`, ending, bytes);
  });
}
