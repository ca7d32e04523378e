import { Command } from '@commander-js/extra-typings';
import type { Act, Decided, DecisionPlan, DecisionRequest } from '../../../app/mismatches/decide.ts';
import { UsageError } from '../../../base/errors.ts';
import { example, ledgerOption, type Start } from '../../command.ts';
import { type DecidingInput, deciding, dryRunOption, noteOf, seenOption } from '../../deciding.ts';
import { BY, IDS, isFiltered, type SelectionInput, selecting, selectionOf } from '../../selection.ts';
import type { Session, SettingInput } from '../../session.ts';

export const declareAck = (start: Start) =>
  selecting('ack', 'say that you know of it, and that someone is at work on it')
    .description(
      'Acknowledges mismatches: they stay open and count as known. Given a filter it asks first; without a terminal give --yes.',
    )
    .option('--note <text>', 'what is being done about it')
    .addOption(dryRunOption())
    .addOption(seenOption())
    .addHelpText(
      'after',
      example(
        'remit mismatch ack 4f1c --note "asked the courier on the 5th"',
        'remit mismatch ack --code payment-overdue --yes',
      ),
    )
    .action((ids, options) => start('mismatch ack', { act: 'ack' as const, ids, ...options }, decideFor));

export const declareResolve = (start: Start) =>
  selecting('resolve', 'settle it for a reason')
    .description(
      'Resolves mismatches for a reason that is kept. They stay resolved while their data is the same, and stay in the bridge. What they are short is given up: above the limit of [approvals] it waits for a second person. `remit settle list` shows it, and `remit settle undo` opens it again.',
    )
    .option('--note <text>', 'the reason (needed; asked for on a terminal)')
    .option('--settle', 'take what they are short off their invoices too, as a write-off')
    .addOption(dryRunOption())
    .addOption(seenOption())
    .addHelpText(
      'after',
      example(
        'remit mismatch resolve 4f1c --note "credited on invoice 10012"',
        'remit mismatch resolve --max-effect 0.05 --currency USD --note rounding --yes',
      ),
    )
    .action((ids, options) => start('mismatch resolve', { act: 'resolve' as const, ids, ...options }, decideFor));

export const declareReopen = (start: Start) =>
  new Command('reopen')
    .summary('open it again for a reason')
    .description('Opens mismatches again that were acknowledged or resolved.')
    .argument('<ids...>', IDS)
    .option('--note <text>', 'the reason (needed; asked for on a terminal)')
    .option('--by <name>', BY)
    .addOption(dryRunOption())
    .addOption(seenOption())
    .addOption(ledgerOption())
    .addHelpText('after', example('remit mismatch reopen 4f1c --note "the credit never came"'))
    .action((ids, options) => start('mismatch reopen', { act: 'reopen' as const, ids, ...options }, decideFor));

export interface DecideInput extends SettingInput, SelectionInput, DecidingInput {
  readonly act: Act;
  readonly note?: string | undefined;
  readonly by?: string | undefined;
  readonly yes?: boolean | undefined;
  readonly settle?: boolean | undefined;
}

/** Exit 1 where a mismatch that was named is in another state than this can be done from. */
export async function decideFor(session: Session, input: DecideInput): Promise<number> {
  const [app, lines] = await Promise.all([
    import('../../../app/mismatches/decide.ts'),
    import('../../lines/mismatches.ts'),
  ]);
  const { act } = input;
  const by = await session.person(input.by);
  const note = noteOf(input.note) ?? (act === 'ack' || input.yes ? null : await askReason(session, act));
  const { books, selection } = await selectionOf(await session.books(input), input);
  const request = { act, selection, by, note, settle: input.settle === true };
  const isNamed = !isFiltered(input);
  let plan: DecisionPlan | undefined;
  // To open again is no loss: it is not asked about.
  if (!(input.dryRun || input.yes || isNamed || act === 'reopen')) {
    plan = await app.planDecision(books, request);
    if (plan.touch.length > 0 && !(await isWanted(session, plan))) {
      session.note('nothing was changed');
      return 0;
    }
  }
  const decided = await deciding(session, books, input, async (own) => {
    const done = await app.decide(own, plan ?? (await app.planDecision(own, request)));
    // What is left as it is is no failure; shown beforehand it is refused, as at the web desk.
    if (input.dryRun) app.requireDecided(done);
    return done;
  });
  if (decided === null) return 0;
  print(session, request, decided, lines);
  return decided.left.some(({ why }) => why === 'other') ? 1 : 0;
}

/** Asks for the reason that was not given; null where there is no terminal to ask on, or nothing is typed. */
async function askReason({ io }: Session, act: Act): Promise<string | null> {
  if (!io.isTTY.stdin) return null;
  const { usingAsker } = await import('../../ask.ts');
  const typed = await usingAsker(io, ({ ask }) => ask(`the reason to ${act}, which is kept`));
  return typed === '' ? null : typed;
}

/** Shows what would be touched and asks. @throws UsageError where nobody can be asked */
async function isWanted(session: Session, plan: DecisionPlan): Promise<boolean> {
  const { planLines } = await import('../../lines/mismatches.ts');
  if (!session.io.isTTY.stdin) {
    throw new UsageError(
      `this would ${plan.act === 'ack' ? 'acknowledge' : plan.act} ${plan.touch.length === 1 ? 'a mismatch' : `${plan.touch.length} mismatches`}, and there is no terminal to ask on`,
      'Give --yes to do it without asking; `remit mismatch list` takes the same filters.',
    );
  }
  const width = session.io.isTTY.stderr ? session.io.columns : undefined;
  for (const line of planLines(plan, { color: false, width })) session.io.stderr.write(`${session.mask(line)}\n`);
  const { usingAsker } = await import('../../ask.ts');
  return usingAsker(session.io, ({ confirm }) => confirm(`${plan.act} ${plan.touch.length}`));
}

export function decidedJson(
  { act, by, note }: Pick<DecisionRequest, 'act' | 'by' | 'note'>,
  { evidence, changed, left, settled }: Decided,
) {
  return {
    /** The evidence that keeps it; null where nothing changed. */
    decision: evidence,
    act,
    by,
    note,
    changed,
    left: left.map(({ mismatch: { id, status }, last, why }) => ({
      id,
      why,
      status,
      by: last.actor,
      at: last.at,
      note: last.note,
    })),
    settled,
  };
}

function print(
  session: Session,
  request: Pick<DecisionRequest, 'act' | 'by' | 'note'>,
  decided: Decided,
  lines: typeof import('../../lines/mismatches.ts'),
): void {
  if (session.json) {
    session.resultJson(decidedJson(request, decided));
    return;
  }
  for (const line of lines.leftLines(decided.left)) session.warn(line);
  if (!session.quiet) session.result(lines.decidedLine(request.act, decided.changed.length));
}
