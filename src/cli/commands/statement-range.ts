import type { StatementRange } from '../../app/statement/range.ts';
import type { StatementMedium } from '../../app/statement/statement.ts';
import type { Keep } from '../../app/statement/target.ts';
import { counted } from '../../base/counted.ts';
import { UsageError } from '../../base/errors.ts';
import { cleanText } from '../../base/text.ts';
import type { LanguageCode } from '../../words/index.ts';
import type { Session, SettingInput } from '../session.ts';

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
  const { openProgress } = await import('../progress.ts');
  const { incompleteLines } = await import('../lines/check.ts');
  const { notTakenLines, resolutionsLines } = await import('../lines/resolutions.ts');
  const books = await session.books(flags);
  const progress = openProgress(session);
  const range = await writeStatementRange(books, {
    from,
    to,
    format,
    split: split !== undefined,
    language: lang,
    keep,
    onMonth: (month, done, total) => {
      if (done === 0) progress.begin({ brings: 'statements' }, total);
      else progress.advance(1);
      // After the last month.
      if (month === null) progress.end();
    },
  });
  const isOne = new Set([...range.written, ...range.failed].map(({ courier }) => courier)).size < 2;
  const prefixOf = (courier: string) => (isOne ? '' : `${courier}: `);
  for (const { courier, result, taken } of range.written) {
    for (const line of incompleteLines(result)) session.warn(`${prefixOf(courier)}${line}`);
    for (const line of taken.flatMap(notTakenLines)) session.warn(line);
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
    const statements = written.map(({ courier, month, files, status, invoices, orders, figures, result }) => {
      // One file of all currencies (its currency is null), or by `--split` one a currency.
      const [whole] = files;
      const fileFields = whole?.currency === null ? { file: whole.file, sha256: whole.sha256 } : { files };
      const courierFigures = figures.map((figure) => ({ courier_name: courier, ...figure }));
      return { courier, month, ...fileFields, status, invoices, orders, figures: courierFigures, open: result.open };
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
