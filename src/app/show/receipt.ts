import { UsageError } from '../../base/errors.ts';
import { numberText, textInNumberTexts } from '../../base/number-texts.ts';
import { ambiguitiesOf, type MatchSettings, readMatchBooks } from '../../checks/facts/receipts/match-books.ts';
import { readAgain } from '../../derive/imports.ts';
import { readBody } from '../../ledger/index.ts';
import { readReceiptMatches } from '../../ledger/queries/receipts/match-history.ts';
import { type ReceiptSource, readReceiptSources } from '../../ledger/queries/receipts/receipts.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { formatUnits } from '../../money/units.ts';
import { because } from '../../words/errors/showing.ts';
import { explain } from '../match/explain.ts';

/**
 * All that is known of a receipt: its line in the file, the files that hold it, whose it is, every match that ever used
 * it, what is left of it, and the possible matches if it is ambiguous.
 *
 * @throws UsageError for an id that the ledger does not know
 */
export async function showReceipt(db: LedgerReader, text: string, settings: MatchSettings) {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  const books = await readMatchBooks(db, settings);
  const { texts } = books;
  const receipt = books.receipts.get(id);
  if (!receipt) {
    throw new UsageError(because({ id: 'no-receipt', name: text }));
  }
  const explained = await explain(db, settings, { books, subject: { receipt: String(id) } });
  const [first, ...others] = await readReceiptSources(db, id);
  const ambiguity = ambiguitiesOf(books).get(id);
  const { amount, left, evidence_id: _, ...line } = receipt;
  return {
    receipt: { ...line, amount: formatUnits(amount) },
    raw: await rawLine(db, first!),
    import: fileOf(first!),
    seen_in: others.map(fileOf),
    whose: books.courierReceipts.get(id) ?? null,
    by_hand: books.leftToPeople.has(id),
    matches: (await readReceiptMatches(db, id)).map(({ why, invoices, ...match }) => ({
      ...match,
      why: textInNumberTexts(why, texts),
      invoices: invoices.map((share) => ({ ...share, number_text: numberText(share.number, texts) })),
    })),
    left: formatUnits(left),
    ways: ambiguity
      ? {
          rule: ambiguity.rule,
          ways: ambiguity.ways.map(({ invoices }) => invoices),
          ways_text: ambiguity.ways.map(({ invoices }) => invoices.map((number) => numberText(number, texts))),
          too_many: ambiguity.tooMany,
        }
      : null,
    explained,
  };
}

function fileOf({ id, at, actor, format, source, sha256, map }: ReceiptSource) {
  return { id, at, actor, format, source, sha256, map };
}

/** The line as the file has it: the file was kept, and is read again. */
async function rawLine(db: LedgerReader, source: ReceiptSource): Promise<string | null> {
  const bytes = await readBody(db, source.sha256);
  const map = source.column_map === null ? null : JSON.parse(source.column_map);
  const read = await readAgain('receipts', bytes, source.source, { map });
  if (read.kind !== 'receipts') return null;
  return read.file.statements.flatMap(({ lines }) => lines)[source.position]?.raw ?? null;
}
