import { Command, Option } from '@commander-js/extra-typings';
import { CLAIM_STATES, type ClaimState } from '../../../base/states.ts';
import { example, ledgerOption, PERIOD_FORMS, type Start } from '../../command.ts';
import { invoiceFilter } from '../../filter-flags.ts';
import type { Session, SettingInput } from '../../session.ts';

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
    .addHelpText('after', example('remit dispute list --state claimed answered'))
    .action((period, options) => start('dispute list', { period, ...options }, list));

export const declareShow = (start: Start) =>
  new Command('show')
    .summary('one claim and its history')
    .description('Shows one claim: the amount claimed, its effect now, and its history.')
    .argument('<id>', 'the mismatch’s id, which may be shortened while it is unique')
    .addOption(ledgerOption())
    .addHelpText('after', example('remit dispute show 4f1c'))
    .action((id, options) => start('dispute show', { id, ...options }, show));

export interface ListInput extends SettingInput {
  readonly period: string | undefined;
  readonly state?: readonly ClaimState[] | undefined;
  readonly code?: readonly string[] | undefined;
  readonly invoice?: string | undefined;
  readonly currency?: string | undefined;
}

export async function list(
  session: Session,
  { period, state, code, invoice, currency, ...input }: ListInput,
): Promise<number> {
  const [{ listClaims }, { knownCodes }, { claimLines }] = await Promise.all([
    import('../../../app/disputes/list.ts'),
    import('../../filter-flags.ts'),
    import('../../lines/dispute.ts'),
  ]);
  const periods = (await session.months(period)) ?? undefined;
  const codes = code && (await knownCodes(code));
  const { books, number } = await invoiceFilter(await session.books(input), invoice);
  const filter = { periods, codes, invoice: number, currency, states: state };
  const found = await listClaims(books, filter);
  if (session.json) session.resultJson(found);
  else if (found.claims.length > 0 || !session.quiet)
    session.result(claimLines(found.claims, found.totals, await session.zone(books)).join('\n'));
  return 0;
}

export async function show(
  session: Session,
  { id, ...input }: SettingInput & { readonly id: string },
): Promise<number> {
  const [{ showClaim }, { claimShownLines }] = await Promise.all([
    import('../../../app/disputes/list.ts'),
    import('../../lines/dispute.ts'),
  ]);
  const books = await session.books(input);
  const shown = await showClaim(books, id);
  if (session.json) session.resultJson(shown);
  else session.result(claimShownLines(shown, await session.zone(books)).join('\n'));
  return 0;
}
