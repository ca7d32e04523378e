import path from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { example, ledgerOption, type Start } from '../command.ts';
import type { Session } from '../session.ts';
import { type SettingInput, settingFlags } from '../settings-flags.ts';

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

/** Exit 0 when the ledger is sound, 1 when it is not. */
export async function verify(session: Session, input: VerifyInput): Promise<number> {
  if (input.pack !== undefined) return verifyOnePack(session, input.pack, input);
  const [{ verifyBooks }, { verifyLines }] = await Promise.all([
    import('../../app/verify/index.ts'),
    import('../lines/verify.ts'),
  ]);
  const books = await session.books(settingFlags(input));
  const verified = await verifyBooks(books, {
    deep: input.deep === true,
    head: input.head?.trim().toLowerCase() ?? null,
  });
  if (session.json) session.resultJson(verified);
  else if (!session.quiet || !verified.ok) session.result(verifyLines(verified).join('\n'));
  return verified.ok ? 0 : 1;
}

async function verifyOnePack(session: Session, pack: string, input: VerifyInput): Promise<number> {
  const [{ verifyPack }, { packLines }] = await Promise.all([
    import('../../app/close-pack/verify.ts'),
    import('../lines/verify.ts'),
  ]);
  const books = await session.books(settingFlags(input));
  const verified = await verifyPack(books, path.resolve(session.io.cwd, pack));
  if (session.json) session.resultJson(verified);
  else if (!session.quiet || !verified.ok) session.result(packLines(verified).join('\n'));
  return verified.ok ? 0 : 1;
}
