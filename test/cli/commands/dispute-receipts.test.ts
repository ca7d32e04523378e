import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { remit } from '../../helpers/cli.ts';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { scratchFolder } from '../../helpers/folder.ts';

/**
 * What came in and pays no invoice yet is taken off a claim; a letter is kept as it was sent; a claim can be taken
 * back.
 */

let swift: FakeCourier;
let hawk: FakeCourier;
beforeAll(async () => {
  swift = await startFakeCourier();
  hawk = await startFakeCourier();
});
afterAll(async () => {
  await swift.close();
  await hawk.close();
});

interface Line {
  readonly section: string;
  readonly id: string | null;
  readonly code: string;
  readonly invoice_number: number | null;
  readonly day: string | null;
  readonly due: string | null;
  readonly received: string | null;
  readonly claimed: string;
  readonly claimed_on: string | null;
}

interface Claimed {
  readonly claim: number | null;
  readonly lines: readonly Line[];
  readonly totals: readonly { currency: string; owed_to_us: string; owed_by_us: string; net: string }[];
}

/** An invoice of one delivered order with this net, unpaid. */
function bill(number: number, net: number, month = '10') {
  const rows = [{ order_id: `A${number}`, cod: [['USD', `${net + 10}.00`]], delivery_fee: [['USD', '10.00']] }];
  return invoiceOf(number, `2026-${month}-05T10:00:00+00:00`, rows as never, { status: 'PENDING_PAYMENT' });
}

const SOLE = () => `api_url = "${swift.url}"\ncourier_title = "Swift"\n[receipts]\npayers = ["SWIFT COD"]\n`;

async function booksOf(receipts: readonly string[], settings = SOLE()) {
  const cwd = scratchFolder();
  writeFileSync(path.join(cwd, 'remit.toml'), settings);
  const run = (argv: readonly string[], now = new Date('2026-12-20T09:00:00Z')) =>
    remit(argv, { cwd, env: { REMIT_API_KEY: KEY }, now });
  const json = async <T>(argv: readonly string[], now?: Date): Promise<T> => {
    const { stdout, stderr } = await run([...argv, '--json'], now);
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout);
  };
  expect((await run(['sync', '2026-10..2026-11'])).stderr).not.toContain('error');
  const bring = async (name: string, lines: readonly string[]) => {
    writeFileSync(path.join(cwd, name), `date,amount,currency,text\n${lines.join('\n')}\n`);
    const { code, stderr } = await run(['import', 'receipts', name]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    await run(['check', '2026-10..2026-11']);
  };
  // The edges make the file cover the payment window of every invoice.
  await bring('bank.csv', ['2026-10-01,-1.00,USD,Stamps', ...receipts, '2026-12-10,-1.00,USD,Stamps']);
  return { cwd, run, json, bring, draft: (...argv: string[]) => json<Claimed>(['dispute', '--dry-run', ...argv]) };
}

/** The second line of the bank file: the first is none of the courier's. */
const receipt = '2';

const figures = ({ lines }: Claimed) =>
  lines.map(({ section, code, due, received, claimed }) => [section, code, due, received, claimed].join(' '));

const cents = (text: string) => Math.round(Number(text.replaceAll(',', '')) * 100);

/**
 * Reads each table of a page and adds its rows: due, received and difference, beside the row that shows what they come
 * to.
 */
function expectPageAddsUp(page: string): void {
  const tables = [...page.matchAll(/<table>([\s\S]*?)<\/table>/g)].map(([, table]) => table!);
  expect(tables.length).toBeGreaterThan(0);
  for (const table of tables) {
    const rows = [...table.matchAll(/<tr([^>]*)>([\s\S]*?)<\/tr>/g)].map(([, attributes, cells]) => ({
      isSum: attributes!.includes('sum'),
      amounts: [...cells!.matchAll(/<td class="figure">(?:<bdi[^>]*>(-?[\d,.]+) USD<\/bdi>)<\/td>/g)].map(([, one]) =>
        cents(one!),
      ),
    }));
    const added = [0, 1, 2].map((at) =>
      rows.reduce((sum, { isSum, amounts }) => sum + (isSum ? 0 : (amounts[at] ?? 0)), 0),
    );
    const [shown] = rows.filter(({ isSum }) => isSum);
    if (shown) expect(shown.amounts).toEqual(added);
  }
}

describe('what came in and pays no invoice yet', () => {
  it('is taken off, so that no more is claimed than is owed', async () => {
    swift.world.invoices = [bill(1, 300), bill(2, 400)];
    const books = await booksOf(['2026-10-12,698.00,USD,SWIFT COD']);
    const claim = await books.draft('2026-10');
    expect(figures(claim)).toEqual([
      'owed-to-us payment-overdue 300.00 0.00 300.00',
      'owed-to-us payment-overdue 400.00 0.00 400.00',
      'owed-to-us receipt-unallocated 0.00 698.00 -698.00',
      'confirm receipt-unmatched   0.00',
    ]);
    expect(claim.lines[2]).toMatchObject({ id: null, day: '2026-10-12', invoice_number: null });
    expect(claim.totals).toEqual([{ currency: 'USD', count: 3, owed_to_us: '2.00', owed_by_us: '0.00', net: '2.00' }]);
    const page = (await books.run(['dispute', '2026-10', '--dry-run', '--format', 'html'])).stdout;
    expectPageAddsUp(page);
    const csv = (await books.run(['dispute', '2026-10', '--dry-run', '--format', 'csv'])).stdout;
    expect(csv).toContain('owed-to-us,,receipt-unallocated');
    const letter = (await books.run(['dispute', '2026-10', '--dry-run'])).stdout.replaceAll(/\s+/g, ' ');
    expect(letter).toContain('Received on 2026-10-12, not yet allocated: 698.00 USD.');
    expect(letter.match(/698\.00/g)).toHaveLength(1);
    expect(letter).not.toContain('PLEASE CONFIRM');
    expect(page).not.toContain('what it is for');
    expect(letter).toContain('Owed to us in all: 2.00 USD.');
  });

  it('is taken off too where it came for an invoice of which less is due, so that no more is claimed than the balance', async () => {
    swift.world.invoices = [bill(10001, 300), bill(10002, 400)];
    const books = await booksOf([]);
    await books.json(['settle', '10001', '--as', 'write-off', '--amount', '150', '--note', 'agreed']);
    await books.bring('later.csv', ['2026-10-20,300.00,USD,SWIFT COD 10001', '2026-12-11,-1.00,USD,Stamps']);
    const claim = await books.draft('2026-10');
    expect(claim.lines).toContainEqual(
      expect.objectContaining({ code: 'beyond-balance', invoice_number: null, claimed: '-150.00' }),
    );
    expect(claim.totals).toMatchObject([{ owed_to_us: '250.00', net: '250.00' }]);
    expectPageAddsUp((await books.run(['dispute', '2026-10', '--dry-run', '--format', 'html'])).stdout);
  });

  it('is taken off whatever month was asked for, and what is more than the claim is left for later', async () => {
    swift.world.invoices = [bill(1, 300), bill(2, 400), bill(3, 50, '11')];
    const books = await booksOf(['2026-11-20,5000.00,USD,SWIFT COD']);
    const claim = await books.draft('2026-10');
    expect(figures(claim).slice(2, 4)).toEqual([
      'owed-to-us receipt-unallocated 0.00 5000.00 -5000.00',
      'owed-to-us left-for-later 0.00 -4300.00 4300.00',
    ]);
    expect(claim.totals).toMatchObject([{ owed_to_us: '0.00', net: '0.00' }]);
    expectPageAddsUp((await books.run(['dispute', '2026-10', '--dry-run', '--format', 'html'])).stdout);
    expect((await books.run(['dispute', '2026-10', '--dry-run'])).stdout.replaceAll(/\s+/g, ' ')).toContain(
      'More came in than is claimed here: 4,300.00 USD of it is left for later, and nothing is claimed in USD.',
    );
  });

  it('is booked as a part payment of its own currency, the oldest invoice first, and taken back', async () => {
    swift.world.invoices = [bill(1, 100), { ...bill(2, 300), issued_at: '2026-10-06T10:00:00+00:00' }];
    const books = await booksOf(
      ['2026-10-12,190.00,USD,INWARD TRF EXPRESS BEIRUT'],
      SOLE().replace('SWIFT COD', 'EXPRESS BEIRUT'),
    );
    expect((await books.draft('2026-10')).totals).toMatchObject([{ owed_to_us: '210.00' }]);
    expect(await books.json(['match', 'add', receipt, '2', '1', '--part'])).toMatchObject({
      invoices: [1, 2],
      receipts_amount: '190.00',
      invoices_amount: '400.00',
      difference: '-210.00',
      difference_kind: null,
    });
    await books.run(['check', '2026-10']);
    const after = await books.draft('2026-10');
    expect(figures(after)).toEqual(['owed-to-us remittance-short 300.00 90.00 210.00']);
    expect((await books.run(['match', 'add', receipt, '2', '--part'])).stderr).toContain('is matched already');
    const { matches } = await books.json<{ matches: { id: number }[] }>(['match', 'list']);
    expect((await books.run(['match', 'remove', String(matches.at(-1)!.id), '--reason', 'wrong'])).code).toBe(0);
    await books.run(['check', '2026-10']);
    expect((await books.draft('2026-10')).totals).toMatchObject([{ owed_to_us: '210.00' }]);
    expect((await books.run(['verify', '--deep'])).code).toBe(0);
  });

  it('leaves open what is left of a receipt that is booked in part', async () => {
    swift.world.invoices = [bill(1, 100)];
    const books = await booksOf(['2026-10-12,150.00,USD,SWIFT COD']);
    expect(await books.json(['match', 'add', receipt, '1', '--part'])).toMatchObject({
      receipts_amount: '100.00',
      difference: '0.00',
    });
    const { rows } = await books.json<{ rows: { currency: string; closing: string }[] }>([
      'report',
      'roll-forward',
      '2026-10',
    ]);
    expect(rows).toMatchObject([{ currency: 'USD', closing: '-50.00' }]);
  });

  it('leaves open what is left of it, though its text names the invoice that it paid in part', async () => {
    swift.world.invoices = [bill(1001, 55)];
    hawk.world.invoices = [bill(1001, 400)];
    const table = (name: string, url: string) => `[couriers.${name}]\napi_url = "${url}"\npayers = ["EXPRESS"]\n`;
    const books = await booksOf(
      ['2026-10-12,100.00,USD,EXPRESS INVOICE 1001'],
      table('hawk', hawk.url) + table('swift', swift.url),
    );
    await books.json(['match', 'add', receipt, '1001', '--courier', 'swift', '--part', '--by', 'Rana']);
    const { mismatches } = await books.json<{ mismatches: { code: string }[] }>(['check', '2026-10']);
    expect(mismatches.map(({ code }) => code)).not.toContain('remittance-over');
    expect(mismatches).toContainEqual(expect.objectContaining({ code: 'receipt-unmatched', amount: '45.00' }));
    const { stdout } = await books.run(['match', 'explain', receipt]);
    expect(stdout).toContain('a person decides about the rest');
  });

  it('is asked about by the findings of now, also right after a decision', async () => {
    swift.world.invoices = [bill(1001, 55)];
    hawk.world.invoices = [bill(1001, 400)];
    const table = (name: string, url: string) => `[couriers.${name}]\napi_url = "${url}"\npayers = ["EXPRESS"]\n`;
    const books = await booksOf(
      ['2026-10-12,100.00,USD,EXPRESS INVOICE 1001'],
      table('hawk', hawk.url) + table('swift', swift.url),
    );
    const asked = async () => (await books.draft('2026-10', '--courier', 'hawk')).lines.map(({ code }) => code);
    const found = async () =>
      (await books.json<{ mismatches: object[] }>(['mismatch', 'list', '--courier', 'hawk'])).mismatches;
    expect(await asked()).toContain('receipt-ambiguous');
    await books.json(['match', 'add', receipt, '1001', '--courier', 'swift', '--part', '--by', 'Rana']);
    const before = await found();
    expect(await asked()).toEqual(['payment-overdue']);
    expect(await found()).toEqual(before);
    const argv = ['dispute', '2026-10', '--courier', 'hawk', '--yes', '--by', 'Rana', '--out', 'hawk.txt'];
    expect((await books.run(argv)).code).toBe(0);
    expect(readFileSync(path.join(books.cwd, 'hawk.txt'), 'utf8')).not.toContain('100.00');
    expect(await found()).not.toEqual(before);
  });

  it('is asked of no courier twice: what two may have sent is taken off both claims, and said', async () => {
    swift.world.invoices = [bill(1, 300)];
    hawk.world.invoices = [bill(2, 400)];
    const table = (name: string, url: string) => `[couriers.${name}]\napi_url = "${url}"\npayers = ["EXPRESS"]\n`;
    const books = await booksOf(
      ['2026-10-12,190.00,USD,EXPRESS BEIRUT'],
      table('hawk', hawk.url) + table('swift', swift.url),
    );
    const totals = [];
    for (const courier of ['swift', 'hawk']) {
      const { stdout, stderr } = await books.run(['dispute', '2026-10', '--dry-run', '--courier', courier, '--json']);
      totals.push((JSON.parse(stdout) as Claimed).totals[0]!.owed_to_us);
      expect(stderr).toMatch(/receipt \d+ of 2026-10-12 may be of hawk or swift: it is taken off the claims on each/);
    }
    expect(totals).toEqual(['110.00', '210.00']);
    expect((await books.run(['match', 'add', receipt, '1', '--part', '--courier', 'swift'])).code).toBe(0);
    await books.run(['check', '2026-10']);
    const claimed = async (courier: string) =>
      (await books.draft('2026-10', '--courier', courier)).totals[0]!.owed_to_us;
    expect([await claimed('swift'), await claimed('hawk')]).toEqual(['110.00', '400.00']);
  });
});

describe('a claim that was sent', () => {
  const later = new Date('2026-12-22T09:00:00Z');

  it('is shown again byte for byte, is taken back on record, and is asked for as for the first time', async () => {
    swift.world.invoices = [bill(1, 300), bill(2, 400)];
    const books = await booksOf(['2026-10-12,698.00,USD,SWIFT COD']);
    const sent = await books.run([
      'dispute',
      '2026-10',
      '--out',
      'claim.html',
      '--lang',
      'ar',
      '--yes',
      '--by',
      'Rana',
    ]);
    expect(sent).toMatchObject({ code: 0 });
    const file = readFileSync(path.join(books.cwd, 'claim.html'));
    expect((await books.run(['dispute', 'letter', '--month', '2026-10'], later)).stdout).toBe(file.toString());
    const again = await books.draft('2026-10', '--again');
    expect(again.lines.map(({ claimed_on }) => claimed_on)).toEqual(['2026-12-20', '2026-12-20', null, '2026-12-20']);
    const id = again.lines[0]!.id!;
    expect((await books.json<{ letter: string }>(['dispute', 'letter', id.slice(0, 8)])).letter).toBe(file.toString());
    const back = ['dispute', 'withdraw', '--month', '2026-10', '--note', 'wrong company', '--by', 'Rana'];
    const { claims } = await books.json<{ claims: { mismatch: { status: string }; claim: { state: string } }[] }>(
      back,
      later,
    );
    expect(claims.map(({ mismatch, claim }) => `${mismatch.status} ${claim.state}`)).toEqual(
      Array(3).fill('open withdrawn'),
    );
    expect((await books.run(back)).stderr).toContain('no claim of 2026-10 waits');
    // Checked again, it stays as it is; a new letter asks for it as for the first time, and the old one is still there.
    await books.run(['check', '2026-10']);
    expect((await books.draft('2026-10')).lines.every(({ claimed_on }) => claimed_on === null)).toBe(true);
    expect((await books.run(['dispute', 'letter', id])).stdout).toBe(file.toString());
    const second = await books.run(['dispute', '2026-10', '--yes', '--out', 'second.xlsx'], later);
    expect(second).toMatchObject({ code: 0 });
    await books.run(['dispute', 'letter', id, '--out', 'copy.xlsx'], later);
    const [copy, sheet] = ['copy.xlsx', 'second.xlsx'].map((name) => readFileSync(path.join(books.cwd, name)));
    expect(copy!.equals(sheet!)).toBe(true);
    const { claim_history } = await books.json<{ claim_history: { state: string }[] }>(['dispute', 'show', id]);
    expect(claim_history.map(({ state }) => state)).toEqual(['claimed', 'withdrawn', 'claimed']);
    expect((await books.run(['verify', '--deep'])).code).toBe(0);
  });

  it('of two months is answered in part, and taken back month by month', async () => {
    swift.world.invoices = [bill(1, 300), bill(2, 400), bill(3, 50, '11')];
    const books = await booksOf([]);
    const both = ['dispute', '2026-10..2026-11', '--yes', '--by', 'Rana', '--out', 'both.txt'];
    expect(await books.run(both)).toMatchObject({ code: 0 });
    const letter = readFileSync(path.join(books.cwd, 'both.txt'), 'utf8');
    for (const month of ['2026-10', '2026-11'])
      expect((await books.run(['dispute', 'letter', '--month', month])).stdout).toBe(letter);
    const states = async () => {
      const { claims } = await books.json<{
        claims: { mismatch: { invoice_number: number; status: string }; claim: { state: string } }[];
      }>(['dispute', 'list']);
      return claims.map(({ mismatch, claim }) => `${mismatch.invoice_number} ${mismatch.status} ${claim.state}`).sort();
    };
    const { lines } = await books.draft('2026-10..2026-11', '--again');
    const idOf = (invoice: number) => lines.find(({ invoice_number }) => invoice_number === invoice)!.id!;
    await books.json(['dispute', 'answer', idOf(1), '--accepted', '--note', 'paid next week', '--by', 'Rana'], later);
    expect(await states()).toEqual(['1 acknowledged answered', '2 acknowledged claimed', '3 acknowledged claimed']);
    // An answer changes no figure: all three are still owed.
    expect((await books.draft('2026-10..2026-11', '--again')).totals[0]!.owed_to_us).toBe('750.00');
    await books.json(['dispute', 'withdraw', '--month', '2026-11', '--note', 'too early', '--by', 'Rana'], later);
    expect(await states()).toEqual(['1 acknowledged answered', '2 acknowledged claimed', '3 open withdrawn']);
    expect(
      (await books.draft('2026-10..2026-11')).lines.map(({ invoice_number, claimed_on }) => [
        invoice_number,
        claimed_on,
      ]),
    ).toEqual([[3, null]]);
    await books.json(['dispute', 'withdraw', '--month', '2026-10', '--note', 'wrong company', '--by', 'Rana'], later);
    expect(await states()).toEqual(['1 open withdrawn', '2 open withdrawn', '3 open withdrawn']);
    expect((await books.run(['verify', '--deep'])).code).toBe(0);
  });

  it('to two couriers is each one’s own: its letter, its answer, its end', async () => {
    swift.world.invoices = [bill(1, 300)];
    hawk.world.invoices = [bill(1, 400)];
    const table = (name: string, url: string) => `[couriers.${name}]\napi_url = "${url}"\n`;
    const books = await booksOf([], table('hawk', hawk.url) + table('swift', swift.url));
    for (const courier of ['swift', 'hawk']) {
      const sent = ['dispute', '2026-10', '--yes', '--by', 'Rana', '--out', `${courier}.txt`, '--courier', courier];
      expect(await books.run(sent)).toMatchObject({ code: 0 });
    }
    const month = ['--month', '2026-10'];
    const asked = expect.stringMatching(/hawk.*swift|swift.*hawk/);
    expect(await books.run(['dispute', 'letter', ...month])).toMatchObject({ code: 2, stderr: asked });
    const back = ['dispute', 'withdraw', ...month, '--note', 'too early', '--by', 'Rana'];
    expect(await books.run(back)).toMatchObject({ code: 2, stderr: asked });
    for (const [courier, other, sum] of [
      ['swift', 'hawk', '300.00'],
      ['hawk', 'swift', '400.00'],
    ] as const) {
      const { stdout } = await books.run(['dispute', 'letter', ...month, '--courier', courier]);
      expect(stdout).toBe(readFileSync(path.join(books.cwd, `${courier}.txt`), 'utf8'));
      expect(stdout).toContain(sum);
      expect(stdout).not.toContain(other);
    }
    await books.json([...back, '--courier', 'hawk'], later);
    const { claims } = await books.json<{ claims: { courier: string; claim: { state: string } }[] }>([
      'dispute',
      'list',
    ]);
    expect(claims.map(({ courier, claim }) => `${courier} ${claim.state}`).sort()).toEqual([
      'hawk withdrawn',
      'swift claimed',
    ]);
    // One courier alone has a claim of the month that waits.
    await books.json(back, later);
    expect(await books.run(back, later)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no courier has a claim of 2026-10'),
    });
    expect((await books.run(['verify', '--deep'])).code).toBe(0);
  });

  it('says of nothing that it was asked for already that is asked for the first time', async () => {
    swift.world.invoices = [bill(1, 90), bill(2, 90), bill(3, 400)];
    const books = await booksOf(['2026-10-12,90.00,USD,SWIFT COD']);
    expect((await books.run(['dispute', '2026-10', '--yes'])).code).toBe(0);
    expect((await books.run(['match', 'add', receipt, '1'])).code).toBe(0);
    await books.run(['check', '2026-10']);
    const lines = (await books.draft('2026-10', '--again')).lines.map(({ invoice_number, claimed, claimed_on }) => [
      invoice_number,
      claimed,
      claimed_on,
    ]);
    // Of the second invoice it was only asked whether the payment was for it.
    expect(lines).toEqual([
      [2, '90.00', null],
      [3, '400.00', '2026-12-20'],
    ]);
  });
});

it('an order that is not delivered yet is a warning in no claim, and a note where both sides are worth the same', async () => {
  const order = (id: string, cod: [string, string][]) => ({
    ...{
      order_id: id,
      reference_id: `#${id}`,
      workflow: 'STANDARD',
      delivery_state: 'CREATED',
      payment_state: 'UNPAID',
    },
    ...{ cod, delivery_fee: [['USD', '2.00']], merchant_invoice: null },
  });
  swift.world.invoices = [bill(1, 100)];
  swift.world.orders = [order('A', [['LBP', '500000.00']]), order('B', [['USD', '7.00']])] as never;
  const books = await booksOf([]);
  await books.run(['sync', '2026-10..2026-12', '--orders']);
  writeFileSync(
    path.join(books.cwd, 'shop.csv'),
    'reference,ordered_on,status,currency,cod\n#A,2026-12-18,handed_over,USD,5.59\n#B,2026-12-18,handed_over,USD,9.00\n',
  );
  writeFileSync(path.join(books.cwd, 'rates.csv'), 'date,from,to,rate\n2026-12-01,USD,LBP,89500\n');
  expect((await books.run(['import', 'orders', 'shop.csv'])).code).toBe(0);
  expect((await books.run(['import', 'rates', 'rates.csv'])).code).toBe(0);
  writeFileSync(path.join(books.cwd, 'remit.toml'), `rate_tolerance = "0.01"\n${SOLE()}`);
  await books.run(['check']);
  const { mismatches } = await books.json<{
    mismatches: { id: string; code: string; severity: string; effect: string | null; message: string }[];
  }>(['mismatch', 'list']);
  const found = mismatches.filter(({ code }) => code === 'book-cod-differs');
  expect(found.map(({ severity, effect }) => [severity, effect])).toEqual([
    ['warning', null],
    ['info', null],
  ]);
  expect(found[0]!.message).toContain('tell the company before it collects');
  const { lines } = await books.draft(...found.map(({ id }) => id));
  expect(lines).toEqual([]);
});

it('a payout is known by its own number: commands take it, and the claim shows it', async () => {
  swift.world.invoices = [];
  const cwd = scratchFolder();
  writeFileSync(path.join(cwd, 'remit.toml'), '[couriers.cedar]\nkind = "files"\npayers = ["CEDAR"]\n');
  const run = (argv: readonly string[]) => remit(argv, { cwd, now: new Date('2026-12-20T09:00:00Z') });
  const sheet =
    'invoice,issued_on,status,order,currency,cod,fee\nES-902,2026-10-05,PENDING_PAYMENT,A1,USD,310.00,10.00\nES-904,2026-10-06,PENDING_PAYMENT,A2,USD,410.00,10.00\n';
  writeFileSync(path.join(cwd, 'sheet.csv'), sheet);
  const sheets = await run(['import', 'settlement', 'sheet.csv', '--courier', 'cedar']);
  expect(sheets).toMatchObject({ code: 0 });
  writeFileSync(
    path.join(cwd, 'bank.csv'),
    'date,amount,currency,text\n2026-10-01,-1.00,USD,Stamps\n2026-10-12,190.00,USD,CEDAR\n2026-12-10,-1.00,USD,Stamps\n',
  );
  expect(await run(['import', 'receipts', 'bank.csv'])).toMatchObject({ code: 0 });
  expect(await run(['match', 'add', receipt, 'es-904', '--part'])).toMatchObject({ code: 0 });
  expect(await run(['match', 'add', receipt, 'ES-999', '--part'])).toMatchObject({ code: 2 });
  await run(['check', '2026-10']);
  const found = JSON.parse((await run(['mismatch', 'list', '--invoice', 'ES-902', '--json'])).stdout);
  expect(found.mismatches.length).toBeGreaterThan(0);
  const { lines } = JSON.parse((await run(['dispute', '2026-10', '--dry-run', '--json'])).stdout);
  expect(lines).toContainEqual(
    expect.objectContaining({ invoice_number: expect.any(Number), invoice_number_text: 'ES-902' }),
  );
  for (const format of ['text', 'html', 'csv']) {
    const { stdout } = await run(['dispute', '2026-10', '--dry-run', '--format', format]);
    expect(stdout).toContain('ES-902');
    expect(stdout).not.toMatch(/9000000\d\d/);
  }
});
