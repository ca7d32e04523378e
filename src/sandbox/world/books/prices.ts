import { DAY, dateText } from '../../calendar.ts';
import { RATE_CARD, zoneOf } from '../../rules/rate-card.ts';
import { DISTRICTS } from '../../store/districts.ts';
import type { Price, Rate } from './shop-books.ts';

/** The agreed prices: the courier's rate card for each district. @param without a district that it leaves out */
export function prices(without: string | null): Price[] {
  const districts = Object.keys(DISTRICTS).filter((district) => district !== without);
  return RATE_CARD.flatMap((card, index) => {
    const newer = RATE_CARD[index - 1];
    const from = index === RATE_CARD.length - 1 ? '' : card.from;
    const to = newer === undefined ? '' : dateText(Date.parse(`${newer.from}T00:00:00Z`) - DAY);
    return Object.entries(card.usd).flatMap(([workflow, usd]) =>
      districts.flatMap((district) => {
        const zone = zoneOf(district);
        const line = { workflow, district, from, to };
        const surcharge = card.lbp[zone];
        return [
          { ...line, currency: 'USD', fee: usd[zone] },
          ...(surcharge === undefined ? [] : [{ ...line, currency: 'LBP', fee: surcharge }]),
        ];
      }),
    );
  });
}

/** The rate of a dollar in pounds, from the first day of each month. */
export function rates(months: readonly string[]): Rate[] {
  return months.map((month) => ({ date: `${month}-01`, from: 'USD', to: 'LBP', rate: '89500' }));
}
