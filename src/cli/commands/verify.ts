import path from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { VerifiedPack } from '../../app/close-pack/verify.ts';
import type { Verified } from '../../app/verify/index.ts';
import { counted } from '../../base/counted.ts';
import { UsageError } from '../../base/errors.ts';
import { cleanText } from '../../base/text.ts';
import { example, ledgerOption, type Start } from '../command.ts';
import type { Session, SettingInput } from '../session.ts';

export const declare = (start: Start) =>
  new Command('verify')
    .summary('prove that the ledger agrees with its evidence')
    .description(
      'Checks the database, computes every hash and the chain of the evidence again, derives every row again and compares. Prints the head of the chain, which is on every statement.',
    )
    .argument('[pack]', 'a close pack to check against its manifest, and its chain against the ledger')
    .option('--deep', 'also compare every index with its table, and build every page of the order book again')
    .option('--head <sha256>', 'the head that an earlier statement or verify printed: finds a tail that was cut off')
    .addOption(ledgerOption())
    .addHelpText('after', example('remit verify --deep', 'remit verify "statements/2026-10 close pack"'))
    .action((pack, options) => start('verify', { pack, ...options }, verify));

export interface VerifyInput extends SettingInput {
  readonly pack?: string | undefined;
  readonly deep?: boolean | undefined;
  readonly head?: string | undefined;
}

/** Exits with 0 if the ledger, or the close pack, is sound, else with 1. */
export async function verify(session: Session, input: VerifyInput): Promise<number> {
  if (input.pack !== undefined) {
    if (input.deep || input.head !== undefined)
      throw new UsageError('--deep and --head are for the ledger, not for a close pack', 'Leave them out.');
    return verifyOnePack(session, input.pack, input);
  }
  const { verifyBooks } = await import('../../app/verify/index.ts');
  const books = await session.books(input);
  const verified = await verifyBooks(books, {
    deep: input.deep === true,
    head: input.head?.trim().toLowerCase() ?? null,
  });
  if (session.json) session.resultJson(verified);
  else if (!session.quiet || !verified.ok) session.result(verifyLines(verified).join('\n'));
  return verified.ok ? 0 : 1;
}

async function verifyOnePack(session: Session, pack: string, input: VerifyInput): Promise<number> {
  const { verifyPack } = await import('../../app/close-pack/verify.ts');
  const books = await session.books(input);
  const verified = await verifyPack(books, path.resolve(session.io.cwd, pack));
  if (session.json) session.resultJson(verified);
  else if (!session.quiet || !verified.ok) session.result(packLines(verified).join('\n'));
  return verified.ok ? 0 : 1;
}

function verifyLines({ ok, head, documents, rows_checked, problems, remedy }: Verified): string[] {
  const extent = `${counted(documents, 'document')} hashed, ${counted(rows_checked, 'row')} derived again`;
  const lines = problems.map(({ where, what }) => `${cleanText(where)}: ${cleanText(what, 400)}`);
  lines.push(ok ? `sound: ${extent}` : `not sound: ${counted(problems.length, 'problem')}; ${extent}`);
  lines.push(`head  ${head ?? 'none: the ledger holds nothing yet'}`);
  if (remedy === 'rebuild') lines.push('The evidence is whole: `remit rebuild` derives the rows from it again.');
  if (remedy === 'restore')
    lines.push('Restore a backup from before the change; `remit sync --full --orders` brings what the API still has.');
  return lines;
}

function packLines({ ok, month, status, files, chain_head, in_ledger, problems }: VerifiedPack): string[] {
  const lines = problems.map(({ where, what }) => `${cleanText(where)}: ${cleanText(what, 400)}`);
  const extent = `${month}, ${status}, ${counted(files, 'file')} hashed`;
  lines.push(ok ? `sound: ${extent}` : `not sound: ${counted(problems.length, 'problem')}; ${extent}`);
  lines.push(`head  ${chain_head ?? 'none'}, ${placeOfHead(in_ledger)}`);
  return lines;
}

/** Where the head of a pack's chain is. @param inLedger null where there is no ledger */
function placeOfHead(inLedger: boolean | null): string {
  if (inLedger === null) return 'no ledger here to look into: a manifest that was edited would not show';
  return inLedger ? 'in the ledger' : 'not in the ledger';
}
