import path from 'node:path';
import { UsageError } from '../base/errors.ts';
import type { LanguageCode } from '../words/index.ts';

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
    throw new UsageError(
      `--format ${format} and the ending of ${out} contradict each other`,
      `Leave --format out, or let the file end in .${format === text ? 'txt' : format}.`,
    );
  }
  if (ending !== '' && !format && !byEnding && !anyEnding) {
    const endings = formats.filter((name) => name !== text).map((name) => `.${name}`);
    throw new UsageError(
      `the ending of ${JSON.stringify(out)} says no format`,
      `End it in ${endings.join(', ')} or .txt, or say the format with --format.`,
    );
  }
  return format ?? byEnding;
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
