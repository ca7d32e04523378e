import { Command } from '@commander-js/extra-typings';
import type { Books } from '../app/books.ts';
import type { Selection } from '../app/mismatches/select.ts';
import { didYouMean } from '../base/edit-distance.ts';
import { UsageError } from '../base/errors.ts';
import { quoted } from '../base/text.ts';
import { ledgerOption } from './command.ts';

/** How mismatches are named, and who decides about them, for the help of commands. */
export const IDS = 'their ids, which may be shortened while they are unique';
export const BY = 'who decides (default: the user of this machine)';

/** A command about mismatches that are named, or that a filter lets through. */
export function selecting(name: string, summary: string, what = IDS) {
  return new Command(name)
    .summary(summary)
    .argument('[ids...]', what)
    .option('--code <code...>', 'all of these checks')
    .option('--invoice <number>', 'all about this invoice')
    .option('--currency <code>', 'all in this currency')
    .option('--max-effect <amount>', 'all whose effect is at most this, either way; with --currency')
    .option('--by <name>', BY)
    .option('--yes', 'do it without asking')
    .addOption(ledgerOption());
}

export interface SelectionInput {
  readonly ids: readonly string[];
  readonly code?: readonly string[] | undefined;
  readonly invoice?: string | undefined;
  readonly currency?: string | undefined;
  readonly maxEffect?: string | undefined;
}

/** The mismatches that were typed, in the books that hold them. @throws UsageError for a code that no check has, or an invoice that nothing is called */
export async function selectionOf(
  all: Books,
  { ids, code, invoice, currency, maxEffect }: SelectionInput,
): Promise<{ readonly books: Books; readonly selection: Selection }> {
  const codes = code && (await knownCodes(code));
  const { books, number } = await invoiceFilter(all, invoice);
  return { books, selection: { ids, filter: { codes, invoice: number, currency }, maxEffect } };
}

/** The invoice of a filter, in the books that hold it; all of them without one. @throws UsageError for one that nothing is called */
export async function invoiceFilter(
  all: Books,
  invoice: string | undefined,
): Promise<{ readonly books: Books; readonly number: number | undefined }> {
  if (invoice === undefined) return { books: all, number: undefined };
  const { invoicesNamed } = await import('../app/invoices-named.ts');
  const { books, numbers } = await invoicesNamed(all, [invoice]);
  return { books, number: numbers[0] };
}

/** Whether a filter was typed: it may take more than was thought of, where names say which. */
export function isFiltered({ code, invoice, currency, maxEffect }: Omit<SelectionInput, 'ids'>): boolean {
  return code !== undefined || invoice !== undefined || currency !== undefined || maxEffect !== undefined;
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
