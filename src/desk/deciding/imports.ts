import { Type } from '@sinclair/typebox';
import type { Books } from '../../app/books.ts';
import { COURIER, FLAG } from '../../app/decisions/decision.ts';
import { sumsOf } from '../../app/decisions/lines.ts';
import { previewDecision } from '../../app/decisions/once.ts';
import type { Preview } from '../../app/decisions/preview.ts';
import { importFiles } from '../../app/import/index.ts';
import { recogniseKind } from '../../app/import/read-by-map.ts';
import type { Imported } from '../../app/import/summary.ts';
import { listMatches, type MatchReport } from '../../app/match/report-matches.ts';
import { UsageError } from '../../base/errors.ts';
import { deskError } from '../../words/errors/desk.ts';
import { booksOfCourier } from '../reading/address.ts';
import { refusalOf } from '../refusal.ts';
import { type DecideRoute, fields, route, type Uploaded } from './route.ts';

/** What a file may hold. */
export const KINDS = ['receipts', 'orders', 'settlement', 'tariff', 'rates'] as const;
const NAME = Type.Optional(Type.String({ maxLength: 100 }));

/** How files are to be imported. */
export interface ImportBody {
  /** What the files hold; if absent, each is recognised. */
  readonly kind?: (typeof KINDS)[number];
  readonly account?: string;
  readonly map?: string;
  readonly allow_gap?: boolean;
  readonly replace?: boolean;
  readonly courier?: string;
}

/** What would be imported from a file, in numbers of lines. */
export interface FilePreview extends Omit<Preview, 'lines'> {
  readonly name: string;
  readonly kind: string | null;
  readonly format: string | null;
  readonly account: string | null;
  /** Whether this very file was imported before. Another file may bring no new line either, but days without lines. */
  readonly is_known: boolean;
  readonly days: readonly [from: string, to: string] | null;
  readonly lines: number;
  /** New or changed. */
  readonly new: number;
  /** How many of these the ledger has with other values. */
  readonly changed: number;
  /** Already in the ledger, as they are. */
  readonly held: number;
  /** Lines of the file that are left alone. */
  readonly skipped: number;
  /** Whether its balances add up; null if it states none. */
  readonly balanced: boolean | null;
  /** How many lines are matched to invoices at once. */
  readonly matches: number;
  readonly map: string | null;
  /** Senders of money that may be couriers, because their lines match invoices. */
  readonly suggested_payers: MatchReport['suggested_payers'];
}

async function importEach(books: Books, by: string, files: readonly Uploaded[], body: ImportBody): Promise<Imported[]> {
  const { kind, account = null, map = null, allow_gap = false, replace = false, courier } = body;
  const courierBooks = booksOfCourier(books, courier);
  const imported: Imported[] = [];
  for (const { name, bytes } of files) {
    const file = { name, bytes };
    const kindOfFile = kind ?? (await recogniseKind(courierBooks, file, map));
    const request = { kind: kindOfFile, files: [file], map, by, dryRun: false, allowGap: allow_gap, account, replace };
    imported.push(...(await importFiles(courierBooks, request)));
  }
  return imported;
}

/** What would be imported from each file if it came alone, or why it is refused. */
export async function previewFiles(
  books: Books,
  by: string,
  files: readonly Uploaded[],
  body: ImportBody,
): Promise<FilesPreview> {
  const previews: FilePreview[] = [];
  for (const file of files) {
    try {
      previews.push(await previewFile(books, by, file, body));
    } catch (error) {
      const { status, code, explanation } = refusalOf(error);
      if (status !== 409 && status !== 422) throw error;
      previews.push({ ...emptyPreview(file.name, body), refusals: [{ code, why: explanation.message }] });
    }
  }
  const readable = files.filter((_, place) => previews[place]!.refusals.length === 0);
  if (readable.length < 2) {
    const single = previews.find(({ refusals }) => refusals.length === 0);
    return { files: previews, lines: single?.new ?? 0, seen: single?.stale_after ?? null };
  }
  // Files may have lines in common: then all together bring fewer new lines than the sum of their previews.
  const { answer, effects } = await previewDecision(books, (openBooks) => importEach(openBooks, by, readable, body));
  const lines = answer.reduce((sum, imported) => sum + newIn(imported), 0);
  return { files: previews, lines, seen: effects.digest };
}

/** What would be imported from each file alone, and from all readable files together. */
export interface FilesPreview {
  readonly files: readonly FilePreview[];
  /** The new and changed lines of the readable files together. */
  readonly lines: number;
  /**
   * The digest of what would be done, as `stale_after` is of one file: if the books change meanwhile, the decision is
   * refused. Null if no file can be read.
   */
  readonly seen: string | null;
}

/** The new and changed lines of a file; none if this very file was imported before. */
function newIn({ summary, isKnown }: Imported): number {
  return isKnown ? 0 : summary.new + summary.changed;
}

/** The preview of a file from which nothing was read. */
function emptyPreview(name: string, { kind, map }: Pick<ImportBody, 'kind' | 'map'>): FilePreview {
  const noEffects = { preview: true as const, sums: [], letter: null, stale_after: null, refusals: [] };
  const noLines = { lines: 0, new: 0, changed: 0, held: 0, skipped: 0, matches: 0 };
  const unknown = { format: null, account: null, is_known: false, days: null, balanced: null };
  return { ...noEffects, name, kind: kind ?? null, ...unknown, ...noLines, map: map ?? null, suggested_payers: [] };
}

async function previewFile(books: Books, by: string, file: Uploaded, body: ImportBody): Promise<FilePreview> {
  const { answer, effects } = await previewDecision(books, async (openBooks) => {
    const [imported] = (await importEach(openBooks, by, [file], body)) as [Imported];
    const isReceipts = imported.summary.kind === 'receipts';
    return { imported, suggested_payers: isReceipts ? (await listMatches(openBooks)).suggested_payers : [] };
  });
  const { imported, suggested_payers } = answer;
  const { summary } = imported;
  const { kind, format, rows, statements } = summary;
  const importLines = effects.lines.filter(({ what }) => what === 'import');
  const statedDays = [
    ...statements.flatMap(({ from, to }) => [from, to]),
    ...importLines.flatMap(({ about }) => (about ? [about.from as string, about.to as string] : [])),
  ];
  const days = statedDays.filter((day) => day !== null).sort();
  const balances = statements.flatMap(({ balanced }) => (balanced === null ? [] : [balanced]));
  const added = newIn(imported);
  return {
    ...emptyPreview(file.name, body),
    kind,
    format,
    account: summary.account ?? statements[0]?.account ?? null,
    is_known: imported.isKnown,
    days: days.length === 0 ? null : [days[0]!, days.at(-1)!],
    lines: rows,
    new: added,
    changed: imported.isKnown ? 0 : summary.changed,
    held: rows - added,
    skipped: summary.skipped.length,
    balanced: balances.length === 0 ? null : balances.every((balanced) => balanced),
    matches: effects.lines.filter(({ what }) => what === 'match').length,
    sums: sumsOf(importLines),
    stale_after: effects.digest,
    suggested_payers,
  };
}

export const IMPORT_ROUTES: readonly DecideRoute[] = [
  route({
    path: '/imports',
    title: 'Import files of a bank, a shop, a courier or a price list',
    operationId: 'importFiles',
    takesFiles: true,
    body: fields({
      kind: Type.Optional(Type.Union(KINDS.map((kind) => Type.Literal(kind)))),
      account: NAME,
      map: NAME,
      allow_gap: FLAG,
      replace: FLAG,
      courier: COURIER.schema,
    }),
    decide: async ({ desk: { books }, by, body, files }) => {
      if (files.length === 0) throw new UsageError(deskError({ id: 'no-file' })).at('file');
      const imported = await importEach(books, by, files, body);
      const imports = imported.map(({ summary, isKnown, notes }) => ({ ...summary, is_known: isKnown, notes }));
      // If a second person has to approve the import, the answer says under which id it waits.
      const waiting = imported.find((file) => file.waiting)?.waiting;
      const ofNoCourier = imported.reduce((sum, { others = 0 }) => sum + others, 0);
      const isReceipts = imports.some(({ kind }) => kind === 'receipts');
      return {
        answer: { imports, ...waiting },
        to: '/imports',
        see: isReceipts ? { address: '/receipts', word: 'see-matches' } : { address: '/', word: 'see-today' },
        ...(imports.every((file) => file.is_known) && { says: { id: 'import-known' } }),
        ...(ofNoCourier > 0 && { also: [{ what: 'not-the-couriers', count: ofNoCourier, sums: [] }] }),
      };
    },
  }),
];
