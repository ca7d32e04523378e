import { amountOfUnits } from '../money/index.ts';
import type { Check } from './check.ts';
import { finding, say, sayList, shown } from './finding.ts';
import { receiptBooks } from './remittances.ts';
import { receipts } from './requirement.ts';

export const receiptAmbiguous: Check = {
  code: 'receipt-ambiguous',
  severity: 'warning',
  requires: [receipts],
  title: 'A receipt has no more than one explanation.',
  async find(context) {
    const { receipts: rows, theirs, outcome } = await receiptBooks(context);
    const findings = outcome.ambiguous.map(({ receipt, currency, amount, ways, tooMany }) => {
      const { date, text } = rows.get(Number(receipt))!;
      const each = ways.map(({ invoices }) => invoices.join(' + '));
      const list = ways.length === 0 ? '' : `: invoice ${sayList(each, 20)}`;
      const count = tooMany ? 'too many ways' : `${ways.length} ways`;
      return finding({
        period: date.slice(0, 7),
        subject: `receipt ${receipt}`,
        currency,
        field: 'amount',
        message: `Receipt ${receipt} of ${date} ("${shown(text)}"), ${say(amountOfUnits(amount), currency)}, can be explained in ${count}${list}: nothing is booked; choose with \`remit match add ${receipt} INVOICE...\`.`,
      });
    });
    return { findings, compared: theirs.size, notComparable: [] };
  },
};
