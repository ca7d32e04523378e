import { Command, Option } from '@commander-js/extra-typings';
import { UsageError } from '../../../base/errors.ts';
import { example, ledgerOption, type Start } from '../../command.ts';
import { type DecidingInput, deciding, dryRunOption, noteOf, seenOption } from '../../deciding.ts';
import type { Session, SettingInput } from '../../session.ts';
import { declare as list } from './list.ts';
import { declare as undo } from './undo.ts';

const KINDS = ['write-off', 'bank-charge', 'rounding', 'fx', 'other'] as const;

export const declare = (start: Start) =>
  new Command('settle')
    .summary('take something off what is open of invoices, without a receipt')
    .description(
      'Settles invoices without a receipt: a write-off, a bank charge, rounding, an exchange difference. It is booked on the day on which you decide, and can be undone on record. On a terminal it asks first.',
    )
    .argument('<invoice...>', 'the invoices, a payout of a sheet by its own number, such as ES-902')
    .addOption(new Option('--as <kind>', 'what it is (needed)').choices(KINDS))
    .option('--currency <code>', 'the currency, where several are open')
    .option('--amount <amount>', 'how much of each invoice (default: all that is open of it)')
    .option('--by <name>', 'who settles (default: the user of this machine)')
    .option('--note <text>', 'why (needed); it stays on record')
    .option('--yes', 'do it without asking')
    .addOption(dryRunOption())
    .addOption(seenOption())
    .addOption(ledgerOption())
    .addHelpText(
      'after',
      example(
        'remit settle 10009 --as write-off --note "agreed with the courier on the phone"',
        'remit settle 10009 10011 --as rounding --amount 0.01 --note cents',
        'remit settle list 2026-10',
        'remit settle undo 7 --reason "it was paid after all"',
      ),
    )
    .addCommand(list(start))
    .addCommand(undo(start))
    .action((invoices, options) => start('settle', { invoices, ...options }, settle));

export interface SettleInput extends SettingInput, DecidingInput {
  readonly invoices: readonly string[];
  readonly as?: (typeof KINDS)[number] | undefined;
  readonly currency?: string | undefined;
  readonly amount?: string | undefined;
  readonly by?: string | undefined;
  readonly note?: string | undefined;
  readonly yes?: boolean | undefined;
}

export async function settle(session: Session, { invoices, as, currency, ...input }: SettleInput): Promise<number> {
  if (as === undefined) throw new UsageError('what it is settled as is not said', `Give --as ${KINDS.join('|')}.`);
  const [app, { plannedLine, settledLine }] = await Promise.all([
    import('../../../app/settle/settle.ts'),
    import('../../lines/match.ts'),
  ]);
  const { invoicesNamed } = await import('../../../app/invoices-named.ts');
  const { books, numbers } = await invoicesNamed(await session.books(input), invoices);
  const request = {
    invoices: numbers,
    kind: as,
    currency: currency?.toUpperCase() ?? null,
    amount: amountOf(input.amount),
    note: requiredNote(noteOf(input.note)),
    by: await session.person(input.by),
  };
  if (input.yes !== true && !input.dryRun && session.io.isTTY.stdin) {
    const planned = await app.planSettle(books, request);
    for (const one of planned) session.io.stderr.write(`${plannedLine(one, as)}\n`);
    const { usingAsker } = await import('../../ask.ts');
    if (!(await usingAsker(session.io, ({ confirm }) => confirm(`settle ${planned.length}`)))) {
      session.note('nothing was settled');
      return 0;
    }
  }
  const settled = await deciding(session, books, input, (own) => app.settle(own, request));
  if (settled === null) return 0;
  if (session.json) session.resultJson({ settled });
  else if (!session.quiet) session.result(settled.map(settledLine).join('\n'));
  return 0;
}

/** @throws UsageError for what is no amount */
function amountOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (/^-?\d{1,15}(\.\d{1,4})?$/.test(text)) return text;
  throw new UsageError(`${JSON.stringify(text.slice(0, 40))} is no amount`, 'Write a plain decimal, such as 12.50.');
}

function requiredNote(note: string | null): string {
  if (note !== null) return note;
  throw new UsageError('a settlement needs a reason', 'Give it with --note TEXT: it stays on record.');
}
