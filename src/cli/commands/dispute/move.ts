import { Command, Option } from '@commander-js/extra-typings';
import type { Books } from '../../../app/books.ts';
import type { Moved } from '../../../app/disputes/move.ts';
import { UsageError } from '../../../base/errors.ts';
import { example, ledgerOption, type Start } from '../../command.ts';
import { type DecidingInput, deciding, dryRunOption, seenOption } from '../../deciding.ts';
import { BY, IDS } from '../../selection.ts';
import type { Session, SettingInput } from '../../session.ts';

export const declareAnswer = (start: Start) =>
  new Command('answer')
    .summary('record the delivery company’s answer')
    .description(
      'Records the delivery company’s answer to claims. A claim is settled when the company corrects its documents: an answer alone changes no figure.',
    )
    .argument('<ids...>', IDS)
    .requiredOption('--note <text>', 'what was answered')
    .addOption(new Option('--accepted', 'it will be corrected').conflicts('refused'))
    .addOption(new Option('--refused', 'it will not'))
    .option('--by <name>', BY)
    .addOption(dryRunOption())
    .addOption(seenOption())
    .addOption(ledgerOption())
    .addHelpText('after', example('remit dispute answer 4f1c --accepted --note "credited on the next invoice"'))
    .action((ids, options) => start('dispute answer', { ids, ...options }, answer));

export const declareWriteOff = (start: Start) =>
  new Command('write-off')
    .summary('give a claim up for a reason')
    .description(
      'Gives claims up: their mismatches are resolved for a reason that is kept. They stay in the bridge, and their sum is listed as written off.',
    )
    .argument('<ids...>', IDS)
    .requiredOption('--by <name>', 'who gives it up')
    .requiredOption('--reason <text>', 'why')
    .addOption(dryRunOption())
    .addOption(seenOption())
    .addOption(ledgerOption())
    .addHelpText('after', example('remit dispute write-off 4f1c --by Rana --reason "too old to be worth a dispute"'))
    .action((ids, options) => start('dispute write-off', { ids, ...options }, writeOff));

export const declareWithdraw = (start: Start) =>
  new Command('withdraw')
    .summary('take a claim back')
    .description(
      'Takes claims back, on record: their mismatches are open again, and what was claimed stays in their history.',
    )
    .argument('[ids...]', IDS)
    .option('--month <month>', 'the claims of this month that are not over')
    .requiredOption('--note <text>', 'why')
    .option('--by <name>', BY)
    .addOption(dryRunOption())
    .addOption(seenOption())
    .addOption(ledgerOption())
    .addHelpText('after', example('remit dispute withdraw 4f1c --note "sent to the wrong company"'))
    .action((ids, options) => start('dispute withdraw', { ids, ...options }, withdraw));

export interface WithdrawInput extends SettingInput, DecidingInput {
  readonly ids: readonly string[];
  readonly month?: string | undefined;
  readonly note: string;
  readonly by?: string | undefined;
}

export async function withdraw(session: Session, { ids, month, ...input }: WithdrawInput): Promise<number> {
  if ((ids.length === 0) === (month === undefined)) {
    throw new UsageError('name the claims to take back', 'Give the ids of mismatches, or --month MONTH.');
  }
  const { withdrawClaims } = await import('../../../app/disputes/move.ts');
  const months = (await session.months(month)) ?? [];
  const by = await session.person(input.by);
  const note = required(input.note, '--note');
  const books = await session.books(input);
  const moved = await deciding(session, books, input, (own) => withdrawClaims(own, { ids, months, by, note }));
  return moved === null ? 0 : print(session, moved, books);
}

export interface AnswerInput extends SettingInput, DecidingInput {
  readonly ids: readonly string[];
  readonly note: string;
  readonly accepted?: true | undefined;
  readonly refused?: true | undefined;
  readonly by?: string | undefined;
}

export async function answer(session: Session, { ids, accepted, refused, ...input }: AnswerInput): Promise<number> {
  const { answerClaims } = await import('../../../app/disputes/move.ts');
  const by = await session.person(input.by);
  const note = required(input.note, '--note');
  const said = accepted ? 'accepted' : refused ? 'refused' : null;
  const books = await session.books(input);
  const moved = await deciding(session, books, input, (own) => answerClaims(own, { ids, by, note, answer: said }));
  return moved === null ? 0 : print(session, moved, books);
}

export interface WriteOffInput extends SettingInput, DecidingInput {
  readonly ids: readonly string[];
  readonly by: string;
  readonly reason: string;
}

export async function writeOff(session: Session, { ids, ...input }: WriteOffInput): Promise<number> {
  const { writeOffClaims } = await import('../../../app/disputes/move.ts');
  const by = await session.person(input.by);
  const note = required(input.reason, '--reason');
  const books = await session.books(input);
  const moved = await deciding(session, books, input, (own) => writeOffClaims(own, { ids, by, note }));
  return moved === null ? 0 : print(session, moved, books);
}

/** @throws UsageError for an empty text */
function required(text: string, flag: string): string {
  const said = text.trim();
  if (said === '') throw new UsageError(`${flag} is empty`, 'Write in a few words what is to be kept.');
  return said;
}

async function print(session: Session, moved: Moved, books: Books): Promise<number> {
  if (session.json) session.resultJson(moved);
  else if (!session.quiet) {
    const { claimLines } = await import('../../lines/dispute.ts');
    session.result(claimLines(moved.claims, [], await session.zone(books)).join('\n'));
  }
  return 0;
}
