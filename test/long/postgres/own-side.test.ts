import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dumpHash } from '../../../src/ledger/dump.ts';
import { readHead, usingLedger } from '../../../src/ledger/index.ts';
import type { Outcome } from '../../helpers/cli.ts';
import { STATEMENT_MAP, statementPdf } from '../../helpers/pdf/write.ts';
import { hasPostgres, newDatabase, PASSWORD, type TestDatabase } from '../../helpers/postgres.ts';
import { bringAll, FILES, NOW, startTeam, type Team, typeDecision } from '../../helpers/team.ts';

let team: Team;
beforeEach(async () => {
  team = await startTeam();
});
afterEach(() => team.courier.close());

const stateOf = (ledger: string) =>
  usingLedger(ledger, { readOnly: true }, async ({ db }) => [await dumpHash(db), await readHead(db)]);

interface Listed {
  readonly mismatches: readonly { readonly id: string; readonly code: string }[];
}

describe.skipIf(!hasPostgres)("the merchant's own side on PostgreSQL", () => {
  it('is imported, matched, decided and taken back with the bytes that SQLite gives', async () => {
    const { url } = await newDatabase();
    const file = path.join(team.folder, 'ledger.db');
    const both = async (...argv: string[]): Promise<Outcome> => {
      const [one, other] = [await team.run(file, ...argv), await team.run(url, ...argv)];
      expect([argv.join(' '), other]).toEqual([argv.join(' '), one]);
      return one;
    };
    const done = async (...argv: string[]) => {
      const outcome = await both(...argv);
      expect([argv.join(' '), outcome.code, outcome.stderr]).toEqual([argv.join(' '), 0, expect.any(String)]);
      return outcome;
    };
    await done('sync', '2026-10', '--orders', '--concurrency', '1', '--quiet');
    for (const kind of Object.keys(FILES)) {
      const argv = ['import', kind, `${kind}.csv`, '--by', 'Rana', '--json'];
      await done(...argv, '--dry-run');
      await done(...argv);
      // A second time nothing changes.
      await done(...argv);
    }
    await done('import', 'list', '--json');
    await done('match', '--dry-run', '--json');
    await done('match', '--json');
    await both('match', 'add', '3', '10001', '--by', 'Omar', '--json');
    await done('match', 'add', '3', '10002', '--by', 'Omar', '--note', 'by phone', '--json');
    await done('match', 'remove', '1', '--reason', 'wrong one', '--by', 'Omar');
    await done('match', 'list', '--json');
    await done('match', 'explain', '3', '--json');
    await done('match', 'explain', '10002', '--json');
    writeFileSync(path.join(team.folder, 'remit.toml'), `${STATEMENT_MAP}[receipts]\npayers = ["Cedar Road"]\n`);
    writeFileSync(path.join(team.folder, 'october.pdf'), statementPdf());
    await done('import', 'receipts', 'october.pdf', '--map', 'bank', '--by', 'Rana', '--json');
    await done('report', 'custody', '--json');
    await done('report', 'paid-orders', '--since', '2026-10-01', '--json');

    expect((await both('check', '--json')).code).toBe(3);
    const { mismatches } = JSON.parse((await done('mismatch', 'list', '--json')).stdout) as Listed;
    expect(new Set(mismatches.map(({ code }) => code)).size).toBeGreaterThan(4);
    const [first, second, third, fourth] = mismatches.map(({ id }) => id);
    await done('mismatch', 'ack', first!, '--by', 'Rana', '--note', 'asked', '--yes', '--json');
    await done('mismatch', 'resolve', second!, '--by', 'Omar', '--note', 'paid in cash', '--yes', '--json');
    await done('mismatch', 'reopen', second!, '--by', 'Rana', '--note', 'it was not', '--json');
    await both('mismatch', 'ack', first!, '--by', 'Omar', '--yes', '--json');
    await done('mismatch', 'show', second!);

    // Under one name: where a statement was written is kept as evidence.
    const statements: Buffer[] = [];
    for (const ledger of [file, url]) {
      expect((await team.run(ledger, 'statement', '2026-10', '--out', 's.xlsx')).code).toBe(0);
      statements.push(readFileSync(path.join(team.folder, 's.xlsx')));
      renameSync(path.join(team.folder, 's.xlsx'), path.join(team.folder, 'typed.xlsx'));
    }
    expect(statements[1]!.equals(statements[0]!)).toBe(true);
    const typed = path.join(team.folder, 'typed.xlsx');
    await typeDecision(typed, third!, { status: 'acknowledged', note: 'in the sheet' });
    await done('import', 'resolutions', 'typed.xlsx', '--by', 'Rana', '--dry-run', '--json');
    await done('import', 'resolutions', 'typed.xlsx', '--by', 'Rana', '--json');
    await done('import', 'resolutions', 'typed.xlsx', '--by', 'Rana', '--json');
    await both('mismatch', 'ack', fourth!, third!, '--by', 'Omar', '--yes', '--json');

    // The courier pays one more and corrects another: the night tells what is new.
    team.courier.world.invoices[1]!.status = 'PAID';
    team.courier.world.invoices.pop();
    writeFileSync(path.join(team.folder, 'more.csv'), FILES.receipts.replace('47.00', '47.01'));
    await done('import', 'receipts', 'more.csv', '--by', 'Rana', '--json');
    const night = await both('night', '--json');
    expect(night.code).toBe(3);
    const close = ['close', '2026-10', '--by', 'Rana', '--first', '--json'];
    expect((await both(...close)).code).toBe(1);
    await done(...close, '--with-open', 'asked');
    expect(JSON.parse((await both(...close)).stdout).reasons[0]).toMatchObject({ code: 'already-closed' });
    await done('show', 'close', '2026-10', '--json');
    await done('reopen', '2026-10', '--by', 'Rana', '--reason', 'one more look', '--json');
    const { imports } = JSON.parse((await done('import', 'list', '--json')).stdout) as { imports: { id: number }[] };
    await done('import', 'undo', String(imports[0]!.id), '--reason', 'the wrong shop', '--by', 'Rana', '--json');
    await both('check', '--json');
    for (const name of ['mismatches', 'totals', 'runs', 'lag']) await done('report', name, '--json');
    await done('changes', '--json');
    expect(await stateOf(url)).toEqual(await stateOf(file));
    const verified = await both('verify', '--deep', '--json');
    expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, problems: [] });
  });

  it('lets the syncer import, the clerk match and decide, the reader read, and no more', async () => {
    const database = await newDatabase();
    const { url, query, name } = database;
    await query((await team.run(url, 'ledger', 'grants')).stdout);
    const [syncer, clerk, reader] = [
      await userOf(database, 'syncer'),
      await userOf(database, 'clerk'),
      await userOf(database, 'reader'),
    ];
    const may = async (ledger: string, ...argv: string[]) => {
      const { code, stdout, stderr } = await team.run(ledger, ...argv);
      expect([argv.join(' '), code, stderr]).toEqual([argv.join(' '), expect.toBeOneOf([0, 3]), expect.any(String)]);
      return stdout;
    };
    const mayNot = async (ledger: string, ...argv: string[]) => {
      const before = await stateOf(url);
      const { code, stderr } = await team.run(ledger, ...argv);
      expect([argv.join(' '), code, stderr]).toEqual([
        argv.join(' '),
        1,
        expect.stringMatching(
          /lacks a right: permission denied[^\n]*\n {2}→ Have the owner run what `remit ledger grants` prints\.\n$/,
        ),
      ]);
      expect(await stateOf(url)).toEqual(before);
    };
    try {
      await bringAll(team, syncer);
      writeFileSync(path.join(team.folder, 'more.csv'), FILES.receipts.replace('47.00', '47.01'));
      const { imports } = JSON.parse(await may(reader, 'import', 'list', '--json')) as { imports: { id: number }[] };
      for (const someone of [clerk, reader]) {
        await mayNot(someone, 'import', 'receipts', 'more.csv', '--by', 'Omar');
        await mayNot(someone, 'import', 'undo', String(imports[0]!.id), '--reason', 'x', '--by', 'Omar');
      }
      await may(syncer, 'import', 'receipts', 'more.csv', '--by', 'Rana');

      await may(clerk, 'match', '--json');
      await may(clerk, 'match', 'add', '3', '10002', '--by', 'Omar', '--json');
      await may(clerk, 'match', 'remove', '1', '--reason', 'wrong one', '--by', 'Omar');
      await may(clerk, 'check', '--json');
      const { mismatches } = JSON.parse(await may(clerk, 'mismatch', 'list', '--json')) as Listed;
      const [first, second, third] = mismatches.map(({ id }) => id);
      await may(clerk, 'mismatch', 'ack', first!, '--by', 'Omar', '--yes');
      await may(clerk, 'mismatch', 'resolve', second!, '--by', 'Omar', '--note', 'done', '--yes');
      await may(clerk, 'statement', '2026-10', '--out', 's.xlsx');
      await typeDecision(path.join(team.folder, 's.xlsx'), third!, { status: 'acknowledged', note: 'in the sheet' });
      await may(clerk, 'import', 'resolutions', 's.xlsx', '--by', 'Omar');
      rmSync(path.join(team.folder, 's.xlsx'));
      for (const statement of [
        "update remit.evidence set actor = 'x'",
        'delete from remit.evidence_body',
        'delete from remit.receipt',
        'update remit.own_order_amount set cod = 1',
        'delete from remit.imported',
        'update remit.mismatch_event set note = null',
      ]) {
        await expect(query(`set role clerk_${name}; ${statement}`)).rejects.toThrow(/permission denied/);
      }

      await mayNot(reader, 'match', 'remove', '2', '--reason', 'x', '--by', 'Omar');
      await mayNot(reader, 'mismatch', 'ack', third!, '--by', 'Omar', '--note', 'mine', '--yes');
      await may(reader, 'match', '--dry-run', '--json');
      await may(reader, 'match', 'list', '--json');
      await may(reader, 'report', 'mismatches', '--json');
      await may(reader, 'check', '2026-10', '--as-of', NOW.toISOString(), '--json');
      await may(reader, 'statement', '2026-10', '--as-of', NOW.toISOString(), '--out', 'then.xlsx');
      await may(reader, 'backup', 'copy.db');
      await may(reader, 'export', 'parquet', 'tables', '--quiet');
      expect(JSON.parse(await may(reader, 'verify', '--deep', '--json'))).toMatchObject({ ok: true, problems: [] });
    } finally {
      for (const role of ['syncer', 'clerk', 'reader']) {
        await query(`drop owned by ${role}_${name}; drop role ${role}_${name}`);
      }
    }
  });

  it('is imported by nobody while a sync is at work; matching and deciding wait for no sync', async () => {
    const { url, place } = await newDatabase();
    await bringAll(team, url);
    expect((await team.run(url, 'check')).code).toBe(3);
    const { mismatches } = JSON.parse((await team.run(url, 'mismatch', 'list', '--json')).stdout) as Listed;
    await usingLedger(place, { exclusive: 'sync' }, async () => {
      writeFileSync(path.join(team.folder, 'more.csv'), FILES.orders.replace('100.00', '101.00'));
      for (const argv of [
        ['import', 'orders', 'more.csv', '--by', 'Rana'],
        ['import', 'undo', '10', '--reason', 'x', '--by', 'Rana'],
        ['sync', '2026-10'],
      ]) {
        const { code, stderr } = await team.run(url, ...argv);
        expect([argv[0], code, stderr]).toEqual([argv[0], 4, expect.stringMatching(/a sync is at work on .*\n {2}→ /)]);
      }
      const free = [
        ['import', 'orders', 'more.csv', '--by', 'Rana', '--dry-run'],
        ['match'],
        ['match', 'add', '3', '10002', '--by', 'Omar'],
        ['mismatch', 'ack', mismatches[0]!.id, '--by', 'Omar', '--yes'],
      ];
      for (const argv of free) expect([argv, (await team.run(url, ...argv)).code]).toEqual([argv, 0]);
      // The bank's file ends before the payment windows do: a month that was not compared whole is no clean one.
      expect((await team.run(url, 'check', '--fail-on', 'never')).code).toBe(1);
    });
    expect((await team.run(url, 'import', 'orders', 'more.csv', '--by', 'Rana')).code).toBe(0);
  });
});

async function userOf({ query, name, urlFor }: TestDatabase, role: string): Promise<string> {
  await query(`create role ${role}_${name} login password '${PASSWORD}' in role remit_${role}`);
  return urlFor(`${role}_${name}`);
}
