import type { Changes, Moved } from '../../app/changes.ts';
import { counted } from '../../base/counted.ts';
import { cleanText } from '../../base/text.ts';
import { ENGLISH } from '../../words/index.ts';
import { timestampText, whoseLabels } from './labels.ts';

export function changesLines({ since, invoices, orders }: Changes): string[] {
  if (since === null) return ['nothing was synced yet'];
  const lines = [`changes since ${timestampText(since)}`];
  const whose = whoseLabels(...Object.values(invoices), orders.changed, orders.vanished, orders.back);
  const invoiceText = ({ courier, number_text, period }: Omit<Changes['invoices']['back'][number], 'seen_at'>) =>
    `${whose({ courier })}invoice ${cleanText(number_text, 60)}${period === null ? '' : ` (${period})`}`;
  const orderText = ({ courier, order_id, reference_id }: Record<'courier' | 'order_id' | 'reference_id', string>) =>
    `${whose({ courier })}order ${cleanText(order_id)}${reference_id === '' ? '' : ` (${cleanText(reference_id, 60)})`}`;
  const seenText = ({ seen_at }: { readonly seen_at: string }) => `seen ${timestampText(seen_at)}`;
  const add = (what: string, text: string, below: readonly string[] = []) =>
    lines.push(`  ${what.padEnd(9)} ${text}`, ...below.map((line) => `              ${line}`));
  for (const invoice of invoices.new) add('new', `${invoiceText(invoice)}, ${stateText(invoice.status)}`);
  for (const invoice of invoices.restated) {
    const moved = invoice.moved.length === 0 ? ['other rows that come to the same sums'] : invoice.moved.map(movedText);
    const documents = [`before ${invoice.before.sha256}`, `after  ${invoice.after.sha256}`];
    add('restated', `${invoiceText(invoice)}, ${seenText(invoice.after)}`, [...moved, ...documents]);
  }
  for (const what of ['vanished', 'back'] as const) {
    for (const invoice of invoices[what]) add(what, `${invoiceText(invoice)}, ${seenText(invoice)}`);
  }
  for (const invoice of invoices.status) {
    add('status', `${invoiceText(invoice)}: ${stateText(invoice.from)} → ${stateText(invoice.to)}`);
  }
  if (orders.new > 0) add('new', counted(orders.new, 'order'));
  for (const order of orders.changed) {
    const states = [order.delivery_state, order.payment_state]
      .filter(([before, after]) => before !== after)
      .map(([before, after]) => `${stateText(before)} → ${stateText(after)}`);
    const backwards = order.backward ? ', backwards' : '';
    const statesText = states.length > 0 ? `: ${states.join(', ')}${backwards}` : '';
    add('changed', `${orderText(order)}${statesText}`, order.moved.map(movedText));
  }
  for (const what of ['vanished', 'back'] as const) {
    for (const order of orders[what]) add(what, `${orderText(order)}, ${seenText(order)}`);
  }
  if (lines.length === 1) lines.push('  none');
  return lines;
}

function movedText({ field, currency, before, after, difference }: Moved): string {
  const name = currency === null ? field : `${field} ${currency}`;
  return `${name}: ${before} → ${after} (${difference.startsWith('-') ? '' : '+'}${difference})`;
}

/** A courier's status or state, with the words that all pages have for it: `Pending payment`. */
function stateText(word: string): string {
  return ENGLISH.state(cleanText(word));
}
