import path from 'node:path';
import { UsageError } from '../base/errors.ts';
import type { LanguageCode } from '../words/index.ts';

interface Formats<F extends string> {
  readonly formats: readonly F[];
  /** What a file ending in .txt holds. */
  readonly text: F;
  /** Another ending says nothing, and is no mistake: the format is said elsewhere. */
  readonly anyEnding?: boolean;
}

/** `--format`, or the ending of `--out`; undefined where neither says it. @throws UsageError where they contradict each other, or the ending says none */
export function namedFormat<F extends string>(
  { format, out }: { readonly format?: F | undefined; readonly out?: string | undefined },
  { formats, text, anyEnding = false }: Formats<F>,
): F | undefined {
  if (out === undefined) return format;
  const ending = path.extname(out).slice(1).toLowerCase();
  const byEnding = ending === 'txt' ? text : formats.find((one) => one === ending);
  if (format && byEnding && format !== byEnding) {
    throw new UsageError(
      `--format ${format} and the ending of ${out} contradict each other`,
      `Leave --format out, or let the file end in .${format === text ? 'txt' : format}.`,
    );
  }
  if (ending !== '' && !format && !byEnding && !anyEnding) {
    const endings = formats.filter((one) => one !== text).map((one) => `.${one}`);
    throw new UsageError(
      `the ending of ${JSON.stringify(out)} says no format`,
      `End it in ${endings.join(', ')} or .txt, or say the format with --format.`,
    );
  }
  return format ?? byEnding;
}

/** The language of `--lang`. @throws UsageError naming the languages that remit speaks */
export async function languageNamed(code: string): Promise<LanguageCode> {
  const { isLanguageCode, LANGUAGE_CODES } = await import('../words/index.ts');
  if (isLanguageCode(code)) return code;
  throw new UsageError(`there is no language ${JSON.stringify(code)}`, `Choose one of: ${LANGUAGE_CODES.join(', ')}.`);
}

/** What completion offers for `--lang`; help does not list it, because it would have to load every word of every language. */
export async function languageCompletions(): Promise<Readonly<Record<string, readonly string[]>>> {
  const { LANGUAGE_CODES } = await import('../words/index.ts');
  return { '--lang': LANGUAGE_CODES };
}
