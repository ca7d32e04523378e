import { didYouMean } from '../base/edit-distance.ts';
import { UsageError } from '../base/errors.ts';
import { quoted } from '../base/text.ts';

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
