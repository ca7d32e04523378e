import { Command, Option } from '@commander-js/extra-typings';
import type { Books } from '../../../app/books.ts';
import { isFiltered, SELECTION } from '../../../app/decisions/mismatches.ts';
import type { DisputePlan, DisputeRequest } from '../../../app/disputes/plan.ts';
import type { TypedFilter } from '../../../app/mismatches/decide.ts';
import { UsageError } from '../../../base/errors.ts';
import { example, ledgerOption, type Start } from '../../command.ts';
import { commandsOfGroup, type DecidingInput, dryRunOption, seenOption } from '../../decisions.ts';
import {
  invoiceFilter,
  knownCodes,
  languageCompletions,
  languageNamed,
  namedFormat,
  refuseOnTerminal,
} from '../../flags.ts';
import type { Flags, PersonInput, Session, Texts } from '../../session.ts';
import { declareLetter, declareList, declareShow } from './show.ts';
import { CLAIM_FORMATS, type ClaimFormat, writeClaim } from './write.ts';

export const declare = (start: Start) => {
  const { code, invoice, currency, maxEffect, by, yes } = SELECTION;
  const command = new Command('dispute')
    .summary('make the claim to send to the delivery company')
    .argument('[ids...]', 'a period, or ids of mismatches')
    .option(code.typed, code.help)
    .option(invoice.typed, invoice.help)
    .option(currency.typed, currency.help)
    .option(maxEffect.typed, maxEffect.help)
    .option(by.typed, by.help)
    .option(yes.typed, yes.help)
    .addOption(ledgerOption())
    .usage('[options] [period | ids...]')
    .description(
      'Makes the claim to send to the delivery company: what is owed to you, what you owe, the net, and what it is asked to confirm, each point with its invoice, order, reference and day. What came in is not claimed. The mismatches in it are acknowledged. Given a period or a filter it asks first; without a terminal give --yes.',
    )
    .option('--out <file>', 'write it to a file; the ending says the format')
    .addOption(new Option('--format <format>', 'how to write it (default: the text of a mail)').choices(CLAIM_FORMATS))
    .option('--lang <code>', 'the language of its words, such as ar', 'en')
    .option('--short', 'only what is owed to you')
    .option('--include-possible', 'claim also what a receipt that is not matched may cover')
    .option('--again', 'include what was claimed already')
    .addOption(dryRunOption('make it and claim nothing'))
    .addOption(seenOption())
    .addHelpText(
      ...example(
        'remit dispute 2026-10 --out claim.html --lang ar',
        'remit dispute --code delivered-not-invoiced --currency USD --yes',
        'remit dispute answer 4f1c --accepted --note "on the next invoice"',
        'remit dispute list',
      ),
    )
    .addCommand(declareList(start))
    .addCommand(declareShow(start))
    .action((ids, options) => start('dispute', { ids, ...options }, dispute));
  for (const child of [...commandsOfGroup('dispute', start), declareLetter(start)]) command.addCommand(child);
  return command;
};

export const completes = languageCompletions;

/** On the command line the period is typed in the place of the ids; programs give it by its name. */
export interface DisputeInput
  extends PersonInput,
    TypedFilter,
    DecidingInput,
    Texts<'period' | 'out'>,
    Flags<'yes' | 'short' | 'includePossible' | 'again'> {
  readonly ids: readonly string[];
  readonly format?: ClaimFormat | undefined;
  readonly lang: string;
}

/** Exits with 1 if a mismatch that was named is left out. */
export async function dispute(session: Session, input: DisputeInput): Promise<number> {
  const { usingCurrentFindings } = await import('../../../app/disputes/current-findings.ts');
  const { ids, periods } = await periodOrIds(session, input);
  const by = await session.person(input.by);
  const format = formatOf(session, input);
  const { code, currency, maxEffect, again = false, short: shortOnly = false, includePossible = false } = input;
  const codes = code && (await knownCodes(code));
  const { books, number: invoice } = await invoiceFilter(await session.books(input), input.invoice);
  const selection = { ids, filter: { codes, invoice, currency, periods }, maxEffect };
  const request = { selection, again, shortOnly, includePossible, by };
  // Named by their ids alone, mismatches are claimed without a question.
  const isNamed = periods === undefined && !isFiltered(input);
  return usingCurrentFindings(books, selection, input.dryRun === true, (current) =>
    claimOf(session, current, request, { input, format, isNamed }),
  );
}

async function claimOf(
  session: Session,
  books: Books,
  request: DisputeRequest,
  { input, format, isNamed }: { readonly input: DisputeInput; readonly format: ClaimFormat; readonly isNamed: boolean },
): Promise<number> {
  const { planDispute } = await import('../../../app/disputes/plan.ts');
  const { leftOutLines } = await import('../../lines/dispute.ts');
  const plan = await planDispute(books, request);
  for (const line of leftOutLines(plan.left, await session.zone(books))) session.warn(line);
  for (const { receipt, date, couriers } of plan.shared) {
    const whose = `receipt ${receipt} of ${date} may be of ${couriers.join(' or ')}`;
    session.warn(
      `${whose}: it is taken off the claims on each of them until you say whose it is, with remit match add ${receipt} INVOICE... --courier NAME`,
    );
  }
  const isDry = input.dryRun === true;
  const asksFirst = plan.lines.length > 0 && !isDry && !isNamed && input.yes !== true;
  if (asksFirst && !(await isAgreed(session, plan))) {
    session.note('nothing was claimed');
    return 0;
  }
  const file = session.file(input.out);
  const language = await languageNamed(input.lang);
  await writeClaim(session, books, plan, { format, language, file, isDry, seen: input.seen });
  return isNamed && plan.left.length > 0 ? 1 : 0;
}

/**
 * Tells a period from ids: a word that looks like a period is one; `4821` may begin an id, and is no year.
 *
 * @throws UsageError for several, or a wrong one
 */
async function periodOrIds(session: Session, { period, ids }: DisputeInput) {
  const words = period === undefined ? ids : [period, ...ids];
  const isPeriod = (word: string) => /^20\d\d$|^\d{4}-|\.\.|-month$/.test(word);
  if (!words.some(isPeriod)) return { ids: words, periods: undefined };
  if (words.length > 1) {
    const remedy = 'Give one period, such as 2026-08..2026-10, or ids, not both.';
    throw new UsageError('a period was given together with other words', remedy);
  }
  return { ids: [], periods: (await session.months(words[0])) ?? undefined };
}

/** @throws UsageError if `--format` and the ending differ, or a workbook would go to a terminal */
function formatOf(session: Session, input: Pick<DisputeInput, 'format' | 'out'>): ClaimFormat {
  const format = namedFormat(input, { formats: CLAIM_FORMATS, text: 'text' }) ?? 'text';
  refuseOnTerminal(session, format, input.out);
  return format;
}

/** Shows what would be claimed and asks for a yes. @throws UsageError if there is nobody to ask */
async function isAgreed(session: Session, { lines }: DisputePlan): Promise<boolean> {
  const { planText } = await import('../../lines/dispute.ts');
  const { countOf } = await import('../../lines/mismatches.ts');
  const { isConfirmed } = await import('../../ask.ts');
  const count = lines.length;
  return isConfirmed(session, 'claim', { what: countOf(count), count, lines: planText(lines) });
}
