import type { PlannedPeriod, SyncSummary } from '../../app/sync.ts';
import { sizeText } from '../../counted.ts';
import { formatPeriod } from '../../period.ts';

/** What a sync did, for a person. */
export function summaryLines(summary: SyncSummary): string[] {
  const { status, periods, invoices, orders, malformed, requests, retries, bytes, seconds } = summary;
  const failed = invoices.failed > 0 ? `, ${invoices.failed} failed` : '';
  const lines = [
    `synced ${formatPeriod(periods)}: ${status}`,
    `  invoices  ${invoices.listed} listed, ${invoices.fetched} fetched, ${invoices.unchanged} unchanged${failed}`,
  ];
  if (orders.listed > 0) lines.push(`  orders    ${orders.listed} listed, ${orders.changed} new or changed`);
  if (malformed > 0) lines.push(`  ${malformed} could not be read; kept as evidence`);
  const again = retries > 0 ? ` (${retries} sent again)` : '';
  lines.push(`  ${requests} requests${again}, ${sizeText(bytes)}, ${seconds.toFixed(1)} s`);
  return lines;
}

/** What a sync would do, for a person. */
export function planLines(plans: readonly PlannedPeriod[], orders: boolean): string[] {
  const lines = plans.map(({ period, listed, fetch }) => {
    const reasons = new Map<string, number>();
    for (const { why } of fetch) reasons.set(why, (reasons.get(why) ?? 0) + 1);
    const why = [...reasons].map(([reason, count]) => `${count} ${reason}`).join(', ');
    return `${period}: ${listed} listed, ${fetch.length} to fetch${why && ` (${why})`}`;
  });
  if (orders) lines.push('and the whole order book');
  return lines;
}
