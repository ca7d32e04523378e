/** Other programs that open workbooks: tests that use them are skipped on machines without them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import JSZip from 'jszip';
import { expect } from 'vitest';
import { readWorkbook } from './workbook.ts';

export const hasLibreOffice = spawnSync('soffice', ['--version']).status === 0;

/** The system's own Python: another one on the path may lack the module. */
const PYTHON = ['/usr/bin/python3', 'python3'].find(
  (python) => spawnSync(python, ['-c', 'import openpyxl']).status === 0,
);
export const hasOpenpyxl = PYTHON !== undefined;

function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-office-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The workbook as LibreOffice saves it after calculating every formula anew: the cached results are taken away before
 * it opens it.
 */
export async function recalculated(workbook: Buffer): Promise<Buffer> {
  const zip = await JSZip.loadAsync(workbook);
  for (const file of zip.file(/^xl\/worksheets\/sheet\d+\.xml$/)) {
    const xml = await file.async('string');
    zip.file(file.name, xml.replace(/(<\/f>)<v>[^<]*<\/v>/g, '$1'));
  }
  const bare = await zip.generateAsync({ type: 'nodebuffer' });
  return inFolder((folder) => {
    const file = path.join(folder, 'bare.xlsx');
    writeFileSync(file, bare);
    const profile = `-env:UserInstallation=${pathToFileURL(path.join(folder, 'profile'))}`;
    const out = path.join(folder, 'out');
    execFileSync('soffice', [profile, '--headless', '--convert-to', 'xlsx', '--outdir', out, file], {
      stdio: 'ignore',
    });
    return readFileSync(path.join(out, 'bare.xlsx'));
  });
}

/**
 * LibreOffice calculates every formula to the result that the file holds, to the last digit.
 *
 * @returns how many there are
 */
export async function expectSameRecalculated(workbook: Buffer): Promise<number> {
  const [own, theirs] = [await readWorkbook(workbook), await readWorkbook(await recalculated(workbook))];
  let formulas = 0;
  for (const [name, sheet] of own.sheets) {
    for (const [address, { formula, value, type }] of sheet) {
      if (formula === null) continue;
      formulas += 1;
      const got = theirs.sheets.get(name)!.get(address)?.value ?? '';
      const same = type === 'str' ? [got, value] : [Number(got), Number(value)];
      expect([name, address, same[0]]).toEqual([name, address, same[1]]);
    }
  }
  return formulas;
}

/** The workbook with a sheet's XML changed, as a person's work in it would change it. */
export async function withSheet(workbook: Buffer, number: number, change: (xml: string) => string): Promise<Buffer> {
  const zip = await JSZip.loadAsync(workbook);
  const name = `xl/worksheets/sheet${number}.xml`;
  const before = await zip.file(name)!.async('string');
  const after = change(before);
  if (after === before) throw new Error(`nothing was changed in ${name}`);
  zip.file(name, after);
  return zip.generateAsync({ type: 'nodebuffer' });
}

export interface OpenpyxlCell {
  readonly value: string | number | null;
  readonly cached: string | number | null;
}

const READ = `
import datetime, json, sys, warnings
warnings.simplefilter('error')
import openpyxl
def shown(v): return v.isoformat() if isinstance(v, (datetime.datetime, datetime.date)) else v
plain = openpyxl.load_workbook(sys.argv[1])
cached = openpyxl.load_workbook(sys.argv[1], data_only=True)
print(json.dumps({s.title: {c.coordinate: {'value': shown(c.value), 'cached': shown(cached[s.title][c.coordinate].value)}
  for r in s.iter_rows() for c in r if c.value is not None} for s in plain}))
`;

/** What openpyxl reads, sheet by sheet: the cell itself, and a formula's cached result. */
export function readByOpenpyxl(workbook: Buffer): Record<string, Record<string, OpenpyxlCell>> {
  return inFolder((folder) => {
    const file = path.join(folder, 'book.xlsx');
    writeFileSync(file, workbook);
    const json = execFileSync(PYTHON!, ['-c', READ, file], { encoding: 'utf8', maxBuffer: 1 << 28 });
    return JSON.parse(json) as Record<string, Record<string, OpenpyxlCell>>;
  });
}

/**
 * A cell as it stands in a file: a formula with its cached result, or a value; numbers to their last digit, times in
 * ISO.
 */
export interface ExactCell {
  readonly type: 'formula' | 'number' | 'text' | 'time';
  readonly value: string;
}

const READ_EXACTLY = `
import datetime, json, os, sys, warnings
from decimal import Decimal
warnings.simplefilter('error')
import openpyxl
def shown(v):
    if isinstance(v, (datetime.datetime, datetime.date)): return ('time', v.isoformat())
    if isinstance(v, (int, float)):
        exact = format(Decimal(repr(v)), 'f')
        return ('number', exact.rstrip('0').rstrip('.') if '.' in exact else exact)
    return ('text', '' if v is None else v)
books = {}
for name in sorted(os.listdir(sys.argv[1])):
    if not name.endswith('.xlsx'): continue
    path = os.path.join(sys.argv[1], name)
    plain, cached = openpyxl.load_workbook(path), openpyxl.load_workbook(path, data_only=True)
    def cell(sheet, c):
        kind, value = shown(cached[sheet.title][c.coordinate].value)
        return {'type': 'formula' if c.data_type == 'f' else kind, 'value': value}
    books[name] = {s.title: [[cell(s, c) if c.value is not None else None for c in row] for row in s.iter_rows()] for s in plain}
print(json.dumps(books))
`;

/** Every workbook of a folder as openpyxl reads it: sheets by title, and in them cells by row and column. */
export function readExactly(
  folder: string,
): Record<string, Record<string, readonly (readonly (ExactCell | null)[])[]>> {
  const json = execFileSync(PYTHON!, ['-c', READ_EXACTLY, folder], { encoding: 'utf8', maxBuffer: 1 << 28 });
  return JSON.parse(json) as ReturnType<typeof readExactly>;
}

const SAVE = `
import sys
import openpyxl
book = openpyxl.load_workbook(sys.argv[1])
sheet = book['Mismatches']
heads = [cell.value for cell in sheet[1]]
sheet.cell(2, heads.index('Note') + 1, sys.argv[2])
book.save(sys.argv[1])
`;

/** The workbook as openpyxl saves it, with a note typed into its first mismatch. */
export function savedByOpenpyxl(workbook: Buffer, note: string): Buffer {
  return inFolder((folder) => {
    const file = path.join(folder, 'book.xlsx');
    writeFileSync(file, workbook);
    execFileSync(PYTHON!, ['-c', SAVE, file, note]);
    return readFileSync(file);
  });
}
