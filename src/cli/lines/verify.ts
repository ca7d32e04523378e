import type { VerifiedPack } from '../../app/close-pack/verify.ts';
import type { Verified } from '../../app/verify/index.ts';
import { counted } from '../../base/counted.ts';
import { cleanText } from '../../base/text.ts';

/** The result of a verification, for a person. */
export function verifyLines({ ok, head, documents, rows_checked, problems, remedy }: Verified): string[] {
  const looked = `${counted(documents, 'document')} hashed, ${counted(rows_checked, 'row')} derived again`;
  const lines = problems.map(({ where, what }) => `${cleanText(where)}: ${cleanText(what, 400)}`);
  lines.push(ok ? `sound: ${looked}` : `not sound: ${counted(problems.length, 'problem')}; ${looked}`);
  lines.push(`head  ${head ?? 'none: the ledger holds nothing yet'}`);
  if (remedy === 'rebuild') lines.push('The evidence is whole: `remit rebuild` derives the rows from it again.');
  if (remedy === 'restore')
    lines.push('Restore a backup from before the change; `remit sync --full --orders` brings what the API still has.');
  return lines;
}

/** The result of a check of a close pack, for a person. */
export function packLines({ ok, month, status, files, chain_head, in_ledger, problems }: VerifiedPack): string[] {
  const lines = problems.map(({ where, what }) => `${cleanText(where)}: ${cleanText(what, 400)}`);
  const looked = `${month}, ${status}, ${counted(files, 'file')} hashed`;
  lines.push(ok ? `sound: ${looked}` : `not sound: ${counted(problems.length, 'problem')}; ${looked}`);
  const known =
    in_ledger === null
      ? 'no ledger here to look into: a manifest that was edited would not show'
      : in_ledger
        ? 'in the ledger'
        : 'not in the ledger';
  lines.push(`head  ${chain_head ?? 'none'}, ${known}`);
  return lines;
}
