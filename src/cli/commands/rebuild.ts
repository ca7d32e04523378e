import { Command } from '@commander-js/extra-typings';
import { counted } from '../../base/counted.ts';
import { example, ledgerOption, type Start } from '../command.ts';
import type { Session, SettingInput } from '../session.ts';

export const declare = (start: Start) =>
  new Command('rebuild')
    .summary('derive every row of the ledger again from its evidence')
    .description(
      'Derives every row again from the evidence, whole or not at all. Decisions are evidence, and stay. Refuses where the chain or a document is not as it was stored: then restore a backup.',
    )
    .addOption(ledgerOption())
    .addHelpText('after', example('remit rebuild'))
    .action((options) => start('rebuild', options, rebuild));

export async function rebuild(session: Session, input: SettingInput): Promise<number> {
  const { rebuildBooks } = await import('../../app/verify/index.ts');
  const rebuilt = await rebuildBooks(await session.books(input));
  if (session.json) session.resultJson(rebuilt);
  else if (!session.quiet) {
    const { documents, rows, changed, head } = rebuilt;
    session.result(
      `${counted(documents, 'document')} hashed, ${counted(rows, 'row')} derived again, ${changed} of them changed\nhead  ${head ?? 'none: the ledger holds nothing yet'}`,
    );
  }
  return 0;
}
