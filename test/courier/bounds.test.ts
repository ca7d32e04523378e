import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ContractError, InterruptedError } from '../../src/base/errors.ts';
import { against, answerJson, failureOf, type Handler, invoiceDetail, listItem, PROFILE, SHAPES } from './support.ts';

const MB = 1024 * 1024;

const gzipped =
  (body: Buffer): Handler =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(body);

const plain =
  (body: string): Handler =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);

describe('an answer beyond what is read', () => {
  test('that never ends is left at 32 MB, and its connection cut', async () => {
    let sent = 0;
    const endless: Handler = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = Buffer.alloc(MB, ' ');
      const more = () => {
        while (!response.destroyed && sent < 200) {
          sent++;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
      };
      more();
    };
    await against(endless, async (client, { seen }) => {
      const error = await failureOf(client.profile());
      expect(error).toBeInstanceOf(ContractError);
      expect(error.message).toMatch(/^GET \S+ answered with more than 32 MB; the rest was not read, and nothing kept$/);
      expect(error.hint).toContain('page_size');
      expect((error as ContractError).body).toBeNull();
      expect(seen).toHaveLength(1);
    });
    expect(sent).toBeLessThan(60);
  });

  // 233 kB of gzip that are 240 MB of `[],[],`, cut in half: if it were unpacked to its end, the message would be that
  // it cannot be.
  const bomb = gzipSync(Buffer.from(`[${'[],'.repeat(80 * MB)}1]`), { level: 9 });
  const half = bomb.subarray(0, bomb.length / 2);

  test('that unpacks to far more than it is is unpacked no further than its bound, and says so', async () => {
    await against(gzipped(half), async (client, { seen }) => {
      const error = await failureOf(client.profile());
      expect(error).toBeInstanceOf(ContractError);
      expect(error.message).toMatch(
        /answered \d+ kB that unpack to more than (256 times as much|32 MB); nothing was kept$/,
      );
      expect(seen).toHaveLength(1);
    });
  });

  test('that is dense but large is bounded by its size', async () => {
    const rows = Array.from({ length: 400_000 }, (_, i) => `"${(i * 2_654_435_761) % 2 ** 32}-${'x'.repeat(80)}"`);
    await against(gzipped(gzipSync(`[${rows.join()}]`)), async (client) => {
      const error = await failureOf(client.profile());
      expect(error.message).toMatch(/answered [\d.]+ MB that unpack to more than 32 MB; nothing was kept$/);
    });
  });

  test('that is small and all alike is read', async () => {
    const brand = 'x'.repeat(900_000);
    await against(gzipped(gzipSync(JSON.stringify({ ...PROFILE, brand }))), async (client) => {
      expect((await client.profile()).value.brand).toBe(brand);
    });
  });

  test('of millions of values is not parsed, and kept as it came', async () => {
    const body = `[${'[],'.repeat(3_000_000)}1]`;
    await against(plain(body), async (client, { seen }) => {
      const error = await failureOf(client.orders());
      expect(error).toBeInstanceOf(ContractError);
      expect(error.message).toMatch(/^GET \S+ answered more than 2,000,000 values in one document of 8\.6 MB$/);
      expect((error as ContractError).body?.length).toBe(body.length);
      expect(seen).toHaveLength(1);
    });
  });

  test('can be interrupted while it comes', async () => {
    const stop = new AbortController();
    const slowly: Handler = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(Buffer.alloc(MB / 4, ' ')), 5);
      response.on('close', () => clearInterval(timer));
      setTimeout(() => stop.abort(), 50);
    };
    await against(
      slowly,
      async (client) => expect(await failureOf(client.profile())).toBeInstanceOf(InterruptedError),
      { signal: stop.signal },
    );
  });

  test('in its headers is refused', async () => {
    await against(
      (response) => answerJson(response, PROFILE, 200, { 'x-long': 'y'.repeat(40_000) }),
      async (client) => {
        expect((await failureOf(client.profile())).message).toMatch(/answered with more than 16 kB of headers/);
      },
    );
  });
});

describe('a document nested 20,000 deep', () => {
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);

  test('as one row of a page is a fault of that row', async () => {
    const rows = [listItem(1), listItem(2), listItem(3)].map((row) => JSON.stringify(row));
    rows[1] = rows[1]?.replace('"PAID"', `"PAID","x":${deep}`) as string;
    await against(plain(`{"count":3,"next":null,"results":[${rows.join()}]}`), async (client) => {
      const { items } = await client.invoices();
      expect(items.map(({ ok }) => ok)).toEqual([true, false, true]);
      expect(items[1]).toMatchObject({
        fault: { message: 'results[1]: nested more than 64 levels deep' },
        raw: { number: 2, status: 'PAID' },
      });
      const walk = await client.walkInvoices({ year: 2026, month: 10 }, () => {});
      expect(walk).toEqual({ complete: true, statedCount: 3, seenCount: 3, walks: 1 });
    });
  });

  test('as a whole is refused, and kept as it came', async () => {
    const body = JSON.stringify(invoiceDetail(1)).replace('"PAID"', `"PAID","x":${deep}`);
    await against(plain(body), async (client) => {
      const error = (await failureOf(client.invoice(1))) as ContractError;
      expect(error).toBeInstanceOf(ContractError);
      expect(error.message).toBe('the document is nested more than 64 levels deep');
      expect(error.body?.toString()).toBe(body);
    });
  });

  test('as an error is told by its status', async () => {
    await against(
      (response) => response.writeHead(400, { 'content-type': 'application/json' }).end(`{"message":${deep}}`),
      async (client) => expect((await failureOf(client.profile())).message).toMatch(/was refused with 400/),
    );
  });
});

test('a page of 5,000 orders is read', async () => {
  const order = { workflow: 'RETURN', cod: [['USD', '1.00']], delivery_state: 'CREATED', payment_state: 'UNPAID' };
  const orders = Array.from({ length: 5_000 }, (_, i) => ({ ...order, order_id: `A${i}`, notes: 'x'.repeat(1_000) }));
  await against(plain(JSON.stringify(SHAPES.wrapper(orders, 5_000, null))), async (client) => {
    let read = 0;
    const walk = await client.walkOrders((page) => {
      read += page.items.filter(({ ok }) => ok).length;
    });
    expect([walk.complete, walk.seenCount, read]).toEqual([true, 5_000, 5_000]);
  });
});

test('a name of 20 MB makes a message of no more than a line', async () => {
  const name = `\u001b[2J${'x'.repeat(20 * MB)}`;
  await against(
    (response, { url }) =>
      url.includes('profile')
        ? answerJson(response, { message: name }, 400)
        : answerJson(
            response,
            SHAPES.flat([listItem(1, { cod: [['USD', name]] }), listItem(2, { cod: [[name, '1']] })], 2, name),
          ),
    async (client) => {
      const messages = [(await failureOf(client.profile())).message];
      const page = await client.invoices().catch((error: Error) => error);
      if (page instanceof Error) messages.push(page.message);
      else for (const item of page.items) if (!item.ok) messages.push(item.fault.message);
      expect(messages.length).toBeGreaterThan(1);
      for (const message of messages) {
        expect(message.length).toBeLessThan(700);
        expect(message).not.toContain('\u001b');
      }
    },
  );
});
