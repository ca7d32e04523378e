import { amountOfUnits } from '../money/index.ts';
import type { Check } from './check.ts';
import { finding, say, shown } from './finding.ts';
import { receiptBooks } from './remittances.ts';
import { receipts } from './requirement.ts';

export const receiptUnmatched: Check = {
  code: 'receipt-unmatched',
  severity: 'warning',
  requires: [receipts],
  title: 'Money that came in from the courier pays some invoice.',
  async find(context) {
    const { receipts: rows, theirs, byHand, outcome } = await receiptBooks(context);
    const left = [...outcome.unmatched.receipts.map(Number), ...byHand].filter((id) => rows.get(id)!.left !== 0n);
    const findings = left
      .sort((a, b) => a - b)
      .map((id) => {
        const { date, currency, amount, left: rest, text } = rows.get(id)!;
        const [whole, open] = [say(amountOfUnits(amount), currency), say(amountOfUnits(rest), currency)];
        const part = rest === amount ? whole : `${open} of the ${whole}`;
        const way =
          amount > 0n ? 'that came in from the delivery company pays' : 'that the delivery company took back is of';
        return finding({
          period: date.slice(0, 7),
          subject: `receipt ${id}`,
          currency,
          field: 'amount',
          message: `Receipt ${id} of ${date} ("${shown(text)}"): ${part} ${way} no invoice that is known: sync the month that it is for, or match it by hand with \`remit match add ${id} INVOICE\`.`,
        });
      });
    return { findings, compared: theirs.size, notComparable: [] };
  },
};
