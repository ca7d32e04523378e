import { decimal } from '../units.ts';
import { COURIERS, CURRENCIES } from './plan.ts';
import type { Play } from './play.ts';
import { amountOf, isRowOf, read } from './surfaces.ts';

/** What was known at an earlier instant, drawn by the seed, is what is shown of it. */
export async function comparePast(play: Play): Promise<void> {
  const { instants, plan } = play;
  const { at, facts, months } = instants[(plan.seed * 7) % instants.length]!;
  const rolled = await read(play, 'roll-forward', `${months[0]}..${months.at(-1)}`, '--as-of', at);
  const month = months[plan.seed % months.length]!;
  const openItems = await read(play, 'open-items', month, '--as-of', at);
  const dashboard = await read(play, 'dashboard', month, '--as-of', at);
  for (const courier of COURIERS) {
    for (const currency of CURRENCIES) {
      const isOwn = isRowOf(play, courier, currency);
      const same = (what: string, said: bigint, due: bigint) => {
        if (said !== due)
          play.faults.push(`as of ${at}, ${courier} ${currency}: ${what} is ${decimal(said)}, not ${decimal(due)}`);
      };
      for (const period of months) {
        const line = rolled.rows.find((row) => row.period === period && isOwn(row));
        const due = play.balances.closing(period, facts).get(`${courier} ${currency}`) ?? 0n;
        if (!line && !plan.span.everyMonth) continue;
        same(`closing of ${period}`, amountOf(line?.closing), due);
      }
      const due = play.balances.closing(month, facts).get(`${courier} ${currency}`) ?? 0n;
      if (!rolled.rows.some((row) => row.period === month && isOwn(row)) && !plan.span.everyMonth) continue;
      const open = openItems.rows.filter(isOwn).reduce((sum, row) => sum + amountOf(row.open), 0n);
      same(`open items of ${month}`, open, due);
      const shown = dashboard.rows.find((row) => row.section === 'balance' && row.figure === 'closing' && isOwn(row));
      same(`dashboard of ${month}`, amountOf(shown?.amount), due);
    }
  }
}
