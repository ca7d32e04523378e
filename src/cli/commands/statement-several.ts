import type { StatementRange } from '../../app/statement/range.ts';
import type { StatementMedium, WrittenStatement } from '../../app/statement/statement.ts';
import type { Keep } from '../../app/statement/target.ts';
import { counted } from '../../base/counted.ts';
import { UsageError } from '../../base/errors.ts';
import { cleanText } from '../../base/text.ts';
import type { LanguageCode } from '../../words/index.ts';
import type { PersonInput, Session, SettingInput, Texts } from '../session.ts';

interface PackInput extends PersonInput, Texts<'out'> {
  readonly month: string;
  readonly split?: 'currency' | undefined;
  readonly lang: LanguageCode;
}

/** Makes a close pack, sound or not. Exits with 1 if the ledger is not sound or the self-test failed. */
export async function writePack(session: Session, { month, out, split, lang, ...flags }: PackInput): Promise<number> {
  const { makeClosePack } = await import('../../app/close-pack/make.ts');
  const { incompleteLines } = await import('../lines/check.ts');
  const books = await session.books(flags);
  const { count, end } = await counting(session, 'parts');
  const pack = await makeClosePack(books, {
    month,
    out: session.file(out),
    split: split !== undefined,
    language: lang,
    by: await session.person(flags.by),
    onPart: count,
  }).finally(end);
  const { statements, missing } = pack;
  const isOneCourier = statements.length + missing.length === 1;
  for (const { courier, result } of statements) {
    for (const line of incompleteLines(result)) session.warn(isOneCourier ? line : `${courier}: ${line}`);
  }
  for (const courier of missing) session.warn(`${courier} holds nothing of ${month}: the pack has nothing of it`);
  const { folder, manifest, manifest_sha256, verified, tested } = pack;
  if (session.json) {
    const figures = statements.flatMap((statement) => figuresOf(statement.courier, statement));
    session.resultJson({ folder, ...manifest, manifest_sha256, figures, verified: verified.ok, selftest: tested.ok });
  } else {
    session.result(folder);
    if (!session.quiet) {
      session.result(
        `${month}, ${manifest.status}: ${counted(manifest.files.length, 'file')}, chain ${manifest.chain_head ?? 'none'}`,
      );
      session.result(`manifest.json  ${manifest_sha256}`);
    }
  }
  if (manifest.status === 'draft') {
    session.warn(`${month} is not closed: the pack is of a draft; \`remit close ${month}\` closes it`);
  }
  if (!verified.ok)
    session.warn(`the ledger is not sound: ${counted(verified.problems.length, 'problem')}, in verify.json`);
  if (!tested.ok) session.warn('the self-test failed: selftest.json says where');
  return verified.ok && tested.ok ? 0 : 1;
}

interface RangeInput extends SettingInput {
  readonly from: string;
  readonly to: string;
  readonly format: StatementMedium;
  readonly split?: 'currency' | undefined;
  readonly lang: LanguageCode;
  readonly keep: Keep;
}

/** Writes a statement for each month, and a workbook that lists them. Exits with 1 if a month could not be written. */
export async function writeRange(session: Session, { from, to, format, split, lang, keep, ...flags }: RangeInput) {
  if (from > to)
    throw new UsageError(`${from} is after ${to}`, 'Name the first month with --from, the last with --to.');
  const { writeStatementRange } = await import('../../app/statement/range.ts');
  const { resolutionsLines } = await import('../lines/import.ts');
  const books = await session.books(flags);
  const { count, end } = await counting(session, 'statements');
  const range = await writeStatementRange(books, {
    from,
    to,
    format,
    split: split !== undefined,
    language: lang,
    keep,
    onMonth: (month, done, total) => {
      count(done, total);
      // Null once, after the last month.
      if (month === null) end();
    },
  });
  const isOneCourier = new Set([...range.written, ...range.failed].map(({ courier }) => courier)).size < 2;
  const prefixOf = (courier: string) => (isOneCourier ? '' : `${courier}: `);
  for (const { courier, result, taken } of range.written) {
    await warnOfGaps(session, { result, taken }, prefixOf(courier));
    if (session.json) continue;
    for (const line of taken.flatMap((workbook) => resolutionsLines(workbook))) session.note(line);
  }
  print(session, range, prefixOf);
  return range.failed.length > 0 ? 1 : 0;
}

function print(session: Session, range: StatementRange, prefixOf: (courier: string) => string): void {
  const { from, to, index, written, failed } = range;
  for (const { courier, month, message, hint } of failed) {
    session.warn(`${prefixOf(courier)}${month}: ${cleanText(message, 400)}\n  → ${cleanText(hint, 400)}`);
  }
  if (session.json) {
    const statements = written.map((statement) => {
      const { courier, month, files, status, invoices, orders, result } = statement;
      // One file of all currencies (its currency is null), or by `--split` one a currency.
      const [whole] = files;
      const fileFields = whole?.currency === null ? { file: whole.file, sha256: whole.sha256 } : { files };
      const figures = figuresOf(courier, statement);
      return { courier, month, ...fileFields, status, invoices, orders, figures, open: result.open };
    });
    session.resultJson({ from, to, index: written.length > 0 ? index : null, statements, failed });
    return;
  }
  for (const { courier, month, files, status, result } of written) {
    for (const { file } of files) {
      session.result(
        `${prefixOf(courier)}${month}  ${status.padEnd(6)}  ${counted(result.open.error, 'error')} open  ${file}`,
      );
    }
  }
  if (written.length > 0) session.result(index);
}

/** Shows how many parts or statements are done: call `count` with 0 done first, and `end` at last. */
async function counting(session: Session, brings: 'parts' | 'statements') {
  const { openProgress } = await import('../progress.ts');
  const progress = openProgress(session);
  const count = (done: number, total: number) => {
    if (done === 0) progress.begin({ brings }, total);
    else progress.advance(1);
  };
  return { count, end: () => progress.end() };
}

/** The figures of a statement for machines, with the courier's name before each. */
export function figuresOf(courier: string, { figures }: Pick<WrittenStatement, 'figures'>) {
  return figures.map((figure) => ({ courier_name: courier, ...figure }));
}

/**
 * Warns of what the statement may lack, and of notes in the workbooks before it (`taken`) that were not taken back into
 * the ledger.
 */
export async function warnOfGaps(
  session: Session,
  { result, taken }: Pick<WrittenStatement, 'result' | 'taken'>,
  whose: string,
): Promise<void> {
  const { incompleteLines } = await import('../lines/check.ts');
  const { notTakenLines } = await import('../lines/import.ts');
  for (const line of incompleteLines(result)) session.warn(`${whose}${line}`);
  for (const line of taken.flatMap(notTakenLines)) session.warn(line);
}
