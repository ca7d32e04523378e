import type { Verified } from '../../app/verify/index.ts';
import { counted } from '../../counted.ts';
import { cleanText } from '../../text.ts';

/** What a verification came to, for a person. */
export function verifyLines({ ok, head, documents, rows_checked, problems }: Verified): string[] {
  const looked = `${counted(documents, 'document')} hashed, ${counted(rows_checked, 'row')} derived again`;
  const lines = problems.map(({ where, what }) => `${cleanText(where)}: ${cleanText(what, 400)}`);
  lines.push(ok ? `sound: ${looked}` : `not sound: ${counted(problems.length, 'problem')}; ${looked}`);
  lines.push(`head  ${head ?? 'none: the ledger holds nothing yet'}`);
  if (!ok)
    lines.push('Restore a backup from before the change; `remit sync --full --orders` brings what the API still has.');
  return lines;
}
