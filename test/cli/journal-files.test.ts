import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { remit } from '../helpers/cli.ts';
import { type FakeCourier, type FakeInvoice, invoiceOf, KEY, startFakeCourier } from '../helpers/courier.ts';
import { scratchFolder } from '../helpers/folder.ts';

const MONTHS = ['2026-09', '2026-10', '2026-11'];
const COURIERS = ['cedar', 'swift'];
const NOW = new Date('2026-11-29T09:00:00Z');
const ENV = { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };
const has = (program: string) => spawnSync(program, ['--version']).error === undefined;
const withEngines = has('hledger') && has('bean-check');

let server: FakeCourier;
beforeAll(async () => {
  server = await startFakeCourier();
});
afterAll(() => server.close());

/** Books of two couriers: cedar has an API, swift sends sheets. */
class TwoCouriers {
  readonly folder = scratchFolder();
  #files = 0;

  constructor(toml: string) {
    writeFileSync(path.join(this.folder, 'key'), KEY, { mode: 0o600 });
    writeFileSync(
      path.join(this.folder, 'remit.toml'),
      `time_zone = "UTC"
[couriers.cedar]
api_url = "${server.url}"
api_key_file = "key"
payers = ["CEDAR DELIVERY"]
[couriers.swift]
kind = "files"
map = "sheet"
payers = ["SWIFT DELIVERY"]
[maps.sheet]
kind = "settlement"
currency = "USD"
totals_row = "Total"
columns = { invoice = "Payout", issued_on = "Paid on", status = "Status", order = "AWB", cod = "COD", net = "Net" }
charges = { delivery = "Fee", handling = "COD %" }
${toml}`,
    );
  }

  run(...argv: string[]) {
    return remit(argv, { cwd: this.folder, now: NOW });
  }

  /** Runs a command that has to end well. */
  async must(...argv: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...argv);
    expect({ argv, code, stderr: code === 0 ? '' : stderr }).toEqual({ argv, code: 0, stderr: '' });
    return stdout;
  }

  file(text: string): string {
    this.#files += 1;
    const name = `file-${this.#files}`;
    writeFileSync(path.join(this.folder, `${name}.csv`), text);
    return `${name}.csv`;
  }

  async sync(invoices: readonly FakeInvoice[], ...more: string[]): Promise<void> {
    server.world.invoices = [...invoices];
    await this.must('sync', `${MONTHS[0]}..${MONTHS.at(-1)}`, '--courier', 'cedar', ...more);
  }

  sheet(...lines: string[]): Promise<string> {
    const text = `Payout,Paid on,Status,AWB,COD,Fee,COD %,Net\n${lines.join('\n')}\n`;
    return this.must('import', 'settlement', this.file(text), '--courier', 'swift');
  }

  /** Exports the months, a file a courier. @returns their paths */
  async export(format: 'hledger' | 'beancount', period: string, ...more: string[]): Promise<string[]> {
    const name = `${period}${more.join('')}.${format === 'hledger' ? 'journal' : 'beancount'}`;
    await this.must('report', 'journal', period, '--format', format, '--out', name, ...more);
    return COURIERS.map((courier) => path.join(this.folder, name.replace(/\.(?=[a-z]+$)/, `-${courier}.`)));
  }

  /** What the roll-forward says each courier and currency comes to at a month's end, in cents. */
  async closing(month: string, courier?: string): Promise<Map<string, bigint>> {
    const own = courier === undefined ? [] : ['--courier', courier];
    const { rows } = JSON.parse(await this.must('report', 'roll-forward', month, ...own, '--json'));
    const sums = new Map<string, bigint>();
    for (const { currency, closing } of rows as { currency: string; closing: string }[])
      sums.set(currency, (sums.get(currency) ?? 0n) + cents(closing));
    return sums;
  }
}

const cents = (text: string) => BigInt(text.replace('.', ''));

/** Both engines' check of one file, without a word. */
function expectChecked(...files: readonly string[]): void {
  for (const file of files) {
    const [program, ...args] = file.endsWith('.journal')
      ? ['hledger', 'check', '--strict', '-f']
      : ['bean-check', '--no-cache'];
    const { status, stdout, stderr } = spawnSync(program!, [...args, file], { encoding: 'utf8', env: ENV });
    expect([path.basename(file), status, stdout + stderr]).toEqual([path.basename(file), 0, '']);
  }
}

type Sums = Record<string, bigint>;

/** What hledger computes, in cents: `account currency` → sum. */
function balances(files: readonly string[], ...flags: string[]): Sums {
  const args = [...files.flatMap((file) => ['-f', file]), 'balance', '--flat', '--no-total', '-O', 'csv', ...flags];
  const csv = execFileSync('hledger', [...args, '--layout', 'bare'], { encoding: 'utf8', env: ENV });
  const sums: Sums = {};
  for (const line of csv.trim().split('\n').slice(1)) {
    const [account, currency, amount] = line.split('","').map((cell) => cell.replace(/^"|"$/g, ''));
    if (/[1-9]/.test(amount!)) sums[`${account} ${currency}`] = cents(amount!);
  }
  return sums;
}

function added(all: readonly Sums[]): Sums {
  const sums: Sums = {};
  for (const one of all) for (const [key, amount] of Object.entries(one)) sums[key] = (sums[key] ?? 0n) + amount;
  return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0n));
}

/** The courier receivable together with unallocated receipts, by currency. */
function owed(sums: Sums): Map<string, bigint> {
  const all = new Map<string, bigint>();
  for (const [key, amount] of Object.entries(sums)) {
    const [, account, currency = ''] = /^(.*) (\S+)$/.exec(key)!;
    if (!/Courier receivable|Unallocated receipts/.test(account!)) continue;
    all.set(currency, (all.get(currency) ?? 0n) + amount);
  }
  return withoutZeros(all);
}

const withoutZeros = (all: ReadonlyMap<string, bigint>) => new Map([...all].filter(([, amount]) => amount !== 0n));

/** Files in one: as an engine includes them, and one below the other. */
function inOne(books: TwoCouriers, files: readonly string[], more = ''): string[] {
  const end = path.extname(files[0]!);
  const quoted = (file: string) => (end === '.journal' ? path.basename(file) : `"${path.basename(file)}"`);
  const texts = {
    included: files.map((file) => `include ${quoted(file)}\n`).join(''),
    joined: files.map((file) => readFileSync(file, 'utf8')).join('\n'),
  };
  return Object.entries(texts).map(([name, text]) => {
    const file = path.join(books.folder, `${name}${end}`);
    writeFileSync(file, `${text}\n${more}`);
    return file;
  });
}

/**
 * The files of consecutive months give the books' balances: one by one, together, in one, as one range, and alone with
 * their openings.
 */
async function expectTied(books: TwoCouriers, { inBase }: { readonly inBase: boolean }): Promise<Sums> {
  const range = `${MONTHS[0]}..${MONTHS.at(-1)}`;
  const [ledgers, beans]: [string[], string[]] = [[], []];
  for (const month of MONTHS) {
    ledgers.push(...(await books.export('hledger', month)));
    beans.push(...(await books.export('beancount', month)));
  }
  expectChecked(...ledgers, ...beans, ...inOne(books, ledgers));
  const whole = await books.export('hledger', range);
  const sums = balances(whole);
  const ways = [ledgers, ...inOne(books, ledgers).map((file) => [file])];
  for (const flags of inBase ? [[], ['-B']] : [[]]) {
    const ours = balances(whole, ...flags);
    expect(added(ledgers.map((file) => balances([file], ...flags)))).toEqual(ours);
    for (const files of ways) expect(balances(files, ...flags)).toEqual(ours);
  }
  const asserted = Object.entries(sums).flatMap(([key, amount]) => {
    const [, account, currency] = /^(.*) (\S+)$/.exec(key)!;
    if (/Delivery fees|Taxes withheld/.test(account!)) return [];
    const name = account!.replace(/[ -](.)/g, (_, letter: string) => letter.toUpperCase());
    return [`2027-01-01 balance ${name} ${decimal(amount)} ~ 0 ${currency}\n`];
  });
  expect(asserted.length).toBeGreaterThan(0);
  expectChecked(...inOne(books, beans, asserted.join('')));
  expectChecked(...whole);

  for (const month of MONTHS) {
    const alone = await books.export('hledger', month, '--opening');
    expectChecked(...alone, ...(await books.export('beancount', month, '--opening')));
    if (inBase) continue;
    for (const [at, courier] of COURIERS.entries())
      expect([month, courier, owed(balances([alone[at]!]))]).toEqual([
        month,
        courier,
        withoutZeros(await books.closing(month, courier)),
      ]);
  }
  if (!inBase) expect(owed(sums)).toEqual(withoutZeros(await books.closing(MONTHS.at(-1)!)));
  return sums;
}

function decimal(amount: bigint): string {
  const [sign, size] = [amount < 0n ? '-' : '', amount < 0n ? -amount : amount];
  return `${sign}${size / 100n}.${String(size % 100n).padStart(2, '0')}`;
}

const order = (id: string, usd: string, more: object = {}) => ({
  order_id: id,
  cod: [['USD', usd]] as [string, string][],
  delivery_fee: [['USD', '3.00']] as [string, string][],
  ...more,
});

describe.skipIf(!withEngines)('journals of two couriers and consecutive months', () => {
  it('hold a month’s transactions and no more: read together they are the balance of the books', async () => {
    const books = new TwoCouriers('');
    await books.sync([
      invoiceOf(10001, '2026-09-10T10:00:00+00:00', [order('A', '100.00')], { status: 'PENDING_PAYMENT' }),
      invoiceOf(10002, '2026-10-10T10:00:00+00:00', [order('B', '50.00')], { status: 'PENDING_PAYMENT' }),
      invoiceOf(10003, '2026-11-10T10:00:00+00:00', [order('C', '20.00')], { status: 'PENDING_PAYMENT' }),
    ]);
    await books.sheet('1,2026-09-20,Pending,S1,40.00,2.00,0.50,37.50', 'Total,,,,40.00,2.00,0.50,37.50');
    await books.sheet('2,2026-10-20,Pending,S2,30.00,2.00,0.25,27.75', 'Total,,,,30.00,2.00,0.25,27.75');
    await books.sheet('3,2026-11-20,Pending,S3,10.00,2.00,0.10,7.90', 'Total,,,,10.00,2.00,0.10,7.90');
    const together = [...(await books.export('hledger', '2026-09')), ...(await books.export('hledger', '2026-10'))];
    expect(owed(balances(together))).toEqual(new Map([['USD', 97_00n + 47_00n + 37_50n + 27_75n]]));
    await expectTied(books, { inBase: false });
    const [september] = await books.export('hledger', '2026-09');
    const text = readFileSync(september!, 'utf8');
    expect(text).not.toMatch(/OPEN-|=/);
    const refused = await books.run(
      'report',
      'journal',
      '2026-10',
      '--format',
      'csv',
      '--opening',
      '--courier',
      'cedar',
    );
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--opening is for') });
    for (const narrowing of [
      ['--currency', 'USD'],
      ['--since', '2026-10-02'],
    ])
      expect(await books.run('report', 'journal', '2026-10', '--format', 'hledger', ...narrowing)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(narrowing[0]!),
      });
  });

  it('open each account once for beancount, whichever courier is exported', async () => {
    const books = new TwoCouriers('');
    await books.sync(
      ['09', '10', '11'].map((month, at) =>
        invoiceOf(10_001 + at, `2026-${month}-10T10:00:00+00:00`, [order(`A${at}`, '100.00')]),
      ),
    );
    for (const [at, month] of ['09', '10', '11'].entries())
      await books.sheet(`${at + 1},2026-${month}-20,Pending,S${at},40.00,2.00,0.50,37.50`);
    const opens: string[] = [];
    for (const month of MONTHS)
      for (const courier of COURIERS) {
        const text = await books.must('report', 'journal', month, '--format', 'beancount', '--courier', courier);
        opens.push(...[...text.matchAll(/open (\S+)/g)].map(([, account]) => `${month} ${courier} ${account}`));
      }
    const named = opens.map((one) => one.split(' ')[2]!);
    expect(new Set(named).size).toBe(named.length);
    expect(opens).toContain('2026-09 cedar Assets:Bank');
    expect(opens).toContain('2026-09 swift Expenses:DeliveryFees:Handling');
    expect(opens.filter((one) => !one.startsWith('2026-09'))).toEqual([]);
  });

  it('take what a sheet’s fees are off out of the account that has the fee, as an invoice’s', async () => {
    const books = new TwoCouriers('');
    await books.sheet('1,2026-10-20,Pending,S1,40.00,2.00,0.50,37.50', 'Total,,,,40.00,5.00,1.25,33.75');
    await books.run('check', '--courier', 'swift');
    const text = await books.must(
      ...['report', 'journal', '2026-10..2026-11', '--format', 'hledger', '--courier', 'swift'],
    );
    const disputes = [...text.matchAll(/DSP-.*\n((?: {4}.*\n)+)/g)].map(([, lines]) => lines!.trim().split(/\n\s+/));
    expect(disputes.map((lines) => lines.map((line) => line.replace(/ {2}/, ' = ')))).toEqual([
      ['Assets:COD in dispute = 0.75 USD', 'Expenses:Delivery fees:Handling = -0.75 USD'],
      ['Assets:COD in dispute = 3.00 USD', 'Expenses:Delivery fees = -3.00 USD'],
    ]);
  });

  it('move what a sheet restates from one kind of fee to another, though its sum stays', async () => {
    const books = new TwoCouriers('');
    await books.sheet('1,2026-10-20,Pending,S1,40.00,2.00,0.50,37.50');
    await books.sheet('1,2026-10-20,Pending,S1,40.00,1.50,1.00,37.50');
    const whole = ['report', 'journal', '2026-10..2026-11', '--format', 'hledger', '--courier', 'swift'];
    await books.must(...whole, '--out', 'of.journal');
    const sums = balances([path.join(books.folder, 'of-swift.journal')]);
    expect([sums['Expenses:Delivery fees USD'], sums['Expenses:Delivery fees:Handling USD']]).toEqual([1_50n, 1_00n]);
  });

  it('take tax out of fees alone where what returns cost is charged among them', async () => {
    const books = new TwoCouriers('[accounting]\nfee_vat = "11% included"\n');
    const toml = path.join(books.folder, 'remit.toml');
    writeFileSync(
      toml,
      readFileSync(toml, 'utf8').replace('[couriers.cedar]', '[couriers.cedar]\nreturns = "charged"'),
    );
    const fee = (usd: string) => ({ delivery_fee: [['USD', usd]] as [string, string][] });
    const back = order('R', '50.00', { workflow: 'RETURN', ...fee('0.00') });
    const invoice = (refund: string, more: object[]) =>
      invoiceOf(10001, '2026-10-10T10:00:00+00:00', [order('A', '300.00', fee('111.00')), ...(more as [])], {
        status: 'PENDING_PAYMENT',
        cod: [['USD', '300.00']],
        ...fee(refund),
        net_due_to_merchant: [['USD', (300 - Number(refund)).toFixed(2)]],
      });
    await books.sync([invoice('161.00', [back])]);
    const taxed = async () => {
      const sums = balances([(await books.export('hledger', '2026-10..2026-11'))[0]!]);
      return [sums['Assets:Recoverable tax USD'], sums['Expenses:Delivery fees USD']];
    };
    await books.sheet('1,2026-10-20,Pending,S1,40.00,2.00,0.50,37.50');
    expect(await taxed()).toEqual([11_00n, 150_00n]);
    const more = order('R2', '20.00', { workflow: 'RETURN', ...fee('0.00') });
    await books.sync([invoice('181.00', [back, more])]);
    expect(await taxed()).toEqual([11_00n, 170_00n]);
    // The header stays, and another of its fee is refunds: 111.00 less 22.20 are fees.
    const dearer = order('R2', '42.20', { workflow: 'RETURN', ...fee('0.00') });
    await books.sync([invoice('181.00', [back, dearer])], '--full');
    expect(await taxed()).toEqual([8_80n, 172_20n]);
    await books.must('verify', '--deep');
  });

  it('convert what is paid in another currency, and keep what was realised apart, in a base currency too', async () => {
    for (const base of [null, '[accounting]\nbase_currency = "USD"\nrevalue = true\n']) {
      const books = new TwoCouriers(base ?? '');
      await books.must(
        'import',
        'rates',
        books.file('date,from,to,rate\n2026-08-01,USD,LBP,89500\n2026-10-15,USD,LBP,90000\n'),
      );
      await books.sync([
        invoiceOf(10001, '2026-10-10T10:00:00+00:00', [order('A', '100.00')], { status: 'PENDING_PAYMENT' }),
        invoiceOf(10002, '2026-11-10T10:00:00+00:00', [order('B', '50.00')], { status: 'PENDING_PAYMENT' }),
      ]);
      for (const [at, month] of ['09', '10', '11'].entries())
        await books.sheet(`${at + 1},2026-${month}-20,Pending,S${at},40.00,2.00,0.50,37.50`);
      await books.must(
        'import',
        'receipts',
        books.file('date,amount,currency,text,invoice\n2026-10-20,8640000,LBP,CEDAR DELIVERY,\n'),
      );
      await books.must('match', 'add', '1', '10001', '--courier', 'cedar', '--rate', '89500', '--part');
      const sums = base
        ? await expectTied(books, { inBase: true })
        : balances(await books.export('hledger', '2026-10'));
      // 8,640,000 at the agreed 89,500 pay 96.54; on their day they are worth 96.00.
      const realised = base ? 54n : undefined;
      expect(sums['Equity:Currency conversion LBP']).toBe(-8_640_000_00n);
      expect(sums['Equity:Currency conversion USD']).toBe(base ? 96_00n : 96_54n);
      expect(sums['Expenses:Exchange differences USD']).toBe(realised);
      expect(sums['Expenses:Exchange differences LBP']).toBeUndefined();
    }
  });

  const day = fc
    .tuple(fc.constantFrom(...MONTHS), fc.integer({ min: 1, max: 28 }))
    .map(([month, n]) => `${month}-${String(n).padStart(2, '0')}`);
  const world = fc.record({
    base: fc.boolean(),
    vat: fc.boolean(),
    billed: fc.array(fc.record({ day, usd: fc.integer({ min: 9, max: 99 }), lbp: fc.nat(3), paid: fc.boolean() }), {
      minLength: 2,
      maxLength: 4,
    }),
    sheets: fc.tuple(fc.integer({ min: 9, max: 99 }), fc.integer({ min: 9, max: 99 }), fc.integer({ min: 9, max: 99 })),
    receipts: fc.array(
      fc.record({
        day,
        of: fc.constantFrom('CEDAR', 'SWIFT'),
        usd: fc.integer({ min: 5, max: 120 }),
        is: fc.constantFrom('invoice', 'dollars', 'pounds'),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    steps: fc.array(fc.tuple(fc.constantFrom('close', 'restate', 'settle', 'part', 'unmatch', 'sheet'), fc.nat(9)), {
      minLength: 2,
      maxLength: 6,
    }),
  });

  it('are one balance, whatever was invoiced, paid, written off, closed, restated and undone', async () => {
    const property = fc.asyncProperty(world, async ({ base, vat, billed, sheets, receipts, steps }) => {
      const accounting = [
        ...(base ? ['base_currency = "USD"', 'revalue = true'] : []),
        ...(vat ? ['fee_vat = "11% included"'] : []),
      ];
      const books = new TwoCouriers(`[accounting]\n${accounting.join('\n')}\n`);
      await books.must(
        'import',
        'rates',
        books.file('date,from,to,rate\n2026-08-01,USD,LBP,89500\n2026-10-15,USD,LBP,91000\n'),
      );
      const invoices = billed.map(({ day: on, usd, lbp, paid }, at) => {
        const cod: [string, string][] = [
          ['USD', `${usd}.00`],
          ...(lbp ? [['LBP', `${lbp}00000.00`] as [string, string]] : []),
        ];
        const row = { ...order(`A${at}`, '0.00'), cod };
        return invoiceOf(10_001 + at, `${on}T10:00:00+00:00`, [row], { status: paid ? 'PAID' : 'PENDING_PAYMENT' });
      });
      await books.sync(invoices);
      const sheet = (at: number, cod: number) =>
        books.sheet(`${at + 1},${MONTHS[at]}-20,Pending,S${at},${cod}.00,2.00,0.50,${cod - 3}.50`);
      for (const [at, cod] of sheets.entries()) await sheet(at, cod);
      const lines = receipts.map(({ day: on, of, usd, is }, at) => {
        // What pays an invoice to the cent is matched to it at once.
        const dollars = is === 'invoice' ? billed[at % billed.length]!.usd - 3 : usd;
        const money = is === 'pounds' ? `${usd}0000.00,LBP` : `${dollars}.00,USD`;
        return `${on},${money},${of} DELIVERY ${at},${is === 'invoice' ? 10_001 + (at % billed.length) : ''}`;
      });
      await books.must('import', 'receipts', books.file(`date,amount,currency,text,invoice\n${lines.join('\n')}\n`));
      await books.run('match');
      const open = MONTHS.slice(0, 2);
      for (const [step, which] of steps) {
        const invoice = String(10_001 + (which % invoices.length));
        const receipt = String(1 + (which % receipts.length));
        // What cannot be done is refused, and leaves the books as they were.
        if (step === 'close' && open.length > 0) {
          const first = open.length === 2 ? ['--first'] : [];
          await books.run('close', open.shift()!, '--by', 'Rana', '--with-open', 'so it is', ...first);
        } else if (step === 'restate')
          await books.sync(
            invoices.map((one, at) =>
              at === which % invoices.length ? { ...one, cod: [['USD', '77.00']] } : one,
            ) as never,
          );
        else if (step === 'sheet') await sheet(which % 3, 50 + which);
        else if (step === 'settle')
          await books.run(
            'settle',
            invoice,
            '--as',
            'write-off',
            '--courier',
            'cedar',
            '--currency',
            'USD',
            '--amount',
            '1.00',
            '--note',
            'x',
            '--yes',
          );
        else if (step === 'part')
          await books.run('match', 'add', receipt, invoice, '--courier', 'cedar', '--rate', '89500', '--part');
        else if (step === 'unmatch') await books.run('match', 'remove', receipt, '--reason', 'wrong');
      }
      await expectTied(books, { inBase: base });
    });
    await fc.assert(property, { numRuns: Number(process.env.REMIT_JOURNAL_WORLDS ?? 1), endOnFailure: true });
  }, 1_200_000);
});
