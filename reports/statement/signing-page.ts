import type { Group } from '../../src/checks/groups.ts';
import { type ExactDecimal, parseAmount } from '../../src/money/decimal.ts';
import { BALANCE_FLOWS, BALANCE_SINCE, type BalanceBlock } from '../balance.ts';
import type { Row } from '../model.ts';
import { bridgeLines, type PageLine, shortLines } from './bridge.ts';
import type { Statement } from './model.ts';

/** The first page of a statement, for signing: a month on one sheet of paper. All figures are in reports, too. */
export interface SigningPage {
  /** The currencies that have a column, by name. */
  readonly currencies: readonly string[];
  /** The currencies in the blocks in which the page has them. */
  readonly blocks: readonly (readonly string[])[];
  /** The opening balance, what moved it in the month, and the closing balance, their sum; empty without any balance. */
  readonly balance: readonly PageLine[];
  /** How the closing balance moved after the month's end, and what is still open today. */
  readonly later: readonly PageLine[];
  /** The bridge from the courier's figure to ours: at most eight lines. */
  readonly bridge: readonly PageLine[];
  /** From the bridge's steps and the money outside of them to what you are short or ahead. */
  readonly short: readonly PageLine[];
  /** The open findings by cause: at most five, the largest of each currency first. */
  readonly causes: readonly PageCause[];
  /** How many more causes there are. */
  readonly otherCauses: number;
}

export interface PageCause extends Pick<Group, 'code' | 'cause' | 'count' | 'currency'> {
  readonly amount: ExactDecimal | null;
}

/** The most lines of the bridge, and the most causes; fewer if the currencies take several blocks. */
const MOST = { bridge: 8, causes: 5 };
const MOST_IN_BLOCKS = { bridge: 6, causes: 3 };
/** How many currencies fit side by side; more of them go into blocks, one below the other. */
const SIDE_BY_SIDE = 4;
/** Shown even if all amounts are zero. */
const ALWAYS: readonly string[] = ['opening', 'invoiced', 'received', 'closing', 'receivedSince', 'openToday'];

type Figure = Exclude<keyof BalanceBlock, 'currency'>;

type Source = Pick<Statement, 'balance' | 'totals' | 'settled' | 'proof' | 'mismatches' | 'causes'>;

export function signingPage(statement: Source): SigningPage {
  const { balance } = statement;
  const currencies = summaryCurrencies(statement);
  const causes = byTurns(statement.causes);
  const blocks = inBlocks(currencies);
  const most = blocks.length > 1 ? MOST_IN_BLOCKS : MOST;
  return {
    currencies,
    blocks,
    balance: balance.length === 0 ? [] : linesOf(balance, ['opening', ...BALANCE_FLOWS, 'closing']),
    later: balance.length === 0 ? [] : linesOf(balance, [...BALANCE_SINCE, 'openToday']),
    bridge: bridgeLines(statement.proof, most.bridge),
    short: shortLines(statement.proof, { isSplit: false }),
    causes: causes.slice(0, most.causes),
    otherCauses: Math.max(0, causes.length - most.causes),
  };
}

/** As few blocks as possible, with about as many currencies in each. */
function inBlocks(currencies: readonly string[]): string[][] {
  const count = Math.max(1, Math.ceil(currencies.length / SIDE_BY_SIDE));
  const size = Math.ceil(currencies.length / count);
  return Array.from({ length: count }, (_, block) => currencies.slice(block * size, (block + 1) * size));
}

/** The balance's amounts as lines, without what is zero in every currency. */
function linesOf(blocks: readonly BalanceBlock[], figures: readonly Figure[]): PageLine[] {
  const lines = figures.map((figure): PageLine => {
    return { figure, count: null, amounts: new Map(blocks.map((block) => [block.currency, block[figure]])) };
  });
  return lines.filter(({ figure, amounts }) => ALWAYS.includes(figure) || !isZero(amounts));
}

function isZero(amounts: PageLine['amounts']): boolean {
  return [...amounts.values()].every((amount) => amount === null || amount.isZero());
}

/** The largest cause of each currency, then each second one, and so on; last those that are not about money. */
function byTurns(groups: readonly Group[]): PageCause[] {
  const ranks = new Map<string | null, number>();
  return groups
    .map(({ code, cause, count, currency, amount: decimal }) => {
      const amount = decimal === null ? null : parseAmount(decimal);
      const hasMoney = amount !== null && !amount.isZero();
      const key = hasMoney ? currency : null;
      const rank = ranks.get(key) ?? 0;
      ranks.set(key, rank + 1);
      return { cause: { code, cause, count, currency, amount }, rank: hasMoney ? rank : groups.length + rank };
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ cause }) => cause);
}

/** The currencies that have a column on the Summary and on the page that people sign, by name. */
export function summaryCurrencies(
  statement: Pick<Statement, 'totals' | 'balance' | 'settled' | 'proof' | 'mismatches'>,
): string[] {
  const { totals, balance, settled, proof, mismatches } = statement;
  const currencies = [
    ...totals.currencies.map(({ currency }) => currency),
    ...balance.map(({ currency }) => currency),
    ...settled.keys(),
    ...proof.map(({ currency }) => currency),
    ...mismatches.flatMap(({ effect }) => [...effect.keys()]),
  ];
  return [...new Set(currencies)].sort();
}

/**
 * The {@link summaryCurrencies}, and the currencies that only a sheet has, so that a statement split by currency leaves
 * nothing out.
 *
 * @param recordCurrencies the currencies of the order records on the sheet Orders
 */
export function allCurrencies(statement: Statement, recordCurrencies: readonly string[]): string[] {
  const { vanished, resolved, orders: _, ...reports } = statement.tables;
  const rows = [...Object.values(reports).flatMap((report) => report.rows as readonly Row[]), ...vanished, ...resolved];
  const currencies = rows.flatMap(({ currency }) => (typeof currency === 'string' ? [currency] : []));
  return [...new Set([...summaryCurrencies(statement), ...recordCurrencies, ...currencies])].sort();
}
