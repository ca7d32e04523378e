import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import JSZip from 'jszip';
import { parse } from 'smol-toml';
import { expect } from 'vitest';
import { runRemit } from '../../helpers/remit.ts';
import { expectVerified } from '../../helpers/sync.ts';

/** The month of the books: past, whatever the machine's clock says. */
export const MONTH = '2024-10';
/**
 * Invoices with a header a dollar short of its rows. `{1010}` in a command stands for the mismatch that says so of
 * 1010.
 */
export const SHORT = [1010, 1011];

export interface Killed {
  /** The arguments of the command, as they are typed in the books folder. */
  readonly argv: readonly string[];
  /** What it may end with after what came before it, such as where what it does is done already. */
  readonly done?: { readonly code: number; readonly says: RegExp };
  /** The file or folder that it makes, in the books folder, and what shows that it is whole. */
  readonly out?: Out;
}

interface Out {
  readonly name: string;
  /** It writes over nothing. */
  readonly isNew?: boolean;
  readonly isWhole: (file: string) => Promise<void>;
}

const text = (file: string) => readFileSync(file, 'utf8');
/** Today where the books are. Its end has not come yet: all that is known, read by way of a replay. */
const TODAY = new Date().toLocaleDateString('en-CA');
const out = (name: string, isWhole: Out['isWhole']): Out => ({ name, isWhole });

const isJson = async (file: string) => void expect(JSON.parse(text(file))).toMatchObject({ rows: expect.any(Array) });
const isPage = async (file: string) => expect(text(file)).toMatch(/<\/html>\s*$/);
const isTable = async (file: string) => expect(text(file)).toMatch(/^[^\n]+\r\n(.*\r\n)*$/);
const isSettings = async (file: string) => expect(parse(text(file))).toMatchObject({ api_url: 'https://x.example/' });
/** One of the two may be written off before: it is claimed no more. */
const isClaim = async (file: string) => {
  const [, ...lines] = text(file).split('\r\n');
  expect(lines.pop()).toBe('');
  expect(lines.map((line) => SHORT.findIndex((number) => line.includes(`,${number},`)))).toBeOneOf([[0, 1], [0]]);
  for (const line of lines) expect(line).toContain('The COD in the header of the invoice ');
};
/** The last entry is a statement of what is due: nothing is cut off. */
const isJournal = async (file: string) => expect(text(file)).toMatch(/\n$/);
const isPack = async (folder: string) => {
  const { code, stdout, stderr } = await runRemit(['verify', folder], {}, path.dirname(folder));
  expect([code, stdout, stderr]).toEqual([0, expect.stringContaining(MONTH), stderr]);
};
const isExport = async (folder: string) => {
  const files = readdirSync(folder);
  expect(files).toEqual(expect.arrayContaining(['chain.parquet', 'invoice.parquet', 'period_reopen.parquet']));
  for (const file of files) expect(readFileSync(path.join(folder, file)).subarray(-4).toString()).toBe('PAR1');
};
const isWorkbook = async (file: string) => {
  const { files } = await JSZip.loadAsync(readFileSync(file), { checkCRC32: true });
  expect(Object.keys(files)).toContain('xl/workbook.xml');
};

/** Every command that reads or writes books, in the ways that differ in what they write. */
export const COMMANDS: readonly Killed[] = [
  { argv: ['sync', MONTH] },
  { argv: ['sync', MONTH, '--orders'] },
  { argv: ['sync', MONTH, '--orders', '--full'] },
  { argv: ['sync', MONTH, '--dry-run'] },
  { argv: ['check', '--json'] },
  { argv: ['check', MONTH, '--as-of', TODAY, '--json'] },
  { argv: ['report', 'orders', MONTH, '--out', 'orders.json'], out: out('orders.json', isJson) },
  { argv: ['report', 'orders', MONTH, '--out', 'orders.csv'], out: out('orders.csv', isTable) },
  { argv: ['report', 'orders', MONTH, '--out', 'orders.html'], out: out('orders.html', isPage) },
  { argv: ['report', 'orders', MONTH, '--out', 'orders.xlsx'], out: out('orders.xlsx', isWorkbook) },
  { argv: ['statement', MONTH], out: out(path.join('statements', `${MONTH}.xlsx`), isWorkbook) },
  { argv: ['statement', MONTH, '--as-of', TODAY, '--out', 'then.xlsx'], out: out('then.xlsx', isWorkbook) },
  { argv: ['backup', 'copy.db', '--force'], out: out('copy.db', expectVerified) },
  { argv: ['verify', '--deep'] },
  { argv: ['changes', '--since', 'last'] },
  { argv: ['show', 'invoice', '1000'] },
  { argv: ['evidence', '1000'] },
  { argv: ['night'] },
  { argv: ['import', 'orders', 'own.csv', '--by', 'Rana'] },
  { argv: ['match'] },
  // A close that came to its end between two kills was of half a month.
  { argv: ['doctor'], done: { code: 1, says: new RegExp(`changed since: ${MONTH}`) } },
  {
    argv: ['dispute', MONTH, '--again', '--yes', '--out', 'claim.csv', '--by', 'Rana'],
    out: out('claim.csv', isClaim),
  },
  { argv: ['dispute', 'answer', '{1010}', '--accepted', '--note', 'on the next one', '--by', 'Rana'] },
  {
    argv: ['dispute', 'write-off', '{1011}', '--reason', 'too little', '--by', 'Rana'],
    done: { code: 2, says: /it is written-off since/ },
  },
  {
    argv: ['close', MONTH, '--first', '--with-open', 'it is late', '--by', 'Omar'],
    done: { code: 1, says: /is closed already, by / },
  },
  { argv: ['reopen', MONTH, '--reason', 'too early', '--by', 'Omar'] },
  { argv: ['close', MONTH, '--first', '--with-open', 'now it is', '--by', 'Rana'] },
  {
    argv: ['statement', '--close-pack', MONTH, '--out', 'pack', '--by', 'Rana'],
    out: { ...out('pack', isPack), isNew: true },
  },
  { argv: ['report', 'journal', MONTH, '--format', 'hledger', '--out', 'j.journal'], out: out('j.journal', isJournal) },
  { argv: ['export', 'parquet', 'tables'], out: { ...out('tables', isExport), isNew: true } },
  {
    argv: ['init', 'new', '--api-url', 'https://x.example/'],
    out: { ...out(path.join('new', 'remit.toml'), isSettings), isNew: true },
  },
];

/** What a killed command may have left under the name of its file: nothing, or a file that is whole. */
export async function expectNoHalfFile(folder: string, { out: made }: Killed): Promise<void> {
  if (!made) return;
  const file = path.join(folder, made.name);
  if (existsSync(file)) await made.isWhole(file);
}
