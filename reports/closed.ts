import { type LedgerReader, readClosesInForce } from '../src/ledger/read/index.ts';
import { cleanText } from '../src/text.ts';

/**
 * What a reader must know of the closed ones among some months.
 *
 * @param isFrozen whether the report shows them as they were closed, or as the data has them now
 */
export async function sayClosed(db: LedgerReader, months: readonly string[], isFrozen: boolean): Promise<string[]> {
  const closes = (await readClosesInForce(db)).filter(({ period }) => months.includes(period));
  return closes.map(({ period, actor, at }) => {
    const closed = `${period} was closed by ${cleanText(actor)} on ${at.slice(0, 10)}`;
    return isFrozen
      ? `${closed}: its line is as it was then, and what became known since is booked in the month that learned of it.`
      : `${closed}: where a figure has moved since, \`remit check\` says so as closed-period-changed.`;
  });
}
