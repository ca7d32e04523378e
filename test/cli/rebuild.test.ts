import path from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/base/sqlite.ts';
import { dumpHash } from '../../src/ledger/dump.ts';
import { usingLedger } from '../../src/ledger/index.ts';
import { remit } from '../helpers/cli.ts';
import { firstBooks } from '../helpers/first-ledger.ts';
import { copyInstallation, plant } from '../helpers/installation.ts';
import { hasPostgres, newDatabase } from '../helpers/postgres.ts';
import { runProgram } from '../helpers/remit.ts';

/** Books with rows in nearly every table, closes and decisions among them. */
async function soundBooks() {
  const folder = firstBooks();
  const file = path.join(folder, 'ledger.db');
  const at = async (...argv: string[]) => remit(argv, { cwd: folder });
  const json = async (...argv: string[]) => JSON.parse((await at(...argv, '--json')).stdout);
  expect(await json('verify')).toMatchObject({ ok: true, remedy: null });
  const rows = () => usingLedger(file, { readOnly: true }, ({ db }) => dumpHash(db));
  const tamper = (...statements: string[]) => {
    const db = openDatabase(file);
    const triggers = db
      .prepare<[], { name: string; sql: string }>("select name, sql from sqlite_master where type = 'trigger'")
      .all();
    for (const { name } of triggers) db.exec(`drop trigger "${name}"`);
    db.exec(`pragma foreign_keys = off; ${statements.join(';')}`);
    for (const { sql } of triggers) db.exec(sql);
    db.close();
  };
  return { folder, file, at, json, rows, tamper };
}

/** A row another, one missing, one too many; in append-only tables too. */
const EDITS = [
  "update invoice set status = 'LOST' where number = (select min(number) from invoice)",
  'delete from receipt_match_receipt where match_id = (select min(match_id) from receipt_match_receipt)',
  "insert into own_order (reference, first_evidence_id, evidence_id) values ('made up', 1, 1)",
  'delete from mismatch_event where evidence_id = (select max(evidence_id) from mismatch_event)',
];

it('derives every row again where the evidence is whole', async () => {
  const { json, at, rows, tamper } = await soundBooks();
  const before = await rows();
  const { head } = await json('verify');
  tamper(...EDITS);
  expect(await rows()).not.toBe(before);
  const { problems, remedy } = await json('verify');
  expect([problems.length, remedy]).toEqual([4, 'rebuild']);
  expect((await at('verify')).stdout).toContain('`remit rebuild` derives the rows from it again');

  const { documents, rows_checked } = await json('verify');
  // One row that was checked is too many.
  expect(await json('rebuild')).toEqual({ documents, rows: rows_checked - 1, changed: 4, head });
  expect(await rows()).toBe(before);
  expect(await json('verify', '--deep')).toMatchObject({ ok: true, remedy: null, head });
  expect(await json('rebuild')).toMatchObject({ changed: 0, head });
});

it.each([
  ['the chain', "update evidence set subject = 'another' where id = 5", 'evidence 5: '],
  ['a document', "update evidence_body set body = x'00' where sha256 = (select min(sha256) from evidence_body)", ''],
])('refuses where %s is not sound', async (_, edit, where) => {
  const { file, at, json, rows, tamper } = await soundBooks();
  tamper(edit, EDITS[0]!);
  const before = await rows();
  expect(await json('verify')).toMatchObject({ ok: false, remedy: 'restore' });
  const { code, stdout, stderr } = await at('rebuild');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`remit: the rows of ${file} are not derived again: ${where}`);
  expect(stderr).toContain('→ Nothing was changed.');
  expect(await rows()).toBe(before);
});

it('killed in the middle, it leaves the ledger as it was', async () => {
  const { folder, at, rows, tamper } = await soundBooks();
  tamper(...EDITS);
  const before = await rows();
  const installation = copyInstallation();
  plant(
    installation,
    'await db.deleteFrom(table).execute();',
    'if (table === "invoice") process.kill(process.pid, "SIGKILL");',
  );
  expect((await runProgram(installation.main, ['rebuild'], { TZ: 'UTC' }, folder)).code).not.toBe(0);
  expect(await rows()).toBe(before);
  expect(await at('rebuild')).toMatchObject({ code: 0, stderr: '' });
  expect(await at('verify')).toMatchObject({ code: 0 });
});

it.skipIf(!hasPostgres)('does the same on a server', async () => {
  const { folder, rows } = await soundBooks();
  const before = await rows();
  const { url } = await newDatabase();
  await remit(['ledger', 'copy', url], { cwd: folder });
  const server = async (...argv: string[]) => {
    const { stdout } = await remit([...argv, '--json', '--ledger', url], { cwd: folder });
    return JSON.parse(stdout);
  };
  const onServer = (use: Parameters<typeof usingLedger<string>>[2]) => usingLedger(url, {}, use);
  await onServer(async ({ connection: { db } }) => {
    await db.updateTable('invoice').set({ status: 'LOST' }).execute();
    await db.deleteFrom('receipt_match_receipt').execute();
    return '';
  });
  expect(await server('verify')).toMatchObject({ ok: false, remedy: 'rebuild' });
  const { changed } = await server('rebuild');
  expect(changed).toBeGreaterThan(2);
  expect(await onServer(({ db }) => dumpHash(db))).toBe(before);
  expect(await server('verify', '--deep')).toMatchObject({ ok: true });
});
