import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { unsealBody } from '../../src/ledger/index.ts';
import { remit } from '../helpers/cli.ts';
import { type FakeCourier, type FakeWorld, invoiceOf, type Pair, send, startFakeCourier } from '../helpers/courier.ts';
import { dumpLedger, execute, expectVerified, query, syncInto, temporaryFolder } from '../helpers/sync.ts';

const open: FakeCourier[] = [];
async function courier(world: Partial<FakeWorld>): Promise<FakeCourier> {
  const started = await startFakeCourier(world);
  open.push(started);
  return started;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const ledgerFile = () => path.join(temporaryFolder(), 'ledger.db');
const row = (id: string, cod: Pair[], fee: Pair[] = [['USD', '3.00']]) => ({
  order_id: id,
  reference_id: `ref-${id}`,
  cod,
  delivery_fee: fee,
});
const october = (number: number, ...ids: string[]) =>
  invoiceOf(
    number,
    '2026-10-12T09:00:00.000000+03:00',
    ids.map((id) =>
      row(id, [
        ['USD', '25.10'],
        ['LBP', '1350000.00'],
      ]),
    ),
  );

describe('what lands in the ledger', () => {
  test.each(['flat', 'array', 'wrapper', 'object'] as const)('the same rows from %s results', async (shape) => {
    const file = ledgerFile();
    const invoices = Array.from({ length: 7 }, (_, i) => october(100 + i, `A${i}`, `B${i}`));
    const server = await courier({ shape, pageSize: 3, invoices });
    const { summary, warnings } = await syncInto(file, server);
    expect(warnings).toEqual([]);
    expect(summary).toMatchObject({
      status: 'complete',
      periods: ['2026-10'],
      invoices: { listed: 7, fetched: 7, unchanged: 0, failed: 0 },
      malformed: 0,
    });
    expect(query(file, 'select * from invoice_rows where order_id = ‘A3’'.replace(/[‘’]/g, "'"))).toEqual([
      expect.objectContaining({ currency: 'LBP', cod: '1350000.00', delivery_fee: '0.00', net: '1350000.00' }),
      expect.objectContaining({ currency: 'USD', cod: '25.10', delivery_fee: '3.00', net: '22.10' }),
    ]);
  });

  test('amounts to the last digit and text as it is, whatever they are', async () => {
    const amount = fc
      .tuple(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), fc.integer({ min: 0, max: 99 }))
      .map(([whole, cents]) => `${whole}.${String(cents).padStart(2, '0')}`);
    const text = fc.string({ unit: 'binary', maxLength: 20 }).map((s) => s.replaceAll('\0', '') || '=1+1');
    const server = await courier({});
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          fc.record({ id: text, ref: text, currency: fc.constantFrom('USD', 'LBP', 'EUR'), cod: amount }),
          { selector: ({ id }) => id, minLength: 1, maxLength: 8 },
        ),
        async (rows) => {
          server.world.invoices = [
            invoiceOf(
              7,
              '2026-10-05T00:00:00Z',
              rows.map(({ id, ref, currency, cod }) => ({
                order_id: id,
                reference_id: ref,
                cod: [
                  [currency, cod],
                  [currency, '0.01'],
                ],
                delivery_fee: [],
              })),
            ),
          ];
          const file = ledgerFile();
          const { summary } = await syncInto(file, server);
          expect(summary.status).toBe('complete');
          const held = query<{ order_id: string; reference_id: string; currency: string; cod: string }>(
            file,
            'select order_id, reference_id, currency, cod from invoice_rows order by position',
          );
          const cents = (value: string) => BigInt(value.replace('.', ''));
          expect(held.map((h) => ({ ...h, cod: cents(h.cod) }))).toEqual(
            rows.map(({ id, ref, currency, cod }) => ({
              order_id: id,
              reference_id: ref,
              currency,
              cod: (cod.startsWith('-') && cents(cod) === 0n ? 0n : signed(cod)) + 1n,
            })),
          );
        },
      ),
      { numRuns: Number(process.env.REMIT_FUZZ_RUNS ?? 6) },
    );
    function signed(text: string): bigint {
      const [whole = '', decimals = ''] = text.replace('-', '').split('.');
      const value = BigInt(whole) * 100n + BigInt(decimals);
      return text.startsWith('-') ? -value : value;
    }
  });

  test('the evidence is in the order of the list, whichever answer comes first, is missing or cannot be read', async () => {
    const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    const server = await courier({ invoices: numbers.map((number) => october(number, `A${number}`)) });
    server.world.intercept = (request, response, asked) => {
      const number = Number(/^\/invoices\/(\d+)\/$/.exec(asked)?.[1]);
      if (number === 3) send(response, 404, { detail: 'Not found.' });
      else if (number === 6) send(response, 200, { number: 6 });
      else if (number % 4 === 1 && !request.headers['x-waited']) {
        request.headers['x-waited'] = '1';
        setTimeout(() => server.replay(request, response), 60);
      } else return false;
      return true;
    };
    const file = ledgerFile();
    const { summary } = await syncInto(file, server);
    expect(summary.invoices).toEqual({ listed: 12, fetched: 10, unchanged: 0, failed: 2 });
    const kept = query<{ kind: string; subject: string }>(
      file,
      "select kind, subject from evidence where kind in ('invoice', 'invoice-missing') order by id",
    );
    expect(kept.map(({ subject }) => Number(subject))).toEqual(numbers.toReversed());
    expect(kept.filter(({ kind }) => kind === 'invoice-missing')).toEqual([{ kind: 'invoice-missing', subject: '3' }]);
  });

  test('the evidence is the body as received, stored once', async () => {
    const file = ledgerFile();
    const server = await courier({ invoices: [october(1, 'A')] });
    await syncInto(file, server);
    await syncInto(file, server, { full: true });
    const bodies = query<{ encoding: 'gzip'; body: Buffer; size: number }>(
      file,
      `select b.* from evidence e join evidence_body b on b.sha256 = e.sha256 where kind = 'invoice'`,
    );
    expect(bodies).toHaveLength(2);
    expect(query(file, 'select sha256 from evidence_body')).toHaveLength(3);
    const text = unsealBody(bodies[0]!).toString();
    expect(text).toHaveLength(bodies[0]!.size);
    expect(JSON.parse(text)).toMatchObject({ number: 1, orders: [{ order_id: 'A' }] });
  });
});

describe('a second sync', () => {
  test('of an unchanged month fetches no detail and changes no row', async () => {
    const file = ledgerFile();
    const server = await courier({ invoices: [october(1, 'A'), { ...october(2, 'B'), status: 'PENDING_PAYMENT' }] });
    await syncInto(file, server);
    const before = dumpLedger(file);
    server.requests.length = 0;
    const { summary } = await syncInto(file, server);
    expect(summary.invoices).toEqual({ listed: 2, fetched: 0, unchanged: 2, failed: 0 });
    expect(server.requests).toEqual(['/profile/', '/invoices/?year=2026&month=10&page_size=100']);
    expect(dumpLedger(file)).toEqual(before);
  });

  test('takes the order in which a server writes fields for no change', async () => {
    const file = ledgerFile();
    const server = await courier({ invoices: [october(1, 'A')] });
    await syncInto(file, server);
    server.world.reversed = true;
    const { summary } = await syncInto(file, server);
    expect(summary.invoices).toMatchObject({ listed: 1, fetched: 0, unchanged: 1 });
  });

  test('fetches what is new, what changed in the list, and what is unpaid and was read long ago', async () => {
    const file = ledgerFile();
    const server = await courier({
      invoices: [october(1, 'A'), october(2, 'B'), { ...october(3, 'C'), status: 'PENDING_PAYMENT' }],
    });
    await syncInto(file, server);
    server.world.invoices.push(october(4, 'D'));
    server.world.invoices[1]!.list = { status_display: 'Paid by cheque' };
    const details = async (options: Parameters<typeof syncInto>[2]) => {
      server.requests.length = 0;
      await syncInto(file, server, options);
      return server.requests.filter((path) => /^\/invoices\/\d/.test(path)).sort();
    };
    expect(await details({})).toEqual(['/invoices/2/', '/invoices/4/']);
    expect(await details({})).toEqual([]);
    const tomorrow = () => new Date(Date.now() + 21 * 3_600_000);
    expect(await details({ now: tomorrow })).toEqual(['/invoices/3/']);
    expect(await details({ full: true })).toHaveLength(4);
  });

  test('replaces a restated invoice whole, keeps both documents', async () => {
    const file = ledgerFile();
    const server = await courier({ invoices: [october(1, 'A', 'B', 'C')] });
    await syncInto(file, server);
    server.world.invoices = [october(1, 'A', 'D')];
    await syncInto(file, server);
    expect(query(file, 'select order_id from invoice_order order by position')).toEqual([
      { order_id: 'A' },
      { order_id: 'D' },
    ]);
    expect(query(file, "select 1 from evidence where kind = 'invoice'")).toHaveLength(2);
  });

  test('marks a vanished invoice, never deletes it, and takes the mark off when it is back', async () => {
    const file = ledgerFile();
    const server = await courier({ invoices: [october(1, 'A'), october(2, 'B')] });
    await syncInto(file, server);
    const [gone] = server.world.invoices.splice(0, 1);
    const { warnings } = await syncInto(file, server);
    expect(warnings).toEqual([expect.stringContaining('vanished: invoice 1')]);
    expect(query(file, 'select number from invoice where vanished_at is not null')).toEqual([{ number: 1 }]);
    expect(query(file, 'select * from invoice_order')).toHaveLength(2);
    server.world.invoices.push(gone!);
    await syncInto(file, server);
    expect(query(file, 'select number from invoice where vanished_at is not null')).toEqual([]);
  });
});

describe('what cannot be read or brought', () => {
  const cases: [name: string, spoil: (world: FakeWorld) => void, told: RegExp][] = [
    [
      'an amount that is no number',
      ({ invoices }) => {
        invoices[1]!.orders[0]!.cod = [['USD', '12.3x']];
      },
      /invoice 2 cannot be read: orders\[0\]\.cod\[0\]\[1\]: "12\.3x" is not a decimal amount/,
    ],
    [
      'an amount as a JSON number',
      ({ invoices }) => {
        invoices[1]!.detail = { cod: [['USD', 12.3]] };
      },
      /invoice 2 cannot be read: cod\[0\]\[1\]: .*12\.3/,
    ],
    [
      'a missing field',
      ({ invoices }) => {
        invoices[1]!.detail = { net_due_to_merchant: undefined };
      },
      /invoice 2 cannot be read: net_due_to_merchant: .*missing/,
    ],
    [
      'an amount beyond the ledger',
      ({ invoices }) => {
        invoices[1]!.orders[0]!.cod = [['LBP', '922337203685477.5808']];
      },
      /invoice 2 cannot be read: orders\[0\]\.cod\[0\]: "922337203685477\.5808" is beyond what the ledger can hold/,
    ],
    [
      'more than four decimals',
      ({ invoices }) => {
        invoices[1]!.orders[0]!.delivery_fee = [['USD', '1.00001']];
      },
      /invoice 2 cannot be read: orders\[0\]\.delivery_fee\[0\]: "1\.00001" is beyond/,
    ],
    [
      'a date that is none',
      ({ invoices }) => {
        invoices[1]!.detail = { issued_at: 'soon' };
      },
      /invoice 2 cannot be read: issued_at: "soon" is not a date and time/,
    ],
    [
      'another invoice in its place',
      ({ invoices }) => {
        invoices[1]!.detail = { number: 99 };
      },
      /invoice 2 cannot be read: number: asked for invoice 2, got 99/,
    ],
  ];

  test.each(cases)('%s is kept and reported, and the rest lands', async (_name, spoil, told) => {
    const file = ledgerFile();
    const server = await courier({ invoices: [october(1, 'A'), october(2, 'B'), october(3, 'C')] });
    spoil(server.world);
    const { summary, warnings } = await syncInto(file, server);
    expect(warnings).toEqual([expect.stringMatching(told)]);
    expect(summary).toMatchObject({ status: 'partial', malformed: 1, invoices: { listed: 3, fetched: 2, failed: 1 } });
    expect(query(file, 'select number from invoice order by number')).toEqual([{ number: 1 }, { number: 3 }]);
    const kept = query<{ fault: string; body: Buffer }>(
      file,
      `select fault, body from evidence join evidence_body using (sha256) where kind = 'invoice' and subject = '2'`,
    );
    expect(kept).toHaveLength(1);
    expect(kept[0]!.fault).not.toBe('');
    expect(unsealBody({ encoding: 'gzip', body: kept[0]!.body }).toString()).toContain('orders');
  });

  test('a list row that cannot be read still gets its detail', async () => {
    const file = ledgerFile();
    const server = await courier({ invoices: [october(1, 'A'), { ...october(2, 'B'), list: { cod: 'none' } }] });
    const { summary, warnings } = await syncInto(file, server);
    expect(summary).toMatchObject({ status: 'partial', malformed: 1, invoices: { listed: 2, fetched: 2 } });
    expect(warnings).toEqual([expect.stringContaining('the invoice list of 2026-10 cannot be read')]);
    expect(query(file, 'select invoice_number, status from invoice_listed order by invoice_number')).toEqual([
      { invoice_number: 1, status: 'PAID' },
      { invoice_number: 2, status: null },
    ]);
    expect(query(file, 'select kind, subject, period from unreadable')).toEqual([
      { kind: 'listed', subject: '2026-10 2', period: '2026-10' },
    ]);
  });

  test('a body that is no JSON is kept as it came', async () => {
    const file = ledgerFile();
    const server = await courier({ invoices: [october(1, 'A'), october(2, 'B')] });
    server.world.intercept = (_request, response, path) => {
      if (path !== '/invoices/2/') return false;
      send(response, 200, '{"number": 2, "orders": [');
      return true;
    };
    const { summary } = await syncInto(file, server);
    expect(summary).toMatchObject({ status: 'partial', malformed: 1, invoices: { fetched: 1, failed: 1 } });
    const [kept] = query<{ body: Buffer }>(
      file,
      `select body from evidence join evidence_body using (sha256) where subject = '2'`,
    );
    expect(unsealBody({ encoding: 'gzip', body: kept!.body }).toString()).toBe('{"number": 2, "orders": [');
  });

  test('a detail that the API refuses to give is missing, the rest lands, and the next sync brings it', async () => {
    const file = ledgerFile();
    const server = await courier({ invoices: [october(1, 'A'), october(2, 'B')] });
    server.world.intercept = (_request, response, path) => {
      if (path !== '/invoices/1/') return false;
      send(response, 500, { error: 'true', message: 'Unexpected error.', details: 'internal server error' });
      return true;
    };
    const first = await syncInto(file, server);
    expect(first.summary).toMatchObject({ status: 'partial', invoices: { fetched: 1, failed: 1 } });
    expect(first.warnings).toEqual([expect.stringContaining('invoice 1 was not brought')]);
    server.world.intercept = () => false;
    const second = await syncInto(file, server);
    expect(second.summary).toMatchObject({ status: 'complete', invoices: { fetched: 1, unchanged: 1 } });
  });

  test('an invoice that is withdrawn while the list is read is not asked for', async () => {
    const file = ledgerFile();
    const invoices = [1, 2, 3, 4, 5].map((number) => october(number, `A${number}`));
    let withdrawn = false;
    const server = await courier({ pageSize: 2, invoices });
    server.world.intercept = (_request, _response, path, query) => {
      if (path === '/invoices/' && query.get('page') === '2' && !withdrawn) {
        withdrawn = true;
        server.world.invoices = server.world.invoices.filter(({ number }) => number !== 5);
      }
      return false;
    };
    const { summary, warnings } = await syncInto(file, server);
    expect(warnings).toEqual([]);
    expect(summary).toMatchObject({ status: 'complete', invoices: { listed: 4, fetched: 4, failed: 0 } });
  });

  test('a service without a profile is told of, and the sync is complete', async () => {
    const server = await courier({
      invoices: [october(1, 'A1')],
      intercept: (_request, response, path) => {
        if (path !== '/profile/') return false;
        send(response, 404, { error: 'true', message: 'Resource not found.', details: 'Not found.' });
        return true;
      },
    });
    const { summary, warnings } = await syncInto(ledgerFile(), server);
    expect(warnings).toEqual([expect.stringContaining('shows no organisation profile')]);
    expect(summary).toMatchObject({ status: 'complete', invoices: { fetched: 1 } });
  });

  test('a wrong key stops at once; the run is on record as failed', async () => {
    const file = ledgerFile();
    const server = await courier({ invoices: [october(1, 'A')] });
    await expect(syncInto(file, server, { apiKey: 'wrong' })).rejects.toThrow(/key/);
    expect(server.requests).toEqual(['/profile/']);
    expect(query(file, 'select status from run')).toEqual([{ status: 'failed' }]);
    expect(query(file, 'select kind from evidence')).toEqual([{ kind: 'run-begun' }, { kind: 'run-ended' }]);
  });

  test('the key of another merchant is refused before anything of theirs lands', async () => {
    const file = ledgerFile();
    const server = await courier({ invoices: [october(1, 'A')] });
    await syncInto(file, server);
    server.world.organisation = 'Someone Else';
    server.world.invoices = [];
    await expect(syncInto(file, server)).rejects.toThrow(/belongs to "Someone Else".*holds "Zahra Store"/);
    expect(query(file, 'select number from invoice where vanished_at is null')).toHaveLength(1);
    const { summary } = await syncInto(file, server, { acceptAccount: true });
    expect(summary.status).toBe('complete');
  });

  test('a file that is no ledger is left alone', async () => {
    const file = ledgerFile();
    writeFileSync(file, 'not a database at all, but a text that is long enough to be looked at'.repeat(20));
    const server = await courier({});
    await expect(syncInto(file, server)).rejects.toThrow(/is not a remit ledger/);
    expect(server.requests).toEqual([]);
  });
});

describe('the order book', () => {
  const order = (id: string, overrides: Record<string, unknown> = {}) => ({
    order_id: id,
    reference_id: `ref-${id}`,
    workflow: 'STANDARD',
    cod: [['USD', '25.00']],
    delivery_fee: [['USD', '3.00']],
    delivery_state: 'DELIVERED',
    payment_state: 'PAID_TO_MERCHANT',
    merchant_invoice: 1,
    statestamps: [
      { delivery_state: 'CREATED', payment_state: 'UNPAID', timestamp: '2026-10-01T08:00:00.000001+03:00' },
      { delivery_state: 'DELIVERED', payment_state: 'UNPAID', timestamp: '2026-10-03T01:30:00.123456+03:00' },
    ],
    ...overrides,
  });

  test('lands with statestamps, once, in any shape', async () => {
    for (const shape of ['flat', 'array', 'wrapper', 'object'] as const) {
      const file = ledgerFile();
      const orders = Array.from({ length: 230 }, (_, i) => order(`O${i}`));
      const server = await courier({ shape, orders });
      const { summary } = await syncInto(file, server, { orders: true });
      expect(summary).toMatchObject({ status: 'complete', orders: { listed: 230, changed: 230 } });
      expect(query(file, "select first_delivered_at, cod from order_book where order_id = 'O7'")).toEqual([
        { first_delivered_at: '2026-10-03T01:30:00.123456+03:00', cod: '25.00' },
      ]);
      expect(query(file, 'select 1 from statestamp')).toHaveLength(460);
      const again = await syncInto(file, server, { orders: true });
      expect(again.summary.orders).toEqual({ listed: 230, changed: 0 });
    }
  });

  test('without a delivery fee is told from one whose fee is nothing', async () => {
    const file = ledgerFile();
    const server = await courier({
      orders: [order('A', { workflow: 'RETURN', delivery_fee: undefined }), order('B', { delivery_fee: [] })],
    });
    await syncInto(file, server, { orders: true });
    expect(query(file, 'select order_id, fee_stated from courier_order order by order_id')).toEqual([
      { order_id: 'A', fee_stated: 0 },
      { order_id: 'B', fee_stated: 1 },
    ]);
  });

  test('remembers how an order’s states changed, and marks an order that is gone', async () => {
    const file = ledgerFile();
    const server = await courier({ orders: [order('A'), order('B')] });
    await syncInto(file, server, { orders: true });
    server.world.orders = [order('A', { delivery_state: 'IN_TRANSIT' })];
    await syncInto(file, server, { orders: true });
    expect(
      query(file, 'select order_id, what, from_delivery_state, to_delivery_state, backward from order_change'),
    ).toEqual([
      {
        order_id: 'A',
        what: 'changed',
        from_delivery_state: 'DELIVERED',
        to_delivery_state: 'IN_TRANSIT',
        backward: 1,
      },
      {
        order_id: 'B',
        what: 'vanished',
        from_delivery_state: 'DELIVERED',
        to_delivery_state: 'DELIVERED',
        backward: 0,
      },
    ]);
    expect(query(file, 'select order_id from courier_order where vanished_at is not null')).toEqual([
      { order_id: 'B' },
    ]);
    // A walk that lacked the order is no receipt of its record.
    const evidenceOf = async (id: string) => {
      const { stdout, stderr } = await remit(['evidence', id, '--json'], {
        cwd: path.dirname(file),
        env: { REMIT_LEDGER: file },
      });
      expect(stderr).toBe('');
      return JSON.parse(stdout).documents as { evidence_id: number; sha256: string }[];
    };
    for (const id of ['A', 'B']) {
      for (const { evidence_id, sha256 } of await evidenceOf(id)) {
        expect(await evidenceOf(sha256)).toMatchObject([{ evidence_id }]);
      }
    }
  });

  test('an order that cannot be read does not stop the others and is not taken for gone', async () => {
    const file = ledgerFile();
    const server = await courier({ orders: [order('A'), order('B')] });
    await syncInto(file, server, { orders: true });
    server.world.orders[1] = order('B', { cod: [['USD', 25]] });
    const { summary, warnings } = await syncInto(file, server, { orders: true });
    expect(summary).toMatchObject({ status: 'partial', malformed: 1, orders: { listed: 2 } });
    expect(warnings).toEqual([expect.stringContaining('results[1].cod[0][1]')]);
    expect(query(file, 'select 1 from courier_order where vanished_at is null')).toHaveLength(2);
  });

  test('of a batch that could not be stored nothing counts as seen', async () => {
    const file = ledgerFile();
    const orders = Array.from({ length: 60 }, (_, index) => order(`O${index}`));
    const server = await courier({ orders, pageSize: 2 });
    await syncInto(file, server, { orders: true });
    // 25 pages are a batch: the first is stored, the second fails at its last order.
    server.world.orders = [...orders.slice(0, 59), order('NEW')];
    execute(
      file,
      "create trigger fail before insert on courier_order when new.order_id = 'NEW' begin select raise(abort, 'no room'); end",
    );
    await expect(syncInto(file, server, { orders: true })).rejects.toThrow();
    execute(file, 'drop trigger fail');
    expect(query(file, 'select complete, why from listing order by id desc limit 1')).toEqual([
      { complete: 0, why: expect.stringContaining('no room') },
    ]);
    expect(
      query(file, 'select order_id from courier_order where seen_evidence_id = (select max(id) from listing)'),
    ).toHaveLength(50);
    await expectVerified(file);
    const { summary } = await syncInto(file, server, { orders: true });
    expect(summary).toMatchObject({ status: 'complete', orders: { listed: 60, changed: 1 } });
  });

  test('of pages that show an order now so, now otherwise, is what its evidence gives', async () => {
    // Of one order several records: as it was, as it is, one that cannot be read. Shifted pages show any of them, in
    // any order.
    const shown = fc.tuple(fc.constantFrom('A', 'B', 'C'), fc.constantFrom('25.00', '26.00', 25));
    const night = fc.array(fc.array(shown, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });
    const nights = fc.array(night, { minLength: 2, maxLength: 3 });
    const server = await courier({});
    await fc.assert(
      fc.asyncProperty(nights, async (pagesOfNights) => {
        const file = ledgerFile();
        for (const pages of pagesOfNights) {
          server.world.intercept = (_, response, path, query) => {
            if (path !== '/orders/') return false;
            const page = Number(query.get('page') ?? 1);
            // A page that the client guessed from the count.
            const results = pages[page - 1]?.map(([id, cod]) => order(id, { cod: [['USD', cod]] }));
            if (!results) return false;
            const next = page < pages.length ? `?page=${page + 1}` : null;
            send(response, 200, { count: new Set(pages.flat().map(([id]) => id)).size, next, results });
            return true;
          };
          // It verifies the ledger by a replay, which knows of no record but by reading it.
          await syncInto(file, server, { orders: true });
        }
      }),
      {
        numRuns: Number(process.env.REMIT_FUZZ_RUNS ?? 4),
        examples: [
          [
            [
              [[['A', '26.00']], [['A', 25]]],
              [
                [['A', '25.00']],
                [
                  ['A', '26.00'],
                  ['A', '25.00'],
                ],
                [['A', '25.00']],
              ],
              [[['A', '25.00']]],
            ],
          ],
        ] as never,
      },
    );
  });
});
