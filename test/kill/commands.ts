import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import JSZip from 'jszip';
import { parse } from 'smol-toml';
import { expect } from 'vitest';
import { expectVerified } from '../helpers/sync.ts';

export interface Killed {
  /** The arguments of the command, as they are typed in the books folder. */
  readonly argv: readonly string[];
  /** The file that it makes, in the books folder, and what shows that it is whole. */
  readonly out?: { readonly name: string; readonly isWhole: (file: string) => Promise<void> };
}

const text = (file: string) => readFileSync(file, 'utf8');
/** Its end has not come yet: all that is known, read by way of a replay. */
const TODAY = new Date().toISOString().slice(0, 10);
const out = (name: string, isWhole: (file: string) => Promise<void>) => ({ name, isWhole });

const isJson = async (file: string) => void expect(JSON.parse(text(file))).toMatchObject({ rows: expect.any(Array) });
const isPage = async (file: string) => expect(text(file)).toMatch(/<\/html>\s*$/);
const isTable = async (file: string) => expect(text(file)).toMatch(/^[^\n]+\r\n(.*\r\n)*$/);
const isSettings = async (file: string) => expect(parse(text(file))).toMatchObject({ api_url: 'https://x.example/' });
const isWorkbook = async (file: string) => {
  const { files } = await JSZip.loadAsync(readFileSync(file), { checkCRC32: true });
  expect(Object.keys(files)).toContain('xl/workbook.xml');
};

/** Every command that reads or writes books, in the ways that differ in what they write. */
export const COMMANDS: readonly Killed[] = [
  { argv: ['sync', '2026-10'] },
  { argv: ['sync', '2026-10', '--orders'] },
  { argv: ['sync', '2026-10', '--orders', '--full'] },
  { argv: ['sync', '2026-10', '--dry-run'] },
  { argv: ['check'] },
  { argv: ['check', '2026-10', '--as-of', TODAY] },
  { argv: ['report', 'orders', '2026-10', '--out', 'orders.json'], out: out('orders.json', isJson) },
  { argv: ['report', 'orders', '2026-10', '--out', 'orders.csv'], out: out('orders.csv', isTable) },
  { argv: ['report', 'orders', '2026-10', '--out', 'orders.html'], out: out('orders.html', isPage) },
  { argv: ['report', 'orders', '2026-10', '--out', 'orders.xlsx'], out: out('orders.xlsx', isWorkbook) },
  { argv: ['statement', '2026-10'], out: out(path.join('statements', '2026-10.xlsx'), isWorkbook) },
  { argv: ['statement', '2026-10', '--as-of', TODAY, '--out', 'then.xlsx'], out: out('then.xlsx', isWorkbook) },
  { argv: ['backup', 'copy.db', '--force'], out: out('copy.db', expectVerified) },
  { argv: ['verify', '--deep'] },
  { argv: ['changes', '--since', 'last'] },
  { argv: ['show', 'invoice', '1000'] },
  { argv: ['evidence', '1000'] },
  { argv: ['night'] },
  { argv: ['import', 'orders', 'own.csv', '--by', 'Rana'] },
  { argv: ['match'] },
  { argv: ['doctor'] },
  { argv: ['init', 'new', '--api-url', 'https://x.example/'], out: out(path.join('new', 'remit.toml'), isSettings) },
];

/** What a killed command may have left under the name of its file: nothing, or a file that is whole. */
export async function expectNoHalfFile(folder: string, { out: made }: Killed): Promise<void> {
  if (!made) return;
  const file = path.join(folder, made.name);
  if (existsSync(file)) await made.isWhole(file);
}
