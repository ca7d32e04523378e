import { ARABIC_CHECKS } from '../language/arabic/checks.ts';
import { ENGLISH, type Language } from '../language/index.ts';

/** The steps of the bridge in words, by code. */
const WORDS: Readonly<Record<string, string>> = {
  'invoice-net': 'Stated net is not COD less fee',
  'invoice-cod-total': 'COD in a header is not its rows',
  'invoice-fee-total': 'Fee in a header is not its rows',
  'order-repeated': 'An order twice on one invoice',
  'order-on-two-invoices': 'An order on two invoices',
  'order-unknown': 'An order without a record of ours',
  'cod-without-delivery': 'COD credited without a delivery',
  'fee-on-cancelled': 'A fee for a cancelled order',
  'not-comparable': 'Not comparable: no record, or an older one',
  'order-amount-differs': 'A row differs from its record',
  'order-restated': 'A record changed after delivery',
  'book-cod-differs': 'COD differs from our own book',
  'fee-off-tariff': 'A fee is not the agreed one',
  'delivered-not-invoiced': 'Delivered, and on no invoice',
  'invoice-vanished': 'An invoice vanished from the list',
  'invoice-restated': 'An invoice was restated',
  'remittance-missing': 'Paid, and no money came',
  'remittance-short': 'Less money came than was due',
  'remittance-over': 'More money came than was due',
  'closed-period-changed': 'A closed month changed',
};

/** A step for a reader, with the code under which its mismatches stand: `An order on two invoices (order-on-two-invoices)`. */
export function stepInWords(code: string, { code: language }: Language = ENGLISH): string {
  const words = language === 'ar' ? ARABIC_CHECKS[code] : WORDS[code];
  return words === undefined ? code : `${words} (${code})`;
}
