import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../src/courier/index.ts';
import { API_KEY, answerJson, type Handler, PROFILE, type Seen, usingServer } from '../../courier/support.ts';
import { remit } from '../../helpers/cli.ts';
import { scratchFolder } from '../../helpers/folder.ts';

const ORDER = { order_id: 'A1', workflow: 'STANDARD', cod: [], delivery_state: 'CREATED', payment_state: 'UNPAID' };

interface Options {
  operation?: string;
  pairs?: readonly string[];
  body?: string;
  dryRun?: boolean;
  json?: boolean;
}

interface Run {
  code: number;
  out: string;
  err: string;
  seen: Seen[];
}

/** Runs the command against a server; `files` are those that can be read. */
function api(
  { operation, pairs = [], body, dryRun, json }: Options,
  handler: Handler = (response) => answerJson(response, ORDER),
  files: Record<string, string> = {},
): Promise<Run> {
  const cwd = scratchFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(cwd, name), text);
  return usingServer(handler, async ({ baseUrl, seen }) => {
    const argv = [
      'api',
      ...(json ? ['--json'] : []),
      ...(dryRun ? ['--dry-run'] : []),
      ...(body === undefined ? [] : ['--body', body]),
      ...(operation === undefined ? [] : ['--', operation, ...pairs]),
    ];
    const { code, stdout, stderr } = await remit(argv, {
      cwd,
      env: { REMIT_API_URL: baseUrl, REMIT_API_KEY: API_KEY },
    });
    return { code, out: stdout, err: stderr, seen };
  });
}

/** The one request that the options make. */
async function sent(options: Options, files?: Record<string, string>): Promise<string> {
  const { seen } = await api(options, (response) => answerJson(response, { ...ORDER, id: 1, results: [] }), files);
  expect(seen).toHaveLength(1);
  const [{ method, url, body } = {} as Seen] = seen;
  return `${method} ${url.replace('/v1/external', '')} ${body}`.trim();
}

test('without an operation it lists all 18 with their parameters', async () => {
  const { out, code, seen } = await api({});
  for (const [name, { path }] of Object.entries(operations))
    expect(out).toMatch(new RegExp(`^${name} .*/${path}$`, 'm'));
  expect(out).toContain('customer.phone_number?=text');
  expect(out).toContain('workflow?=STANDARD|RETURN');
  expect(out).toContain('invoice_number=integer');
  const rows = JSON.parse((await api({ json: true })).out);
  expect(rows).toHaveLength(18);
  expect(rows[0]).toEqual({
    operation: 'profile',
    method: 'GET',
    path: '/profile/',
    summary: expect.any(String),
    parameters: [],
  });
  expect([code, seen]).toEqual([0, []]);
});

describe('key=value fills path, query and body by the schema', () => {
  test.each<[string, string[], string]>([
    ['invoices', ['year=2026', 'month=10', 'page_size=5'], 'GET /invoices/?year=2026&month=10&page_size=5'],
    ['order', ['order_id=A/1=x'], 'GET /orders/A%2F1%3Dx/'],
    ['request-pickup', ['order_id=A1'], 'POST /orders/A1/request-pickup/'],
    [
      'customers',
      ['phone_number=+961 3', 'include_locations=true'],
      'GET /customers/?phone_number=%2B961+3&include_locations=true',
    ],
    ['customers', ['query.with_locations=1'], 'GET /customers/?with_locations=1'],
    [
      'updateCustomer',
      ['id=5', 'name=', 'secondary_phone_number=null'],
      'PATCH /customers/5/ {"name":"","secondary_phone_number":null}',
    ],
    ['createArea', ['lat=33.9', 'lng=-35', 'name=3'], 'POST /areas/create/ {"lat":33.9,"lng":-35,"name":"3"}'],
    [
      'createOrder',
      [
        'merchant_location=3',
        'customer.phone_number=007',
        'customer.name=a=b',
        'is_critical=false',
        'customer_location.area.id=9',
        'cod=[["USD","25.00"]]',
        'workflow=RETURN',
      ],
      'POST /orders/ {"merchant_location":3,"customer":{"phone_number":"007","name":"a=b"},"is_critical":false,"customer_location":{"area":{"id":9}},"cod":[["USD","25.00"]],"workflow":"RETURN"}',
    ],
    ['create_customer', [], 'POST /customers/ {}'],
  ])('%s %j', async (operation, pairs, expected) => {
    expect(await sent({ operation, pairs })).toBe(expected);
  });

  test('over a body given as JSON or as a file', async () => {
    const body = '{"customer":{"id":5,"name":"old"},"cod":[["USD","1.00"]]}';
    const expected = 'POST /orders/ {"customer":{"id":5,"name":"new"},"cod":[["USD","1.00"]],"merchant_location":2}';
    const pairs = ['customer.name=new', 'merchant_location=2'];
    expect(await sent({ operation: 'createOrder', pairs, body })).toBe(expected);
    expect(await sent({ operation: 'createOrder', pairs, body: '@order.json' }, { 'order.json': body })).toBe(expected);
  });
});

describe('what does not fit is refused before anything is sent', () => {
  test.each<[string, string[], string | undefined, RegExp]>([
    ['invoise', [], undefined, /no operation "invoise".*Did you mean invoice or invoices\?/],
    ['location', [], undefined, /Did you mean .*customerLocations/],
    ['xyzzy', [], undefined, /no operation "xyzzy".*`remit api` lists all 18/],
    ['__proto__', [], undefined, /no operation/],
    ['order', ['A1'], undefined, /"A1" is not key=value.*Write order_id=A1\./],
    ['order', [], undefined, /order_id is missing/],
    ['invoice', ['invoice_number=abc'], undefined, /invoice_number takes integer, not "abc"/],
    ['invoices', ['yaer=2026'], undefined, /GET \/invoices\/ has no "yaer".*It takes year, month, page, page_size\./],
    ['createOrder', ['customer.phone=1'], undefined, /has no "customer.phone".*customer\.phone_number/],
    ['createOrder', ['customer.__proto__.x=1'], undefined, /has no "customer.__proto__.x"/],
    ['createOrder', ['is_critical=yes'], undefined, /is_critical takes true\|false, not "yes"/],
    ['createOrder', ['workflow=RETRUN'], undefined, /workflow takes one of STANDARD, RETURN, not "RETRUN"/],
    ['createOrder', ['cod=25'], undefined, /cod takes JSON, not "25".*Write cod='\[\["USD","25\.00"\]\]'\./],
    ['createOrder', [], '[1]', /the body is not a JSON object/],
    ['createOrder', [], '{', /the body is not a JSON object/],
    ['order', ['order_id=A1'], '{}', /takes no body/],
  ])('%s %j %s', async (operation, pairs, body, message) => {
    const { code, err, seen } = await api({ operation, pairs, ...(body === undefined ? {} : { body }) });
    expect(err.replace('\n  → ', ' ')).toMatch(message);
    expect([code, seen]).toEqual([2, []]);
  });
});

describe('--dry-run', () => {
  const options = { operation: 'createCustomer', pairs: ['phone_number=1', 'name=ليلى'], dryRun: true };

  test('prints the request with the key masked, and sends nothing', async () => {
    const { out, seen, code } = await api(options);
    expect(out).toMatch(
      /^POST http:\/\/127\.0\.0\.1:\d+\/v1\/external\/customers\/\nX-Api-Key: \*{8}\nAccept: application\/json\n/,
    );
    expect(out).toMatch(/\nContent-Type: application\/json\n\n\{\n {2}"phone_number": "1",\n {2}"name": "ليلى"\n\}\n$/);
    expect(out).not.toContain(API_KEY);
    expect([seen, code]).toEqual([[], 0]);
  });

  test('and as JSON', async () => {
    const { out } = await api({ ...options, json: true });
    expect(JSON.parse(out)).toMatchObject({
      method: 'POST',
      headers: { 'X-Api-Key': '********' },
      body: { phone_number: '1', name: 'ليلى' },
    });
  });
});

describe('the answer', () => {
  test('is printed indented, what a terminal would obey as escapes', async () => {
    const { out } = await api({ operation: 'profile' }, (response) =>
      answerJson(response, { ...PROFILE, brand: 'x\u001b[2J\u202e\u009b' }),
    );
    expect(JSON.parse(out)).toEqual({ ...PROFILE, brand: 'x\u001b[2J\u202e\u009b' });
    expect(out).toContain('\n  "brand": "x\\u001b[2J\\u202e\\u009b",\n');
  });

  test('with --json is printed exactly as received', async () => {
    const body = '{"organisation_name":"x",  "exact": 12345678901234567890.10}';
    const { out } = await api({ operation: 'profile', json: true }, (response) =>
      response.setHeader('content-type', 'application/json').end(body),
    );
    expect(out).toBe(`${body}\n`);
  });

  test('without a body is told', async () => {
    const handler: Handler = (response) => response.writeHead(204).end();
    const options = { operation: 'cancelOrder', pairs: ['order_id=A1'] };
    expect((await api(options, handler)).out).toBe('Done (204); the answer has no body.\n');
    expect((await api({ ...options, json: true }, handler)).out).toBe('null\n');
  });

  test('names items that cannot be read on standard error, and ends with 1', async () => {
    const results = [ORDER, { ...ORDER, cod: [['USD', '1,5']] }];
    const run = await api({ operation: 'orders' }, (response) =>
      answerJson(response, { count: 2, next: null, results }),
    );
    expect(run).toMatchObject({ code: 1, err: 'remit: results[1].cod[0][1]: "1,5" is not a decimal amount\n' });
    expect(JSON.parse(run.out).results).toEqual(results);
  });
});
