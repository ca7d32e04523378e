import path from 'node:path';
import { Command, Option } from '@commander-js/extra-typings';
import type { Filters, ReportRequest } from '../../app/report.ts';
import { UsageError } from '../../base/errors.ts';
import { JOURNAL_FORMATS, type JournalFormat, SHOP_FORMATS, type ShopFormat } from '../../render/formats.ts';
import type { JournalFile } from '../../render/journal/index.ts';
import type { RenderOptions, ReportFormat } from '../../render/report.ts';
import { asOfOption, example, ledgerOption, PERIOD_FORMS, printAnswer, type Start, writeOut } from '../command.ts';
import { namedFormat, refuseOnTerminal } from '../flags.ts';
import type { Flags, Session, SettingInput, Texts } from '../session.ts';

const FORMATS = ['table', 'csv', 'json', 'xlsx', 'html'] as const satisfies ReportFormat[];

export const declare = (start: Start) =>
  new Command('report')
    .summary('print or write a report; without a name, list them')
    .description('Prints a report, or writes it to a file. Without a name: lists the reports.')
    .argument('[name]', 'the report')
    .argument('[period]', `${PERIOD_FORMS} (default: every month in the ledger)`)
    .addOption(
      new Option('--format <format>', 'how to print it').choices([
        ...FORMATS,
        ...JOURNAL_FORMATS.filter((format) => format !== 'csv'),
        ...SHOP_FORMATS,
      ]),
    )
    .option('--out <file>', 'write it to a file; the ending says the format')
    .option(
      '--opening',
      'start a journal for hledger or beancount with its opening balances, and assert the closing ones',
    )
    .option('--since <day>', 'paid-orders: only orders whose cash came in on this day or later')
    .option('--bom', 'start CSV with a byte order mark, for Excel')
    .option('--invoice <number>', 'only the rows of an invoice')
    .option('--order <id>', 'only the rows of an order')
    .option('--status <status>', 'only rows of a status, such as PAID or open')
    .option('--code <code>', 'only mismatches of a check')
    .option('--currency <code>', 'only rows in a currency')
    .addOption(asOfOption())
    .addOption(ledgerOption())
    .addHelpText(
      ...example(
        'remit report totals 2026-Q4',
        'remit report orders 2026-10 --out orders.xlsx',
        'remit report mismatches 2026-10 --status open --currency USD',
        'remit report journal 2026-10 --format hledger --out october.journal',
        'remit report paid-orders --since 2026-11-01 --format shopify --out Orders.csv',
      ),
    )
    .action((name, period, options) => start('report', { name, period, ...options }, report));

export const completes = async () => ({
  name: (await import('../../app/report.ts')).listReports().map(({ name }) => name),
});

export interface ReportInput
  extends SettingInput,
    FilterInput,
    Texts<'name' | 'period' | 'since' | 'out' | 'asOf'>,
    Flags<'bom' | 'opening'> {
  readonly format?: ReportFormat | JournalFormat | ShopFormat | undefined;
}

type FilterInput = Texts<(typeof FILTER_NAMES)[number]>;

const FILTER_NAMES = ['invoice', 'order', 'status', 'code', 'currency'] as const;

function filtersOf(input: FilterInput): Filters {
  return Object.fromEntries(FILTER_NAMES.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])));
}

export async function report(session: Session, input: ReportInput): Promise<number> {
  const app = await import('../../app/report.ts');
  if (input.name === undefined) {
    const reports = app.listReports();
    return printAnswer(session, { reports }, () => listLines(reports));
  }
  const entry = app.findReport(input.name);
  const journal = journalFormatOf(entry.name, input);
  if (input.opening && journal !== 'hledger' && journal !== 'beancount') {
    const remedy = 'Leave it out, or ask for one: remit report journal --format hledger --opening';
    throw new UsageError('--opening is for a journal that hledger or beancount reads', remedy);
  }
  const filters = filtersOf(input);
  app.requireFiltersFit(entry, filters);
  const since = input.since?.trim() ?? null;
  app.requireSinceFits(entry, since);
  if (journal !== null) return writeJournal(session, input, journal);
  const shop = shopFormatOf(session, entry.name, input);
  const periods = await session.months(input.period);
  const asOf = await session.asOf(input.asOf);
  app.requirePeriodFits(entry, periods);
  const request = { entry, periods, filters, asOf, since };
  if (shop !== null) return writeShopOrders(session, input, request, shop);
  // The formats of journals and of shops were dealt with above.
  const format = chooseFormat(session, { ...input, format: FORMATS.find((name) => name === input.format) });
  const books = await session.books(input);
  const { renderReport, renderReportToFile } = await import('../../render/report.ts');
  const file = session.file(input.out);
  if (file !== null) app.refuseOwnFiles(books, file);
  /** The file for all rows, if a page shows only its first ones and links to it. */
  const csv = file === null || format !== 'html' ? null : file.replace(/(\.html?)?$/i, '.csv');
  if (csv !== null) app.refuseOwnFiles(books, csv);
  let isCut = false;
  await app.usingReport(books, request, async (model, { changedAt, chainHead }) => {
    // The time of the last change, so that the same books give the same workbook.
    const generatedAt = (format === 'xlsx' ? changedAt : asOf) ?? session.io.now();
    const options = { ...renderOptions(session, input), generatedAt, chainHead };
    if (file === null) return renderReport(model, format, session.io.stdout, options);
    const onCut = () => {
      isCut = true;
    };
    const csvBeside = csv === null ? undefined : path.basename(csv);
    await renderReportToFile(model, format, file, { ...options, csvBeside, onCut });
    session.note(`wrote ${file}`);
  });
  if (csv === null || !isCut) return 0;
  await app.usingReport(books, request, (model) =>
    renderReportToFile(model, 'csv', csv, { generatedAt: session.io.now() }),
  );
  session.note(`wrote ${csv}`);
  return 0;
}

/** The shop's format, if --format names one. @throws UsageError for other reports, and for flags that contradict it */
function shopFormatOf(session: Session, name: string, { format, out, bom }: ReportInput): ShopFormat | null {
  const shop = SHOP_FORMATS.find((shopFormat) => shopFormat === format);
  if (shop === undefined) return null;
  if (name !== 'paid-orders') {
    const remedy = `Only the paid orders can: remit report paid-orders --format ${shop}`;
    throw new UsageError(`the report ${name} cannot be written for ${shop}`, remedy);
  }
  if (session.json || bom || (out !== undefined && !/\.csv$/i.test(out))) {
    const remedy = 'Leave --json and --bom out, and let the file end in .csv.';
    throw new UsageError(`--format ${shop} writes CSV as the shop’s import reads it`, remedy);
  }
  return shop;
}

/** Prints or writes paid orders as a shop's bulk import reads them. */
async function writeShopOrders(
  session: Session,
  input: ReportInput,
  request: ReportRequest,
  shop: ShopFormat,
): Promise<number> {
  const { refuseOwnFiles, usingReport } = await import('../../app/report.ts');
  const { shopOrdersText } = await import('../../render/shop-orders.ts');
  const books = await session.books(input);
  const file = session.file(input.out);
  if (file !== null) refuseOwnFiles(books, file);
  const leftOut = (orders: readonly string[]) =>
    session.note(`left out, because they have no reference of the shop: ${orders.join(', ')}`);
  await usingReport(books, request, (model) => writeOut(session, file, shopOrdersText(model, shop, leftOut)));
  return 0;
}

/** The format of a journal for another program; null for a table. @throws UsageError for another report in it */
function journalFormatOf(name: string, { format, out }: ReportInput): JournalFormat | null {
  const journalFormat = JOURNAL_FORMATS.find((each) => each === format);
  if (name === 'journal') return journalFormat ?? (out !== undefined && /\.csv$/i.test(out) && !format ? 'csv' : null);
  // Every report can be written as CSV.
  if (journalFormat === undefined || journalFormat === 'csv') return null;
  const remedy = `Only the journal can: remit report journal --format ${journalFormat}`;
  throw new UsageError(`the report ${name} cannot be written for ${journalFormat}`, remedy);
}

function listLines(reports: readonly { name: string; title: string }[]): string[] {
  const width = Math.max(...reports.map(({ name }) => name.length)) + 2;
  return reports.map(({ name, title }) => `${name.padEnd(width)}${title}`);
}

function renderOptions(session: Session, { out, bom }: ReportInput): Omit<RenderOptions, 'generatedAt'> {
  return {
    color: session.color && out === undefined,
    width: session.io.isTTY.stdout && out === undefined ? (session.io.columns ?? null) : null,
    bom: bom === true,
  };
}

/** `--format`, or the ending of `--out`, or `--json`, or a table. @throws UsageError if they contradict each other */
function chooseFormat(
  session: Session,
  { format, out, bom }: Pick<ReportInput, 'out' | 'bom'> & { readonly format: ReportFormat | undefined },
): ReportFormat {
  // A file that ends in .txt is a table. With --json any ending will do, because that flag says the format.
  const byFlagOrFile = namedFormat({ format, out }, { formats: FORMATS, text: 'table', anyEnding: session.json });
  if (format && format !== 'json' && session.json) {
    throw new UsageError(`--format ${format} and --json contradict each other`, 'Leave one of them out.');
  }
  const chosen = byFlagOrFile ?? (session.json ? 'json' : 'table');
  refuseOnTerminal(session, chosen, out);
  if (bom && chosen !== 'csv') {
    throw new UsageError(`--bom is for CSV, and this is ${chosen}`, 'Leave it out, or add --format csv.');
  }
  return chosen;
}

async function* piecesOf({ pieces }: JournalFile): AsyncGenerator<string> {
  yield* pieces;
}

/** Prints or writes a journal for another program. If a file takes one currency, it writes several into one folder. */
async function writeJournal(session: Session, input: ReportInput, format: JournalFormat): Promise<number> {
  const { journalOfBooks } = await import('../../app/journal.ts');
  const { refuseOwnFiles } = await import('../../app/books.ts');
  const { journalFileName } = await import('../../render/journal/index.ts');
  const periods = await session.months(input.period);
  const asOf = await session.asOf(input.asOf);
  const books = await session.books(input);
  const files = await journalOfBooks(books, { periods, format, asOf, standsAlone: input.opening === true });
  const out = session.file(input.out);
  if (out === null) {
    const [file] = files;
    if (files.length > 1) {
      throw new UsageError(
        `this journal is ${files.length} files: each courier has its own, and some programs take one currency and a limited number of lines a file`,
        'Name where they go: --out journal.csv; each gets its courier, currency and number. Or name a courier: --courier NAME.',
      );
    }
    await writeOut(session, null, piecesOf(file!));
    return 0;
  }
  const targets = files.map((file) => journalFileName(out, file));
  for (const target of targets) refuseOwnFiles(books, target);
  for (const [index, file] of files.entries()) await writeOut(session, targets[index]!, piecesOf(file));
  return 0;
}
