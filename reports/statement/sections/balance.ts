import { lastDayOf } from '../../../src/base/period.ts';
import { hint, type Live, note, type Section } from '../../page.ts';
import type { PageLine } from '../bridge.ts';
import type { SigningPage } from '../signing-page.ts';
import { figureGrid } from './figures.ts';

/** The columns of the roll-forward that add up to a line of the balance. */
const FLOWS: Readonly<Record<string, readonly string[]>> = {
  opening: ['opening'],
  invoiced: ['invoiced'],
  restated: ['restated', 'vanished'],
  received: ['received', 'unallocated'],
  marked_paid: ['already_paid', 'seen_paid'],
  differences: ['differences'],
};
/** The column of the ageing whose sum is a line below the closing. */
const SINCE: Readonly<Record<string, string>> = {
  receivedSince: 'received_since',
  settledSince: 'settled_since',
  restatedSince: 'restated_since',
  openToday: 'open_today',
};

/** What was owed before the month, what moved it, what is owed at its end, and how that moved since. */
export function balanceSection(month: string, { balance, later, currencies }: SigningPage): Section {
  const title = { id: 'statement/balance' };
  if (balance.length === 0) return { title, parts: [note({ id: 'statement/no-money' })] };
  const liveOf = ({ figure }: PageLine, currency: string): Live => {
    const where = [{ column: 'currency', is: currency }];
    if (figure === 'closing') return { above: balance.length - 1 };
    const flows = FLOWS[figure];
    return flows ? { of: 'rollForward', sum: flows, where } : { of: 'ageing', sum: [SINCE[figure]!], where };
  };
  const grid = figureGrid('', currencies, [...balance, ...later], (line) => {
    const isClosing = line.figure === 'closing';
    return {
      ...(isClosing ? { look: 'total' as const, label: { id: 'statement/closing-at', day: lastDayOf(month) } } : {}),
      cell: (currency) => ({
        live: liveOf(line, currency),
        ...(isClosing ? { name: `${currency}_CLOSING` } : {}),
      }),
    };
  });
  return { title, parts: [grid, hint({ id: 'statement/balance-hint' })] };
}
