import { decimal } from '../units.ts';
import { compared, effectOf } from './finding.ts';
import { about } from './inside.ts';
import type { Ledger } from './ledger.ts';
import { currenciesIn, of } from './money.ts';
import type { OwnOrderFacts } from './own-book.ts';
import type { Sheet } from './sheet.ts';

/** What the shop's own book alone shows of the invoices' rows. Rules 53 to 55. */
export function judgeOwn({ own, shop }: Ledger, sheet: Sheet): void {
  if (!own || !shop) return;
  const begins = [...shop.orders.values()].map(({ ordered_on }) => ordered_on.slice(0, 7)).sort()[0] ?? '';
  for (const facts of own.values()) {
    if (facts.asked && facts.everDelivered) codDiffers(facts, facts.asked, sheet);
    if (facts.invoice.live) feeDiffers(facts, sheet);
    if (!facts.asked && !facts.isKnownReference && facts.period >= begins) notInBooks(facts, sheet);
  }
}

function codDiffers(
  { order_id, row, invoice, period }: OwnOrderFacts,
  asked: ReadonlyMap<string, bigint>,
  sheet: Sheet,
) {
  const code = 'book-cod-differs';
  for (const currency of currenciesIn(asked, row.cod)) {
    const [expected, actual] = [of(asked, currency), of(row.cod, currency)];
    if (expected === actual) continue;
    const effect = invoice.live ? actual - expected : null;
    const finding = `${code} ${order_id} ${currency}`;
    if (effect !== null) sheet.part({ code, period: invoice.period, currency, effect, finding });
    sheet.add({
      code,
      severity: 'error',
      times: 'one',
      period,
      invoice_number: null,
      order_id,
      currency,
      field: 'cod',
      ...compared(expected, actual),
      ...effectOf(effect),
    });
  }
}

function feeDiffers({ order_id, row, invoice, agreed }: OwnOrderFacts, sheet: Sheet): void {
  if (agreed === null) return;
  const base = { times: 'one' as const, order_id, field: 'delivery_fee' };
  if (agreed === 'none') {
    // One a currency of the fee.
    sheet.add({ ...about('fee-no-tariff', 'warning', invoice), ...base, times: 'some', effect: null });
    return;
  }
  const code = 'fee-off-tariff';
  for (const currency of currenciesIn(agreed, row.delivery_fee)) {
    const [expected, actual] = [of(agreed, currency), of(row.delivery_fee, currency)];
    if (expected === actual) continue;
    const effect = expected - actual;
    sheet.part({ code, period: invoice.period, currency, effect, finding: `${code} ${order_id} ${currency}` });
    sheet.add({
      ...about(code, 'error', invoice),
      ...base,
      currency,
      ...compared(expected, actual),
      ...effectOf(effect),
    });
  }
}

function notInBooks({ order_id, period, row, cancelled }: OwnOrderFacts, sheet: Sheet): void {
  const base = {
    code: 'not-in-books',
    severity: 'warning',
    times: 'one',
    period,
    invoice_number: null,
    order_id,
    field: 'reference_id',
    effect: null,
  } as const;
  const asked = cancelled ? [] : [...row.cod].filter(([, cod]) => cod !== 0n);
  if (asked.length === 0) sheet.add({ ...base, currency: null, amount: null });
  for (const [currency, cod] of asked) sheet.add({ ...base, currency, amount: decimal(cod) });
}
