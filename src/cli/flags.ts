import path from 'node:path';
import type { Books } from '../app/books.ts';
import { didYouMean } from '../base/edit-distance.ts';
import { UsageError } from '../base/errors.ts';
import { isCourierName } from '../base/names.ts';
import { quoted } from '../base/text.ts';
import type { LanguageCode } from '../words/index.ts';
import type { Session } from './session.ts';

/** The commands that are about the whole books, whichever couriers these have. */
const WHOLE_BOOKS =
  /^(backup|close|courier (list|rename)|import (orders|rates|receipts|tariff)|rebuild|reopen|verify)$/;

/** Refuses `--courier` for a command that takes none, and a value that cannot be a name. @throws UsageError */
export function refuseCourier(command: string, courier: string): void {
  if (WHOLE_BOOKS.test(command)) {
    throw new UsageError(`${command} is of the whole books and takes no --courier`, 'Leave --courier out.');
  }
  if (isCourierName(courier)) return;
  const remedy =
    'A name is of lower-case letters, digits and hyphens, at most 40, a letter first: see remit courier list.';
  throw new UsageError(`the flag --courier names ${quoted(courier)}, which is no name of a courier`, remedy);
}

/** The invoice of `--invoice` and its courier's books; without the flag all books. @throws UsageError if none has it */
export async function invoiceFilter(all: Books, invoice: string | undefined) {
  if (invoice === undefined) return { books: all, number: undefined };
  const { invoicesNamed } = await import('../app/each-courier.ts');
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
  const remedy = didYouMean(unknown, existing) ?? `The checks are ${existing.join(', ')}.`;
  throw new UsageError(`there is no check ${quoted(unknown)}`, remedy);
}

interface Formats<F extends string> {
  readonly formats: readonly F[];
  /** The format of a file that ends in .txt. */
  readonly text: F;
  /** An unknown ending is no mistake, because another flag gives the format. */
  readonly anyEnding?: boolean;
}

/** `--format`, or the ending of `--out`; undefined without both. @throws UsageError if they differ or it is unknown */
export function namedFormat<F extends string>(
  { format, out }: { readonly format?: F | undefined; readonly out?: string | undefined },
  { formats, text, anyEnding = false }: Formats<F>,
): F | undefined {
  if (out === undefined) return format;
  const ending = path.extname(out).slice(1).toLowerCase();
  const byEnding = ending === 'txt' ? text : formats.find((name) => name === ending);
  if (format && byEnding && format !== byEnding) {
    const remedy = `Leave --format out, or let the file end in .${format === text ? 'txt' : format}.`;
    throw new UsageError(`--format ${format} and the ending of ${out} contradict each other`, remedy);
  }
  if (ending !== '' && !format && !byEnding && !anyEnding) {
    const endings = formats.filter((name) => name !== text).map((name) => `.${name}`);
    const remedy = `End it in ${endings.join(', ')} or .txt, or say the format with --format.`;
    throw new UsageError(`the ending of ${JSON.stringify(out)} says no format`, remedy);
  }
  return format ?? byEnding;
}

/** @throws UsageError for a workbook that would go to a terminal */
export function refuseOnTerminal({ io }: Pick<Session, 'io'>, format: string, out: string | undefined): void {
  if (format !== 'xlsx' || out !== undefined || !io.isTTY.stdout) return;
  throw new UsageError('a workbook cannot be shown on a terminal', 'Name a file: --out FILE.xlsx');
}

/** The language of `--lang`. @throws UsageError for an unknown one, naming those that there are */
export async function languageNamed(code: string): Promise<LanguageCode> {
  const { isLanguageCode, LANGUAGE_CODES } = await import('../words/index.ts');
  if (isLanguageCode(code)) return code;
  throw new UsageError(`there is no language ${JSON.stringify(code)}`, `Choose one of: ${LANGUAGE_CODES.join(', ')}.`);
}

/** What completion offers for `--lang`. Help does not list it: it would have to load the words of a language. */
export async function languageCompletions(): Promise<Readonly<Record<string, readonly string[]>>> {
  const { LANGUAGE_CODES } = await import('../words/index.ts');
  return { '--lang': LANGUAGE_CODES };
}
