import { amountOfUnits } from '../money/index.ts';
import type { Check } from './check.ts';
import { say } from './finding.ts';
import { dueOf, remittanceFindings } from './remittances.ts';
import { receipts } from './requirement.ts';

export const remittanceShort: Check = {
  code: 'remittance-short',
  severity: 'error',
  requires: [receipts],
  title: 'The receipts of an invoice come to no less than its net.',
  claim: 'Less was paid for the invoice than is due.',
  stands: 'outside',
  find: (context) =>
    remittanceFindings(context, 'short', (remitted) => {
      const { invoice, remittance } = remitted;
      const [came, due, left] = [
        amountOfUnits(remittance.received),
        dueOf(remitted),
        amountOfUnits(remittance.outstanding),
      ];
      const say_ = (amount: typeof came) => say(amount, invoice.currency);
      return `For invoice ${invoice.number} ${say_(came)} came in, ${say_(left)} less than the ${say_(due)} due: ask the delivery company for the rest, or name the difference with \`remit match add ... --difference\`.`;
    }),
};
