import type { Check } from './check.ts';
import { say } from './finding.ts';
import { dueOf, remittanceFindings } from './remittances.ts';
import { receipts } from './requirement.ts';

export const remittanceMissing: Check = {
  code: 'remittance-missing',
  severity: 'error',
  requires: [receipts],
  title: 'What the courier calls paid has come in.',
  claim: 'The invoice is marked as paid and its money has not arrived.',
  stands: 'outside',
  find: (context) =>
    remittanceFindings(context, 'missing', (remitted) => {
      const { number, currency } = remitted.invoice;
      const due = say(dueOf(remitted), currency);
      return `Invoice ${number} is PAID, and 0.00 ${currency} of its ${due} came in: import the statement on which it should stand, or ask the delivery company when and where it was paid.`;
    }),
};
