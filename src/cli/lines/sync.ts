import type { BooksPlan, BooksSync, BudgetState, SyncSummary } from '../../app/sync.ts';
import { sizeText } from '../../base/counted.ts';
import { formatPeriod } from '../../base/period.ts';
import { cleanText } from '../../base/text.ts';

/** The summary of a sync, courier by courier if there are several. */
export function booksLines({ couriers, ...sum }: BooksSync): string[] {
  // The failure of a lone courier ends the command, which prints it as an error.
  if (couriers.length < 2) return sum.status === 'failed' ? [] : summaryLines({ ...sum, status: sum.status });
  return couriers.flatMap((courier) =>
    courier.status === 'failed'
      ? [`${courier.name}: failed: ${cleanText(courier.error.message, 400)}`]
      : summaryLines(courier).map((line, index) => (index === 0 ? `${courier.name}: ${line}` : line)),
  );
}

function summaryLines(summary: Omit<SyncSummary, 'incomplete'> & { readonly budget: BooksSync['budget'] }): string[] {
  const { status, periods, invoices, orders, malformed, requests, retries, bytes, seconds, budget } = summary;
  const failed = invoices.failed > 0 ? `, ${invoices.failed} failed` : '';
  const lines = [
    `synced ${formatPeriod(periods)}: ${status}`,
    `  invoices  ${invoices.listed} listed, ${invoices.fetched} fetched, ${invoices.unchanged} unchanged${failed}`,
  ];
  if (orders.listed > 0) lines.push(`  orders    ${orders.listed} listed, ${orders.changed} new or changed`);
  if (malformed > 0) lines.push(`  ${malformed} could not be read; what came whole is kept as evidence`);
  const again = retries > 0 ? ` (${retries} sent again)` : '';
  lines.push(`  ${requests} requests${again}, ${sizeText(bytes)}, ${seconds.toFixed(1)} s`);
  if (budget !== null && budget.left !== null) lines.push(`  budget    ${budgetText(budget)}`);
  return lines;
}

function budgetText({ used_this_month, left, resets_on }: BudgetState): string {
  return `${used_this_month} requests used this month, ${left} left until ${resets_on}`;
}

export function planLines({ periods: plans, requests }: BooksPlan, orders: boolean): string[] {
  const isOne = new Set(plans.map(({ courier }) => courier)).size < 2;
  const lines = plans.map(({ courier, period, listed, fetch }) => {
    const reasons = new Map<string, number>();
    for (const { why } of fetch) reasons.set(why, (reasons.get(why) ?? 0) + 1);
    const reasonsText = [...reasons].map(([reason, count]) => `${count} ${reason}`).join(', ');
    const whose = isOne ? '' : `${courier} `;
    return `${whose}${period}: ${listed} listed, ${fetch.length} to fetch${reasonsText && ` (${reasonsText})`}`;
  });
  if (orders) lines.push('and the order book');
  const { planned, used_this_month: used, left } = requests;
  lines.push(`${planned} requests${left === null ? '' : `; ${used} are used this month, ${left} are left`}`);
  return lines;
}
