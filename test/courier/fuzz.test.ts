import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Client, RemitError } from '../../src/courier/index.ts';
import { countInputs } from '../helpers/fuzzed.ts';
import { invoiceDetail, listItem, PROFILE, SHAPES, usingClient, usingServer } from './support.ts';

/** How many damaged answers of each kind; more with REMIT_ANSWER_RUNS. */
const RUNS = Number(process.env.REMIT_ANSWER_RUNS ?? 60);
const count = countInputs('answers');

const order = (order_id: string) => ({
  order_id,
  workflow: 'STANDARD',
  delivery_state: 'DELIVERED',
  payment_state: 'UNPAID',
  cod: [['USD', '61.25']],
  delivery_fee: [['LBP', '150000.00']],
  statestamps: [],
});

const ANSWERS: readonly (readonly [name: string, body: object, read: (client: Client) => Promise<unknown>])[] = [
  ['a profile', PROFILE, (client) => client.profile()],
  ['an invoice', invoiceDetail(7), async (client) => (await client.invoice(7)).value],
  ['a month', SHAPES.flat([listItem(7), listItem(8)], 2, null), (client) => pages(client)],
  ['an order book', SHAPES.wrapper([order('A1'), order('A2')], 2, null), (client) => book(client)],
];

async function pages(client: Client): Promise<unknown[]> {
  const items: unknown[] = [];
  await client.walkInvoices({ year: 2026, month: 10 }, (page) => void items.push(...page.items));
  return items;
}

async function book(client: Client): Promise<unknown[]> {
  const items: unknown[] = [];
  await client.walkOrderBook(
    () => undefined,
    (page) => void items.push(...page.items),
  );
  return items;
}

/** A body cut off, with other bits, with pieces moved or replaced, or of no kind at all. */
const damage = (whole: Buffer) => {
  const at = fc.nat(whole.length);
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.constantFrom('null', '-', '1e9', '[[', '"', '\\u0000'),
  );
  return fc.oneof(
    at.map((length) => whole.subarray(0, length)),
    fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(7)), { minLength: 1, maxLength: 4 }).map((bits) => {
      const other = Buffer.from(whole);
      for (const [place, bit] of bits) other[place]! ^= 1 << bit;
      return other;
    }),
    fc
      .tuple(at, fc.nat(40), text)
      .map(([from, length, piece]) =>
        Buffer.concat([whole.subarray(0, from), Buffer.from(piece), whole.subarray(from + length)]),
      ),
    fc
      .tuple(at, at, fc.nat(60))
      .map(([from, to, length]) =>
        Buffer.concat([whole.subarray(0, to), whole.subarray(from, from + length), whole.subarray(to)]),
      ),
    fc.json().map((json) => Buffer.from(json)),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  );
};

test.each(ANSWERS)(
  '%s that was damaged on its way is refused in a sentence, or read as it stands',
  async (_, body, read) => {
    const whole = Buffer.from(JSON.stringify(body));
    let sent: Buffer = whole;
    let [taken, refused] = [0, 0];
    await usingServer(
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(sent),
      ({ baseUrl }) =>
        usingClient(
          baseUrl,
          (client) =>
            fc.assert(
              fc.asyncProperty(damage(whole), async (bytes) => {
                sent = bytes;
                count();
                try {
                  const said = JSON.stringify(await read(client));
                  taken += 1;
                  for (const [, amount] of said.matchAll(/"(?:USD|LBP)","(-?[\d.]+)"/g))
                    expect(bytes.toString()).toContain(amount);
                } catch (error) {
                  if (!(error instanceof RemitError)) throw error;
                  refused += 1;
                  expect([error.message, error.hint]).not.toContain('');
                }
              }),
              { numRuns: RUNS },
            ),
          { maxAttempts: 1 },
        ),
    );
    expect([taken, refused]).not.toContain(0);
  },
);
