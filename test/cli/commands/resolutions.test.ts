import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ExcelJS from 'exceljs';
import JSZip from 'jszip';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Outcome, remit } from '../../helpers/cli.ts';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { readWorkbook } from '../../helpers/workbook.ts';

let courier: FakeCourier;
beforeAll(async () => {
  courier = await startFakeCourier();
});
afterAll(() => courier.close());

/** Three invoices of October whose headers are short of their rows. */
beforeEach(() => {
  courier.world.invoices = [1, 2, 3].map((number) =>
    invoiceOf(
      number,
      '2026-10-05T10:00:00+03:00',
      [{ order_id: `A${number}`, cod: [['USD', '10.10']], delivery_fee: [['USD', '2.00']] }],
      { cod: [['USD', `${10 - number}.10`]], net_due_to_merchant: [['USD', `${8 - number}.10`]] },
    ),
  );
});

const now = new Date('2026-11-20T09:00:00Z');

function at(cwd: string, ...argv: string[]): Promise<Outcome> {
  const env = { REMIT_API_URL: courier.url, REMIT_API_KEY: KEY, REMIT_LEDGER: path.join(cwd, 'ledger.db') };
  return remit(argv, { cwd, env, now });
}

/** Books with October's statement, and where it is. */
async function stated(): Promise<{ cwd: string; file: string }> {
  const cwd = scratchFolder();
  expect((await at(cwd, 'sync', '2026-10')).code).toBe(0);
  const file = path.join(cwd, 's.xlsx');
  expect((await statement(cwd)).code).toBe(0);
  return { cwd, file };
}

const statement = (cwd: string, ...more: string[]) => at(cwd, 'statement', '2026-10', '--out', 's.xlsx', ...more);

async function listed(cwd: string): Promise<{ id: string; invoice_number: number; status: string; note: string }[]> {
  return JSON.parse((await at(cwd, 'mismatch', 'list', '--status', 'all', '--json')).stdout).mismatches;
}

/** What another program does: it opens the workbook, types into cells, and saves it in its own way. */
async function type(file: string, change: (book: ExcelJS.Workbook) => void): Promise<void> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(file);
  change(book);
  await book.xlsx.writeFile(file);
}

/** Types into the row of a mismatch, found by its invoice. */
function decide(sheet: ExcelJS.Worksheet, invoice: number, typed: { status?: string; note?: string }): void {
  const heads = (sheet.getRow(1).values as unknown[]).map(String);
  sheet.eachRow((row) => {
    if (String(row.getCell(heads.indexOf('Invoice')).value) !== String(invoice)) return;
    if (typed.status !== undefined) row.getCell(heads.indexOf('Status')).value = typed.status;
    if (typed.note !== undefined) row.getCell(heads.indexOf('Note')).value = typed.note;
  });
}

const typeDecision = (file: string, invoice: number, typed: { status?: string; note?: string }) =>
  type(file, (book) => decide(book.getWorksheet('Mismatches')!, invoice, typed));

async function imported(cwd: string, ...more: string[]) {
  const { code, stdout } = await at(cwd, 'import', 'resolutions', 's.xlsx', '--by', 'Rana', '--json', ...more);
  return { code, ...JSON.parse(stdout) };
}

/** The cell with a text becomes a formula without its result. */
async function withEmptyFormula(file: string, text: string): Promise<void> {
  const zip = await JSZip.loadAsync(readFileSync(file));
  const strings = await zip.file('xl/sharedStrings.xml')!.async('string');
  const index = [...strings.matchAll(/<si>.*?<\/si>/gs)].findIndex(([item]) => item.includes(`>${text}<`));
  const cell = new RegExp(`(<c r="\\w+"[^>]*?) t="s"><v>${index}</v></c>`);
  for (const part of zip.file(/^xl\/worksheets\/sheet\d+\.xml$/)) {
    const xml = await part.async('string');
    if (cell.test(xml)) zip.file(part.name, xml.replace(cell, '$1><f>A1</f></c>'));
  }
  writeFileSync(file, await zip.generateAsync({ type: 'uint8array' }));
}

describe('remit import resolutions', () => {
  it('lists a note or status that is a formula without its result, and leaves that line', async () => {
    const { cwd, file } = await stated();
    await typeDecision(file, 2, { status: 'acknowledged', note: 'asked them' });
    // A program that computes nothing saves a formula without its result.
    await withEmptyFormula(file, 'asked them');
    const result = await imported(cwd);
    expect(result).toMatchObject({ code: 0, changed: 0, conflicts: [] });
    expect(result.skipped).toEqual([{ line: expect.any(Number), why: 'its note holds a formula without its result' }]);
    expect((await listed(cwd)).every(({ status, note }) => status === 'open' && note === null)).toBe(true);
  });

  it('takes back what was typed into an Arabic workbook, in either language', async () => {
    const { cwd, file } = await stated();
    expect((await statement(cwd, '--lang', 'ar')).code).toBe(0);
    await type(file, (book) => {
      const sheet = book.getWorksheet('الفروقات')!;
      const heads = (sheet.getRow(1).values as unknown[]).map(String);
      const [status, note] = [heads.indexOf('الحالة'), heads.indexOf('ملاحظة')];
      expect(sheet.getRow(2).getCell(status).value).toBe('مفتوح');
      sheet.getRow(2).getCell(status).value = 'تم الاطلاع';
      sheet.getRow(2).getCell(note).value = 'سألنا';
      sheet.getRow(3).getCell(status).value = 'resolved';
      sheet.getRow(3).getCell(note).value = 'مسدَّد';
    });
    expect(await imported(cwd)).toMatchObject({ code: 0, changed: 2, unchanged: 1, skipped: [], conflicts: [] });
    expect(await listed(cwd)).toMatchObject([
      { status: 'open', note: null },
      { status: 'resolved', note: 'مسدَّد' },
      { status: 'acknowledged', note: 'سألنا' },
    ]);
    // Nothing else was typed: the next one may take its place, in English too.
    expect((await statement(cwd)).code).toBe(0);
  });

  it('takes back what was typed, and no more', async () => {
    const { cwd, file } = await stated();
    await typeDecision(file, 1, { status: 'acknowledged', note: '=HYPERLINK("http://x")\nمرحبا' });
    await typeDecision(file, 2, { note: 'asked' });
    expect(await imported(cwd, '--dry-run')).toMatchObject({ code: 0, import: null, changed: 2 });
    expect((await listed(cwd)).map(({ status }) => status)).toEqual(['open', 'open', 'open']);
    expect(await imported(cwd)).toMatchObject({
      code: 0,
      import: expect.any(Number),
      kind: 'resolutions',
      format: 'xlsx',
      rows: 3,
      new: 0,
      changed: 2,
      unchanged: 1,
      skipped: [],
      conflicts: [],
    });
    expect(await listed(cwd)).toMatchObject([
      { invoice_number: 1, status: 'acknowledged', note: '=HYPERLINK("http://x")\nمرحبا' },
      { invoice_number: 2, status: 'open', note: 'asked' },
      { invoice_number: 3, status: 'open', note: null },
    ]);
    const [first] = await listed(cwd);
    expect((await at(cwd, 'mismatch', 'show', first!.id)).stdout).toContain('open → acknowledged by Rana');
    expect((await at(cwd, 'verify')).code).toBe(0);

    expect(await imported(cwd)).toMatchObject({ code: 0, changed: 0, unchanged: 3 });
    expect((await at(cwd, 'import', 'resolutions', 's.xlsx')).stdout).toContain('already imported, nothing changed');
    // What was taken stands in the next statement, and the taken workbook may go.
    expect((await statement(cwd)).code).toBe(0);
    const texts = [...(await readWorkbook(readFileSync(file))).sheets.get('Mismatches')!.values()];
    expect(texts.filter(({ value }) => value === 'asked')).toHaveLength(1);
    expect(texts.some(({ formula }) => formula?.includes('HYPERLINK'))).toBe(false);
  });

  it('leaves what somebody decided since, and says who', async () => {
    const { cwd, file } = await stated();
    const [first, second, third] = await listed(cwd);
    await typeDecision(file, 1, { status: 'acknowledged', note: 'mine' });
    await typeDecision(file, 2, { status: 'resolved', note: 'mine too' });
    await typeDecision(file, 3, { note: 'mine as well' });
    await at(cwd, 'mismatch', 'resolve', first!.id, '--by', 'Sami', '--note', 'credited', '--yes');
    await at(cwd, 'mismatch', 'ack', third!.id, '--by', 'Sami', '--note', 'asked', '--yes');
    const result = await imported(cwd);
    expect(result).toMatchObject({ code: 0, changed: 1, conflicts: [{ id: third!.id }, { id: first!.id }] });
    expect(result.conflicts[1].why).toMatch(/^Sami left it resolved at 2026-11-20 09:00:00 UTC \(credited\), after/);
    const after = await listed(cwd);
    expect(after.find(({ id }) => id === first!.id)).toMatchObject({ status: 'resolved', note: 'credited' });
    expect(after.find(({ id }) => id === third!.id)).toMatchObject({ status: 'acknowledged', note: 'asked' });
    expect(after.find(({ id }) => id === second!.id)).toMatchObject({ status: 'resolved', note: 'mine too' });
  });

  it('takes a note that a cell cannot hold as it is for no change', async () => {
    const { cwd, file } = await stated();
    const note = ' \u200fسُئل  _x0041_\n\tagain\u202e ';
    await at(cwd, 'mismatch', 'ack', '--invoice', '1', '--note', note, '--yes');
    expect((await statement(cwd)).code).toBe(0);
    await type(file, () => {});
    expect(await imported(cwd)).toMatchObject({ code: 0, import: null, changed: 0, unchanged: 3 });
    expect((await statement(cwd)).code).toBe(0);
  });

  it('wants a reason for what is resolved, and a status that is one', async () => {
    const { cwd, file } = await stated();
    await typeDecision(file, 1, { status: 'resolved' });
    expect(await imported(cwd)).toMatchObject({
      changed: 0,
      skipped: [{ why: expect.stringContaining('needs a reason') }],
    });
    await typeDecision(file, 1, { status: 'done' });
    const { code, stderr } = await at(cwd, 'import', 'resolutions', 's.xlsx');
    expect(code).toBe(1);
    expect(stderr).toMatch(/s\.xlsx, line 4: "done" is no status\n {2}→ Write one of open, acknowledged, resolved/);
  });

  it('takes nothing from another ledger’s workbook, nor from what is none', async () => {
    const one = await stated();
    const other = await stated();
    await at(other.cwd, 'mismatch', 'ack', '--invoice', '1', '--yes');
    await at(other.cwd, 'statement', '2026-10', '--out', 's.xlsx');
    writeFileSync(one.file, readFileSync(other.file));
    const foreign = await at(one.cwd, 'import', 'resolutions', 's.xlsx');
    expect(foreign.code).toBe(1);
    expect(foreign.stderr).toContain('it was written from another ledger');
    writeFileSync(one.file, 'PK');
    expect((await at(one.cwd, 'import', 'resolutions', 's.xlsx')).code).toBe(1);
    writeFileSync(one.file, await new JSZip().file('xl/workbook.xml', '<x/>').generateAsync({ type: 'nodebuffer' }));
    expect((await at(one.cwd, 'import', 'resolutions', 's.xlsx')).code).toBe(1);
    expect((await at(one.cwd, 'import', 'resolutions', 'none.xlsx')).code).toBe(1);
  });
});

describe('remit statement over a workbook that somebody wrote in', () => {
  it('writes over what nobody touched, or only saved again', async () => {
    const { cwd, file } = await stated();
    expect((await statement(cwd)).code).toBe(0);
    const before = readFileSync(file);
    await type(file, () => {});
    expect(readFileSync(file).equals(before)).toBe(false);
    expect((await statement(cwd)).code).toBe(0);
  });

  it('refuses, takes the notes, or writes beside', async () => {
    const { cwd, file } = await stated();
    await typeDecision(file, 1, { status: 'acknowledged', note: 'asked' });
    const typed = readFileSync(file);
    const refused = await statement(cwd);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /s\.xlsx is left as it is: a status or note in it was not taken back\n {2}→ .*--take-notes.*--beside/,
    );
    expect(readFileSync(file).equals(typed)).toBe(true);

    expect((await statement(cwd, '--beside')).stdout).toMatch(/s \(2\)\.xlsx\n/);
    expect(readFileSync(file).equals(typed)).toBe(true);
    expect(existsSync(path.join(cwd, 's (2).xlsx'))).toBe(true);

    const taken = await statement(cwd, '--take-notes', '--by', 'Rana');
    expect(taken.code).toBe(0);
    expect(taken.stderr).toContain('1 decision taken back');
    expect((await listed(cwd))[0]).toMatchObject({ status: 'acknowledged', note: 'asked' });
    expect(readFileSync(file).equals(typed)).toBe(false);
    expect((await statement(cwd)).code).toBe(0);
  });

  it('keeps what was typed elsewhere in it', async () => {
    const { cwd, file } = await stated();
    await type(file, (book) => {
      book.getWorksheet('Summary')!.getCell('H40').value = 'Rana Khoury';
    });
    for (const flags of [[], ['--take-notes']]) {
      const { code, stderr } = await statement(cwd, ...flags);
      expect(code).toBe(1);
      expect(stderr).toContain('something was typed into it, outside its statuses and notes');
    }
    expect((await statement(cwd, '--beside')).code).toBe(0);
    writeFileSync(file, 'a letter');
    expect((await statement(cwd)).stderr).toContain('remit did not write it as a statement');
    expect(readFileSync(file, 'utf8')).toBe('a letter');
  });
});

describe('the Mismatches sheet', () => {
  it('sums up what is open by formula, with what is resolved below and outside', async () => {
    const { cwd, file } = await stated();
    await at(cwd, 'mismatch', 'resolve', '--invoice', '2', '--note', 'credited', '--yes');
    expect((await statement(cwd)).code).toBe(0);
    const book = await readWorkbook(readFileSync(file));
    const cell = (address: string) => book.sheets.get('Mismatches')!.get(address);
    expect(['A1', 'D1', 'H1', 'I1', 'J1', 'S1'].map((address) => cell(address)?.value)).toEqual([
      'Severity',
      'What and what to do',
      'Status',
      'Note',
      'Claim',
      'Id',
    ]);
    expect([cell('C2')?.value, cell('C3')?.value]).toEqual(['3', '1']);
    expect(cell('E5')).toMatchObject({
      value: '-4',
      formula:
        'ROUND(SUMPRODUCT(SUBTOTAL(109,OFFSET(E$2,ROW(E$2:E$3)-2,0)),--($H$2:$H$3<>"resolved"))+SUMIFS(E$8:E$8,$H$8:$H$8,"<>resolved"),2)',
    });
    expect(['A7', 'B7', 'C7', 'D7'].map((address) => cell(address)?.value)).toContain('Resolved');
    expect([cell('C8')?.value, cell('H8')?.value, cell('I8')?.value]).toEqual(['2', 'resolved', 'credited']);
    const number = [...book.sheets.keys()].indexOf('Mismatches') + 1;
    const xml = await book.zip.file(`xl/worksheets/sheet${number}.xml`)!.async('string');
    expect(xml).toMatch(/<dataValidation[^>]* sqref="H2:H3"/);
    expect(xml).toMatch(/<dataValidation[^>]* sqref="H8:H8"|sqref="H8"/);
  });

  it('moves the result line, and what the merchant is short', async () => {
    const { cwd, file } = await stated();
    await at(cwd, 'mismatch', 'resolve', '--invoice', '2', '--note', 'credited', '--yes');
    expect((await statement(cwd)).code).toBe(0);
    const { sheets, names } = await readWorkbook(readFileSync(file));
    const summary = sheets.get('Summary')!;
    const [, address = ''] = /\$?'?Summary'?!\$([A-Z]+\$\d+)/.exec(names.get('USD_SHORT')!)!;
    // The rows above the totals and those below them, and not the totals between them.
    expect(summary.get(address.replace('$', ''))).toMatchObject({
      value: '-4',
      formula: expect.stringMatching(
        /^ROUND\(SUMIFS\('Mismatches'!\$E\$2:\$E\$3,.*\+SUMIFS\('Mismatches'!\$E\$8:\$E\$8,/,
      ),
    });
    const result = [...summary.values()].find(({ value }) => value?.startsWith('Errors open'));
    expect(result).toMatchObject({
      value: expect.stringMatching(/^Errors open \(see Mismatches\): 2;/),
      formula: expect.stringContaining('ERRORS_OPEN'),
    });
  });
});

describe('docs/checks.md', () => {
  it('shows commands that run, in that order', async () => {
    const cwd = scratchFolder();
    await at(cwd, 'sync', '2026-10');
    expect((await at(cwd, 'statement', '2026-10')).code).toBe(0);
    const [first] = await listed(cwd);
    const fenced = readFileSync('docs/checks.md', 'utf8')
      .split('```')
      .filter((_, index) => index % 2 === 1);
    const commands = fenced
      .flatMap((block) => block.split('\n'))
      .filter((line) => line.startsWith('remit '))
      .map((line) => line.split(/ {2,}/)[0]!);
    expect(commands.length).toBeGreaterThan(6);
    for (const command of commands) {
      const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!);
      const argv = words.slice(1).map((word) => (word === '4f1c' ? first!.id.slice(0, 6) : word));
      const asks = argv[0] === 'mismatch' && ['ack', 'resolve'].includes(argv[1]!);
      const { code, stderr } = await at(cwd, ...argv, ...(asks ? ['--yes'] : []));
      expect([command, code, stderr.replace(/^warning: .*\n/gm, '')]).toEqual([command, 0, '']);
    }
  });
});
