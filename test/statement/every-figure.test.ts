import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Report, Row } from '../../reports/model.ts';
import { statement } from '../../reports/statement/index.ts';
import { listReports } from '../../src/app/report.ts';
import { usingLedger } from '../../src/ledger/index.ts';
import { usingSnapshot } from '../../src/ledger/queries/snapshot.ts';
import { renderReportToFile } from '../../src/render/report.ts';
import { check } from '../checks/options.ts';
import { DEFAULT_SETTINGS } from '../helpers/check-settings.ts';
import { fourSidedBooks } from '../helpers/four-sides.ts';
import { type ExactCell, hasOpenpyxl, readExactly } from '../helpers/office.ts';
import type { OwnBooks } from '../helpers/own-books.ts';

const MONTH = '2026-10';
const NOW = new Date('2026-11-20T10:00:00Z');
const HOSTILE = '=HYPERLINK("http://x","y")';
const WORDS: Readonly<Record<string, string>> = {
  days_0_7: '0-7 days',
  days_8_14: '8-14 days',
  days_15_30: '15-30 days',
  days_31_60: '31-60 days',
  days_61_90: '61-90 days',
  days_over_90: 'over 90 days',
  DELIVERED_AT_WAREHOUSE: 'Collected at the warehouse',
  driver: 'Driver',
  company: 'Company',
  ready: 'Ready for you',
  paid: 'Paid, not received',
  received: 'Received',
  unknown: 'Not stated where',
};

/** Reports of the whole ledger, which have no period. */
const WHOLE = ['runs', 'evidence', 'paid-orders'];

/** A report as its JSON says it. */
interface Document {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly Row[];
  readonly totals: readonly Row[];
}
type Grid = readonly (readonly (ExactCell | null)[])[];

/** A decimal without what no number holds: zeros at its end. */
const bare = (decimal: string) => (decimal.includes('.') ? decimal.replace(/0+$/, '').replace(/\.$/, '') : decimal);
/** More digits than a spreadsheet's number holds are kept as text, grouped. */
const isLong = (decimal: string) => decimal.replace(/[-.]/g, '').replace(/^0+|0+$/g, '').length > 15;
const isDecimal = (text: string) => /^-?\d+(\.\d+)?$/.test(text);

/** What a cell says of a value of the JSON: the value itself where they agree, to the last digit. */
function told(cell: ExactCell | null, type: string, value: Row[string]): Row[string] {
  if (cell === null || value === null) return cell === null ? null : cell.value;
  const text = String(value);
  const asNumber = cell.type === 'number' || cell.type === 'formula';
  if (type === 'date') return cell.type === 'time' && cell.value === `${text}T00:00:00` ? value : cell.value;
  // A sheet shows the document's own wall clock; its offset is in the cell's format.
  if (type === 'datetime')
    return cell.type === 'time' && cell.value.slice(0, 19) === text.slice(0, 19) ? value : cell.value;
  if (type === 'money') {
    const digits = isLong(text) ? cell.type === 'text' && cell.value.replaceAll(',', '') : asNumber && cell.value;
    return digits !== false && bare(digits) === bare(text) ? value : `${cell.type} ${cell.value}`;
  }
  // A name of digits is text, a count a number, and a measure of money or counts is decimal text in JSON.
  if (asNumber && isDecimal(text)) return bare(cell.value) === bare(text) ? value : cell.value;
  // A status of the courier's is a code in JSON and words in a sheet: PENDING_PAYMENT, Pending payment.
  // So is an age: days_0_7, 0-7 days.
  const says = (shown: string) =>
    shown === text || shown.toUpperCase().replaceAll(' ', '_') === text.toUpperCase() || WORDS[text] === shown;
  return cell.type === 'text' && says(cell.value) ? value : cell.value;
}

/**
 * Compares each cell of a sheet's rows and totals; nothing but the totals is a formula.
 *
 * @returns how many cells there were
 */
function compare(name: string, grid: Grid, { columns: named, rows, totals }: Document): number {
  // A sheet does not repeat the one courier of these books in each row, and shows a number in one column, as text.
  const columns = named.filter(({ name }) => name !== 'courier' && !/(number|invoices|subject)_text$/.test(name));
  // The dashboard calls its figures by their titles.
  const isTitled = ({ name: column }: { readonly name: string }) => name === 'dashboard' && column === 'figure';
  const line = (row: Row, cells: Grid[number] | undefined) =>
    columns.map((column, i) =>
      isTitled(column) ? (row[column.name] ?? null) : told(cells?.[i] ?? null, column.type, row[column.name] ?? null),
    );
  const wanted = (row: Row) => columns.map((column) => row[column.name] ?? null);
  const first = rows.length + 2;
  for (const [index, row] of rows.entries()) {
    expect([name, index + 2, line(row, grid[index + 1])]).toEqual([name, index + 2, wanted(row)]);
  }
  for (const [index, row] of totals.entries()) {
    const [total, ...rest] = line(row, grid[first + index]);
    const [own, ...figures] = wanted(row);
    expect([name, index, total, ...rest]).toEqual([name, index, own ?? 'Total', ...figures]);
  }
  const formulas = grid.flatMap((cells, index) => (cells.some((cell) => cell?.type === 'formula') ? [index] : []));
  expect([name, formulas.filter((index) => index < first || index >= first + totals.length)]).toEqual([name, []]);
  return rows.length * columns.length;
}

/** The tables of a month's statement, written as JSON and read again. */
async function tablesOf(books: OwnBooks): Promise<Map<string, Document>> {
  const payer = /payers = \["(.*)"\]/.exec(readFileSync(path.join(books.folder, 'remit.toml'), 'utf8'))![1]!;
  const settings = { ...DEFAULT_SETTINGS, receipts: { payers: [payer], accounts: [] } };
  const documents = new Map<string, Document>();
  const tell = async (report: Report) => {
    const file = path.join(books.folder, 'table.json');
    await renderReportToFile(report, 'json', file, { generatedAt: NOW });
    documents.set(report.title, JSON.parse(readFileSync(file, 'utf8')) as Document);
  };
  await usingLedger(path.join(books.folder, 'ledger.db'), {}, async (ledger) => {
    const found = await check(ledger, { periods: [MONTH], settings, now: NOW });
    await usingSnapshot(ledger, async (db) => {
      const { tables } = await statement({ db, month: MONTH, settings, ...found, ...found.reasons });
      const { vanished: _, resolved: __, ...shown } = tables;
      for (const table of Object.values(shown)) await tell(table);
    });
  });
  return documents;
}

it.skipIf(!hasOpenpyxl)(
  'openpyxl reads every cell of every report and of the statement as their JSON has it',
  async () => {
    const { books } = await fourSidedBooks();
    await books.remit(['check', MONTH, '--quiet']);
    const { mismatches } = await books.json<{ mismatches: { id: string }[] }>(['mismatch', 'list']);
    for (const { id } of mismatches.slice(0, 5))
      await books.json(['mismatch', 'ack', id, '--note', HOSTILE, '--by', '+1']);
    mkdirSync(path.join(books.folder, 'sheets'));
    const reports = new Map<string, Document>();
    for (const { name } of listReports()) {
      const which = ['report', name, ...(WHOLE.includes(name) ? [] : [MONTH])];
      reports.set(name, await books.json<Document>(which));
      expect((await books.remit([...which, '--out', `sheets/${name}.xlsx`])).code).toBe(0);
    }
    await books.json(['statement', MONTH, '--out', 'sheets/statement.xlsx']);
    const sheets = await tablesOf(books);
    const read = readExactly(path.join(books.folder, 'sheets'));

    const empty = [...reports].filter(
      ([name, report]) => compare(name, Object.values(read[`${name}.xlsx`]!)[0]!, report) === 0,
    );
    // The courier restated nothing of this world.
    expect(empty.map(([name]) => name)).toEqual(['changes']);
    expect([...sheets.keys()]).toHaveLength(10);
    for (const [title, table] of sheets) compare(title, read['statement.xlsx']![title]!, table);
    // Text from outside stands in the sheet to the letter, as text.
    const texts = Object.values(read['statement.xlsx']!).flat(2);
    expect(texts.filter((cell) => cell?.value === HOSTILE)).not.toEqual([]);
    expect(texts.filter((cell) => cell?.value === HOSTILE && cell.type !== 'text')).toEqual([]);
  },
);
