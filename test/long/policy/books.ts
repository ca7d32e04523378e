/** The books that the model plays with: two couriers, two currencies, on both databases. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ExcelJS from 'exceljs';
import { expect } from 'vitest';
import { type Outcome as Printed, remit } from '../../helpers/cli.ts';
import { invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { newDatabase, PASSWORD } from '../../helpers/postgres.ts';
import { asOwner, urlOf } from '../../helpers/postgres-server.ts';

export const NOW = new Date('2026-12-01T09:00:00Z');
export const SECRET = 'a-secret-of-the-proxy-and-the-desk';
export const ORIGIN = 'https://desk.example.com';
const KEYS = { swift: KEY, cedar: 'key-of-cedar-1' };

/** How many sequences are played in one copy of the books: each is about an invoice of its own. */
export const SEQUENCES = 20;

const row = (id: string, ...cod: [string, string][]) => ({
  order_id: id,
  cod,
  delivery_fee: [['USD', '3.00']] as [string, string][],
});
const unpaid = { status: 'PENDING_PAYMENT' } as const;
const LBP: [string, string] = ['LBP', '4000250'];
const days = Array.from(
  { length: SEQUENCES / 2 },
  (_, at) => `2026-10-${String(1 + (at % 8)).padStart(2, '0')}T10:00:00Z`,
);

/**
 * Half of the sequences are about invoices of either courier; the one of September is closed, and nobody decides about
 * it.
 */
const WORLDS = {
  swift: [
    invoiceOf(9001, '2026-09-02T10:00:00Z', [row('S', ['USD', '53.00'])], unpaid),
    ...days.map((day, at) => invoiceOf(10_001 + at, day, [row(`A${at}`, ['USD', '100.00'], LBP)], unpaid)),
  ],
  cedar: days.map((day, at) => {
    const more = 3 + ((at * 5) % 20);
    const orders = [row(`B${at}`, ['USD', '100.00'], LBP), row(`C${at}`, ['USD', `${more}.00`])];
    // Its header holds less COD than its rows.
    const cod: [string, string][] = [['USD', '100.00'], LBP];
    const net: [string, string][] = [['USD', '94.00'], LBP];
    return invoiceOf(20_001 + at, day, orders, { ...unpaid, cod, net_due_to_merchant: net });
  }),
};

/** What each invoice is short once its part payment is in. */
const SHORT = {
  USD: days.map((_, at) => 400 + ((at * 1_300) % 3_700)).map((cents) => `${cents / 100}.00`),
  LBP: days.map((_, at) => ['90000', '150000', '1900000', '2500000'][at % 4]!),
};

/** Pays all of an invoice but what it is short. */
function partPayments(courier: 'swift' | 'cedar'): string[] {
  return days.flatMap((_, at) => {
    const number = (courier === 'swift' ? 10_001 : 20_001) + at;
    const dollars = (courier === 'swift' ? 97 : 94) - Number.parseInt(SHORT.USD[at]!, 10);
    return [
      bankLine('2026-10-12', courier, 'USD', `${dollars}.00`, `invoice ${number}`),
      bankLine('2026-10-12', courier, 'LBP', `${4_000_250 - Number(SHORT.LBP[at])}.00`, `invoice ${number}`),
    ];
  });
}

/** Money that names no invoice, and comes too late to be matched by its amount: dollars, then pounds. */
const LATE = ['USD', 'LBP'].flatMap((currency, odd) =>
  days.map((_, at) => {
    const dollars = Math.max(1, Number.parseInt(SHORT.USD[at]!, 10) + [-2, -7, 3][at % 3]!);
    const amount = currency === 'USD' ? `${dollars}.0001` : '900000.00';
    const courier = (at + odd) % 2 === 0 ? 'swift' : 'cedar';
    return { courier, currency, amount, invoice: (courier === 'swift' ? 10_001 : 20_001) + at };
  }),
);

/** What stands in remit.toml beside the couriers. */
export interface Toml {
  readonly approvals: string;
  readonly clerks: readonly string[];
  readonly readers: readonly string[];
}

/** A finding about an invoice. */
export interface Found {
  readonly id: string;
  readonly code: string;
  readonly invoice_number: number;
  readonly currency: string;
  /** Null of one that says only what is overdue. */
  readonly effect: string | null;
  readonly isClaimed: boolean;
}

export interface Base {
  readonly folder: string;
  readonly url: string;
  readonly found: readonly Found[];
  readonly receipts: readonly ((typeof LATE)[number] & { readonly id: number })[];
  /** How many matches each courier has. */
  readonly matches: Readonly<Record<string, number>>;
  /** What each courier's statement bears of the time when it was written. */
  readonly marks: Readonly<Record<string, string>>;
}

export function writeToml(folder: string, { url }: Pick<Base, 'url'>, { approvals, clerks, readers }: Toml): void {
  const couriers = ['swift', 'cedar'].map(
    (name) =>
      `[couriers.${name}]\napi_url = "${url}"\napi_key_file = "${name}.key"\npayers = ["${name.toUpperCase()} DELIVERY"]\n`,
  );
  const names = (list: readonly string[]) => list.map((name) => `"${name}"`).join(', ');
  const desk = `[desk]\nclerks = [${names(clerks)}]\nreaders = [${names(readers)}]\n`;
  writeFileSync(path.join(folder, 'remit.toml'), `time_zone = "UTC"\n${couriers.join('')}${desk}${approvals}`);
}

export async function run(folder: string, argv: readonly string[], env: Record<string, string> = {}): Promise<Printed> {
  return remit(argv, { cwd: folder, now: NOW, env });
}

/** Books that nobody decided anything about. */
export async function makeBase(folder: string): Promise<Base> {
  mkdirSync(folder, { recursive: true });
  const courier = await startFakeCourier();
  courier.world.intercept = (request) => {
    const account = request.headers['x-api-key'] === KEYS.cedar ? 'cedar' : 'swift';
    if (account === 'cedar') request.headers['x-api-key'] = KEY;
    courier.world.invoices = WORLDS[account];
    courier.world.organisation = `Zahra at ${account}`;
    return false;
  };
  const { url } = courier;
  const file = (name: string, text: string) => writeFileSync(path.join(folder, name), text, { mode: 0o600 });
  for (const [name, key] of Object.entries(KEYS)) file(`${name}.key`, key);
  file('secret', `${SECRET}\n`);
  writeToml(folder, { url }, { approvals: '', clerks: [], readers: [] });
  const late = LATE.map((one, at) => bankLine('2026-11-06', one.courier, one.currency, one.amount, `late ${at}`));
  const rent = ['USD', 'LBP'].flatMap((code) =>
    ['2026-09-01', '2026-11-30'].map((day) => `${day},-9.00,${code},Rent\n`),
  );
  file('bank.csv', [BANK_HEAD, ...rent, ...partPayments('swift'), ...partPayments('cedar'), ...late].join(''));
  file('rates.csv', 'date,from,to,rate\n2026-10-01,USD,LBP,90000\n');
  const print = async <T>(...argv: string[]): Promise<T> => {
    const { code, stdout, stderr } = await run(folder, [...argv, '--json']);
    if (code === 1 || code === 2 || stdout === '') throw new Error(`${argv.join(' ')}: ${stderr}`);
    return JSON.parse(stdout);
  };
  try {
    for (const month of ['2026-09', '2026-10']) await print('sync', month);
  } finally {
    await courier.close();
  }
  await print('import', 'rates', 'rates.csv');
  await print('import', 'receipts', 'bank.csv');
  type Listed = Omit<Found, 'isClaimed'>;
  // All months: a claim would check the others first, and find what the model does not know.
  await run(folder, ['check']);
  const { mismatches } = await print<{ mismatches: Listed[] }>('mismatch', 'list');
  const found = mismatches.map((one) => {
    const isShort = one.code === 'remittance-short' && one.invoice_number < 20_000;
    return { ...one, isClaimed: isShort || one.code === 'invoice-cod-total' };
  });
  const [matches, marks]: [Record<string, number>, Record<string, string>] = [{}, {}];
  for (const name of ['swift', 'cedar']) {
    const claimed = found.filter((one) => one.isClaimed && one.invoice_number < 20_000 === (name === 'swift'));
    await print('dispute', ...claimed.map(({ id }) => id), '--courier', name, '--by', 'rana');
    const held = await print<{ matches: object[] }>('match', 'list', '--courier', name);
    matches[name] = held.matches.length;
    await run(folder, ['statement', '2026-10', '--courier', name, '--out', `${name}.xlsx`]);
    marks[name] = await markOf(path.join(folder, `${name}.xlsx`));
  }
  const { unmatched } = await print<{ unmatched: { receipts: number[] } }>('match', 'list', '--unmatched');
  const receipts = unmatched.receipts.map((id, at) => ({ ...LATE[at]!, id }));
  return { folder, url, found, receipts, matches, marks };
}

async function markOf(file: string): Promise<string> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(file);
  const cells = book.worksheets.flatMap((sheet) => sheet.getSheetValues().flatMap((one) => (one as unknown[]) ?? []));
  return cells.map(String).find((text) => /^remit statement .* evidence/.test(text))!;
}

/** A statement into whose row of a mismatch somebody typed that it is resolved. */
export async function typeResolved(folder: string, mark: string, id: string, remark: string): Promise<string> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Mismatches');
  sheet.addRows([['ID', 'Status', 'Note'], [id, 'resolved', 'x'], [mark], [remark]]);
  await book.xlsx.writeFile(path.join(folder, 'typed.xlsx'));
  return 'typed.xlsx';
}

export const BANK_HEAD = 'date,amount,currency,text\n';

export function bankLine(day: string, courier: string, currency: string, amount: string, text: string): string {
  return `${day},${amount},${currency},${courier.toUpperCase()} DELIVERY ${text}\n`;
}

/** The books of some sequences. */
export interface Place {
  readonly folder: string;
  readonly env: Record<string, string>;
  /** What a user of the database runs commands in; of a file there is one for all. */
  envOf(user: string | null): Record<string, string>;
  readonly users: readonly (string | null)[];
  end(): Promise<void>;
}

export function filePlace(base: Base, folder: string): Place {
  cpSync(base.folder, folder, { recursive: true });
  return { folder, env: {}, envOf: () => ({}), users: [null], end: async () => {} };
}

export interface ServerBase {
  readonly port: number;
  readonly name: string;
  readonly users: readonly string[];
}

/** The same books on a server, of which each place's are a copy; two people are two of its users. */
export async function makeServerBase({ folder }: Base): Promise<ServerBase> {
  const { url, name, query } = await newDatabase();
  expect(await run(folder, ['ledger', 'copy', url, '--quiet'])).toMatchObject({ code: 0 });
  await query((await run(folder, ['ledger', 'grants'], { REMIT_LEDGER: url })).stdout);
  const users = ['rana', 'karim'].map((user) => `${user}_${name}`);
  for (const user of users) {
    await query(`create role ${user} login password '${PASSWORD}' in role remit_syncer, remit_clerk`);
  }
  return { port: Number(new URL(url).port), name, users };
}

export async function serverPlace(base: Base, { port, name, users }: ServerBase, folder: string): Promise<Place> {
  cpSync(base.folder, folder, { recursive: true });
  const own = `${name}_${path.basename(folder)}`;
  await asOwner(port, 'postgres', (client) => client.query(`create database ${own} template ${name}`));
  return {
    folder,
    env: { REMIT_LEDGER: urlOf(port, own) },
    envOf: (user) => ({ REMIT_LEDGER: user === null ? urlOf(port, own) : urlOf(port, own, { user }) }),
    users,
    end: () =>
      asOwner(port, 'postgres', async (client) => void (await client.query(`drop database ${own} with (force)`))),
  };
}
