/** Files of receipts that pay nothing until a second person has approved their import. */
import { createHash } from 'node:crypto';
import type { ReadFile } from '../../derive/imports.ts';
import type { Table } from '../../imports/formats/table.ts';
import type { ColumnMap } from '../../imports/maps/column-map.ts';
import { appendEvidence, type LedgerTransaction, type SealedBody } from '../../ledger/index.ts';
import { readWaiting } from '../../ledger/queries/evidence/decided.ts';
import { readDecider, type Waiting } from '../approvals/propose.ts';
import type { Books } from '../books.ts';
import { type DecisionLine, withoutWording } from '../decisions/lines.ts';
import { isSame } from '../settings-record.ts';
import type { Imported, ImportSummary } from './summary.ts';

export interface ImportProposal extends Pick<ImportSummary, 'format' | 'file' | 'sha256' | 'rows' | 'new' | 'totals'> {
  readonly kind: 'receipts';
  /** The days of its statements and lines. */
  readonly from: string | null;
  readonly to: string | null;
  readonly map: string | null;
  /** The whole map, so that the file is read the same way again. */
  readonly column_map: ColumnMap | null;
  readonly account: string | null;
  readonly allow_gap: boolean;
  readonly replace: boolean;
  readonly skipped: number;
  /** Only for a PDF: the table that was read from it. */
  readonly table?: Table;
  /** Who imports. */
  readonly by: string;
}

/** What importing a file does. Before a proposal it is imported on trial, which is rolled back. */
export interface TriedImport {
  readonly imported: Imported;
  readonly lines: readonly DecisionLine[];
}

type Options = Pick<ImportProposal, 'column_map' | 'account' | 'allow_gap' | 'replace' | 'by'>;

/** A digest of what a file brings: it differs if the file would bring anything else. */
export function digestOf(lines: readonly DecisionLine[]): string {
  return createHash('sha256')
    .update(JSON.stringify(lines.map(withoutWording)))
    .digest('hex');
}

/**
 * Records a file as a proposal to a second person, with what it would bring, unless it waits already. Call it inside a
 * transaction.
 *
 * @param tried what it brought when it was tried
 */
export async function proposeImport(
  trx: LedgerTransaction,
  books: Pick<Books, 'now' | 'isTeams'>,
  { read, body, tried, options }: { read: ReadFile; body: SealedBody; tried: TriedImport; options: Options },
): Promise<Imported> {
  const { imported, lines } = tried;
  const { format, file, sha256, rows, new: added, totals, skipped } = imported.summary;
  const about = { kind: 'receipts' as const, file, sha256, format, rows, new: added, totals };
  const request: ImportProposal = {
    ...about,
    ...daysOf(read),
    map: read.file.map,
    skipped: skipped.length,
    ...options,
    ...tableOf(read),
  };
  const { id, at, by } = (await findSame(trx, request)) ?? (await keep());
  const waiting: Waiting = { waiting: true, id, what: 'import', by, at, lines };
  return { ...imported, summary: { ...imported.summary, import: null, waiting: true, id }, waiting };

  async function keep() {
    const user = await readDecider(trx, books);
    const proposal = { what: 'import', request, lines, digest: digestOf(lines) };
    const data = user === null ? proposal : { ...proposal, database_user: user };
    const at = books.now();
    const what = { at, kind: 'proposal', actor: request.by, subject: 'import', source: file, body, data } as const;
    // A file of receipts is about the whole books, not about one courier, and so is its proposal.
    const evidence = await appendEvidence(trx, { ...what, isOfBooks: true });
    return { id: evidence.id, at: evidence.at, by: request.by };
  }
}

/** Finds anybody's waiting proposal of the same file, read in the same way, with the same counts and totals. */
async function findSame(trx: LedgerTransaction, { by: _, ...request }: ImportProposal) {
  for (const { id, at, actor, sha256, data } of await readWaiting(trx, 'import')) {
    const { by, ...held } = (JSON.parse(data!) as { request: ImportProposal }).request;
    if (sha256 === request.sha256 && isSame(held, request)) return { id, at, by: actor ?? by };
  }
  return null;
}

/** The table that was read from a PDF, to be recorded; nothing for another file. */
export function tableOf({ file }: ReadFile): { readonly table?: Table } {
  return 'table' in file && file.table !== undefined ? { table: file.table } : {};
}

function daysOf(read: ReadFile): Pick<ImportProposal, 'from' | 'to'> {
  const statements = read.kind === 'receipts' ? read.file.statements : [];
  const days = statements.flatMap(({ from, to, lines }) => [from, to, ...lines.map(({ date }) => date)]);
  const sortedDays = days.filter((day) => day !== null).sort();
  return { from: sortedDays[0] ?? null, to: sortedDays.at(-1) ?? null };
}
