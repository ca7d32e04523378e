import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Books } from '../../app/books.ts';
import { type BooksProof, readBooksProof } from '../../app/check-books.ts';
import { readMonthToClose } from '../../app/desk/books-state.ts';
import { planDispute } from '../../app/disputes/plan.ts';
import { writeForDownload } from '../../app/statement/statement.ts';
import { makeTemporaryFolder } from '../../base/files/temporary.ts';
import { claimPage } from '../../render/claim/html.tsx';
import { type LanguageCode, languageOf } from '../../words/index.ts';
import type { Desk, FiguresRequest, FiguresTables, ThreadPageRequest } from '../desk.ts';
import { escapedJson, modelFile, modelJson } from '../model-files.ts';
import type { Models } from '../models.ts';
import { booksOfCourier } from '../reading/address.ts';
import { readFigures } from '../reading/home.ts';
import { type PageName, READ_ROUTES } from '../routes.ts';

interface ModelRequest {
  readonly name: PageName;
  readonly request: ThreadPageRequest;
}

interface FileRequest extends ModelRequest {
  readonly format: 'json' | 'csv' | 'xlsx';
}

interface MonthFile {
  readonly month: string;
  /** Null if the address names none. */
  readonly courier: string | null;
  readonly language: LanguageCode;
}

/** What a thread of the desk can read, by name. Requests and answers are plain data, and files are bytes. */
export const READS = {
  proof: (books: Books, _: Record<string, never>): Promise<BooksProof> => readBooksProof(books),
  readyToClose: (books: Books, { lacking }: Pick<BooksProof, 'lacking'>): Promise<string | null> =>
    readMonthToClose(books, lacking),
  figures: (books: Books, request: FiguresRequest): Promise<FiguresTables> => readFigures(books, request),
  page: (books: Books, { name, request }: ModelRequest): Promise<Models[PageName]> => readModel(books, name, request),
  file: async (books: Books, { name, request, format }: FileRequest): Promise<Uint8Array> => {
    const model = await readModel(books, name, request);
    return format === 'json' ? Buffer.from(escapedJson(modelJson(model))) : modelFile(model, name, format, books.now());
  },
  statement: async (
    books: Books,
    { month, courier, format, language }: MonthFile & { readonly format: 'xlsx' | 'html' },
  ): Promise<Uint8Array> => {
    const folder = makeTemporaryFolder();
    try {
      const out = path.join(folder, `${month}.${format}`);
      await writeForDownload(booksOfCourier(books, courier), { month, format, language, out });
      return await readFile(out);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  dispute: async (
    books: Books,
    { month, courier, language, by }: MonthFile & { readonly by: string },
  ): Promise<Uint8Array> => {
    const selection = { ids: [], filter: { periods: [month] } };
    // As nothing is claimed by it, it has what was claimed before, too.
    const plan = await planDispute(booksOfCourier(books, courier), { selection, again: true, shortOnly: false, by });
    return Buffer.from(claimPage(plan, await languageOf(language)));
  },
};

export type ReadName = keyof typeof READS;
export type ReadRequest<Name extends ReadName> = Parameters<(typeof READS)[Name]>[1];
export type ReadAnswer<Name extends ReadName> = Awaited<ReturnType<(typeof READS)[Name]>>;

function readModel(books: Books, name: PageName, { search, ...request }: ThreadPageRequest): Promise<Models[PageName]> {
  const query = new URLSearchParams(search);
  const desk: Desk = {
    books: booksOfCourier(books, query.get('courier')),
    proof: () => readBooksProof(books),
    readyToClose: (lacking) => readMonthToClose(books, lacking),
    figures: (figuresRequest) => readFigures(books, figuresRequest),
  };
  return READ_ROUTES[name].read({ ...request, desk, query });
}
