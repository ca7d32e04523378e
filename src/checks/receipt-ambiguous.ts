import type { Way } from '../books/matching/index.ts';
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
      return finding({
        period: date.slice(0, 7),
        subject: `receipt ${receipt}`,
        currency,
        field: 'amount',
        message: `Receipt ${receipt} of ${date} ("${shown(text)}"), ${say(amountOfUnits(amount), currency)}, ${sayWays(ways, { receipt, tooMany })}: nothing is booked; choose with \`remit match add ${receipt} INVOICE...\`.`,
      });
    });
    return { findings, compared: theirs.size, notComparable: [] };
  },
};

/** `can be explained in 2 ways: invoice 1070 and 1071`. Ways that differ only by the receipts beside this one name those. */
function sayWays(ways: readonly Way[], { receipt, tooMany }: { receipt: string; tooMany: boolean }): string {
  const each = ways.map(({ invoices, receipts: all }) => {
    const others = all.filter((id) => id !== receipt);
    const beside = others.length === 0 ? '' : ` with receipt ${others.join(' + ')}`;
    return `${invoices.length === 0 ? 'none' : invoices.join(' + ')}${beside}`;
  });
  const list = `invoice ${sayList(each, 20)}`;
  if (tooMany) return `can be explained in too many ways${each.length === 0 ? '' : `: ${list}`}`;
  return each.length === 1
    ? `can be explained by ${list}, which others explain as well`
    : `can be explained in ${each.length} ways: ${list}`;
}
