import { Command, Option } from '@commander-js/extra-typings';
import type { KeptLetter } from '../../../app/disputes/list.ts';
import { UsageError } from '../../../base/errors.ts';
import { CLAIM_STATES, type ClaimState } from '../../../base/states.ts';
import { example, ledgerOption, PERIOD_FORMS, printAnswer, type Start, writeOut } from '../../command.ts';
import { invoiceFilter, knownCodes, refuseOnTerminal } from '../../flags.ts';
import type { Session, SettingInput, Texts } from '../../session.ts';

export const declareList = (start: Start) =>
  new Command('list')
    .summary('claims and their states')
    .description(
      'Lists claims, a line each: the amount claimed, its effect now, and its state. Sums by state and currency.',
    )
    .argument('[period]', PERIOD_FORMS)
    .addOption(new Option('--state <state...>', 'only these').choices(CLAIM_STATES))
    .option('--code <code...>', 'only those of these checks')
    .option('--invoice <number>', 'only those about this invoice')
    .option('--currency <code>', 'only those in this currency')
    .addOption(ledgerOption())
    .addHelpText(...example('remit dispute list --state claimed answered'))
    .action((period, options) => start('dispute list', { period, ...options }, list));

export const declareShow = (start: Start) =>
  new Command('show')
    .summary('one claim and its history')
    .description('Shows one claim: the amount claimed, its effect now, and its history.')
    .argument('<id>', 'the mismatch’s id, which may be shortened while it is unique')
    .addOption(ledgerOption())
    .addHelpText(...example('remit dispute show 4f1c'))
    .action((id, options) => start('dispute show', { id, ...options }, show));

export interface ListInput extends SettingInput, Texts<'period' | 'invoice' | 'currency'> {
  readonly state?: readonly ClaimState[] | undefined;
  readonly code?: readonly string[] | undefined;
}

export async function list(session: Session, input: ListInput): Promise<number> {
  const { period, state: states, code, invoice, currency, ...settings } = input;
  const { listClaims } = await import('../../../app/disputes/list.ts');
  const { claimLines } = await import('../../lines/dispute.ts');
  const periods = (await session.months(period)) ?? undefined;
  const codes = code && (await knownCodes(code));
  const { books, number } = await invoiceFilter(await session.books(settings), invoice);
  const found = await listClaims(books, { periods, codes, invoice: number, currency, states });
  const lines = async () => claimLines(found.claims, found.totals, await session.zone(books));
  return printAnswer(session, found, lines, found.claims.length > 0 || !session.quiet);
}

export async function show(session: Session, { id, ...input }: SettingInput & { readonly id: string }) {
  const { showClaim } = await import('../../../app/disputes/list.ts');
  const { claimShownLines } = await import('../../lines/dispute.ts');
  const books = await session.books(input);
  const shown = await showClaim(books, id);
  return printAnswer(session, shown, async () => claimShownLines(shown, await session.zone(books)));
}

export const declareLetter = (start: Start) =>
  new Command('letter')
    .summary('a letter as it was sent')
    .description('Shows the last letter that was sent about a mismatch or a month, byte for byte as it was.')
    .argument('[id]', 'the mismatch’s id, which may be shortened while it is unique')
    .option('--month <month>', 'the letter about this month, such as 2026-10')
    .option('--out <file>', 'write it to a file')
    .addOption(ledgerOption())
    .addHelpText(...example('remit dispute letter --month 2026-10 --out claim.html'))
    .action((id, options) => start('dispute letter', { id, ...options }, letter));

export type LetterInput = SettingInput & Texts<'id' | 'month' | 'out'>;

export function letterJson(kept: KeptLetter, file: string | null) {
  const { claim, at, actor: by, courier, period, months, format, language, bytes } = kept;
  const encoding: 'base64' | 'utf8' = format === 'xlsx' ? 'base64' : 'utf8';
  const about = { claim, at, by, courier, period, months, format, language, file, encoding };
  return { ...about, letter: bytes.toString(encoding) };
}

export async function letter(session: Session, { id, month, out, ...input }: LetterInput): Promise<number> {
  if ((id === undefined) === (month === undefined)) {
    throw new UsageError('name one letter', 'Give the id of a mismatch in it, or --month MONTH.');
  }
  const { readLetter } = await import('../../../app/disputes/list.ts');
  const { refuseOwnFiles } = await import('../../../app/books.ts');
  const months = await session.months(month);
  if (months && months.length > 1) throw new UsageError('--month is one month', 'Give one, such as 2026-10.');
  const books = await session.books(input);
  const keptLetter = await readLetter(books, id === undefined ? { month: months![0]! } : { id });
  const { format, bytes, others } = keptLetter;
  const file = session.file(out);
  if (!session.json) refuseOnTerminal(session, format, out);
  if (file !== null) {
    refuseOwnFiles(books, file);
    await writeOut(session, file, [bytes]);
  }
  if (session.json) session.resultJson(letterJson(keptLetter, file));
  else if (file === null) session.io.stdout.write(bytes);
  const earlier = 'an earlier one is shown by the id of a mismatch that it alone holds';
  if (others > 0) session.note(`the last of ${others + 1} letters: ${earlier}`);
  return 0;
}
