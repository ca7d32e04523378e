import type { KnownOrder } from '../history/orders.ts';
import { compared, counted, effectOf } from './finding.ts';
import { detailOf, type Ledger } from './ledger.ts';
import { judgeLink } from './link.ts';
import { atStake, currenciesIn, netOf, of } from './money.ts';
import type { Sheet } from './sheet.ts';
import { judgeStates } from './states.ts';

/** Order by order, over all invoices and all its records. */
export function judgeOrders(ledger: Ledger, sheet: Sheet): void {
  for (const order_id of new Set(ledger.rows.map(({ row }) => row.order_id))) onTwoInvoices(ledger, order_id, sheet);
  for (const order of ledger.book.orders.values()) {
    notInvoiced(ledger, order, sheet);
    restated(ledger, order, sheet);
    vanished(ledger, order, sheet);
    judgeLink(ledger, order, sheet);
    judgeStates(ledger, order, sheet);
  }
  duplicateReferences(ledger, sheet);
}

/** The period of a finding about an order, where the design says it. */
export const inPeriod = (ledger: Ledger, order_id: string): { period?: string } => {
  const period = ledger.periodOf(order_id);
  const vanished = ledger.listing(order_id).length === 0 && ledger.vanishedListing(order_id).length > 0;
  return period === null || vanished ? {} : { period };
};

function onTwoInvoices(ledger: Ledger, order_id: string, sheet: Sheet): void {
  const listing = ledger.listing(order_id);
  if (listing.length < 2) return;
  const code = 'order-on-two-invoices';
  const base = {
    code,
    severity: 'error' as const,
    times: 'one' as const,
    invoice_number: null,
    order_id,
    ...inPeriod(ledger, order_id),
    ...counted(1, listing.length),
  };
  const later = listing.slice(1).map((invoice) => ({
    invoice,
    row: detailOf(invoice)?.rows.find((row) => row.order_id === order_id) as NonNullable<
      ReturnType<typeof detailOf>
    >['rows'][0],
  }));
  const currencies = atStake(later.map(({ row }) => row));
  if (currencies.length === 0) sheet.add({ ...base, currency: null, effect: null });
  for (const currency of currencies) {
    for (const { invoice, row } of later) {
      if (!atStake([row]).includes(currency)) continue;
      const effect = netOf([row], currency);
      sheet.part({ code, period: invoice.period, currency, effect, finding: `${code} ${order_id} ${currency}` });
    }
    sheet.add({
      ...base,
      currency,
      ...effectOf(
        netOf(
          later.map(({ row }) => row),
          currency,
        ),
      ),
    });
  }
}

function notInvoiced(ledger: Ledger, { order_id }: KnownOrder, sheet: Sheet): void {
  const facts = ledger.facts(order_id);
  if (!facts?.delivery || !facts.first) return;
  if (ledger.listing(order_id).length > 0 || ledger.vanishedListing(order_id).length > 0) return;
  const late = ledger.now.getTime() - facts.delivery.at.getTime() > sheet.settings.invoiceLagDays * 86_400_000;
  if (!late) return;
  if (mayBeOnUnread(ledger, order_id)) {
    if (atStake([facts.first]).length > 0) sheet.notCompared.add(facts.delivery.month);
    return;
  }
  const code = 'delivered-not-invoiced';
  const period = facts.delivery.month;
  const base = { code, severity: 'error' as const, order_id, period };
  const currencies = atStake([facts.first]);
  if (currencies.length === 0) sheet.add({ ...base, times: 'some', effect: null });
  for (const currency of currencies) {
    const effect = -netOf([facts.first], currency);
    sheet.add({ ...base, times: 'one', currency, ...effectOf(effect) });
    sheet.part({ code, period, currency, effect, finding: `${code} ${order_id} ${currency}` });
  }
}

/** No invoice is known to list it, but its record names one that nobody could read. Rule 32. */
export function mayBeOnUnread(ledger: Ledger, order_id: string): boolean {
  const facts = ledger.facts(order_id);
  const link = facts?.now.merchant_invoice ?? null;
  if (!facts?.delivery || link === null) return false;
  if (ledger.listing(order_id).length > 0 || ledger.vanishedListing(order_id).length > 0) return false;
  const named = ledger.invoices.get(link);
  return named ? named.live && named.details.length === 0 : !ledger.allListedSince(facts.delivery.month);
}

function restated(ledger: Ledger, { order_id }: KnownOrder, sheet: Sheet): void {
  const facts = ledger.facts(order_id);
  if (!facts?.first) return;
  const invoice = ledger.listing(order_id)[0];
  const code = 'order-restated';
  for (const field of ['cod', 'delivery_fee'] as const) {
    for (const currency of currenciesIn(facts.first[field], facts.now[field])) {
      const [expected, actual] = [of(facts.first[field], currency), of(facts.now[field], currency)];
      if (expected === actual) continue;
      const effect = field === 'cod' ? actual - expected : expected - actual;
      const finding = `${code} ${order_id} ${field} ${currency}`;
      if (invoice) sheet.part({ code, period: invoice.period, currency, effect, finding });
      sheet.add({
        code,
        severity: 'warning',
        times: 'one',
        ...inPeriod(ledger, order_id),
        order_id,
        currency,
        field,
        ...compared(expected, actual),
        ...effectOf(invoice ? effect : null),
      });
    }
  }
}

function vanished(ledger: Ledger, order: KnownOrder, sheet: Sheet): void {
  if (!order.gone) return;
  const { order_id } = order;
  const lost = ledger.facts(order_id)?.everDelivered === true && ledger.listing(order_id).length === 0;
  const severity = lost ? 'error' : 'warning';
  sheet.add({ code: 'order-vanished', severity, times: 'one', ...inPeriod(ledger, order_id), order_id, effect: null });
}

/** Case, Unicode form and kinds of white space aside. */
export const plainReference = (reference: string): string =>
  reference.normalize('NFKC').toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim();

function duplicateReferences(ledger: Ledger, sheet: Sheet): void {
  const groups = new Map<string, number>();
  for (const { order_id } of ledger.book.orders.values()) {
    const facts = ledger.facts(order_id);
    const reference = plainReference(facts?.now.reference_id ?? '');
    if (!facts || reference === '' || facts.now.delivery_state === 'CANCELLED') continue;
    groups.set(reference, (groups.get(reference) ?? 0) + 1);
  }
  for (const [reference, count] of groups) {
    if (count < 2) continue;
    sheet.add({ code: 'duplicate-reference', severity: 'warning', times: 'some', reference, effect: null });
  }
}
