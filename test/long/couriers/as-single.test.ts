import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REPORTS } from '../../../reports/index.ts';
import { type RunningDesk, startDesk } from '../../helpers/desk.ts';
import { query } from '../../helpers/sync.ts';
import {
  COURIERS,
  type CourierBooks,
  type CourierName,
  type CourierWorld,
  NOW,
  startCouriers,
} from '../../helpers/three-couriers.ts';

let world: CourierWorld;
/** Books of one courier each. */
const single = new Map<CourierName, CourierBooks>();
/** Books of all three, which number invoices and orders alike. */
let three: CourierBooks;

beforeAll(async () => {
  world = await startCouriers();
  three = world.books();
  three.setCouriers(...COURIERS);
  for (const name of COURIERS) {
    const books = world.books();
    books.setCouriers(name);
    single.set(name, books);
    for (const each of [books, three]) await each.bring(name);
  }
});
afterAll(() => world.close());

/**
 * What books number in the order in which it came, whosever it is: receipts, imports, runs and evidence. Of the courier
 * that came first the numbers are the same.
 */
const NUMBERED =
  /(\\?"(?:\w*evidence_id|\w*part|evidence|id|import|run|run_id|seen_run|receipts?)\\?": ?\[?\s*|receipts?[ /]|match add |\bimport |(?:\b|%7E)(?:REC-|PAY-\d+-|DSP-[0-9a-f]+-|RES-\d+-R))(\d+)\b/gi;
/** The identity of a mismatch is made of its receipt's number. */
const IDENTITY = /()\b([0-9a-f]{16})\b/g;

/** A text with such numbers counted from 1, in the order in which it names them. */
function counted(text: string, isFirst: boolean): string {
  // What is on record about the others comes between: identities of the first stay as they are.
  return (isFirst ? [NUMBERED] : [NUMBERED, IDENTITY]).reduce((so, pattern) => {
    const seen = new Map<string, Map<string, number>>();
    return so.replace(pattern, (_, before: string, number: string) => {
      const kind = before.replace(/\d+/, '');
      const numbers = seen.get(kind) ?? new Map<string, number>();
      seen.set(kind, numbers.set(number, numbers.get(number) ?? numbers.size + 1));
      return `${before}#${numbers.get(number)}`;
    });
  }, text);
}

async function printed(books: CourierBooks, argv: readonly string[]): Promise<string> {
  const { stdout, stderr } = await books.run([...argv, '--json']);
  if (!stdout.startsWith('{')) throw new Error(`${argv.join(' ')}: ${stderr}`);
  return stdout;
}

const PERIOD = '2026-09..2026-10';

/** A command of one courier among three says what it says in single books, to the byte. */
async function expectAlike(argv: readonly string[], known: (text: string) => string = (text) => text): Promise<void> {
  for (const name of COURIERS) {
    const [own, among] = [
      await printed(single.get(name)!, argv),
      await printed(three, [...argv, '--courier', name]),
    ].map((text) => counted(known(text), name === COURIERS[0]));
    expect([name, argv, among]).toEqual([name, argv, own]);
  }
}

describe('a courier among three that number alike', () => {
  it.each(REPORTS.map(({ name, needsPeriod }) => [name, needsPeriod] as const))(
    'has the report %s of single books',
    async (name, needsPeriod) => {
      const periods = name === 'dashboard' ? ['2026-09', '2026-10'] : ['', PERIOD, '2026-10'];
      for (const period of needsPeriod ? periods : ['']) {
        const argv = ['report', name, ...(period === '' ? [] : [period])];
        await expectAlike(argv);
        // In the report of all it is there once more, with whose it is.
        const { rows, totals } = await three.json<Table>(argv);
        for (const courier of COURIERS) {
          const own = await three.json<Table>([...argv, '--courier', courier]);
          const ofCourier = (row: Row) => row.courier === courier;
          expect([rows.filter(ofCourier), totals.filter(ofCourier)]).toEqual([own.rows, own.totals]);
        }
      }
    },
  );

  it('has what every other command says of it', async () => {
    const said = [
      ...['10001', '10003', '10005'].flatMap((number) => [
        ['show', 'invoice', number],
        ['evidence', number],
      ]),
      ...['A', 'G', 'R'].map((id) => ['show', 'order', id]),
      ['evidence', '10001', '--diff'],
      ['changes'],
      ['match', 'list'],
      ['mismatch', 'list'],
      ['settle', 'list'],
      ['dispute', 'list'],
    ];
    for (const argv of said) await expectAlike(argv);
    // What is shown is held to the ledger as it is.
    await expectAlike(['dispute', '2026-10', '--dry-run'], (text) =>
      JSON.stringify({ ...JSON.parse(text), stale_after: null }),
    );
    await expectAlike(['check', PERIOD, '--all'], (text) => JSON.stringify(ofOneAlone(JSON.parse(text))));
    await expectAlike(['statement', '2026-10'], (text) => JSON.stringify({ ...JSON.parse(text), file: null }));
  });

  it('has the rows of each view', async () => {
    const views = query<{ name: string }>(three.ledger, "select name from sqlite_master where type = 'view'");
    expect(views.length).toBeGreaterThan(10);
    for (const { name } of views) {
      // The bytes of what remit says itself hold such numbers, and a statement is named after its courier.
      const rows =
        name === 'documents'
          ? `select * from ${name} where source is not null and kind <> 'statement'`
          : `select * from ${name}`;
      const rowsOf = (books: CourierBooks, courier: string) =>
        query<Row>(books.ledger, rows)
          .filter((row) => !('courier' in row) || row.courier === courier)
          .map((row) => counted(JSON.stringify(row), false))
          .sort();
      for (const courier of COURIERS) {
        const [own, among] = [rowsOf(single.get(courier)!, courier), rowsOf(three, courier)];
        // A line of the bank bears no courier.
        if (name === 'receipts') expect([name, courier, among]).toEqual([name, courier, expect.arrayContaining(own)]);
        else expect([name, courier, among]).toEqual([name, courier, own]);
      }
    }
  });

  it('has the pages of a desk of its own', async () => {
    const desks = new Map<CourierBooks, RunningDesk>();
    for (const books of [three, ...single.values()]) {
      desks.set(books, await startDesk([], { cwd: books.folder, now: () => NOW }));
      await desks.get(books)!.enter();
    }
    try {
      const pages = [
        ...['/', '/months/2026-09', '/months/2026-10', '/mismatches', '/rows', '/receipts', '/runs', '/settlements'],
        ...[
          '/claims',
          '/decisions',
          '/search?q=10001',
          '/search?q=G',
          '/invoices/10001',
          '/invoices/10004',
          '/orders/A',
          '/orders/G',
        ],
        ...REPORTS.map(({ name }) => `/reports/${name}${name === 'dashboard' ? '?month=2026-10' : ''}`),
      ];
      for (const address of pages) {
        const ask = (courier: string) => `${address}${address.includes('?') ? '&' : '?'}courier=${courier}`;
        for (const name of COURIERS) {
          // Home shows what the checks say once they are done.
          const read = async (books: CourierBooks): Promise<object> => {
            const model = await desks.get(books)!.json<{ unexplained?: unknown }>(ask(name));
            return model.unexplained === null ? read(books) : ofOneAlone(model);
          };
          const [own, among] = await Promise.all(
            [single.get(name)!, three].map(async (books) => counted(JSON.stringify(await read(books), null, 1), false)),
          );
          expect([address, name, among]).toEqual([address, name, own]);
        }
      }
    } finally {
      for (const desk of desks.values()) await desk.stop();
    }
  });
});

/**
 * A check, or a month's page, without what only books of several couriers can say; a month is closed for all, and files
 * are imported for all.
 */
function ofOneAlone<T extends object>(model: T): T {
  const isOfOne = ({ code }: { code: string }) => code !== 'order-at-two-couriers';
  const { coverage, skipped, refusals, standing, decisions, ...rest } = model as Record<string, { code: string }[]>;
  const isImport = ({ kind }: { code: string; kind?: string }) => kind === 'import';
  if (decisions !== undefined) return { ...model, decisions: decisions.filter((one) => !isImport(one)) };
  if (coverage === undefined || skipped === undefined) return model;
  return { ...rest, coverage: coverage.filter(isOfOne), skipped: skipped.filter(isOfOne) } as unknown as T;
}

type Row = Readonly<Record<string, unknown>>;

interface Table {
  readonly rows: readonly Row[];
  readonly totals: readonly Row[];
}
