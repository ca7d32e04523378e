import { type Bill, type CourierBooks, type OwnFiles, PAYER } from '../../checks/plant.ts';
import { applyImport, type ImportData, type ReadFile } from '../../derive/imports.ts';
import { readBytes } from '../../imports/formats/read-bytes.ts';
import { appendEvidence, type ImportedKind, type Ledger, sealBody } from '../../ledger/index.ts';
import { Totals } from '../../money/sum.ts';
import { formatUnits, parseUnits } from '../../money/units.ts';

/** The kinds of files with which the merchant tells of their own side: orders, receipts, tariff, rates. */
export type OwnKind = Exclude<ImportedKind, 'settlement'>;

/** The header line of each kind of file, in remit's own CSV format. */
export const HEADS: Readonly<Record<OwnKind, string>> = {
  orders: 'reference,ordered_on,status,currency,cod',
  receipts: 'date,amount,currency,text,invoice',
  tariff: 'workflow,district,area,merchant_location,from,to,currency,fee',
  rates: 'date,from,to,rate',
};

/** Bank lines before and after all payments: the file covers the time between, so a missing payment did not come in. */
const OTHER_BUSINESS = ['USD', 'LBP'].flatMap((currency) =>
  ['2026-10-01', '2026-12-07'].map((date) => `${date},-10.00,${currency},Rent,`),
);

/** The merchant's own files, which agree with the courier's books. */
export function cleanFiles(books: CourierBooks): OwnFiles {
  const files: OwnFiles = { orders: new Map(), receipts: new Map(), tariff: new Map() };
  for (const { order_id, reference_id, delivery_state, merchant_location, amounts } of books.orders.values()) {
    const status = delivery_state === 'CANCELLED' ? 'cancelled' : 'handed_over';
    for (const [currency, [cod, fee]] of Object.entries(amounts)) {
      files.orders.set(`${reference_id},${currency}`, { status, cod });
      files.tariff.set(`${order_id} ${currency}`, { location: merchant_location, currency, fee });
    }
  }
  for (const bill of [...books.bills.values()].filter(({ status }) => status === 'PAID')) {
    const about = { date: bill.issued_at.slice(0, 10), text: PAYER, invoice: String(bill.number) };
    for (const [currency, amount] of netsOf(bill)) {
      files.receipts.set(`${bill.number} ${currency}`, { ...about, amount, currency });
    }
  }
  return files;
}

function netsOf({ rows }: Bill): [string, string][] {
  const nets = new Totals();
  for (const { amounts } of rows) {
    for (const [currency, [cod, fee]] of Object.entries(amounts)) nets.add(currency, parseUnits(cod) - parseUnits(fee));
  }
  return nets.currencies().map((currency) => [currency, formatUnits(nets.unitsOf(currency))]);
}

/** Imports the merchant's own files into a ledger. */
export async function importOwnFiles(ledger: Ledger, { orders, receipts, tariff }: OwnFiles, at: Date): Promise<void> {
  const texts: Readonly<Record<OwnKind, readonly string[]>> = {
    // The key has two of the columns: `ref-A1,USD`.
    orders: [...orders].map(([key, { status, cod }]) => {
      const [reference, currency] = key.split(',');
      return [reference, '2026-10-01', status, currency, cod].join(',');
    }),
    receipts: [
      ...[...receipts.values()].map(({ date, amount, currency, text, invoice }) =>
        [date, amount, currency, text, invoice].join(','),
      ),
      ...OTHER_BUSINESS,
    ],
    tariff: [...tariff.values()].map(({ location, currency, fee }) =>
      ['STANDARD', '', '', location, '', '', currency, fee].join(','),
    ),
    rates: ['2026-10-01,USD,LBP,90000'],
  };
  for (const [name, lines] of Object.entries(texts)) {
    const kind = name as OwnKind;
    await importText(ledger, { kind, text: `${[HEADS[kind], ...lines].join('\n')}\n`, at });
  }
}

/** Imports a text as a file of its kind, so that it becomes evidence and rows as any imported file does. */
export async function importText(
  { db }: Pick<Ledger, 'db'>,
  { kind, text, at }: { readonly kind: ImportedKind; readonly text: string; readonly at: Date },
): Promise<void> {
  const bytes = Buffer.from(text);
  const source = `${kind}.csv`;
  const read = { kind, file: readBytes(kind, bytes, source) } as ReadFile;
  const body = await sealBody(bytes);
  const data: ImportData = { map: null, allow_gap: false, account: null };
  await db.transaction().execute(async (trx) => {
    const what = { at, kind: 'import', actor: 'self-test', subject: kind, source, body, data };
    await applyImport(trx, await appendEvidence(trx, what), read);
  });
}
