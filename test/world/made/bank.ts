import { DAY, dayText } from './days.ts';
import type { Dice } from './dice.ts';
import { headerOf } from './invoice-figures.ts';
import { type Invoice, type Line, PAYER } from './model.ts';

/** What of an invoice's money came in otherwise than it should; null: nothing came in. */
export type Unusual = ReadonlyMap<number, { readonly currency: string; readonly off: bigint | null }>;

/**
 * What the bank shows: each paid invoice's net, per currency, named or not, alone or with others, at once or in parts.
 */
export function payments(invoices: readonly Invoice[], unusual: Unusual, dice: Dice): Line[] {
  const nets = new Map(invoices.map((invoice) => [invoice, headerOf(invoice, false).net]));
  const currencies = [...new Set([...nets.values()].flatMap((net) => net.entries().map(([currency]) => currency)))];
  return currencies.sort().flatMap((currency) => {
    const due = invoices
      .filter((invoice) => invoice.paid !== null && nets.get(invoice)!.of(currency) > 0n)
      .sort((a, b) => a.paid! - b.paid! || a.number - b.number);
    const seen = new Map<bigint, number>();
    for (const net of nets.values()) seen.set(net.of(currency), (seen.get(net.of(currency)) ?? 0) + 1);
    const lines: Line[] = [];
    for (let next = 0; next < due.length; next += 1) {
      const invoice = due[next]!;
      const net = nets.get(invoice)!.of(currency);
      const other = unusual.get(invoice.number);
      const one = (cents: bigint, text: string, more: Partial<Line> = {}) =>
        lines.push({ date: dayText(invoice.paid!), currency, cents, text, invoice: '', inCash: false, ...more });
      if (other?.currency === currency) {
        if (other.off !== null) one(net + other.off, `${PAYER} Invoice ${invoice.number}`);
        continue;
      }
      const chance = dice.roll();
      const isAlone = seen.get(net) === 1;
      const beside = due
        .slice(next + 1, next + 1 + dice.whole(1, 2))
        .filter((b) => unusual.get(b.number)?.currency !== currency);
      if (chance < 0.2 && isAlone) one(net, `${PAYER} COD remittance`);
      else if (chance < 0.3 && net > 1_000n) {
        one(net / 3n, `${PAYER} Invoice ${invoice.number} part 1`);
        one(net - net / 3n, `${PAYER} Invoice ${invoice.number} part 2`, { date: dayText(invoice.paid! + DAY) });
      } else if (chance < 0.36) one(net, 'Cash from the driver', { invoice: String(invoice.number), inCash: true });
      else if (chance < 0.55 && beside.length > 0 && due[next + beside.length] === beside.at(-1)) {
        const together = [invoice, ...beside];
        const sum = together.reduce((so, each) => so + nets.get(each)!.of(currency), 0n);
        one(sum, `${PAYER} Invoices ${together.map(({ number }) => number).join(', ')}`, {
          date: dayText(beside.at(-1)!.paid!),
        });
        next += beside.length;
      } else one(net, `${PAYER} Invoice ${invoice.number} COD`);
    }
    return lines;
  });
}

/** What is nothing of the courier's. */
export function otherBusiness(): Line[] {
  return ['2026-08', '2026-09', '2026-10', '2026-11'].flatMap((month): Line[] => [
    { date: `${month}-03`, currency: 'USD', cents: -95_000n, text: `Rent ${month}`, invoice: '', inCash: false },
    { date: `${month}-12`, currency: 'USD', cents: 134_275n, text: 'Card sales', invoice: '', inCash: false },
    { date: `${month}-12`, currency: 'USD', cents: 134_275n, text: 'Card sales', invoice: '', inCash: false },
    { date: `${month}-15`, currency: 'LBP', cents: -4_500_000_00n, text: 'Wages', invoice: '', inCash: false },
  ]);
}
