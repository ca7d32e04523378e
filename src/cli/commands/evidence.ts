import { Command } from '@commander-js/extra-typings';
import { example, ledgerOption, type Start } from '../command.ts';
import type { Session } from '../session.ts';
import { type SettingInput, settingFlags } from '../settings-flags.ts';

export const declare = (start: Start) =>
  new Command('evidence')
    .summary('the documents behind an invoice, order or receipt')
    .description(
      'Lists every document that was received about an invoice or order, or the files that hold a receipt: when, from where, its SHA-256, and what could not be read.',
    )
    .argument('<id...>', 'the number of an invoice, the id of an order, or `receipt` and its number')
    .option('--diff', 'what each says otherwise than the one before it')
    .addOption(ledgerOption())
    .addHelpText('after', example('remit evidence 10009 --diff', 'remit evidence receipt 41'))
    .action((id, options) => start('evidence', { id: id.join(' '), ...options }, evidence));

interface EvidenceInput extends SettingInput {
  readonly id: string;
  readonly diff?: boolean | undefined;
}

async function evidence(session: Session, input: EvidenceInput): Promise<number> {
  const [{ readBooksEvidence }, { evidenceLines }] = await Promise.all([
    import('../../app/evidence/index.ts'),
    import('../lines/evidence.ts'),
  ]);
  const books = await session.books(settingFlags(input));
  const result = await readBooksEvidence(books, input.id, input.diff === true);
  if (session.json) session.resultJson(result);
  else session.result(evidenceLines(result).join('\n'));
  return 0;
}
