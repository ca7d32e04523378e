import { Command } from '@commander-js/extra-typings';
import type { Explained } from '../../../app/match/explain.ts';
import { example, ledgerOption, PERIOD_FORMS, printAnswer, type Start } from '../../command.ts';
import { commandsOfGroup } from '../../decisions.ts';
import type { Flags, Session, SettingInput, Texts } from '../../session.ts';

export const declare = (start: Start) => {
  const command = new Command('match')
    .summary('match receipts to the invoices that they pay')
    .description(
      'Matches receipts to invoices: by the number in the text, by equal amounts, by sums. It runs after every import and sync and in every check. A receipt that could pay several invoices is listed as ambiguous and not matched.',
    )
    .argument('[period]', PERIOD_FORMS)
    .option('--dry-run', 'say what would be matched, and change nothing')
    .addOption(ledgerOption())
    .addHelpText(...example('remit match', 'remit match add 41 10009 10011', 'remit match list --unmatched'))
    .addCommand(declareList(start))
    .addCommand(declareExplain(start))
    .action((period, options) => start('match', { period, ...options }, match));
  for (const child of commandsOfGroup('match', start)) command.addCommand(child);
  return command;
};

export type MatchInput = SettingInput & Texts<'period'> & Flags<'dryRun'>;

export async function match(session: Session, { period, dryRun = false, ...input }: MatchInput): Promise<number> {
  const { runMatching } = await import('../../../app/match/report-matches.ts');
  const { matchLines } = await import('../../lines/match.ts');
  const periods = await session.months(period);
  const { report, booked } = await runMatching(await session.books(input), { periods, dryRun });
  const lines = () => [`${dryRun ? 'would match' : 'matched'} ${booked} more`, ...matchLines(report)];
  return printAnswer(session, report, lines, !session.quiet);
}

export const declareList = (start: Start) =>
  new Command('list')
    .summary('matches, ambiguous receipts, unmatched receipts and invoices')
    .description('Lists the matches in force, the ambiguous receipts, and what is unmatched on either side.')
    .option('--unmatched', 'only what is not matched')
    .addOption(ledgerOption())
    .addHelpText(...example('remit match list --unmatched'))
    .action((options) => start('match list', options, list));

export type ListInput = SettingInput & Flags<'unmatched'>;

export async function list(session: Session, { unmatched = false, ...input }: ListInput): Promise<number> {
  const { listMatches } = await import('../../../app/match/report-matches.ts');
  const { matchLines } = await import('../../lines/match.ts');
  const report = await listMatches(await session.books(input));
  const shown = unmatched ? { ...report, matches: [] } : report;
  return printAnswer(session, shown, () => matchLines(shown));
}

export const declareExplain = (start: Start) =>
  new Command('explain')
    .summary('why a receipt or an invoice is matched as it is')
    .description(
      'Says what each rule tried with a receipt or an invoice, in order: each candidate, and why it was matched or not. Where a number is both, say which: receipt 41.',
    )
    .argument('<receipt-or-invoice...>', 'the receipt’s id or the invoice’s number')
    .addOption(ledgerOption())
    .addHelpText(...example('remit match explain 41', 'remit match explain invoice 10009'))
    .action((words, options) => start('match explain', { words, ...options }, explain));

export type ExplainInput = SettingInput & { readonly words: readonly string[] };

/** As JSON: each reason in English alone, without its id and parameters. */
export function explainedJson(explained: Explained) {
  const tried = explained.tried.map(({ rule, candidates }) => ({
    rule,
    candidates: candidates.map(({ sentence: _, ...candidate }) => candidate),
  }));
  return { ...explained, said: explained.said.map(({ why }) => why), tried };
}

export async function explain(session: Session, { words, ...input }: ExplainInput): Promise<number> {
  const { explainBooks } = await import('../../../app/match/explain.ts');
  const explained = await explainBooks(await session.books(input), words);
  const { whyThisMatch } = await import('../../../app/show/pages.ts');
  const { sectionsText } = await import('../../../render/section-text.ts');
  return printAnswer(session, explainedJson(explained), async () => {
    const text = await sectionsText(whyThisMatch(explained), session.tableOptions);
    return `${explained.subject}\n\n${text.trimEnd()}`;
  });
}
