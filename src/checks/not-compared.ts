import { monthIn } from '../base/day.ts';
import { groupBy } from '../base/group.ts';
import { ExactDecimal } from '../money/decimal.ts';
import { formatAmount } from '../money/format.ts';
import { amountOfUnits } from '../money/units.ts';
import { notComparedRows } from './bridge/not-compared.ts';
import type { CheckContext, NotComparable, Stake } from './check.ts';
import { returnsOf } from './facts/returns/convention.ts';
import type { ReturnsUndecidedSentence } from './facts/returns/headers.ts';
import type { Incomplete, NotComparedSentence } from './incomplete.ts';
import type { Lacking } from './remedy.ts';

/** Money that was compared with nothing, and what was lacking. */
interface LackingStake extends Stake {
  readonly lacking: Lacking;
}

/**
 * The reasons why the months are not clean although nothing in them is wrong: money that the checks could not compare,
 * one entry per month and reason. Some of it comes only after the month has ended, such as the bank's next statement:
 * until then the entry is early (`isEarly`), and nobody is at fault.
 *
 * @param notComparable what each check could not compare
 */
export async function findNotCompared(
  context: CheckContext,
  notComparable: readonly NotComparable[],
): Promise<Incomplete[]> {
  const stakes = [
    ...(await rowsAtStake(context)),
    ...(await returnsAtStake(context)),
    ...notComparable.flatMap(stakesOf),
  ];
  const currentMonth = monthIn(context.now, context.settings.timeZone);
  return context.periods.flatMap((period) => {
    const ofMonth = stakes.filter((stake) => stake.period === period && !stake.amount.isZero());
    const byReason = groupBy(ofMonth, ({ what, lacking, comesLater }) => JSON.stringify([what, lacking, comesLater]));
    return [...byReason.values()].map((alike) => {
      const { what, lacking, comesLater } = alike[0]!;
      const why: NotComparedSentence = {
        id: 'not-compared',
        what,
        count: new Set(alike.map(({ subject }) => subject)).size,
        money: moneyOf(alike),
        why: lacking.why,
      };
      return { period, why, commands: lacking.commands, isEarly: comesLater === true && period >= currentMonth };
    });
  });
}

function stakesOf({ why, commands = [], stakes = [] }: NotComparable): LackingStake[] {
  return stakes.map((stake) => ({ ...stake, lacking: { why, commands } }));
}

/** The invoices' rows that the bridge has as its step `not-compared`. */
async function rowsAtStake(context: CheckContext): Promise<LackingStake[]> {
  const rows = await notComparedRows(context);
  return rows.map(({ row, period, currency, amount, lacking }) => {
    return { period, currency, amount, lacking, what: 'row', subject: row };
  });
}

/** The money of RETURN rows on invoices whose convention for returns nobody knows. */
async function returnsAtStake(context: CheckContext): Promise<LackingStake[]> {
  const why: ReturnsUndecidedSentence = { id: 'returns-convention-unknown' };
  const { uncompared } = await returnsOf(context);
  const live = uncompared.filter(({ vanished_at }) => vanished_at === null);
  return live.flatMap(({ number, period, lines }) =>
    lines.map(({ currency, returned: { cod, delivery_fee } }) => ({
      period,
      currency,
      what: 'invoice',
      subject: String(number),
      lacking: { why, commands: [] },
      amount: amountOfUnits(cod).abs().plus(amountOfUnits(delivery_fee).abs()),
    })),
  );
}

function moneyOf(stakes: readonly Stake[]): NotComparedSentence['money'] {
  return [...groupBy(stakes, ({ currency }) => currency)]
    .map(([currency, inCurrency]) => {
      const sum = inCurrency.reduce((total, { amount }) => total.plus(amount), new ExactDecimal(0));
      return { currency, amount: formatAmount(sum) };
    })
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
}
