import type { Books } from '../app/books.ts';
import { didYouMean } from '../base/edit-distance.ts';
import { UsageError } from '../base/errors.ts';
import { quoted } from '../base/text.ts';

/** The number of the invoice that `--invoice` names, and its courier's books; all books without the flag. @throws UsageError where none has that name */
export async function invoiceFilter(
  all: Books,
  invoice: string | undefined,
): Promise<{ readonly books: Books; readonly number: number | undefined }> {
  if (invoice === undefined) return { books: all, number: undefined };
  const { invoicesNamed } = await import('../app/invoices-named.ts');
  const { books, numbers } = await invoicesNamed(all, [invoice]);
  return { books, number: numbers[0] };
}

/** Codes of checks as they were typed: both `a b` and `a,b`. @throws UsageError for a code that no check has */
export async function knownCodes(typed: readonly string[]): Promise<string[]> {
  const { listChecks } = await import('../app/check.ts');
  const known = listChecks().map(({ code }) => code);
  const codes = typed.flatMap((words) => words.split(',')).filter((code) => code !== '');
  const unknown = codes.find((code) => !known.includes(code));
  if (unknown === undefined) return codes;
  throw new UsageError(
    `there is no check ${quoted(unknown)}`,
    didYouMean(unknown, known) ?? `The checks are ${known.join(', ')}.`,
  );
}
