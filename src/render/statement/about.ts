import { mapped, pagesOf } from '../../../reports/pages.ts';
import type { MonthDocument, Statement } from '../../../reports/statement/index.ts';
import type { Accent } from '../colour.ts';
import type { Language, Phrase } from '../language/index.ts';
import type { Line, Sheet, SheetCell } from '../workbook/model.ts';
import { wallTime } from '../workbook/values.ts';
import { COUNT, HEAD, HEAD_RIGHT, HINT, LINE, SECTION, STRONG } from './looks.ts';
import { Page } from './page.ts';

const WIDTHS = [30, 70, 14, 14, 20, 20];
/** Room between a column of figures and the texts to its right. */
const APART = { ...LINE, indent: 1 };
const TIME = { ...LINE, format: 'yyyy-mm-dd hh:mm:ss' };

const MARK_HINT =
  'By the line below, remit tells what you write into this workbook from what it wrote itself. Leave it as it is.';

const DEFINITIONS: readonly (readonly [term: Phrase, definition: Phrase])[] = [
  [
    'COD collected',
    "Cash that the courier collected on delivery: the sum of cod over the headers of the month's invoices.",
  ],
  ['Delivery fees', 'What the courier charges: the sum of delivery_fee over the same headers.'],
  ['Net due to the merchant', 'The sum of net_due_to_merchant over the same headers, as the courier states it.'],
  ['Received', 'What receipts brought that are matched to the invoices, less what was taken back.'],
  [
    'Outstanding',
    "Net due less received and less differences that a person named, once receipts were imported for the invoice's payment window (from its date to remittance_lag_days after it, in its currency) or matched to it. Until then nothing of what the courier marks paid, and all of what it does not; that part is shown as marked paid.",
  ],
  ['Net of its orders', "An invoice's rows: the sum of COD less delivery fee. Difference: the stated net less that."],
  ["Courier's figure", "The net due by its invoices' headers."],
  [
    'Our figure',
    "Every order on the month's invoices once, where an invoice first lists it: if it was ever delivered, the COD of its record as first seen delivered, less that record's fee; no fee of what was cancelled. Where the merchant's own order book holds the order, its COD counts instead, and where a rate card covers it, the agreed fee. Where the courier's order book was never synced, the merchant's own alone counts, for what an invoice calls delivered. No amount of an invoice goes into it. The sum of `Our net` on Orders.",
  ],
  [
    'Explained',
    'The steps of the bridge together: the effects of all that the data shows between the two figures, each difference taken once.',
  ],
  [
    'Short or ahead',
    'The effects of all mismatches that are not resolved, steps and money outside the invoices together: negative is money that the merchant is short.',
  ],
  ['Unexplained', 'The difference less what is explained. Its goal is 0.00.'],
  [
    'Month',
    "The month under which the courier's own list has an invoice. Times in tables of invoices are the courier's, with its own offset; all others are UTC.",
  ],
  [
    'Exactness',
    'Amounts are added up as decimal numbers, twice and by two programs; had the two differed in the last digit, this file would not exist. Totals are live formulas that round away what a spreadsheet adds up in error.',
  ],
];

/** The last page: what each figure means, and which runs and documents stand behind it. */
export function aboutSheet(statement: Statement, accent: Accent, language: Language, mark: () => string): Sheet {
  const page = new Page(WIDTHS, language);
  return {
    name: page.say('About'),
    tabColour: accent.fill,
    widths: WIDTHS,
    gridLines: false,
    lines: lines(page, statement, mark),
  };
}

/** @param mark what tells what people type from what remit wrote: known when all that stands before it is written */
async function* lines(page: Page, statement: Statement, mark: () => string): AsyncGenerator<Iterable<Line>> {
  const { say } = page;
  page.band(say('How each figure is defined'), SECTION, 20);
  for (const [term, definition] of DEFINITIONS) {
    page.paragraph([{ value: say(term), style: { ...LINE, bold: true } }], say(definition), LINE);
  }
  page.gap();
  addOrigin(page, statement);
  addRuns(page, statement);
  page.band(page.say('Documents behind this month'), SECTION, 20);
  page.paragraph(
    [],
    page.say('The answers of the API that the invoices were read from; the ledger keeps each as it was received.'),
    HINT,
  );
  page.heading([
    { value: page.say('Invoice'), style: HEAD },
    { value: page.say('SHA-256 of the document'), style: HEAD },
    { value: page.say('Bytes'), style: HEAD_RIGHT },
    { value: page.say('Run'), style: { ...HEAD, align: 'left', indent: 1 } },
    { value: page.say('Received (UTC)'), style: HEAD },
  ]);
  yield page.lines;
  for await (const documents of pagesOf(statement.documents)) yield mapped(documents, documentLine);
  yield [{ cells: [] }, { cells: [{ value: say(MARK_HINT), style: HINT, span: WIDTHS.length }] }];
  // Only now: what stands before it is written.
  yield [{ cells: [{ value: mark(), style: HINT, span: WIDTHS.length }] }];
}

function documentLine({ invoice_number, sha256, size, run_id, received_at }: MonthDocument): Line {
  return {
    cells: [
      { value: String(invoice_number), style: LINE },
      { value: sha256, style: LINE },
      { value: size, style: COUNT },
      { value: String(run_id), style: APART },
      time(received_at),
    ],
  };
}

function addOrigin(page: Page, statement: Statement): void {
  page.band(page.say('Where it comes from'), SECTION, 20);
  const facts = [
    ['Service', statement.apiUrl ?? page.say('not known')],
    ['Made by', `remit ${statement.remitVersion}`],
    ['Ledger version', statement.ledgerVersion],
    ['Evidence', placeOf(page, statement)],
  ] as const;
  for (const [label, text] of facts) page.paragraph([{ value: page.say(label), style: STRONG }], text, LINE);
  page.gap();
}

/** The newest evidence behind the figures, by which a later look finds them again. */
function placeOf({ say }: Page, { head }: Statement): string {
  return head === null ? say('none') : say('row {id} of the chain, {chain}', { id: head.id, chain: head.chain });
}

function addRuns(page: Page, { runs }: Statement): void {
  page.band(page.say('Runs behind this month'), SECTION, 20);
  page.add([
    { value: page.say('Run'), style: HEAD },
    { value: page.say('Command'), style: HEAD },
    { value: page.say('Status'), style: HEAD },
    { value: 'remit', style: HEAD },
    { value: page.say('Started (UTC)'), style: HEAD },
    { value: page.say('Finished (UTC)'), style: HEAD },
  ]);
  for (const run of runs) {
    page.add([
      { value: String(run.id), style: LINE },
      { value: run.command, style: LINE },
      { value: run.status, style: LINE },
      { value: run.remit_version, style: LINE },
      time(run.started_at),
      time(run.finished_at),
    ]);
  }
  page.gap();
}

function time(iso: string | null): SheetCell {
  return { value: iso === null ? null : (wallTime(iso) ?? iso), style: TIME };
}
