import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/index.ts';
import { remit } from '../../helpers/cli.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { type OwnBooks, ownBooks } from '../../helpers/own-books.ts';
import { hasPostgres, newDatabase } from '../../helpers/postgres.ts';

const NOW = new Date('2026-11-26T09:00:00Z');
const HEAD = 'Payout,Date,Status,AWB,Ref,COD,Fee,Net,Curr';
const MAP = `[maps.plain]
kind = "settlement"
totals_row = "Total"
columns = { invoice = "Payout", issued_on = "Date", status = "Status", order = "AWB", reference = "Ref", cod = "COD", fee = "Fee", net = "Net", currency = "Curr" }
`;

function sheetBooks(...couriers: readonly string[]): OwnBooks {
  const books = ownBooks('', NOW);
  const tables = couriers.map((name) => `[couriers.${name}]\nkind = "files"\nmap = "plain"\n`);
  books.file('remit.toml', `time_zone = "UTC"\n${tables.join('')}${MAP}`);
  return books;
}

const sheet = (books: OwnBooks, name: string, ...lines: string[]) => books.file(name, [HEAD, ...lines].join('\n'));

interface Found {
  code: string;
  invoice_number: number | null;
  effect: string | null;
  amount: string | null;
}

interface Checked {
  mismatches: Found[];
  bridge: { unexplained: string | null }[];
}

const checked = async (books: OwnBooks): Promise<Checked> =>
  JSON.parse((await books.remit(['check', '2026-10', '--json'])).stdout);

const wrongNets = async (books: OwnBooks): Promise<Found[]> =>
  (await checked(books)).mismatches.filter(({ code }) => code === 'invoice-net');

describe('a settlement sheet', () => {
  it('may close with lines to sign on and notes below its totals: they are skipped and listed', async () => {
    const books = sheetBooks('cedar');
    const file = sheet(
      books,
      'october.csv',
      '41,2026-10-20,Paid,C-1,SO-1,100.00,3.50,96.50,USD',
      'Total,,,,,100.00,3.50,96.50,USD',
      'Received by:,Rana',
      'Signature: ______,,,,,,,,',
      ',,,,,Signature,,,',
    );
    const { new: added, skipped } = await books.json<{ new: number; skipped: { line: number; why: string }[] }>([
      'import',
      'settlement',
      file,
    ]);
    expect(added).toBe(1);
    expect(skipped.map(({ line }) => line)).toEqual([4, 5, 6]);
    expect(skipped.map(({ why }) => why).join(' ')).toContain('Received by: Rana');
  });

  it('is all that a night of sheets alone waits for: nothing is fetched, and no remedy is a sync', async () => {
    const books = sheetBooks('cedar');
    const file = sheet(books, 'october.csv', '41,2026-10-20,Paid,C-1,SO-1,100.00,3.50,96.50,USD');
    await books.json(['import', 'settlement', file]);
    const toml = readFileSync(path.join(books.folder, 'remit.toml'), 'utf8');
    books.file('remit.toml', toml.replace('map = "plain"', 'map = "plain"\npayers = ["CEDAR"]'));
    await books.json([
      'import',
      'receipts',
      books.file('bank.csv', 'date,amount,currency,text\n2026-10-25,5.00,USD,CEDAR\n'),
    ]);
    const night = await books.remit(['night']);
    // No bank file covers the payment.
    expect(night.code).toBe(1);
    expect(night.stdout).toContain('no courier has its invoices fetched: import its sheets');
    expect(night.stdout).toContain('import the settlement sheet that it is for, or match it by hand');
    expect(night.stdout).not.toMatch(/FAILED|sync the month|remit sync/);
    expect(await books.remit(['sync'])).toMatchObject({ code: 2 });
  });

  it('that never came of one courier refuses no journal of the others', async () => {
    const books = sheetBooks('cedar', 'olive');
    const file = sheet(books, 'october.csv', '41,2026-10-20,Paid,C-1,SO-1,100.00,3.50,96.50,USD');
    await books.json(['import', 'settlement', file, '--courier', 'cedar']);
    const journal = await books.remit(['report', 'journal', '2026-10', '--format', 'hledger']);
    expect(journal.stderr).toContain(
      'olive: nothing of it is in the ledger for these months, so there is no journal of it',
    );
    expect(journal).toMatchObject({ code: 0, stdout: expect.stringContaining('96.50') });
    expect(await books.remit(['report', 'journal', '2026-09', '--format', 'hledger'])).toMatchObject({
      code: 1,
      stdout: '',
    });
  });

  it('still refuses an order without an amount below a total', async () => {
    const books = sheetBooks('cedar');
    const file = sheet(
      books,
      'october.csv',
      '41,2026-10-20,Paid,C-1,SO-1,100.00,3.50,96.50,USD',
      'Total,,,,,100.00,3.50,96.50,USD',
      '42,2026-10-20,Paid,C-2,SO-2,,,,USD',
    );
    const refused = await books.remit(['import', 'settlement', file]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('line 4') });
  });

  it('whose row states another net than it leaves is found by invoice-net, the order named and its money counted once', async () => {
    const books = sheetBooks('cedar');
    await books.json([
      'import',
      'settlement',
      sheet(books, 'october.csv', '41,2026-10-20,Paid,C-1,SO-1,100.00,3.50,96.00,USD'),
    ]);
    const orders = 'reference,ordered_on,status,currency,cod\nSO-1,2026-10-01,handed_over,USD,100.00\n';
    await books.json(['import', 'orders', books.file('own.csv', orders)]);
    expect(await wrongNets(books)).toMatchObject([
      { invoice_number: 41, order_id: null, effect: '-0.50' },
      { invoice_number: 41, order_id: 'C-1', effect: null, amount: null },
    ]);
    expect((await checked(books)).bridge).toMatchObject([{ unexplained: '0.00' }]);
  });

  it.each(['SQLite', ...(hasPostgres ? ['PostgreSQL'] : [])])(
    'whose total is right while a row is not is found too, without an effect, until a sheet states the row right, on %s',
    async (database) => {
      const books = sheetBooks('cedar');
      if (database === 'PostgreSQL') {
        const toml = readFileSync(path.join(books.folder, 'remit.toml'), 'utf8');
        books.file('remit.toml', `ledger = "${(await newDatabase()).url}"\n${toml}`);
      }
      const lines = (net: string) => [
        '41,2026-10-20,Paid,C-1,SO-1,100.00,3.50,96.50,USD',
        `41,2026-10-20,Paid,C-2,SO-2,100.00,3.50,${net},USD`,
        'Total,,,,,200.00,7.00,193.00,USD',
      ];
      await books.json(['import', 'settlement', sheet(books, 'october.csv', ...lines('96.00'))]);
      const found = {
        severity: 'warning',
        invoice_number: 41,
        order_id: 'C-2',
        reference_id: 'SO-2',
        currency: 'USD',
        field: 'net_due_to_merchant',
        expected: '96.50',
        actual: '96.00',
        difference: '-0.50',
        effect: null,
      };
      expect(await wrongNets(books)).toMatchObject([found]);
      const { stdout } = await books.remit(['check', '2026-10', '--all']);
      expect(stdout).toContain(
        'Invoice 41 states a net of 96.00 USD for order C-2 (reference "SO-2"), 0.50 USD less than the 96.50 USD that its COD of 100.00 USD less its fee of 3.50 USD leaves',
      );
      expect(await books.json(['rebuild'])).toMatchObject({ changed: 0 });
      expect(await wrongNets(books)).toMatchObject([found]);
      await books.json(['import', 'settlement', sheet(books, 'mended.csv', ...lines('96.50'))]);
      expect(await wrongNets(books)).toEqual([]);
    },
  );

  it('may state the net of a RETURN row as its convention has it', async () => {
    const books = sheetBooks('cedar');
    const toml = readFileSync(path.join(books.folder, 'remit.toml'), 'utf8');
    const charged = toml
      .replace('[maps', 'returns = "charged"\n[maps')
      .replace('order =', 'workflow = "Type", order =');
    books.file('remit.toml', charged);
    const file = books.file(
      'october.csv',
      [
        'Payout,Date,Status,Type,AWB,Ref,COD,Fee,Net,Curr',
        '41,2026-10-20,Paid,Delivery,C-1,SO-1,100.00,3.50,96.50,USD',
        '41,2026-10-20,Paid,Return,C-2,SO-2,5.00,2.00,-5.00,USD',
        '41,2026-10-20,Paid,Return,C-3,SO-3,4.00,2.00,-6.00,USD',
        'Total,,,,,,100.00,3.50,87.50,USD',
      ].join('\n'),
    );
    const { stdout } = await books.remit(['import', 'settlement', file]);
    expect(stdout).toMatch(/the net is not the COD less charges and taxes on line 4$/m);
    expect(await wrongNets(books)).toMatchObject([{ order_id: 'C-3', expected: '-4.00', actual: '-6.00' }]);
  });

  it('names the column and line of a currency that is none', async () => {
    const books = sheetBooks('cedar');
    const file = sheet(books, 'october.csv', '41,2026-10-20,Paid,C-1,SO-1,100.00,3.50,96.50,12');
    const refused = await books.remit(['import', 'settlement', file]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/line 2.*Curr/) });
  });

  it('has a line in doctor: the last sheet, its map, the months it covers', async () => {
    const books = sheetBooks('cedar', 'pine');
    await books.json([
      'import',
      'settlement',
      sheet(books, 'october.csv', '41,2026-10-20,Paid,C-1,SO-1,100.00,3.50,96.50,USD'),
      '--courier',
      'cedar',
    ]);
    const { checks } = JSON.parse((await books.remit(['doctor', '--json'])).stdout);
    const said = (checks as { name: string; message: string }[]).filter(({ name }) => name === 'sheets');
    expect(said.map(({ message }) => message)).toEqual([
      'cedar: last sheet "october.csv", imported 2026-11-26; map plain; covers 2026-10',
      'pine: no settlement sheet is imported yet; map plain',
    ]);
  });

  it('lists an order that is found by its reference in whatever letters', async () => {
    const books = sheetBooks('cedar');
    await books.json([
      'import',
      'settlement',
      sheet(books, 'october.csv', '41,2026-10-20,Paid,C-1,#DNI,100.00,3.50,96.50,USD'),
    ]);
    for (const name of ['#DNI', '#dni', 'dni']) {
      expect(await books.json(['show', 'order', name])).toMatchObject({ order_id: 'C-1' });
    }
  });
});

describe('what is shown of two couriers', () => {
  it('calls the figures of a month at a glance by their titles, and by their names to programs', async () => {
    const books = sheetBooks('cedar', 'pine');
    for (const courier of ['cedar', 'pine']) {
      const file = sheet(books, `${courier}.csv`, '41,2026-10-20,Paid,C-1,SO-1,100.00,3.50,96.50,USD');
      await books.json(['import', 'settlement', file, '--courier', courier]);
    }
    const { stdout } = await books.remit(['report', 'dashboard', '2026-10']);
    expect(stdout).toMatch(/cedar +bridge +Courier’s figure/);
    expect(stdout).not.toMatch(/net_due_to_merchant|open_today|marked_paid/);
    const { rows } = await books.json<{ rows: { figure: string }[] }>(['report', 'dashboard', '2026-10']);
    expect(rows.map(({ figure }) => figure)).toContain('net_due_to_merchant');
  });
});

describe('an own order book', () => {
  it('totals what its orders add up to, refunds taken off', async () => {
    const books = sheetBooks('cedar');
    const orders =
      'reference,ordered_on,status,currency,cod\nA,2026-10-01,handed_over,USD,5.00\nB,2026-10-01,handed_over,USD,-4.77\n';
    const { totals } = await books.json<{ totals: unknown[] }>(['import', 'orders', books.file('own.csv', orders)]);
    expect(totals).toEqual([{ currency: 'USD', count: 2, cod: '0.23' }]);
  });

  it('says what COD is at stake of an order that it does not hold, without an effect', async () => {
    const books = sheetBooks('cedar');
    await books.json([
      'import',
      'settlement',
      sheet(books, 'october.csv', '41,2026-10-20,Paid,C-1,SO-1,100.00,3.50,96.50,USD'),
    ]);
    const orders = 'reference,ordered_on,status,currency,cod\nSO-9,2026-10-01,open,USD,5.00\n';
    await books.json(['import', 'orders', books.file('own.csv', orders)]);
    const checked = JSON.parse((await books.remit(['check', '2026-10', '--json'])).stdout);
    expect((checked.mismatches as Found[]).filter(({ code }) => code === 'not-in-books')).toMatchObject([
      { currency: 'USD', amount: '100.00', effect: null },
    ]);
  });
});

describe('new books', () => {
  it('of a shop whose couriers only send sheets ask for no API', async () => {
    const [asked, told] = [scratchFolder(), scratchFolder()];
    const typed: [string, string][] = [
      ['Address of the API', ''],
      ['Names of the companies', 'cedar pine'],
      ['Time zone of your books', 'Asia/Beirut'],
      ['Your name on letters', ''],
      ['Your address', ''],
    ];
    expect(await remit(['init'], { cwd: asked, typed })).toMatchObject({ code: 0 });
    const made = await remit(['init', '--sheets-of', 'cedar', 'pine'], { cwd: told });
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('import settlement FILE') });
    for (const cwd of [asked, told]) {
      const config = await loadConfig({ env: {}, cwd });
      expect(Object.entries(config.couriers).map(([name, { kind }]) => [name, kind])).toEqual([
        ['cedar', 'files'],
        ['pine', 'files'],
      ]);
      expect(config.hasSole).toBe(false);
      expect(readFileSync(path.join(cwd, 'remit.toml'), 'utf8')).not.toMatch(/^api_/m);
    }
  });

  it('on a machine that names no time zone go by UTC, and say what to set', async () => {
    const books = sheetBooks('cedar');
    await books.json([
      'import',
      'settlement',
      sheet(books, 'october.csv', '41,2026-10-20,Paid,C-1,SO-1,100.00,3.50,96.50,USD'),
    ]);
    books.file('remit.toml', `[couriers.cedar]\nkind = "files"\n${MAP}`);
    const { startRemit } = await import('../../helpers/remit.ts');
    const { code, stderr } = await startRemit(['report', 'totals'], { TZ: '' }, books.folder).ended;
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('set time_zone in remit.toml, or TZ'),
    });
  });
});
