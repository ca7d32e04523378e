import path from 'node:path';
import { Command, Option } from '@commander-js/extra-typings';
import type { WrittenStatement } from '../../app/statement.ts';
import { counted } from '../../counted.ts';
import { UsageError } from '../../errors.ts';
import { asOfOption, example, ledgerOption, type Start } from '../command.ts';
import type { Session } from '../session.ts';
import { type SettingInput, settingFlags } from '../settings-flags.ts';

export const declare = (start: Start) =>
  new Command('statement')
    .summary("write a month's workbook")
    .description('Checks a month, then writes its workbook (default: statements/MONTH.xlsx in the books folder).')
    .argument('[month]', 'such as 2026-10, this-month or last-month')
    .option('--from <month>', 'a statement for each month from this one on, and a workbook that lists them')
    .option('--to <month>', 'the last of them')
    .option(
      '--close-pack <month>',
      'a folder for an auditor: workbook, journal, claim, self-test, proof and a manifest',
    )
    .option('--out <file>', 'the workbook to write; the folder of a close pack')
    .addOption(
      new Option('--split <by>', 'a workbook a currency, each complete: MONTH-USD.xlsx').choices(['currency'] as const),
    )
    .addOption(
      new Option('--lang <code>', 'the language of its words').choices(['en', 'ar'] as const).default('en' as const),
    )
    .option('--take-notes', 'first take back statuses and notes from the workbook that is there')
    .option('--beside', 'where something was typed into it, write beside it')
    .option('--by <name>', 'who takes notes back (default: the user of this machine)')
    .addOption(asOfOption())
    .addOption(ledgerOption())
    .addHelpText(
      'after',
      example(
        'remit statement 2026-10',
        'remit statement 2026-10 --split currency',
        'remit statement --from 2026-09 --to 2026-10',
        'remit statement --close-pack 2026-10',
      ),
    )
    .action((month, options) => start('statement', { month, ...options }, statement));

interface StatementInput extends SettingInput {
  readonly month?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly closePack?: string | undefined;
  readonly out?: string | undefined;
  readonly split?: 'currency' | undefined;
  readonly lang: 'en' | 'ar';
  readonly asOf?: string | undefined;
  readonly takeNotes?: boolean | undefined;
  readonly beside?: boolean | undefined;
  readonly by?: string | undefined;
}

/** Checks the month, writes its workbook, prints where it is and its key figures. */
async function statement(session: Session, input: StatementInput): Promise<number> {
  requireOneKind(input);
  if (input.closePack !== undefined) {
    const { writePack } = await import('./statement-pack.ts');
    return writePack(session, { ...input, month: singleMonth(session, input.closePack) });
  }
  if (input.from !== undefined && input.to !== undefined) {
    const { writeRange } = await import('./statement-range.ts');
    const [from, to] = [singleMonth(session, input.from), singleMonth(session, input.to)];
    return writeRange(session, { ...input, from, to, keep: await keepOf(session, input) });
  }
  const { writeBooksStatement } = await import('../../app/statement.ts');
  const month = singleMonth(session, input.month ?? '');
  if (input.out !== undefined && path.extname(input.out).toLowerCase() !== '.xlsx') {
    throw new UsageError(
      `a statement is a workbook, and ${JSON.stringify(input.out)} does not end in .xlsx`,
      'Name a file that does.',
    );
  }
  const books = await session.books(settingFlags(input));
  const out = input.out === undefined ? null : path.resolve(session.io.cwd, input.out);
  const keep = await keepOf(session, input);
  const { collectOften } = await import('../collecting.ts');
  collectOften();
  const written = await writeBooksStatement(books, {
    month,
    out,
    asOf: await session.asOf(input.asOf),
    split: input.split !== undefined,
    language: input.lang,
    keep,
  });
  await print(session, month, written);
  return 0;
}

/** @throws UsageError where it is not said which statement is meant, or said twice */
function requireOneKind({ month, from, to, closePack, out, asOf }: StatementInput): void {
  const isRange = from !== undefined || to !== undefined;
  const named = [month !== undefined, isRange, closePack !== undefined].filter(Boolean).length;
  if (named !== 1 || (isRange && (from === undefined || to === undefined))) {
    throw new UsageError(
      'it is not clear of which month a statement is wanted',
      'Name a month, or --from and --to, or --close-pack MONTH.',
    );
  }
  if (isRange && (out !== undefined || asOf !== undefined)) {
    throw new UsageError(
      'statements of several months are written into the statements folder, as the ledger is now',
      'Leave out --out and --as-of.',
    );
  }
  if (closePack !== undefined && asOf !== undefined) {
    throw new UsageError('a close pack is of the ledger as it is now', 'Leave out --as-of.');
  }
}

async function keepOf(session: Session, { takeNotes = false, beside = false, by }: StatementInput) {
  const { personOf } = await import('../person.ts');
  return { takeNotes, beside, by: takeNotes ? personOf(session, by) : null };
}

function singleMonth(session: Session, text: string): string {
  const [month, ...more] = session.months(text) ?? [];
  if (month !== undefined && more.length === 0) return month;
  throw new UsageError(
    `a statement is about one month, and ${JSON.stringify(text)} is ${more.length + 1}`,
    'Name a month, such as 2026-10.',
  );
}

async function print(session: Session, month: string, written: WrittenStatement): Promise<void> {
  const [{ incompleteLines, openCounts }, { amountText }] = await Promise.all([
    import('../lines/check.ts'),
    import('../../render/figures.ts'),
  ]);
  const { files, invoices, orders, figures, closed, result, taken } = written;
  for (const line of incompleteLines(result)) session.warn(line);
  const { notTakenLines, resolutionsJson, resolutionsLines } = await import('../lines/resolutions.ts');
  for (const each of taken) for (const line of notTakenLines(each)) session.warn(line);
  if (session.json) {
    const { open, skipped } = result;
    const [whole] = files;
    const where = whole?.currency === null ? { file: whole.file } : { files };
    const told = taken.map((each) => resolutionsJson(each, false));
    // Of one workbook at most one is taken back.
    const back = told.length === 0 ? {} : { taken: whole?.currency === null ? told[0] : told };
    const status = closed ? 'closed' : 'draft';
    session.resultJson({ month, ...where, status, closed, invoices, orders, figures, open, skipped, ...back });
    return;
  }
  for (const each of taken) for (const line of resolutionsLines(each, false)) session.note(line);
  for (const { file } of files) session.result(file);
  if (session.quiet) return;
  session.result(`${month}: ${counted(invoices, 'invoice')}, ${counted(orders, 'order')}`);
  if (figures.length === 0) session.result('  no invoice is listed: nothing is due');
  for (const { currency, ...figure } of figures) {
    const [cod, fee, net, outstanding] = [
      figure.cod,
      figure.delivery_fee,
      figure.net_due_to_merchant,
      figure.outstanding,
    ].map(amountText);
    const unexplained = figure.unexplained === null ? '(no order book)' : amountText(figure.unexplained);
    session.result(
      `  ${currency}  COD ${cod}  fees ${fee}  net due ${net}  outstanding ${outstanding}  unexplained ${unexplained}`,
    );
  }
  session.result(`  ${openCounts(result.open)} open`);
}
