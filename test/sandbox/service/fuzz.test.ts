import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countInputs } from '../../helpers/fuzzed.ts';
import { contents, orderBody, runService } from './support.ts';

/** How many answers of each kind are made up; more with REMIT_API_RUNS. */
const RUNS = Number(process.env.REMIT_API_RUNS ?? 50);
const count = countInputs('requests');

const PATHS = ['orders/', 'customers/', 'areas/create/', 'customers/1/locations/'];
const deep = (open: string, close: string) => open.repeat(200_000) + close.repeat(200_000);

const garbage: string[] = [
  deep('[', ']'),
  deep('{"a":', '}'),
  `{"merchant_location":${deep('[', ']')},"workflow":${deep('[', ']')}}`,
  '{"customer":{"id":9223372036854775808},"merchant_location":1e400,"number_of_packages":1e308}',
  '{"customer":{"id":-1},"merchant_location":9007199254740993,"customer_location":{"id":-9007199254740993}}',
  '{"__proto__":{"merchant_location":1},"constructor":{"prototype":{"x":1}},"customer":{"__proto__":{"id":1}}}',
  '{"name":"a","name":"b","phone_number":null,"phone_number":["1"]}',
  '{"name":"\\u0000","phone_number":"\\ud800"}',
  '{"lat":1e400,"lng":-1e400,"name":""}',
  '{"cod":[[],[[]],["USD"],["USD","1","2"],{"0":"USD"},"USD"]}',
  `{"cod":[${'["USD","x"],'.repeat(50_000)}0]}`,
  `{"cod":[${'1,'.repeat(60)}null]}`,
  `{"phone_number":"1","email":"${'a@'.repeat(400_000)}"}`,
  'null',
  'true',
  '"text"',
  '1e999',
  '\ufeff{}',
  '{"a":1}{"b":2}',
];

const forms: string[] = [
  '__proto__[polluted]=1&constructor[prototype][polluted]=1&customer[__proto__][id]=1',
  'customer=1&customer[id]=2&customer[id]=3&merchant_location[]=1',
  'cod[999999999][0]=USD&cod[length]=5',
  'cod[0][0][0][0][0]=1',
  '%FF%FE=%00&name=%ED%A0%80&phone_number=%00',
  '&&&===&[]=&[[]]=1&a[=1&]=2',
  `customer=${encodeURIComponent(deep('[', ']').slice(0, 300_000))}`,
  'lat=1e5&lng=Infinity&name=NaN',
];

test('bodies of garbage get a 4xx in the error form, soon, and change nothing', async () => {
  const { send, post, pickup, store } = await runService();
  await post('orders/', orderBody(pickup));
  const before = contents(store);
  const bodies = [
    ...garbage.map((body) => ['application/json', body] as const),
    ...forms.map((body) => ['application/x-www-form-urlencoded', body] as const),
  ];
  for (const path of PATHS) {
    for (const [type, body] of bodies) {
      const init = { method: 'POST', body, headers: { 'content-type': type }, signal: AbortSignal.timeout(60_000) };
      const answer = await send(path, init);
      expect([answer.status, path, body.slice(0, 80)]).toEqual([expect.toSatisfy(is4xx), path, body.slice(0, 80)]);
      expect(answer.body).toMatchObject({ message: expect.any(String), details: expect.any(String) });
    }
  }
  expect(contents(store)).toBe(before);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

const is4xx = (status: number) => status >= 400 && status < 500;

test('any JSON in any field is accepted or refused, never a failure', async () => {
  const { post, pickup, store } = await runService();
  const fields = [
    ...['merchant_location', 'customer', 'customer_location', 'reference_id', 'is_critical', 'is_exchange', 'workflow'],
    ...['cod', 'number_of_packages', 'description', 'notes', 'return_reason'],
  ];
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.record(
      { id: fc.jsonValue(), phone_number: fc.jsonValue(), name: fc.string({ unit: 'binary' }) },
      { requiredKeys: [] },
    ),
    fc.record(
      { id: fc.jsonValue(), area: fc.oneof(fc.jsonValue(), fc.record({ id: fc.jsonValue() })) },
      { requiredKeys: [] },
    ),
    fc.array(fc.array(fc.oneof(fc.string(), fc.constantFrom('USD', '1.00', '-1', '1e5')), { maxLength: 3 }), {
      maxLength: 4,
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...fields), odd, async (field, value) => {
      count();
      const before = contents(store);
      const { status, body } = await post('orders/', orderBody(pickup, { [field]: value }));
      expect([201, 400, 404]).toContain(status);
      if (status !== 201) {
        expect(body).toMatchObject({ error: 'true', details: expect.stringContaining(field) });
        expect(contents(store)).toBe(before);
      }
    }),
    { numRuns: RUNS },
  );
});

test('odd paths and queries are refused, never a failure', async () => {
  const { url, key } = await runService();
  const odd = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('..', '%00', '%FF', '%', '9'.repeat(400), "' or 1=1 --"),
  );
  const template = fc.constantFrom(
    ['orders/', '/'],
    ['customers/', '/'],
    ['invoices/', '/'],
    ['invoices/?year=', ''],
    ['orders/?page=', '&page_size=1'],
    ['customers/?phone_number=', ''],
  );
  await fc.assert(
    fc.asyncProperty(template, odd, fc.boolean(), async ([before, after], text, encoded) => {
      const part = encoded ? encodeURIComponent(text.toWellFormed()) : text.replace(/[\s#?]/g, '');
      count();
      const response = await fetch(`${url}${before}${part}${after}`, { headers: { 'x-api-key': key } });
      expect(response.status).toBeLessThan(500);
      expect(await response.json()).toBeTypeOf('object');
    }),
    { numRuns: RUNS },
  );
});
