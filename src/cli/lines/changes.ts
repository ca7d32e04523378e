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
  for (const invoice of invoices.new) lines.push(`  new       ${invoiceText(invoice)}, ${stateText(invoice.status)}`);
  for (const invoice of invoices.restated) {
    lines.push(`  restated  ${invoiceText(invoice)}, ${seenText(invoice.after)}`, ...movedLines(invoice.moved));
    if (invoice.moved.length === 0) lines.push('              other rows that come to the same sums');
    lines.push(`              before ${invoice.before.sha256}`, `              after  ${invoice.after.sha256}`);
  }
  for (const invoice of invoices.vanished) lines.push(`  vanished  ${invoiceText(invoice)}, ${seenText(invoice)}`);
  for (const invoice of invoices.back) lines.push(`  back      ${invoiceText(invoice)}, ${seenText(invoice)}`);
  for (const invoice of invoices.status) {
    lines.push(`  status    ${invoiceText(invoice)}: ${stateText(invoice.from)} → ${stateText(invoice.to)}`);
  }
  if (orders.new > 0) lines.push(`  new       ${counted(orders.new, 'order')}`);
  for (const order of orders.changed) {
    const states = [order.delivery_state, order.payment_state]
      .filter(([before, after]) => before !== after)
      .map(([before, after]) => `${stateText(before)} → ${stateText(after)}`);
    const backwards = order.backward ? ', backwards' : '';
    lines.push(
      `  changed   ${orderText(order)}${states.length > 0 ? `: ${states.join(', ')}${backwards}` : ''}`,
      ...movedLines(order.moved),
    );
  }
  for (const order of orders.vanished) lines.push(`  vanished  ${orderText(order)}, ${seenText(order)}`);
  for (const order of orders.back) lines.push(`  back      ${orderText(order)}, ${seenText(order)}`);
  if (lines.length === 1) lines.push('  none');
  return lines;
}

function movedLines(moved: readonly Moved[]): string[] {
  return moved.map(
    ({ field, currency, before, after, difference }) =>
      `              ${field}${currency === null ? '' : ` ${currency}`}: ${before} → ${after} (${difference.startsWith('-') ? '' : '+'}${difference})`,
  );
}

/** A courier's status or state, with the words that all pages have for it: `Pending payment`. */
function stateText(word: string): string {
  return ENGLISH.state(cleanText(word));
}
