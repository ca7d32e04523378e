import { KindGuard, type TSchema } from '@sinclair/typebox';
import fc from 'fast-check';

/** JSON texts that no field means: of wrong types, beyond what is kept, or of names that JavaScript gives a sense. */
const ODD_TEXTS = [
  'null',
  'true',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e400',
  '-1e400',
  '1e-400',
  '2147483648',
  '9007199254740993',
  '123456789012345678901234567890',
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u202e\\ufeff"',
  '"__proto__"',
  '"1e5"',
  '"0x10"',
  '"NaN"',
  '"-0.00"',
  '"\'; drop table customer; --"',
  '[]',
  '{}',
  '[[[[[]]]]]',
  '{"__proto__":{"id":1},"constructor":{"prototype":{"id":1}}}',
  '{"length":3,"0":"USD","1":"1.00"}',
  `"${'x'.repeat(5_000)}"`,
];

const odd = fc.oneof(
  fc.constantFrom(...ODD_TEXTS),
  fc.json({ maxDepth: 3 }),
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
);

/** Members that no schema has, or that stand twice. */
const strayMember = fc.tuple(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '',
    '\u0000',
    'id',
    'length',
    'merchant_id',
  ),
  odd,
);

/** Plausible texts for fields whose schema says less than the rules do, so that some bodies come through. */
const HINTS: Record<string, fc.Arbitrary<string>> = {
  merchant_location: fc.integer({ min: 1, max: 3 }).map(String),
  phone_number: fc.integer({ min: 0, max: 30 }).map((n) => `"+96170${n}"`),
  email: fc.constantFrom('""', '"a@example.com"'),
  district: fc.constantFrom('"Beirut"', '"Akkar"'),
  id: fc.integer({ min: 1, max: 40 }).map(String),
  cod: fc.constantFrom('[]', '[["USD","12.50"]]', '[["USD","1"],["LBP","90000"]]'),
};

/**
 * JSON texts that a schema describes, or nearly: each value may be odd, each member missing, doubled or a stray one.
 * Texts rather than values, because a value cannot hold a member twice, a number beyond its range, or `__proto__` as a
 * name.
 *
 * @param oddity how many of a hundred values are odd ones
 */
export function nearly(schema: TSchema, oddity: number, name = ''): fc.Arbitrary<string> {
  const plain = HINTS[name] ?? described(schema, oddity);
  if (oddity === 0) return plain;
  return fc.oneof({ weight: 100 - oddity, arbitrary: plain }, { weight: oddity, arbitrary: odd });
}

function described(schema: TSchema, oddity: number): fc.Arbitrary<string> {
  if (KindGuard.IsUnion(schema)) return fc.oneof(...schema.anyOf.map((option) => described(option, oddity)));
  if (KindGuard.IsLiteral(schema)) return fc.constant(JSON.stringify(schema.const));
  if (KindGuard.IsNull(schema)) return fc.constant('null');
  if (KindGuard.IsBoolean(schema)) return fc.boolean().map(String);
  if (KindGuard.IsInteger(schema)) return fc.integer({ min: Number(schema.minimum ?? -10), max: 1_000 }).map(String);
  if (KindGuard.IsNumber(schema)) return fc.double({ min: -80, max: 80, noNaN: true }).map((n) => JSON.stringify(n));
  if (KindGuard.IsString(schema)) {
    const { pattern, maxLength = 40 } = schema;
    const text =
      pattern === undefined ? fc.string({ unit: 'grapheme', maxLength }) : fc.stringMatching(new RegExp(pattern));
    return text.map((value) => JSON.stringify(value));
  }
  if (KindGuard.IsArray(schema)) {
    return fc.array(nearly(schema.items, oddity), { maxLength: 3 }).map((items) => `[${items.join(',')}]`);
  }
  if (KindGuard.IsObject(schema)) return members(schema.properties, new Set(schema.required), oddity);
  throw new Error('the request schemas use a kind that is not generated yet');
}

function members(
  properties: Record<string, TSchema>,
  required: ReadonlySet<string>,
  oddity: number,
): fc.Arbitrary<string> {
  const fields = Object.entries(properties).map(([name, inner]) => {
    const member = nearly(inner, oddity, name).map((text): [string, string][] => [[name, text]]);
    const left = required.has(name) ? oddity : 40;
    if (left === 0) return member;
    return fc.oneof({ weight: 100 - left, arbitrary: member }, { weight: left, arbitrary: fc.constant([]) });
  });
  const strays = fc.array(strayMember, { maxLength: oddity === 0 ? 0 : 2 });
  return fc.tuple(fc.tuple(...fields), strays, fc.boolean()).map(([known, stray, twice]) => {
    const all = [...known.flat(), ...stray];
    const doubled = twice && oddity > 0 ? [...all, ...all.slice(0, 1)] : all;
    return `{${doubled.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
  });
}

const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

/** Bodies that no encoding describes, each with the content type that it claims. */
export const GARBAGE: readonly (readonly [type: string, body: string | Buffer])[] = [
  ...[
    '',
    '{',
    '[',
    '}',
    'nul',
    '"',
    "{'a':1}",
    '{"a":1}{"b":2}',
    '1e999',
    '\ufeff{}',
    '\u0000',
    'NaN',
    'undefined',
  ].map((text) => ['application/json', text] as const),
  ['application/json', deep('[', ']', 100_000)],
  ['application/json', deep('{"area":', '}', 60_000)],
  ['application/json', `{"customer":${deep('[', ']', 100_000)},"area":${deep('[', ']', 100_000)}}`],
  ['application/json', `{"cod":[${'["USD","x"],'.repeat(40_000)}0]}`],
  ['application/json', `{${'"a":1,'.repeat(100_000)}"a":1}`],
  ['application/json', `{"phone_number":"1","email":"${'a@'.repeat(200_000)}"}`],
  ['application/json', Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
  ['application/json; charset=utf-16', Buffer.from('{"name":"a"}', 'utf16le')],
  ['application/json; charset=utf-8; boundary=x', '{"name":5}'],
  ['application/x-www-form-urlencoded', deep('a[', ']', 10_000)],
  ['application/x-www-form-urlencoded', `${'a=1&'.repeat(20_000)}a=1`],
  ['application/x-www-form-urlencoded', 'cod[999999999][0]=USD&cod[length]=4294967295&cod[-1]=x'],
  ['application/x-www-form-urlencoded', '__proto__[polluted]=1&constructor[prototype][polluted]=1&toString=1'],
  ['application/x-www-form-urlencoded', '%FF%FE=%00&name=%ED%A0%80&%=%&&&==&[]=&a[=1'],
  ['application/x-www-form-urlencoded', `customer=${encodeURIComponent(deep('[', ']', 50_000))}`],
  ['multipart/form-data', 'no boundary'],
  ['multipart/form-data; boundary=b', ''],
  ['multipart/form-data; boundary=b', 'not multipart at all'],
  ['multipart/form-data; boundary=b', '--b\r\ncontent-disposition: form-data; name="name"\r\n\r\nnever ended'],
  ['multipart/form-data; boundary=b', '--b\r\ncontent-disposition: form-data\r\n\r\nnameless\r\n--b--\r\n'],
  [
    'multipart/form-data; boundary=b',
    `${'--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(5_000)}--b--\r\n`,
  ],
  [
    'multipart/form-data; boundary=b',
    '--b\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\n{"polluted":1}\r\n--b--\r\n',
  ],
  [`multipart/form-data; boundary=${'b'.repeat(3_000)}`, '--b--'],
  ['application/json, text/plain', '{}'],
  ['application/xml', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
  ['application/octet-stream', Buffer.alloc(1_000, 0xff)],
  ['text/plain', '{}'],
  ['nonsense', '{}'],
  [';;;', '{}'],
];
