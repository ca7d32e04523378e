import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REPORTS } from '../../../reports/index.ts';
import { placeOf } from '../../../src/base/place.ts';
import { dumpHash } from '../../../src/ledger/dump.ts';
import { readHead, usingLedger } from '../../../src/ledger/index.ts';
import { hasPostgres, newDatabase } from '../../helpers/postgres.ts';
import { execute } from '../../helpers/sync.ts';
import { COURIERS, type CourierBooks, type CourierWorld, startCouriers } from '../../helpers/three-couriers.ts';

/** The end of the last day on which only what came first was known. */
const THEN = new Date('2026-11-05T23:59:59.999Z');

let world: CourierWorld;
let books: CourierBooks;
/** The same books in which nothing came thereafter. */
let early: CourierBooks;

beforeAll(async () => {
  world = await startCouriers();
  [books, early] = [world.books(), world.books()];
  for (const each of [books, early]) {
    each.setCouriers(...COURIERS);
    for (const name of COURIERS) await each.bringFirst(name);
  }
  for (const name of COURIERS) await books.bringRest(name);
});
afterAll(() => world.close());

const ASKED = REPORTS.map(({ name, needsPeriod }) => [
  'report',
  name,
  ...(name === 'dashboard' ? ['2026-10'] : needsPeriod ? ['2026-09..2026-10'] : []),
]);

/** Every report of some books as JSON, by its name. */
async function reportsOf(ledger?: string): Promise<Record<string, unknown>> {
  const said: Record<string, unknown> = {};
  for (const argv of ASKED) said[argv[1]!] = await books.json(argv, ledger === undefined ? {} : { ledger });
  return said;
}

const stateOf = (ledger: string) =>
  usingLedger(placeOf(ledger), { readOnly: true }, async ({ db }) => [await dumpHash(db), await readHead(db)]);

async function expectSound(ledger?: string): Promise<void> {
  const verified = await books.json(['verify', '--deep'], ledger === undefined ? {} : { ledger });
  expect(verified).toMatchObject({ ok: true, problems: [] });
}

describe('books of three couriers that number alike', () => {
  it.skipIf(!hasPostgres)('are the same on PostgreSQL and back in a file', async () => {
    const { url } = await newDatabase();
    const back = path.join(books.folder, 'back.db');
    const own = await reportsOf();
    expect(await books.run(['ledger', 'copy', url])).toMatchObject({ code: 0 });
    expect(await books.run(['ledger', 'copy', back], { ledger: url })).toMatchObject({ code: 0 });
    for (const copy of [url, back]) {
      expect(await reportsOf(copy)).toEqual(own);
      expect(await stateOf(copy)).toEqual(await stateOf(books.ledger));
      await expectSound(copy);
    }
  });

  it('are with --as-of what they were on a day', async () => {
    for (const argv of ASKED) {
      const { stdout, stderr, code } = await books.run([...argv, '--as-of', '2026-11-05', '--json']);
      expect([argv, code, stderr]).toEqual([argv, 0, expect.not.stringContaining('error')]);
      const was = await early.run([...argv, '--json'], { now: THEN });
      expect([argv, JSON.parse(stdout)]).toEqual([argv, JSON.parse(was.stdout)]);
    }
    const check = ['check', '2026-09..2026-10', '--all', '--json'];
    const [then, was] = [
      await books.run([...check, '--as-of', '2026-11-05']),
      await early.run(check, { now: THEN }),
    ].map(({ stdout }) => JSON.parse(stdout));
    expect(then.mismatches.length).toBeGreaterThan(COURIERS.length * 3);
    expect(then).toEqual(was);
    // An earlier day is shown under the name of today, and asked for by any name it had.
    await books.json(['courier', 'rename', 'olive', 'olive-sheets']);
    const argv = ['report', 'invoices', '2026-09', '--as-of', '2026-11-05', '--courier', 'olive'];
    expect(new Set((await books.json<Rows>(argv)).rows.map(({ courier }) => courier))).toEqual(
      new Set(['olive-sheets']),
    );
    await books.json(['courier', 'rename', 'olive-sheets', 'olive']);
  });

  it('are what their evidence gives, and name the courier of a row that was edited', async () => {
    await expectSound();
    execute(books.ledger, "update invoice_amount set cod = cod + 1 where courier = 'swift' and invoice_number = 10003");
    const { ok, problems } = await books.json<Verified>(['verify']);
    expect(ok).toBe(false);
    expect(problems.map(({ where, what }) => `${where} ${what}`).join('\n')).toMatch(/invoice_amount.*swift.*10003/);
    execute(books.ledger, "update invoice_amount set cod = cod - 1 where courier = 'swift' and invoice_number = 10003");
    await expectSound();
  });
});

interface Rows {
  readonly rows: readonly { readonly courier: string }[];
}

interface Verified {
  readonly ok: boolean;
  readonly problems: readonly { readonly where: string; readonly what: string }[];
}
