import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/base/sqlite.ts';
import { type Outcome, remit } from '../helpers/cli.ts';
import { type FakeCourier, type FakeRow, invoiceOf, KEY, send, startFakeCourier } from '../helpers/courier.ts';
import { scratchFolder } from '../helpers/folder.ts';
import { query } from '../helpers/sync.ts';

const MB = 1024 * 1024;
/** What no terminal may get from outside. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

const row: FakeRow = { order_id: 'A1', reference_id: 'R-1', cod: [['USD', '10.00']], delivery_fee: [['USD', '3.00']] };
const order = (order_id: string, fields: object = {}) => ({
  order_id,
  workflow: 'STANDARD',
  delivery_state: 'DELIVERED',
  payment_state: 'PAID_TO_MERCHANT',
  cod: [['USD', '10.00']],
  delivery_fee: [['USD', '3.00']],
  statestamps: [],
  ...fields,
});

let courier: FakeCourier;
beforeAll(async () => {
  courier = await startFakeCourier();
});
afterEach(() => {
  delete courier.world.intercept;
});
afterAll(() => courier.close());

type Answer = (response: ServerResponse, query: URLSearchParams, request: IncomingMessage) => void;

/** A books folder, and a courier with one invoice of one order that answers one path in its own way. */
function booksAgainst(where: string, answer: Answer): string {
  courier.world.invoices = [invoiceOf(7, '2026-10-05T10:00:00.000000+00:00', [row])];
  courier.world.orders = [order('A1'), order('A2'), order('A3')];
  courier.world.intercept = (request, response, at, query) => {
    if (at !== where) return false;
    answer(response, query, request);
    return true;
  };
  const folder = scratchFolder();
  writeFileSync(path.join(folder, 'api-key'), KEY, { mode: 0o600 });
  const settings = `api_url = "${courier.url}"\napi_key_file = "api-key"\nmax_attempts = 2\n`;
  writeFileSync(path.join(folder, 'remit.toml'), settings);
  return folder;
}

async function sync(folder: string, ...flags: string[]): Promise<Outcome> {
  const outcome = await remit(['sync', '2026-10', ...flags], { cwd: folder });
  const lines = `${outcome.stdout}${outcome.stderr}`.split('\n');
  for (const line of lines) {
    expect(line).not.toMatch(OBEYED);
    expect(line.length).toBeLessThan(12_000);
  }
  // Whatever was sent: what the ledger holds is what its evidence gives.
  const verified = await remit(['verify', '--deep'], { cwd: folder });
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringMatching(/^sound/)]);
  return outcome;
}

/** The ids of the orders in the ledger's order book. */
async function ordersIn(folder: string): Promise<string[]> {
  const db = openDatabase(path.join(folder, ledgerFile(folder)), { readonly: true });
  try {
    return db
      .prepare<[], { order_id: string }>('select order_id from courier_order order by 1')
      .all()
      .map((each) => each.order_id);
  } finally {
    db.close();
  }
}

function ledgerFile(folder: string): string {
  return readdirSync(folder).find((name) => name.endsWith('.db')) as string;
}

/** Everything that is in the ledger, unpacked, as one text. */
function everythingIn(folder: string): string {
  const db = openDatabase(path.join(folder, ledgerFile(folder)), { readonly: true });
  try {
    const tables = db.prepare<[], { name: string }>("select name from sqlite_master where type = 'table'").all();
    const values = tables.flatMap(({ name }) =>
      db.prepare<[], Record<string, unknown>>(`select * from "${name}"`).all(),
    );
    return values.flatMap((each) => Object.values(each).map(textOf)).join('\n');
  } finally {
    db.close();
  }
}

function textOf(value: unknown): string {
  if (!(value instanceof Uint8Array)) return String(value);
  try {
    return gunzipSync(value).toString();
  } catch {
    return Buffer.from(value).toString('latin1');
  }
}

const json = (response: ServerResponse, body: string | Buffer, headers = {}) =>
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);

describe('a server that sends what cannot be taken: the sync says so, and brings the rest', () => {
  it('pages without end, each with new orders', async () => {
    let pages = 0;
    const folder = booksAgainst('/orders/', (response, query) => {
      const page = Number(query.get('page') ?? 1);
      pages++;
      const results = Array.from({ length: 100 }, (_, i) => order(`P${page}-${i}`));
      send(response, 200, { count: 150, next: `?page=${page + 1}`, previous: null, results });
    });
    const { code, stderr } = await sync(folder, '--orders');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /the order book is not complete: it states 150 orders and showed 1400 .*the list does not end/,
    );
    expect(pages).toBeLessThan(25);
  });

  it('an order nested 20,000 deep', async () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const folder = booksAgainst('/orders/', (response) => {
      const rows = ['A1', 'A2', 'A3'].map((id) => JSON.stringify(order(id)));
      rows[1] = rows[1]?.replace('"statestamps":[]', `"statestamps":[],"x":${deep}`) as string;
      json(response, `{"count":3,"next":null,"results":[${rows.join()}]}`);
    });
    const { code, stderr } = await sync(folder, '--orders');
    expect(code).toBe(1);
    expect(stderr).toMatch(/results\[1\]: nested more than 64 levels deep/);
    expect(await ordersIn(folder)).toEqual(['A1', 'A3']);
  });

  it('gzip that unpacks to 240 MB', async () => {
    const whole = gzipSync(Buffer.from(`[${'[],'.repeat(80 * MB)}1]`), { level: 9 });
    // Cut in half: if it were unpacked to its end, the message would be that it cannot be unpacked.
    const bomb = whole.subarray(0, whole.length / 2);
    const folder = booksAgainst('/invoices/7/', (response) => json(response, bomb, { 'content-encoding': 'gzip' }));
    const { code, stderr } = await sync(folder, '--orders');
    expect(code).toBe(1);
    expect(stderr).toMatch(/invoice 7 cannot be read: GET \S+ answered \d+ kB that unpack to more than/);
    expect(await ordersIn(folder)).toEqual(['A1', 'A2', 'A3']);
  });

  it('a name of 50 MB', async () => {
    const folder = booksAgainst('/profile/', (response) =>
      json(response, JSON.stringify({ organisation_name: 'x'.repeat(50 * MB) })),
    );
    const { code, stderr } = await sync(folder, '--orders');
    expect(code).toBe(1);
    expect(stderr).toMatch(/the organisation profile cannot be read: GET \S+ answered with more than 32 MB/);
    expect(await ordersIn(folder)).toEqual(['A1', 'A2', 'A3']);
  });

  it.each([
    ['text/html', '<h1>Down</h1>', /invoice 7 cannot be read: GET \S+ answered HTML, not JSON/],
    ['application/octet-stream', Buffer.from([0, 255, 7]), /answered application\/octet-stream, not JSON/],
    ['text/\u009b2Jx', 'pong', /not JSON/],
    ['application/json', '{"number": 7,', /answered JSON that cannot be parsed, in 2 attempts/],
    ['application/json', '', /answered nothing, in 2 attempts/],
  ])('%s in the place of an invoice', async (type, body, message) => {
    const folder = booksAgainst('/invoices/7/', (response) =>
      response.writeHead(200, { 'content-type': type }).end(body),
    );
    const { code, stderr } = await sync(folder, '--orders');
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(await ordersIn(folder)).toEqual(['A1', 'A2', 'A3']);
  });

  it('half a body', async () => {
    const folder = booksAgainst('/invoices/7/', (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 5_000 }).write('{"number": 7');
      setTimeout(() => response.socket?.destroy(), 10);
    });
    const { code, stderr } = await sync(folder, '--orders');
    expect(code).toBe(1);
    expect(stderr).toMatch(/the connection to \S+ broke before the answer was whole/);
  });
});

describe('a server that writes to the terminal', () => {
  it('by names, states, errors and addresses: nothing of it is obeyed', async () => {
    const nasty = '\u001b[2J\u009b31m\u202eevil\u2066\u0007\u2028\ufeff';
    const folder = booksAgainst('/orders/', (response, query) => {
      const results = [order(`A1${nasty}`, { reference_id: nasty, delivery_state: nasty, cod: [['USD', nasty]] })];
      if (query.get('page') === null) send(response, 200, { count: 9, next: `?page=2&x=${nasty}`, results });
      else send(response, 400, { message: nasty.repeat(2_000), details: { [nasty]: nasty } });
    });
    courier.world.organisation = `Zahra ${nasty} Store`;
    const first = await sync(folder, '--orders');
    expect(first.stderr).toMatch(/evil/);
    courier.world.organisation = `Other ${nasty}${'y'.repeat(MB)}`;
    const second = await sync(folder, '--orders');
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(/belongs to .*Other/);
    courier.world.organisation = 'Zahra Store';
  });
});

it('a new logo that cannot be fetched is asked for again at the next sync', async () => {
  const png = (text: string) => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(text)]);
  const logos: Record<string, Buffer | undefined> = { '/a.png': png('a') };
  let logo = '/a.png';
  const folder = booksAgainst('/profile/', (response) =>
    send(response, 200, { organisation_name: 'Z', logo_url: logo }),
  );
  const answer = courier.world.intercept!;
  courier.world.intercept = (request, response, at, query) => {
    if (!at.endsWith('.png')) return answer(request, response, at, query);
    response.statusCode = logos[at] ? 200 : 503;
    response.end(logos[at]);
    return true;
  };
  const held = () => query(path.join(folder, 'ledger.db'), 'select logo_sha256 from account');
  await sync(folder);
  const before = held();
  logo = '/b.png';
  await sync(folder);
  expect(held()).toEqual(before);
  logos['/b.png'] = png('b');
  await sync(folder);
  expect(held()).not.toEqual(before);
});

describe('a server that sends the key back', () => {
  it('has it kept nowhere: not in the ledger, the workbook, the terminal or an answer', async () => {
    const escaped = [...KEY].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('');
    const folder = booksAgainst('/profile/', (response) =>
      json(response, `{"organisation_name":"Zahra ${KEY}","brand":"${escaped}","logo_url":"${courier.url}?k=${KEY}"}`, {
        'x-echo': KEY,
      }),
    );
    const { code, stdout, stderr } = await sync(folder, '--orders', '--verbose');
    expect([code, stdout, stderr]).toEqual([0, expect.any(String), expect.stringContaining('sends the API key back')]);
    await remit(['check', '2026-10'], { cwd: folder });
    const workbook = path.join(folder, 'statement.xlsx');
    const statement = await remit(['statement', '2026-10', '--out', workbook], { cwd: folder });
    expect(readFileSync(workbook).length).toBeGreaterThan(1_000);
    const shown = [stdout, stderr, statement.stdout, statement.stderr, await unzipped(workbook), everythingIn(folder)];
    for (const text of shown) expect(text).not.toContain(KEY);
    expect(everythingIn(folder)).toContain(`Zahra ${'*'.repeat(KEY.length)}`);
  });
});

async function unzipped(file: string): Promise<string> {
  const { default: JSZip } = await import('jszip');
  const zip = await JSZip.loadAsync(readFileSync(file));
  const texts = await Promise.all(Object.values(zip.files).map((entry) => entry.async('string')));
  return texts.join('\n');
}

describe('another server', () => {
  it('of the same name is refused without --accept-account; with it no order is changed by its port', async () => {
    const folder = booksAgainst('/never/', () => {});
    courier.world.orders = courier.world.orders.map((each) => ({
      ...each,
      order_url: `${courier.url}orders/${each.order_id}/`,
    }));
    expect((await sync(folder, '--orders')).code).toBe(0);
    const { world } = courier;
    const other = await startFakeCourier({ organisation: world.organisation, invoices: world.invoices });
    onTestFinished(() => other.close());
    other.world.orders = world.orders.map((each) => ({ ...each, order_url: `${other.url}orders/${each.order_id}/` }));
    const settings = readFileSync(path.join(folder, 'remit.toml'), 'utf8');
    writeFileSync(path.join(folder, 'remit.toml'), settings.replace(courier.url, other.url));
    const before = await ordersIn(folder);
    const refused = await sync(folder, '--orders');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--accept-account')]);
    expect(await ordersIn(folder)).toEqual(before);
    expect((await sync(folder, '--orders', '--accept-account')).code).toBe(0);
    const changes = JSON.parse((await remit(['changes', '--json'], { cwd: folder })).stdout);
    expect(changes.orders).toMatchObject({ new: 0, changed: [], vanished: [], back: [] });
  });

  it('that has lost everything is not believed without --accept-vanished', async () => {
    const folder = booksAgainst('/never/', () => {});
    courier.world.invoices = [7, 8, 9].map((number) => invoiceOf(number, '2026-10-05T10:00:00+00:00', [row]));
    expect((await sync(folder, '--orders')).code).toBe(0);
    courier.world.invoices = [];
    courier.world.orders = [];
    const refused = await sync(folder, '--orders');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--accept-vanished')]);
    const file = path.join(folder, ledgerFile(folder));
    const gone = `select (select count(*) from invoice where vanished_at is not null) +
      (select count(*) from courier_order where vanished_at is not null) as gone`;
    expect(query(file, gone)).toEqual([{ gone: 0 }]);
    expect(
      query(file, 'select distinct complete from listing where run_id = (select max(run_id) from listing)'),
    ).toEqual([{ complete: 0 }]);
    expect((await sync(folder, '--orders', '--accept-vanished')).code).toBe(0);
    expect(query(file, gone)).toEqual([{ gone: 6 }]);
  });
});

describe('a server that sends much', () => {
  it('5,000 orders on a page', async () => {
    const folder = booksAgainst('/orders/', (response) => {
      const results = Array.from({ length: 5_000 }, (_, index) => order(`P${index}`));
      send(response, 200, { count: results.length, next: null, previous: null, results });
    });
    const { code } = await sync(folder, '--orders');
    expect([code, (await ordersIn(folder)).length]).toEqual([0, 5_000]);
  });

  it('names of a megabyte, which make no line of a megabyte', async () => {
    const long = 'x'.repeat(MB);
    const folder = booksAgainst('/never/', () => {});
    courier.world.invoices = [
      invoiceOf(7, '2026-10-05T10:00:00+00:00', [{ ...row, order_id: long, reference_id: long }], {
        cod: [['USD', '1.00']],
      }),
    ];
    await sync(folder, '--orders');
    for (const argv of [['check'], ['check', '--json'], ['report', 'mismatches'], ['report', 'orders'], ['changes']]) {
      const { code, stdout, stderr } = await remit(argv, { cwd: folder });
      expect([argv, code]).toEqual([argv, expect.toBeOneOf([0, 1, 3])]);
      const longest = Math.max(...`${stdout}${stderr}`.split('\n').map((line) => line.length));
      expect([argv, longest]).toEqual([argv, expect.toSatisfy((length: number) => length < 50_000)]);
    }
  });
});
