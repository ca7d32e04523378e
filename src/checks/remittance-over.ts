import { amountOfUnits } from '../money/index.ts';
import type { Check } from './check.ts';
import { say } from './finding.ts';
import { dueOf, remittanceFindings } from './remittances.ts';
import { receipts } from './requirement.ts';

export const remittanceOver: Check = {
  code: 'remittance-over',
  severity: 'error',
  requires: [receipts],
  title: 'The receipts of an invoice come to no more than its net.',
  stands: 'outside',
  find: (context) =>
    remittanceFindings(context, 'over', (remitted) => {
      const { invoice, remittance } = remitted;
      const [came, due, over] = [amountOfUnits(remittance.received), dueOf(remitted), amountOfUnits(remittance.effect)];
      const say_ = (amount: typeof came) => say(amount, invoice.currency);
      return `For invoice ${invoice.number} ${say_(came)} came in, ${say_(over)} more than the ${say_(due)} due: expect the delivery company to take it back, or ask what it is for.`;
    }),
};
