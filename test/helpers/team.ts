/** A courier, the merchant's own files, and the command line of people who share one ledger. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import ExcelJS from 'exceljs';
import { expect } from 'vitest';
import { type Outcome, remit } from './cli.ts';
import { type FakeCourier, invoiceOf, KEY, type Pair, startFakeCourier } from './courier.ts';
import { scratchFolder } from './folder.ts';
import { PASSWORD } from './postgres-server.ts';

export const NOW = new Date('2026-11-20T10:00:00Z');

const row = (order_id: string, cod: string) => ({
  order_id,
  reference_id: `SO-${order_id}`,
  cod: [['USD', cod]] as Pair[],
  delivery_fee: [['USD', '3.00']] as Pair[],
});

/** Nets 97, 47, 47, 200 dollars, and one whose header is a dollar short of its rows. */
function invoices() {
  return [
    invoiceOf(10001, '2026-10-01T10:00:00+03:00', [row('A', '100.00')], { status: 'PAID' }),
    invoiceOf(10002, '2026-10-02T10:00:00+03:00', [row('B', '50.00')]),
    invoiceOf(10003, '2026-10-02T11:00:00+03:00', [row('C', '50.00')], { status: 'PAID' }),
    invoiceOf(10004, '2026-10-09T10:00:00+03:00', [row('D', '203.00')], { status: 'PAID' }),
    invoiceOf(10005, '2026-10-12T10:00:00+03:00', [row('E', '30.00'), row('F', '40.00')], {
      cod: [['USD', '69.00']],
      net_due_to_merchant: [['USD', '63.00']],
    }),
  ];
}

/** The merchant's own files, by the kind that they are imported as. */
export const FILES: Readonly<Record<'orders' | 'receipts' | 'tariff' | 'rates', string>> = {
  orders: `reference,ordered_on,status,currency,cod,district,note
SO-A,2026-10-01,handed_over,USD,100.00,Beirut,
SO-B,2026-10-01,handed_over,USD,52.00,Tyre,two dollars more
SO-C,2026-10-02,cancelled,USD,50.00,Beirut,بيت
SO-Z,2026-10-03,handed_over,USD,12.00,Beirut,never arrived
`,
  receipts: `date,amount,currency,text,invoice
2026-10-10,200.00,USD,Cedar Road 10004,
2026-10-11,95.00,USD,Cedar Road 10001,
2026-10-12,47.00,USD,Cedar Road payment,
2026-10-13,47.00,USD,Cedar Road payment,
2026-10-12,-9.00,USD,Rent,
`,
  tariff: `workflow,district,area,merchant_location,from,to,currency,fee
STANDARD,,,,2026-01-01,,USD,2.50
`,
  rates: `date,from,to,rate
2026-10-01,USD,LBP,89500
`,
};

export interface Team {
  readonly courier: FakeCourier;
  /** The books folder, with the own files in it: `orders.csv`, `receipts.csv` and so on. */
  readonly folder: string;
  environment(ledger: string): Record<string, string>;
  /** Runs a command on a ledger; no password is ever in what it prints. */
  run(ledger: string, ...argv: string[]): Promise<Outcome>;
}

/** Starts the courier and makes the books folder. Close the courier after the test. */
export async function startTeam(): Promise<Team> {
  const listed = invoices();
  const orders = listed.flatMap(({ number, orders: rows }) =>
    rows.map((each) => ({
      ...each,
      workflow: 'STANDARD',
      delivery_state: 'DELIVERED',
      payment_state: 'PAID_TO_MERCHANT',
      merchant_invoice: number,
      statestamps: [],
    })),
  );
  const courier = await startFakeCourier({ invoices: listed, orders });
  const folder = scratchFolder();
  writeFileSync(path.join(folder, 'remit.toml'), '[receipts]\npayers = ["Cedar Road"]\n');
  for (const [kind, text] of Object.entries(FILES)) writeFileSync(path.join(folder, `${kind}.csv`), text);
  const environment = (ledger: string) => ({ REMIT_API_URL: courier.url, REMIT_API_KEY: KEY, REMIT_LEDGER: ledger });
  return {
    courier,
    folder,
    environment,
    async run(ledger, ...argv) {
      const outcome = await remit(argv, { cwd: folder, env: environment(ledger), now: NOW });
      for (const secret of [PASSWORD, encodeURIComponent(PASSWORD)]) {
        expect(outcome.stdout + outcome.stderr).not.toContain(secret);
      }
      // How long something took is the one thing that two runs need not agree on.
      return { ...outcome, stderr: outcome.stderr.replace(/ in [\d.]+ s/g, '') };
    },
  };
}

/**
 * Brings everything: the month, the order book and the own files. One request at a time, so that it is kept in one
 * order.
 */
export async function bringAll({ run }: Pick<Team, 'run'>, ledger: string): Promise<void> {
  const done = [await run(ledger, 'sync', '2026-10', '--orders', '--concurrency', '1', '--quiet')];
  for (const kind of Object.keys(FILES)) done.push(await run(ledger, 'import', kind, `${kind}.csv`, '--by', 'Rana'));
  expect(done.map(({ code, stderr }) => [code, stderr])).toEqual(done.map(() => [0, expect.anything()]));
}

/** Types a status and a note into the row of a statement's mismatch, as a person with another program would. */
export async function typeDecision(file: string, id: string, typed: { status: string; note: string }): Promise<void> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(file);
  const sheet = book.getWorksheet('Mismatches')!;
  const heads = (sheet.getRow(1).values as unknown[]).map(String);
  sheet.eachRow((each) => {
    if (!(each.values as unknown[]).some((value) => String(value) === id)) return;
    each.getCell(heads.indexOf('Status')).value = typed.status;
    each.getCell(heads.indexOf('Note')).value = typed.note;
  });
  await book.xlsx.writeFile(file);
}
