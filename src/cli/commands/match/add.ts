import { Command, Option } from '@commander-js/extra-typings';
import { example, ledgerOption, type Start, wholeNumber } from '../../command.ts';
import { type DecidingInput, deciding, dryRunOption, noteOf, seenOption } from '../../deciding.ts';
import type { Session, SettingInput } from '../../session.ts';

const KINDS = ['bank-charge', 'rounding', 'fx', 'other'] as const;

export const declare = (start: Start) =>
  new Command('add')
    .summary('match a receipt to invoices by hand')
    .description(
      'Matches the rest of a receipt to invoices. The two must tally, or you name the difference or say --part. At a rate, a receipt in another currency pays them; what is left is an exchange difference.',
    )
    .argument('<receipt>', 'the receipt, as `remit match list --unmatched` shows it', wholeNumber(1))
    .argument('<invoice...>', 'the invoices that it pays, a payout of a sheet by its own number, such as ES-902')
    .addOption(new Option('--difference <kind>', 'what the difference is').choices(KINDS))
    .option('--rate <rate>', 'the receipt’s currency for one of the invoice’s, or table: the imported rate of its day')
    .option('--part', 'a part payment, the oldest invoice first: what is left of either stays open')
    .option('--any-courier', 'take a receipt of another courier’s payer, on record: --note says why')
    .option('--note <text>', 'a word about it')
    .option('--by <name>', 'who matches (default: the user of this machine)')
    .addOption(dryRunOption())
    .addOption(seenOption())
    .addOption(ledgerOption())
    .addHelpText('after', example('remit match add 41 10009 --difference bank-charge --note "wire fee"'))
    .action((receipt, invoices, options) => start('match add', { receipt, invoices, ...options }, add));

export interface AddInput extends SettingInput, DecidingInput {
  readonly receipt: number;
  readonly invoices: readonly string[];
  readonly difference?: (typeof KINDS)[number] | undefined;
  readonly rate?: string | undefined;
  readonly part?: boolean | undefined;
  readonly anyCourier?: boolean | undefined;
  readonly note?: string | undefined;
  readonly by?: string | undefined;
}

export async function add(session: Session, asked: AddInput): Promise<number> {
  const { receipt, invoices, difference, rate, part, anyCourier, note, by, dryRun, seen, ...input } = asked;
  const [{ addMatch }, { addedLine }] = await Promise.all([
    import('../../../app/match/by-hand.ts'),
    import('../../lines/match.ts'),
  ]);
  const { invoicesNamed } = await import('../../../app/invoices-named.ts');
  const { books, numbers } = await invoicesNamed(await session.books(input), invoices);
  const request = {
    receipt,
    invoices: numbers,
    difference: difference ?? null,
    rate: rate ?? null,
    inPart: part === true,
    anyCourier: anyCourier === true,
    note: noteOf(note),
    by: await session.person(by),
  };
  const added = await deciding(session, books, { dryRun, seen }, (own) => addMatch(own, request));
  if (added === null) return 0;
  if (session.json) session.resultJson(added);
  else if (!session.quiet) session.result(addedLine(added));
  return 0;
}
