import type { Books } from '../app/books.ts';
import { didYouMean } from '../base/edit-distance.ts';
import { UsageError } from '../base/errors.ts';
import { quoted } from '../base/text.ts';

/** The invoice of `--invoice` and its courier's books; without the flag all books. @throws UsageError if none has it */
export async function invoiceFilter(
  all: Books,
  invoice: string | undefined,
): Promise<{ readonly books: Books; readonly number: number | undefined }> {
  if (invoice === undefined) return { books: all, number: undefined };
  const { invoicesNamed } = await import('../app/invoices-named.ts');
  const { books, numbers } = await invoicesNamed(all, [invoice]);
  return { books, number: numbers[0] };
}

/** Codes of checks that were typed as `a b` or `a,b`. @throws UsageError for a code that no check has */
export async function knownCodes(typed: readonly string[]): Promise<string[]> {
  const { listChecks } = await import('../app/check.ts');
  const existing = listChecks().map(({ code }) => code);
  const codes = typed.flatMap((words) => words.split(',')).filter((code) => code !== '');
  const unknown = codes.find((code) => !existing.includes(code));
  if (unknown === undefined) return codes;
  throw new UsageError(
    `there is no check ${quoted(unknown)}`,
    didYouMean(unknown, existing) ?? `The checks are ${existing.join(', ')}.`,
  );
}
