import path from 'node:path';
import { Command, Option } from '@commander-js/extra-typings';
import type { LackingCourier } from '../../app/couriers.ts';
import type { CourierStatements, StatementMedium, WrittenStatement } from '../../app/statement/statement.ts';
import { counted } from '../../base/counted.ts';
import { UsageError } from '../../base/errors.ts';
import { asOfOption, example, ledgerOption, type Start } from '../command.ts';
import { languageCompletions, languageNamed } from '../flags.ts';
import type { Flags, PersonInput, Session, Texts } from '../session.ts';
import { figuresOf, warnOfGaps, writePack, writeRange } from './statement-several.ts';

export const declare = (start: Start) =>
  new Command('statement')
    .summary("write a month's statement")
    .description(
      'Checks a month, then writes its statement (default: statements/MONTH.xlsx in the books folder): a workbook; or, as HTML or PDF, the page to sign, with its annex.',
    )
    .argument('[month]', 'such as 2026-10, this-month or last-month')
    .option('--from <month>', 'a statement for each month from this one on, and a workbook that lists them')
    .option('--to <month>', 'the last of them')
    .option(
      '--close-pack <month>',
      'a folder for an auditor: workbook, journal, claim, self-test, proof and a manifest',
    )
    .addOption(
      new Option(
        '--format <format>',
        'default: xlsx, or what --out ends in; a PDF is printed by Chromium, Chrome or Edge',
      ).choices(STATEMENT_FORMATS),
    )
    .option('--all', 'of every courier, and an index of them')
    .option('--out <file>', 'the file to write; the folder of a close pack')
    .addOption(
      new Option('--split <by>', 'a file a currency, each complete: MONTH-USD.xlsx').choices(['currency'] as const),
    )
    .option('--lang <code>', 'the language of its words, such as ar', 'en')
    .option('--take-notes', 'first take back statuses and notes from the workbook that is there')
    .option('--beside', 'write a second file beside a workbook that something was typed into')
    .option('--by <name>', 'who takes notes back (default: the user of this machine)')
    .addOption(asOfOption())
    .addOption(ledgerOption())
    .addHelpText(
      ...example(
        'remit statement 2026-10',
        'remit statement 2026-10 --format pdf',
        'remit statement 2026-10 --split currency',
        'remit statement 2026-10 --all',
        'remit statement --from 2026-09 --to 2026-10',
        'remit statement --close-pack 2026-10',
      ),
    )
    .action((month, options) => start('statement', { month, ...options }, statement));

const STATEMENT_FORMATS = ['xlsx', 'html', 'pdf'] as const satisfies readonly StatementMedium[];

export const completes = languageCompletions;

export interface StatementInput
  extends PersonInput,
    Texts<'month' | 'from' | 'to' | 'closePack' | 'out' | 'asOf'>,
    Flags<'all' | 'takeNotes' | 'beside'> {
  readonly format?: StatementMedium | undefined;
  readonly split?: 'currency' | undefined;
  readonly lang: string;
}

/** Checks the month, writes its statement, prints where it is and its key figures. */
export async function statement(session: Session, input: StatementInput): Promise<number> {
  requireOneKind(input);
  const lang = await languageNamed(input.lang);
  if (input.closePack !== undefined) {
    return writePack(session, { ...input, lang, month: await singleMonth(session, input.closePack) });
  }
  if (input.from !== undefined && input.to !== undefined) {
    const format = input.format ?? 'xlsx';
    const [from, to] = [await singleMonth(session, input.from), await singleMonth(session, input.to)];
    return writeRange(session, { ...input, format, lang, from, to, keep: await keepOf(session, input) });
  }
  const month = await singleMonth(session, input.month ?? '');
  const format = formatOf(input);
  const books = await session.books(input);
  const out = session.file(input.out);
  const keep = await keepOf(session, input);
  const asOf = await session.asOf(input.asOf);
  const request = { month, out, asOf, format, split: input.split !== undefined, language: lang, keep };
  let index: string | null = null;
  let written: CourierStatements;
  if (input.all) {
    const { writeStatementsAndIndex } = await import('../../app/statement/range.ts');
    ({ index, ...written } = await writeStatementsAndIndex(books, request));
    session.note(`wrote ${index}`);
  } else {
    const { writeBooksStatements } = await import('../../app/statement/statement.ts');
    written = await writeBooksStatements(books, request);
  }
  const { statements, missing } = written;
  const isOneCourier = statements.length + missing.length === 1;
  const results: StatementsJson['couriers'][number][] = [];
  for (const { courier, error } of missing) {
    session.warn(`${courier} has no statement: ${error.message}. ${error.hint}`.trim());
    const { code, message, hint } = error;
    results.push({ courier, error: { code, message, hint } });
  }
  for (const { courier, written: courierStatement } of statements) {
    if (!isOneCourier && !session.json && !session.quiet) session.result(`${courier}:`);
    await warnOfGaps(session, courierStatement, isOneCourier ? '' : `${courier}: `);
    if (session.json) results.push(await statementJson(month, courier, courierStatement));
    else await print(session, month, courierStatement);
  }
  const all: StatementsJson = { month, ...(index === null ? {} : { index }), couriers: results };
  if (session.json) session.resultJson(isOneCourier ? results[0] : all);
  return missing.length > 0 ? 1 : 0;
}

/** What `--json` prints of one statement. */
export type StatementJson = Awaited<ReturnType<typeof statementJson>>;

/** What `--json` prints of several couriers' statements. */
export interface StatementsJson {
  readonly month: string;
  readonly index?: string;
  readonly couriers: readonly (
    | StatementJson
    | { readonly courier: string; readonly error: Pick<LackingCourier['error'], 'code' | 'message' | 'hint'> }
  )[];
}

/** @throws UsageError unless it is exactly one of a month, a range and a close pack, or if flags contradict it */
function requireOneKind(input: StatementInput): void {
  const { month, from, to, closePack, format, out, asOf, all, takeNotes, beside } = input;
  const isRange = from !== undefined || to !== undefined;
  const kinds = [month !== undefined, isRange, closePack !== undefined].filter(Boolean).length;
  if (kinds !== 1 || (isRange && (from === undefined || to === undefined))) {
    const remedy = 'Name a month, or --from and --to, or --close-pack MONTH.';
    throw new UsageError('it is not clear of which month a statement is wanted', remedy);
  }
  if (isRange && (out !== undefined || asOf !== undefined)) {
    const message = 'statements of several months are written into the statements folder, as the ledger is now';
    throw new UsageError(message, 'Leave out --out and --as-of.');
  }
  if (month === undefined && all) {
    throw new UsageError('--all lists the statements of one month', 'Leave it out, or name the month.');
  }
  if (closePack !== undefined && (takeNotes || beside)) {
    throw new UsageError('nobody types into a close pack', 'Leave out --take-notes and --beside.');
  }
  if (closePack !== undefined && format !== undefined) {
    throw new UsageError('a close pack holds the workbook', 'Leave out --format, and write the page beside it.');
  }
  if (takeNotes && format !== undefined && format !== 'xlsx') {
    throw new UsageError(`nobody types into a statement as ${format}`, 'Leave out --take-notes or --format.');
  }
  if (closePack !== undefined && asOf !== undefined) {
    throw new UsageError('a close pack is of the ledger as it is now', 'Leave out --as-of.');
  }
}

/** `--format`, or the ending of `--out`. @throws UsageError if they differ, or the ending is none of a statement's */
function formatOf({ format, out }: StatementInput): StatementMedium {
  if (out === undefined) return format ?? 'xlsx';
  const ending = path.extname(out).toLowerCase().slice(1);
  const byEnding = STATEMENT_FORMATS.find((name) => name === ending);
  if (byEnding === undefined || (format !== undefined && format !== byEnding)) {
    const wanted = format === undefined ? '.xlsx, .html or .pdf' : `.${format}`;
    const end = `${JSON.stringify(out)} does not end in ${wanted}`;
    const message = `a statement is written as ${format ?? 'a workbook, HTML or PDF'}, and ${end}`;
    throw new UsageError(message, 'Name a file that does.');
  }
  return byEnding;
}

async function keepOf(session: Session, { takeNotes = false, beside = false, by }: StatementInput) {
  return { takeNotes, beside, by: takeNotes ? await session.person(by) : null };
}

async function singleMonth(session: Session, text: string): Promise<string> {
  const [month, ...more] = (await session.months(text)) ?? [];
  if (month !== undefined && more.length === 0) return month;
  const message = `a statement is about one month, and ${JSON.stringify(text)} is ${more.length + 1}`;
  throw new UsageError(message, 'Name a month, such as 2026-10.');
}

async function statementJson(month: string, courier: string, written: WrittenStatement) {
  const { resolutionsJson } = await import('../lines/import.ts');
  const { files, invoices, orders, closed, result, taken } = written;
  // One file of all currencies (its currency is null), or by `--split` one a currency.
  const [whole] = files;
  const fileFields: { file?: string; files?: typeof files } =
    whole?.currency === null ? { file: whole.file } : { files };
  const resolutions = taken.map((workbook) => resolutionsJson(workbook));
  // A statement that is one workbook has at most one to take back.
  const takenFields =
    resolutions.length === 0 ? {} : { taken: whole?.currency === null ? resolutions[0] : resolutions };
  const status: 'closed' | 'draft' = closed ? 'closed' : 'draft';
  const counts = { status, closed, invoices, orders };
  return {
    courier,
    month,
    ...fileFields,
    ...counts,
    figures: figuresOf(courier, written),
    open: result.open,
    skipped: result.skipped.map((check) => ({ courier, ...check })),
    ...takenFields,
  };
}

/** Prints a statement's files and figures, and what people typed into the workbooks before it (`taken`). */
async function print(session: Session, month: string, written: WrittenStatement): Promise<void> {
  const { openCounts } = await import('../lines/check.ts');
  const { amountText } = await import('../../render/figures.ts');
  const { resolutionsLines } = await import('../lines/import.ts');
  const { files, invoices, orders, figures, result, taken } = written;
  for (const line of taken.flatMap((workbook) => resolutionsLines(workbook))) session.note(line);
  for (const { file } of files) session.result(file);
  if (session.quiet) return;
  session.result(`${month}: ${counted(invoices, 'invoice')}, ${counted(orders, 'order')}`);
  if (figures.length === 0) session.result('  no invoice is listed: nothing is due');
  for (const { currency, ...figure } of figures) {
    const parts = [
      `COD ${amountText(figure.cod)}`,
      `fees ${amountText(figure.delivery_fee)}`,
      `net due ${amountText(figure.net_due_to_merchant)}`,
      `outstanding ${amountText(figure.outstanding)}`,
      `unexplained ${figure.unexplained === null ? '(no order book)' : amountText(figure.unexplained)}`,
    ];
    session.result(`  ${currency}  ${parts.join('  ')}`);
  }
  session.result(`  ${openCounts(result.open)} open`);
}
