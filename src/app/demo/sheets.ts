import path from 'node:path';
import { monthIn } from '../../base/day.ts';
import { makeFolder } from '../../base/files/folder.ts';
import { addMonths } from '../../base/period.ts';
import { SETTINGS_FILE } from '../../config/index.ts';
import type { Books } from '../books.ts';
import { type ImportRequest, importFiles } from '../import/index.ts';
import type { Imported } from '../import/summary.ts';
import { writeText } from '../init.ts';

/** The folder inside the demo's with the books of three couriers that have no API. */
export const SHEETS = 'sheets';

/** What importing a courier's settlement sheet brought. */
export interface ImportedSheet {
  readonly courier: string;
  readonly summary: Imported['summary'];
}

/** A made-up courier whose sheets look like those of real couriers. */
interface SheetCourier {
  readonly courier: string;
  /** The map by which its sheets are read, as in remit.toml. */
  readonly map: string;
  /** Its sheet of a month: each courier writes days in another way. */
  readonly sheet: (year: string, month: string) => string;
}

const COURIERS: readonly SheetCourier[] = [
  {
    // A letterhead, kinds of charges, a tax, and a total below.
    courier: 'cedar-express',
    map: `currency = "USD"
totals_row = "Total"
columns = { invoice = "Payout", issued_on = "Paid on", order = "AWB", reference = "Your ref", workflow = "Type", cod = "COD", net = "Net" }
charges = { delivery = "Delivery Fee", handling = "COD %" }
taxes = { wht = "WHT 2%" }`,
    sheet: (year, month) => `CEDAR EXPRESS SAL,,,,,,,,,
Settlement statement,,,,,,,,,
,,,,,,,,,
Payout,Paid on,AWB,Your ref,Type,COD,Delivery Fee,COD %,WHT 2%,Net
118,28/${month}/${year},CX-1,SO-9001,Delivered,100.00,3.00,1.00,0.08,95.92
118,28/${month}/${year},CX-2,SO-9002,Delivered,50.00,3.00,0.50,0.07,46.43
118,28/${month}/${year},CX-3,SO-9003,RTO,0.00,2.00,0.00,0.04,-2.04
Total,,,,,150.00,8.00,1.50,0.19,140.31
Thank you for shipping with us,,,,,,,,,
`,
  },
  {
    // A column per currency, decimal commas, batches with a total each.
    courier: 'levant-couriers',
    map: `delimiter = ";"
decimal = ","
thousands = "."
totals_row = "TOTAL"
columns = { invoice = "Batch no", issued_on = "Date", reference = "Order", status = "Status", cod = { USD = "COD $", LBP = "COD LL" }, fee = { USD = "Fee $" } }`,
    sheet: (year, month) => `Batch no;Date;Order;COD $;COD LL;Fee $;Status
B-${year}/44;27.${month}.${year};SO-9101;100,00;0;3,00;Paid
B-${year}/44;27.${month}.${year};SO-9102;0;4.475.000,00;3,00;Paid
B-${year}/44;27.${month}.${year};SO-9103;20,00;895.000,00;3,00;Paid
TOTAL;;;120,00;5.370.000,00;9,00;
B-${year}/45;28.${month}.${year};SO-9104;40,00;;3,00;Pending
TOTAL;;;40,00;0;3,00;
`,
  },
  {
    // A row per currency, returns with a minus, days with a time.
    courier: 'med-post',
    map: `columns = { invoice = "Settlement", issued_on = "Settlement date", order = "Tracking number", reference = "Merchant ref", workflow = "Shipment type", currency = "Curr", cod = "Collected", fee = "Charges", net = "Due" }`,
    sheet: (
      year,
      month,
    ) => `Settlement,Settlement date,Tracking number,Merchant ref,Shipment type,Curr,Collected,Charges,Due
7001,${year}-${month}-26 18:20:11,T1,SO-9201,Forward,EUR,100.00,3.00,97.00
7001,${year}-${month}-26 18:20:11,T1,SO-9201,Forward,LBP,900000,0,900000
7001,${year}-${month}-26 18:20:11,T2,SO-9202,Forward,EUR,50.00,3.00,47.00
7002,${year}-${month}-27 10:00:00,T3,SO-9203,Return,EUR,-20.00,2.00,-22.00
Grand Total,,,,,,,,
`,
  },
];

/** Last month's pending batch is then never overdue: the demo shows the same on every day of a month. */
const NOT_OVERDUE = 'overdue_days = 45\n';

/**
 * Makes the books of these couriers, and imports the sheet of last month of each, as a person would with `--courier`.
 *
 * @param demo the demo's folder
 * @param booksIn opens the books in a folder, narrowed to a courier
 */
export async function importSheets(
  demo: string,
  now: Date,
  booksIn: (folder: string, courier: string) => Promise<Books>,
  by: string,
): Promise<ImportedSheet[]> {
  const folder = path.join(demo, SHEETS);
  makeFolder(folder);
  const [year, month] = addMonths(monthIn(now, 'UTC'), -1).split('-') as [string, string];
  const tables = COURIERS.map(
    ({ courier, map }) =>
      `[couriers.${courier}]\nkind = "files"\nmap = "${courier}"\n[maps.${courier}]\nkind = "settlement"\n${map}\n`,
  );
  await writeText(path.join(folder, SETTINGS_FILE), `time_zone = "UTC"\n${NOT_OVERDUE}${tables.join('')}`);
  const imported: ImportedSheet[] = [];
  for (const { courier, sheet } of COURIERS) {
    const file = path.join(folder, `${courier}.csv`);
    await writeText(file, sheet(year, month));
    const { summary } = await importFile(await booksIn(folder, courier), 'settlement', file, by);
    imported.push({ courier, summary });
  }
  return imported;
}

/** Imports one file of any kind. */
export async function importFile(
  books: Books,
  kind: ImportRequest['kind'],
  file: string,
  by: string,
): Promise<Imported> {
  const request = { kind, files: [file], map: null, by, dryRun: false, allowGap: false };
  return (await importFiles(books, request))[0]!;
}
