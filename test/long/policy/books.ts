/** The books that the model plays with: two couriers, two currencies, on both databases. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { type Outcome as Printed, remit } from '../../helpers/cli.ts';
import { invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { newDatabase, PASSWORD } from '../../helpers/postgres.ts';
import { asOwner, urlOf } from '../../helpers/postgres-server.ts';

export const NOW = new Date('2026-11-10T09:00:00Z');
export const SECRET = 'a-secret-of-the-proxy-and-the-desk';
export const ORIGIN = 'https://desk.example.com';
const KEYS = { swift: KEY, cedar: 'key-of-cedar-1' };

const row = (id: string, ...cod: [string, string][]) => ({
  order_id: id,
  cod,
  delivery_fee: [['USD', '3.00']] as [string, string][],
});
const unpaid = { status: 'PENDING_PAYMENT' } as const;
const WORLDS = {
  swift: [
    invoiceOf(10001, '2026-10-01T10:00:00Z', [row('A', ['USD', '100.00'], ['LBP', '4000250'])], unpaid),
    invoiceOf(10002, '2026-10-02T10:00:00Z', [row('B', ['USD', '50.00'])], unpaid),
  ],
  cedar: [
    invoiceOf(20001, '2026-10-03T10:00:00Z', [row('C', ['USD', '63.00'], ['LBP', '4000250'])], unpaid),
    invoiceOf(20002, '2026-10-04T10:00:00Z', [row('D', ['USD', '43.00'])], unpaid),
  ],
};
/** No amount of a receipt is that of an invoice, or of what is left of one: matching by itself matches none. */
export const RECEIPTS = [
  ['swift', 'USD', '13.3701'],
  ['swift', 'USD', '30.0001'],
  ['cedar', 'USD', '9.9901'],
  ['swift', 'LBP', '900000.00'],
  ['cedar', 'LBP', '900000.00'],
] as const;

/** What stands in remit.toml beside the couriers. */
export interface Toml {
  readonly approvals: string;
  readonly clerks: readonly string[];
  readonly readers: readonly string[];
}

export interface Base {
  readonly folder: string;
  readonly url: string;
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
  const base = { folder, url: courier.url };
  const file = (name: string, text: string) => writeFileSync(path.join(folder, name), text, { mode: 0o600 });
  for (const [name, key] of Object.entries(KEYS)) file(`${name}.key`, key);
  file('secret', `${SECRET}\n`);
  writeToml(folder, base, { approvals: '', clerks: [], readers: [] });
  const lines = RECEIPTS.map(([whose, code, amount], at) => bankLine(at, whose, code, amount));
  file('bank.csv', `${BANK_HEAD}${lines.join('')}`);
  file('rates.csv', 'date,from,to,rate\n2026-10-01,USD,LBP,90000\n');
  try {
    for (const argv of [
      ['sync', '2026-10'],
      ['import', 'rates', 'rates.csv'],
      ['import', 'receipts', 'bank.csv'],
    ]) {
      expect(await run(folder, [...argv, '--quiet'])).toMatchObject({ code: 0, stderr: '' });
    }
  } finally {
    await courier.close();
  }
  return base;
}

export const BANK_HEAD = 'date,amount,currency,text\n';

export function bankLine(at: number, courier: string, currency: string, amount: string): string {
  return `2026-10-20,${amount},${currency},${courier.toUpperCase()} DELIVERY payout ${at}\n`;
}

/** The books of one sequence. */
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

/** The same books on a server, of which each sequence's are a copy; two people are two of its users. */
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
