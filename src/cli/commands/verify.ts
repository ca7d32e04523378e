import path from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { VerifiedPack } from '../../app/close-pack/verify.ts';
import type { Verified } from '../../app/verify/index.ts';
import { counted } from '../../base/counted.ts';
import { UsageError } from '../../base/errors.ts';
import { cleanText } from '../../base/text.ts';
import { example, ledgerOption, printAnswer, type Start } from '../command.ts';
import type { Flags, Session, SettingInput, Texts } from '../session.ts';

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
    .addHelpText(...example('remit verify --deep', 'remit verify "statements/2026-10 close pack"'))
    .action((pack, options) => start('verify', { pack, ...options }, verify));

export type VerifyInput = SettingInput & Texts<'pack' | 'head'> & Flags<'deep'>;

/** Exits with 0 if the ledger, or the close pack, is sound, else with 1. */
export async function verify(session: Session, input: VerifyInput): Promise<number> {
  if (input.pack !== undefined) {
    if (input.deep || input.head !== undefined)
      throw new UsageError('--deep and --head are for the ledger, not for a close pack', 'Leave them out.');
    const { verifyPack } = await import('../../app/close-pack/verify.ts');
    const books = await session.books(input);
    return print(session, await verifyPack(books, path.resolve(session.io.cwd, input.pack)), packLines);
  }
  const { verifyBooks } = await import('../../app/verify/index.ts');
  const books = await session.books(input);
  const head = input.head?.trim().toLowerCase() ?? null;
  return print(session, await verifyBooks(books, { deep: input.deep === true, head }), verifyLines);
}

async function print<Result extends { readonly ok: boolean }>(
  session: Session,
  verified: Result,
  linesOf: (verified: Result) => string[],
): Promise<number> {
  await printAnswer(session, verified, () => linesOf(verified), !session.quiet || !verified.ok);
  return verified.ok ? 0 : 1;
}

/** A line for each problem, and one that says whether all is sound. @param extent how much was looked at */
function soundLines({ ok, problems }: Pick<Verified, 'ok' | 'problems'>, extent: string): string[] {
  const lines = problems.map(({ where, what }) => `${cleanText(where)}: ${cleanText(what, 400)}`);
  return [...lines, ok ? `sound: ${extent}` : `not sound: ${counted(problems.length, 'problem')}; ${extent}`];
}

function verifyLines(verified: Verified): string[] {
  const { head, documents, rows_checked, remedy } = verified;
  const extent = `${counted(documents, 'document')} hashed, ${counted(rows_checked, 'row')} derived again`;
  const lines = soundLines(verified, extent);
  lines.push(headLine(head));
  if (remedy === 'rebuild') lines.push('The evidence is whole: `remit rebuild` derives the rows from it again.');
  if (remedy === 'restore')
    lines.push('Restore a backup from before the change; `remit sync --full --orders` brings what the API still has.');
  return lines;
}

function headLine(head: string | null): string {
  return `head  ${head ?? 'none: the ledger holds nothing yet'}`;
}

function packLines(verified: VerifiedPack): string[] {
  const { month, status, files, chain_head, in_ledger } = verified;
  const lines = soundLines(
    verified,
    `${cleanText(String(month))}, ${cleanText(String(status))}, ${counted(files, 'file')} hashed`,
  );
  return [...lines, `head  ${cleanText(String(chain_head ?? 'none'))}, ${placeOfHead(in_ledger)}`];
}

/** Where the head of a pack's chain is. @param inLedger null where there is no ledger */
function placeOfHead(inLedger: boolean | null): string {
  if (inLedger === null) return 'no ledger here to look into: a manifest that was edited would not show';
  return inLedger ? 'in the ledger' : 'not in the ledger';
}

export const declareRebuild = (start: Start) =>
  new Command('rebuild')
    .summary('derive every row of the ledger again from its evidence')
    .description(
      'Derives every row again from the evidence, whole or not at all. Decisions are evidence, and stay. Refuses where the chain or a document is not as it was stored: then restore a backup.',
    )
    .addOption(ledgerOption())
    .addHelpText(...example('remit rebuild'))
    .action((options) => start('rebuild', options, rebuild));

export async function rebuild(session: Session, input: SettingInput): Promise<number> {
  const { rebuildBooks } = await import('../../app/verify/index.ts');
  const rebuilt = await rebuildBooks(await session.books(input));
  const { documents, rows, changed, head } = rebuilt;
  const derived = `${counted(rows, 'row')} derived again, ${changed} of them changed`;
  const lines = [`${counted(documents, 'document')} hashed, ${derived}`, headLine(head)];
  return printAnswer(session, rebuilt, () => lines, !session.quiet);
}
