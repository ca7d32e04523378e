import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHECKS } from '../../src/checks/catalogue/index.ts';
import { needsClose } from '../../src/checks/requirement.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { remit } from '../helpers/cli.ts';
import { scratchFolder } from '../helpers/folder.ts';
import { query } from '../helpers/sync.ts';

interface Told {
  folder: string;
  url: string;
  statement: string;
  close: { status: string; period: string };
  imports: { kind: string; format: string }[];
  sheets: { courier: string; totals: { currency: string }[] }[];
  planted: { code: string; found: boolean }[];
  mismatches: { code: string; invoice_number: number | null; message: string }[];
  open: { error: number; warning: number };
}

/** More of them with REMIT_DEMO_DAYS. */
const DAYS = ['2026-11-20T10:00:00Z', '2027-01-01T00:30:00Z', '2028-03-31T23:59:00Z'];

describe('remit demo', () => {
  it.each(DAYS.slice(0, Number(process.env.REMIT_DEMO_DAYS ?? 1)))(
    'on %s finds each planted fault by its own check, and nothing else',
    async (now) => {
      const cwd = scratchFolder();
      const { code, stdout } = await remit(['demo', '--json'], { cwd, now: new Date(now) });
      expect(code).toBe(0);
      const told = JSON.parse(stdout) as Told;
      expect(told.planted.filter(({ found }) => !found)).toEqual([]);
      // An invoice that is overdue in two currencies is planted once.
      const isAgain = ({ code, invoice_number }: Told['mismatches'][number], at: number) =>
        code === 'payment-overdue' &&
        told.mismatches.findIndex((one) => one.code === code && one.invoice_number === invoice_number) < at;
      const found = told.mismatches.filter((one, at) => !isAgain(one, at)).map((mismatch) => mismatch.code);
      // What the second night moves in a month that was closed after the first is told as that.
      expect(found.filter((code) => code !== 'closed-period-changed').sort()).toEqual(
        told.planted.map((plant) => plant.code).sort(),
      );
      // Every check has something to find, of the courier's documents and of the shop's own side; but a company whose
      // invoices do not show how it counts returns would leave the demo's months without a figure of ours, and it has
      // agreed no days within which cash moves on.
      expect([...new Set(told.planted.map((plant) => plant.code))].sort()).toEqual(
        CHECKS.filter(
          (check) =>
            !needsClose(check) &&
            !check.comparesCouriers &&
            !check.needsWebhooks &&
            !['returns-undecided', 'custody-overdue'].includes(check.code),
        )
          .map((check) => check.code)
          .sort(),
      );
      // Its courier has parcels that customers collected at the warehouse, and some that came back.
      const final = (state: string, before: string) =>
        query<{ n: number }>(
          path.join(told.folder, 'ledger.db'),
          `select count(*) as n from courier_order o where o.delivery_state = '${state}' and exists (
             select 1 from statestamp s where s.courier = o.courier and s.order_id = o.order_id and s.delivery_state = '${before}')`,
        )[0]!.n;
      expect(
        final('DELIVERED_AT_WAREHOUSE', 'AWAITING_RETURN') + final('DELIVERED_AT_WAREHOUSE', 'AT_WAREHOUSE'),
      ).toBeGreaterThan(0);
      expect(final('CANCELLED', 'AWAITING_RETURN')).toBeGreaterThan(0);
      expect(told.close).toMatchObject({ status: 'closed', period: told.statement.slice(-12, -5) });
      expect(told.imports.map(({ kind, format }) => `${kind} ${format}`)).toEqual([
        'orders csv',
        'receipts camt.053',
        'receipts ofx',
        'receipts csv',
        'tariff csv',
        'rates csv',
      ]);
      expect(told.sheets.map(({ courier, totals }) => [courier, ...totals.map(({ currency }) => currency)])).toEqual([
        ['cedar-express', 'USD'],
        ['levant-couriers', 'LBP', 'USD'],
        ['med-post', 'EUR', 'LBP'],
      ]);
      const sheets = await remit(['check', '--json', '--fail-on', 'warning'], {
        cwd: path.join(told.folder, 'sheets'),
        now: new Date(now),
      });
      expect([sheets.code, JSON.parse(sheets.stdout).mismatches]).toEqual([0, []]);
      expect(statSync(told.statement).size).toBeGreaterThan(5_000);
      expect(readFileSync(path.join(told.folder, 'remit.toml'), 'utf8')).toContain(`api_url = "${told.url}"`);
    },
  );

  it('tells a story whose commands work as they are printed', async () => {
    const cwd = scratchFolder();
    const { code, stdout, stderr } = await remit(['demo', 'here'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('First night: ');
    expect(stdout).toContain('The next night: ');
    expect(stdout).toMatch(/The shop's own files: \d+ orders, \d+ lines of bank and cash book/);
    expect(stdout).toMatch(/Matched: \d+ payments of the courier's with \d+ invoices; 1 ambiguous, 1 unmatched/);
    expect(stdout).toMatch(/(\d+) of the \1 faults that were planted are found, and nothing else\./);
    // A line says what the money comes to, not by how many rows or days two counts differ.
    expect(stdout).toMatch(/order-repeated .+ ahead \d+\.\d\d USD/);
    expect(stdout).toMatch(/delivered-not-invoiced .+ short \d+\.\d\d USD/);
    const key = readFileSync(path.join(cwd, 'here/api-key'), 'utf8').trim();
    expect(stdout + stderr).not.toContain(key);

    const commands = [...stdout.matchAll(/^ {2}remit (.+)$/gm)].map(([, line]) => line!.split(' '));
    expect(commands.length).toBeGreaterThanOrEqual(8);
    const [serve] = commands.filter(([word, next]) => word === 'sandbox' && next === 'serve');
    const file = serve![serve!.indexOf('--data') + 1]!;
    const service = await startSandbox({
      file: path.join(cwd, file),
      port: Number(serve!.at(-1)),
      host: '127.0.0.1',
      results: 'flat',
    });
    try {
      for (const argv of commands.filter((words) => words !== serve && words[0] !== 'init')) {
        // The desk is stopped as soon as it listens.
        const outcome = await remit(argv, { cwd, ...(argv.at(-1) === 'serve' ? { signal: AbortSignal.abort() } : {}) });
        expect([argv.join(' '), outcome.stderr, outcome.code]).toEqual([
          argv.join(' '),
          expect.any(String),
          // Some of what was planted cannot be read or does not come to its end: the sync says so.
          argv.includes('check') ? 3 : argv.includes('sync') ? 1 : 0,
        ]);
      }
    } finally {
      await service.close();
    }
    expect(existsSync(path.join(cwd, 'mismatches.csv'))).toBe(true);
  });

  it('goes through an earlier demo again', async () => {
    const cwd = scratchFolder();
    expect((await remit(['demo', '--quiet'], { cwd })).code).toBe(0);
    const again = await remit(['demo'], { cwd });
    expect(again.code).toBe(0);
    expect(again.stderr).toContain('holds an earlier demo');
    expect(again.stdout).toContain('0 fetched');
  });

  it('exits with 3 when asked to', async () => {
    expect((await remit(['demo', '--fail-on', 'error', '--json'], { cwd: scratchFolder() })).code).toBe(3);
  });

  it("leaves the user's own account alone", async () => {
    const cwd = scratchFolder();
    const env = { REMIT_API_URL: 'http://127.0.0.1:9/', REMIT_API_KEY: 'dlv_my-own-key', REMIT_LEDGER: 'mine.db' };
    const { code, stderr } = await remit(['demo'], { cwd, env });
    expect(code).toBe(0);
    expect(existsSync(path.join(cwd, 'mine.db'))).toBe(false);
    expect(stderr).toContain('First unset REMIT_API_URL, REMIT_API_KEY, REMIT_LEDGER');
  });

  it('takes nothing away that is not its own, and leaves a demo that is at work alone', async () => {
    const cwd = scratchFolder();
    mkdirSync(path.join(cwd, 'remit-demo'));
    const mark = path.join(cwd, 'remit-demo/.remit-demo');
    writeFileSync(mark, `${process.ppid}\n`);
    expect((await remit(['demo'], { cwd })).stderr).toContain('another demo is at work in');
    writeFileSync(mark, '0\n');
    writeFileSync(path.join(cwd, 'remit-demo/thesis.txt'), 'precious');
    const { code, stderr } = await remit(['demo'], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining('and holds "thesis.txt" too')]);
    expect(readdirSync(path.join(cwd, 'remit-demo')).sort()).toEqual(['.remit-demo', 'thesis.txt']);
    rmSync(path.join(cwd, 'remit-demo/thesis.txt'));
    mkdirSync(path.join(cwd, 'remit-demo/statements'));
    const notes = path.join(cwd, 'remit-demo/statements/notes.txt');
    writeFileSync(notes, 'precious');
    expect((await remit(['demo'], { cwd })).stderr).toContain(
      `and holds "${path.join('statements', 'notes.txt')}" too`,
    );
    expect(existsSync(notes)).toBe(true);
  });

  it('refuses a folder that holds something else', async () => {
    const cwd = scratchFolder();
    mkdirSync(path.join(cwd, 'mine'));
    writeFileSync(path.join(cwd, 'mine/thesis.txt'), 'precious');
    const { code, stderr } = await remit(['demo', 'mine'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain(`remit: ${path.join(cwd, 'mine')} is not empty, and no finished demo is in it`);
  });
});
