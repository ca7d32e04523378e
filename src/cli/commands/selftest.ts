import { Command } from '@commander-js/extra-typings';
import { example, type Start } from '../command.ts';
import type { Session } from '../session.ts';

export const declare = (start: Start) =>
  new Command('selftest')
    .summary('prove that every check finds its mismatch')
    .description(
      'Plants a mismatch of every kind in a copy of a clean ledger of its own, one at a time. Each check must find its own and no other may find any; with a check of the bridge left out, exactly its plant must be unexplained. It uses none of your ledgers and needs no settings.',
    )
    .addHelpText('after', example('remit selftest', 'remit selftest > statements/2026-10-selftest.txt'))
    .action(() => start('selftest', {}, selftest));

/** Exit 0 when everything is found as planted, 1 when it is not. */
export async function selftest(session: Session): Promise<number> {
  const [{ selfTest }, { selfTestLines }] = await Promise.all([
    import('../../app/selftest/index.ts'),
    import('../lines/selftest.ts'),
  ]);
  const tested = await selfTest();
  if (session.json) session.resultJson(tested);
  else if (!session.quiet || !tested.ok) session.result(selfTestLines(tested, session.io.now()).join('\n'));
  return tested.ok ? 0 : 1;
}
