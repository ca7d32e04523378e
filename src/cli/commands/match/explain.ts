import { Command } from '@commander-js/extra-typings';
import type { Explained } from '../../../app/match/explain.ts';
import { example, ledgerOption, type Start } from '../../command.ts';
import type { Session, SettingInput } from '../../session.ts';

export const declare = (start: Start) =>
  new Command('explain')
    .summary('why a receipt or an invoice is matched as it is')
    .description(
      'Says what each rule tried with a receipt or an invoice, in order: each candidate, and why it was matched or not. Where a number is both, say which: receipt 41.',
    )
    .argument('<receipt-or-invoice...>', 'the receipt’s id or the invoice’s number')
    .addOption(ledgerOption())
    .addHelpText('after', example('remit match explain 41', 'remit match explain invoice 10009'))
    .action((words, options) => start('match explain', { words, ...options }, explain));

export interface ExplainInput extends SettingInput {
  readonly words: readonly string[];
}

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
  if (session.json) {
    session.resultJson(explainedJson(explained));
    return 0;
  }
  const [{ whyThisMatch }, { sectionsText }] = await Promise.all([
    import('../../../app/show/pages.ts'),
    import('../../../render/section-text.ts'),
  ]);
  const options = { color: session.color, width: session.io.columns ?? null };
  session.result(`${explained.subject}\n\n${(await sectionsText(whyThisMatch(explained), options)).trimEnd()}`);
  return 0;
}
