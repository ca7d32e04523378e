import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Operation, operations } from '../../src/api/operations.ts';
import { openDatabase, type SqliteDatabase } from '../../src/base/sqlite.ts';
import { countInputs } from '../helpers/fuzzed.ts';
import { Api, formFields, type Reply } from './api.ts';
import { newCustomer, newLocation } from './makers.ts';
import { isForeign, startTarget, type Target } from './server.ts';
import { GARBAGE, nearly } from './wild.ts';

/** How many answers of each kind are made up; more with REMIT_API_RUNS. */
const RUNS = Number(process.env.REMIT_API_RUNS ?? 50);
const count = countInputs('requests');

const writes = Object.entries<Operation>(operations).filter(([, { body }]) => body !== null);

let target: Target;
let api: Api;
/** The paths' ids: things that exist. */
let ids: Record<string, number>;
let database: SqliteDatabase | null;

beforeAll(async () => {
  target = await startTarget();
  api = await Api.open(target);
  const customer = await newCustomer(api);
  const location = await newLocation(api, customer.id);
  ids = { id: customer.id, customer_pk: customer.id, location_pk: location.id };
  database = target.sandbox && openDatabase(target.sandbox.file, { readonly: true });
});

afterAll(async () => {
  database?.close();
  await api?.close();
  await target?.close();
});

const filled = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));

/** A mark of all that the server holds, which any change of a row changes. */
async function mark(): Promise<unknown> {
  if (database !== null) return database.pragma('data_version', { simple: true });
  return Promise.all(['orders/', 'customers/', `customers/${ids.id}/locations/`].map((path) => api.read(path)));
}

/** Every row of every table of the sandbox's file. */
function everyRow(from: SqliteDatabase): string {
  const tables = from.prepare("select name from sqlite_schema where type = 'table' order by name").pluck().all();
  return JSON.stringify(tables.map((name) => [name, from.prepare(`select * from "${name}"`).all()]));
}

/** An answer within patience, none of the server's failures; and where it is a refusal, nothing changed. */
async function withstands(send: () => Promise<Reply>): Promise<number> {
  count();
  const before = await mark();
  const { status, text } = await send();
  expect(status, text).toBeLessThan(500);
  expect(status, text).not.toBe(401);
  if (status >= 400) expect(await mark(), text).toEqual(before);
  return status;
}

const encodings = ['json', 'form', 'multipart'] as const;

/** The text as a body of that encoding; forms get what JSON reads of it. */
function bodyOf(encoding: (typeof encodings)[number], text: string) {
  if (encoding === 'json') return { raw: text, headers: { 'Content-Type': 'application/json' } };
  return { [encoding]: formFields(JSON.parse(text)).map(([name, value]) => [name, value.toWellFormed()] as const) };
}

describe('Bodies near their schema', () => {
  test.each(writes)('%s: never a failure of the server, and a refusal changes nothing', async (_name, operation) => {
    const { method, path, body } = operation as Operation & { body: NonNullable<Operation['body']> };
    const wild = fc.oneof(
      { weight: 1, arbitrary: nearly(body, 0) },
      { weight: 2, arbitrary: nearly(body, 3) },
      { weight: 1, arbitrary: nearly(body, 30) },
    );
    const statuses = new Set<string>();
    await fc.assert(
      fc.asyncProperty(wild, fc.constantFrom(...encodings), async (text, encoding) => {
        const status = await withstands(() => api.call(method, filled(path), bodyOf(encoding, text)));
        statuses.add(status < 300 ? 'taken' : 'refused');
      }),
      { numRuns: RUNS },
    );
    // A fuzz that is only ever refused would prove little, and so would one that is always taken.
    if (!isForeign) expect([...statuses].sort()).toEqual(['refused', 'taken']);
  });
});

describe('Bodies of no schema', () => {
  test.each(writes)('%s: garbage is refused, in the form of errors, and changes nothing', async (_name, operation) => {
    const { method, path } = operation;
    const before = database && everyRow(database);
    for (const [type, body] of GARBAGE) {
      const sent = { raw: body, headers: { 'Content-Type': type } };
      const reply = await api.call(method, filled(path), sent);
      const what = `${type} ${String(body).slice(0, 60)}: ${reply.text}`;
      expect(reply.status, what).toBeLessThan(500);
      // What holds no known field is no fault where none is needed.
      if (method === 'POST') expect(reply.status, what).toBeGreaterThanOrEqual(400);
    }
    if (database !== null && method === 'POST') expect(everyRow(database)).toBe(before);
  });

  test('random bytes of any content type are refused and change nothing', async () => {
    const types = [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=b',
      'text/html',
      '*/*',
    ];
    const write = fc.constantFrom(
      ...writes.map(([, operation]) => operation).filter(({ method }) => method === 'POST'),
    );
    await fc.assert(
      fc.asyncProperty(
        write,
        fc.constantFrom(...types),
        fc.uint8Array({ maxLength: 200 }),
        async (operation, type, bytes) => {
          const sent = { raw: Buffer.from(bytes), headers: { 'Content-Type': type } };
          expect(
            await withstands(() => api.call(operation.method, filled(operation.path), sent)),
          ).toBeGreaterThanOrEqual(400);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('a body cut off at any byte is refused and changes nothing', async () => {
    const whole = JSON.stringify({ name: 'طارق', phone_number: '+96170000001', email: 'a@example.com' });
    const bytes = Buffer.from(whole);
    for (let length = 1; length < bytes.length; length++) {
      const sent = { raw: bytes.subarray(0, length), headers: { 'Content-Type': 'application/json' } };
      expect(await withstands(() => api.call('POST', 'customers/', sent))).toBe(400);
    }
  });
});

describe('Bodies beyond the limit', () => {
  const text = 'x'.repeat(10 * 2 ** 20);
  const bodies = {
    json: { json: { phone_number: '1', name: text } },
    form: { form: [['name', text]] as const },
    multipart: { multipart: [['name', text]] as const },
    'many fields of a form': { form: Array.from({ length: 200_000 }, (_, i) => [`f${i}`, '0123456789'] as const) },
    'text of no kind': { raw: text, headers: { 'Content-Type': 'application/json' } },
  };

  test.each(writes)('%s: 10 MB are 413 in the form of errors, in every encoding', async (_name, { method, path }) => {
    for (const [name, sent] of Object.entries(bodies)) {
      const reply = await api.call<{ message: string }>(method, filled(path), sent);
      if (isForeign) expect(reply.status, name).toBeLessThan(500);
      else expect([name, reply.status, reply.body.message]).toEqual([name, 413, 'Request too large.']);
    }
  });

  test('10 MB of unknown length are refused too', async () => {
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b']) {
      const isMultipart = type.startsWith('multipart');
      const head = isMultipart ? '--b\r\ncontent-disposition: form-data; name="name"\r\n\r\n' : 'name=';
      const pieces = Array.from({ length: 160 }, () => 'x'.repeat(2 ** 16));
      const status = await withstands(() =>
        api.call('POST', 'customers/', {
          stream: [head, ...pieces, isMultipart ? '\r\n--b--\r\n' : ''],
          headers: { 'Content-Type': type },
        }),
      );
      if (!isForeign) expect(status, type).toBe(413);
    }
  });
});

describe('Addresses', () => {
  const odd = fc.oneof(
    fc.string({ unit: 'binary' }).map((text) => encodeURIComponent(text.toWellFormed())),
    fc.constantFrom(
      '%00',
      '%FF',
      '%',
      '..',
      '.',
      '%2e%2e',
      '9'.repeat(400),
      "'%20or%201=1--",
      '__proto__',
      '-1',
      '1e3',
    ),
  );

  test('odd ids and queries are refused or answered, never a failure of the server', async () => {
    const all = Object.values<Operation>(operations);
    const names = [
      ...new Set(all.flatMap(({ query }) => Object.keys(query.properties))),
      'colour',
      '__proto__',
      'page[]',
    ];
    const query = fc.array(fc.tuple(fc.constantFrom(...names), odd), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...all), odd, query, async ({ method, path }, id, pairs) => {
        const at = path.replaceAll(/\{\w+\}/g, id).replace(/\/\.\.?\//, '/%2e/');
        const search = pairs.map(([name, value]) => `${name}=${value}`).join('&');
        await withstands(() => api.send(method, new URL(`${at}?${search}`, target.url)));
      }),
      { numRuns: RUNS },
    );
  });
});

test('after all of this the server answers as before', async () => {
  expect((await api.get('profile/')).status).toBe(200);
  if (database !== null) expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
});
