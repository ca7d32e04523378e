import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listReports } from '../../../src/app/report.ts';
import { remit } from '../../helpers/cli.ts';
import { CEDAR, cedar } from '../../helpers/settlements.ts';
import { readWorkbook } from '../../helpers/workbook.ts';

/** Payouts are called by the numbers that both sides know; the ledger's integers for them are JSON's alone. */

/** The first integers that the ledger gives: both couriers' payouts have the same. */
const OURS = /(?<![\d-])90000000\d(?!\d)/;
const COURIERS = ['cedar', 'pine'] as const;
const SETTINGS = `time_zone = "UTC"\n${CEDAR}${COURIERS.map(
  (name) => `[couriers.${name}]\nkind = "files"\nmap = "cedar"\npayers = ["${name.toUpperCase()}"]\n`,
).join('')}`;

const sheetOf = (letter: string) =>
  cedar(
    `${letter}-901,2026-10-05,Paid,${letter}1,S${letter}1,Delivery,100.00,3.00,1.00,0.08,95.00`,
    `${letter}-902,2026-10-20,Pending,${letter}2,S${letter}2,Delivery,50.00,3.00,0.50,0.07,46.43`,
    `${letter}-902,2026-10-20,Pending,${letter}2,S${letter}2,Delivery,50.00,3.00,0.50,0.07,46.43`,
    `${letter}-903,2026-10-21,Pending,${letter}2,S${letter}2,Delivery,50.00,3.00,0.50,0.07,46.43`,
  );

const cwd = mkdtempSync(path.join(tmpdir(), 'remit-test-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const file = (name: string, content: string) => {
  writeFileSync(path.join(cwd, name), content);
  return name;
};
const run = (argv: readonly string[]) => remit(argv, { cwd, now: new Date('2026-12-20T09:00:00Z') });
const json = async <T>(argv: readonly string[]): Promise<T> => JSON.parse((await run([...argv, '--json'])).stdout);

beforeAll(async () => {
  file('remit.toml', SETTINGS);
  for (const [at, name] of COURIERS.entries()) {
    const [payer, letters] = [name.toUpperCase(), name === 'cedar' ? 'ES' : 'PN'];
    const imports = [
      ['settlement', file(`${name}.csv`, sheetOf(letters)), '--courier', name],
      ['receipts', file(`bank-${name}.csv`, bankOf(payer, letters, at))],
    ];
    for (const argv of imports) expect(await run(['import', ...argv])).toMatchObject({ code: 0 });
  }
});

const bankOf = (payer: string, letters: string, at: number) =>
  `date,amount,currency,text\n2026-10-0${at + 6},95.00,USD,${payer} ${letters}-901\n2026-11-2${at},40.00,USD,${payer} part\n`;

const text = (argv: readonly string[]) => run(argv).then(({ stdout, stderr }) => stdout + stderr);

/** A document without the ids of transactions, by which journals know what they hold. */
const withoutIds = (document: string) => document.replace(/\b[a-z]+(-[a-z0-9]+)*-9\d{8}(-[\w-]+)?\b/gi, '');

describe('a payout, by the number that both sides know', () => {
  it('is called so by checks, and where findings are listed', async () => {
    const checked = await text(['check', '2026-10']);
    expect(checked).toContain('ES-902');
    expect(checked).not.toMatch(OURS);
    for (const argv of [
      ['mismatch', 'list', '2026-10'],
      ['dispute', '2026-10', '--dry-run', '--courier', 'pine'],
    ]) {
      const listed = await text(argv);
      expect(listed).toContain('PN-902');
      expect(listed).not.toMatch(OURS);
    }
    const { mismatches } = JSON.parse((await run(['mismatch', 'list', '--json'])).stdout);
    const about = mismatches.find(
      (one: { courier: string; invoice_number: number }) => one.invoice_number === 900000002,
    );
    expect(about).toMatchObject({ courier: 'cedar', invoice_number_text: 'ES-902' });
    expect(about.message).toContain('ES-902');
  });

  it.each(listReports().map(({ name }) => name))('is called so in the report %s, and JSON has both', async (name) => {
    const argv = ['report', name, ...(name === 'runs' ? [] : ['2026-10'])];
    for (const courier of name === 'dashboard' || name === 'journal' ? COURIERS : [null]) {
      const asked = courier === null ? argv : [...argv, '--courier', courier];
      for (const format of ['table', 'csv', 'html']) {
        const { code, stdout, stderr } = await run([...asked, '--format', format]);
        expect({ format, code, stderr }).toEqual({ format, code: 0, stderr: '' });
        expect(withoutIds(stdout)).not.toMatch(OURS);
      }
      expect(await run([...asked, '--out', `${name}.xlsx`])).toMatchObject({ code: 0 });
      const { sheets } = await readWorkbook(readFileSync(path.join(cwd, `${name}.xlsx`)));
      const cells = [...sheets.values()].flatMap((sheet) => [...sheet.values()].map(({ value }) => value ?? ''));
      expect(cells.length).toBeGreaterThan(0);
      expect(withoutIds(cells.join('\n'))).not.toMatch(OURS);
    }
    if (name === 'dashboard') return;
    const { columns, rows } = await json<{
      columns: { name: string }[];
      rows: Record<string, unknown>[];
    }>(argv);
    for (const { name: column } of columns.filter((one) => ['number', 'invoice_number'].includes(one.name))) {
      const named = rows.filter((row) => row[column] !== null);
      expect(columns.map((one) => one.name)).toContain(`${column}_text`);
      for (const row of named) {
        expect(row[`${column}_text`]).toBe(`${row.courier === 'cedar' ? 'ES' : 'PN'}-90${String(row[column]).at(-1)}`);
      }
    }
  });

  it('narrows a report, and chooses findings', async () => {
    const narrowed = await text(['report', 'invoices', '2026-10', '--invoice', 'es-902', '--format', 'csv']);
    expect(narrowed.trim().split('\r\n')).toHaveLength(2);
    expect(narrowed).toContain('ES-902');
    const about = ['--invoice', 'PN-902', '--courier', 'pine', '--by', 'Rana', '--yes'];
    const acked = await json<{ changed: { invoice_number: number }[] }>(['mismatch', 'ack', ...about]);
    expect(acked.changed.map(({ invoice_number }) => invoice_number)).toContain(900000002);
    expect(await text(['mismatch', 'ack', ...about])).not.toMatch(OURS);
    expect(await run(['mismatch', 'ack', '--invoice', 'PN-999', '--by', 'Rana', '--yes'])).toMatchObject({
      code: 2,
    });
    expect(await text(['dispute', '--invoice', 'ES-902', '--courier', 'cedar', '--dry-run'])).toContain('ES-902');
  });

  it('is called so in the statement, whose Mismatches sheet is taken back as before', async () => {
    expect((await run(['statement', '2026-10'])).stderr).not.toMatch(OURS);
    const workbook = 'cedar.xlsx';
    await text(['statement', '2026-10', '--courier', 'cedar', '--out', workbook]);
    const { sheets } = await readWorkbook(readFileSync(path.join(cwd, workbook)));
    for (const [name, sheet] of sheets) {
      const cells = [...sheet.values()].map(({ value }) => value ?? '').join('\n');
      expect([name, OURS.exec(withoutIds(cells))?.[0]]).toEqual([name, undefined]);
    }
    const orders = [...sheets.get('Orders')!.values()].map(({ value }) => value);
    expect(orders).toContain('ES-903');
    await text(['statement', '2026-10', '--courier', 'cedar', '--format', 'html', '--out', 'cedar.html']);
    const page = readFileSync(path.join(cwd, 'cedar.html'), 'utf8');
    expect(page).toContain('ES-902');
    expect(withoutIds(page)).not.toMatch(OURS);
    const note = await json<{ rows: number; unchanged: number }>([
      ...['import', 'resolutions', workbook, '--courier', 'cedar', '--by', 'Rana'],
    ]);
    expect(note.rows).toBeGreaterThan(0);
    expect(note.unchanged).toBe(note.rows);
  });
});
