import type { Changes, Moved } from '../../app/changes.ts';
import { counted } from '../../base/counted.ts';
import { cleanText } from '../../base/text.ts';
import { ENGLISH } from '../../words/index.ts';
import { timestampText, whoseLabels } from './parts.ts';

export function changesLines({ since, invoices, orders }: Changes): string[] {
  if (since === null) return ['nothing was synced yet'];
  const lines = [`changes since ${timestampText(since)}`];
  const whose = whoseLabels(...Object.values(invoices), orders.changed, orders.vanished, orders.back);
  const about = ({ courier, number_text, period }: Omit<Changes['invoices']['back'][number], 'seen_at'>) =>
    `${whose({ courier })}invoice ${cleanText(number_text, 60)}${period === null ? '' : ` (${period})`}`;
  const nameOf = ({ courier, order_id, reference_id }: { courier: string; order_id: string; reference_id: string }) =>
    `${whose({ courier })}order ${cleanText(order_id)}${reference_id === '' ? '' : ` (${cleanText(reference_id, 60)})`}`;
  for (const one of invoices.new) lines.push(`  new       ${about(one)}, ${stateText(one.status)}`);
  for (const one of invoices.restated) {
    lines.push(`  restated  ${about(one)}, seen ${timestampText(one.after.seen_at)}`, ...movedLines(one.moved));
    if (one.moved.length === 0) lines.push('              other rows that come to the same sums');
    lines.push(`              before ${one.before.sha256}`, `              after  ${one.after.sha256}`);
  }
  for (const one of invoices.vanished) lines.push(`  vanished  ${about(one)}, seen ${timestampText(one.seen_at)}`);
  for (const one of invoices.back) lines.push(`  back      ${about(one)}, seen ${timestampText(one.seen_at)}`);
  for (const one of invoices.status) {
    lines.push(`  status    ${about(one)}: ${stateText(one.from)} → ${stateText(one.to)}`);
  }
  if (orders.new > 0) lines.push(`  new       ${counted(orders.new, 'order')}`);
  for (const one of orders.changed) {
    const states = [one.delivery_state, one.payment_state]
      .filter(([before, after]) => before !== after)
      .map(([before, after]) => `${stateText(before)} → ${stateText(after)}`);
    const back = one.backward ? ', backwards' : '';
    lines.push(
      `  changed   ${nameOf(one)}${states.length > 0 ? `: ${states.join(', ')}${back}` : ''}`,
      ...movedLines(one.moved),
    );
  }
  for (const one of orders.vanished) lines.push(`  vanished  ${nameOf(one)}, seen ${timestampText(one.seen_at)}`);
  for (const one of orders.back) lines.push(`  back      ${nameOf(one)}, seen ${timestampText(one.seen_at)}`);
  if (lines.length === 1) lines.push('  none');
  return lines;
}

function movedLines(moved: readonly Moved[]): string[] {
  return moved.map(
    ({ field, currency, before, after, difference }) =>
      `              ${field}${currency === null ? '' : ` ${currency}`}: ${before} → ${after} (${difference.startsWith('-') ? '' : '+'}${difference})`,
  );
}

/** A status or state of the courier's, as every page says it: `Pending payment`. */
function stateText(word: string): string {
  return ENGLISH.state(cleanText(word));
}
