import { Command, Option } from '@commander-js/extra-typings';
import { example, ledgerOption, type Start, wholeNumber } from '../../command.ts';
import type { Session } from '../../session.ts';
import { type SettingInput, settingFlags } from '../../settings-flags.ts';

const KINDS = ['bank-charge', 'rounding', 'other'] as const;

export const declare = (start: Start) =>
  new Command('add')
    .summary('match a receipt to invoices by hand')
    .description(
      'Matches what is left of a receipt to invoices: only when the two tally, or what the rest is is named.',
    )
    .argument('<receipt>', 'the receipt, as `remit match list --unmatched` shows it', wholeNumber(1))
    .argument('<invoice...>', 'the invoices that it pays')
    .addOption(new Option('--difference <kind>', 'what the rest is').choices(KINDS))
    .option('--note <text>', 'a word about it')
    .option('--by <name>', 'who matches (default: the user of this machine)')
    .addOption(ledgerOption())
    .addHelpText('after', example('remit match add 41 10009 --difference bank-charge --note "wire fee"'))
    .action((receipt, invoices, options) => start('match add', { receipt, invoices, ...options }, add));

interface AddInput extends SettingInput {
  readonly receipt: number;
  readonly invoices: readonly string[];
  readonly difference?: (typeof KINDS)[number] | undefined;
  readonly note?: string | undefined;
  readonly by?: string | undefined;
}

async function add(session: Session, { receipt, invoices, difference, note, by, ...input }: AddInput): Promise<number> {
  const [{ addMatch }, { noteOf, personOf }, { addedLine }] = await Promise.all([
    import('../../../app/match/by-hand.ts'),
    import('../../person.ts'),
    import('../../lines/match.ts'),
  ]);
  const added = await addMatch(await session.books(settingFlags(input)), {
    receipt,
    invoices: invoices.map(wholeNumber(1)),
    difference: difference ?? null,
    note: noteOf(note),
    by: personOf(session, by),
  });
  if (session.json) session.resultJson(added);
  else if (!session.quiet) session.result(addedLine(added));
  return 0;
}
