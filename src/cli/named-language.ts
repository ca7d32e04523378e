import { UsageError } from '../base/errors.ts';
import type { LanguageCode } from '../words/index.ts';

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
