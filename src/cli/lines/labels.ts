import type { Waiting } from '../../app/approvals/propose.ts';
import { instantForPeople } from '../../base/instant.ts';
import { cleanText } from '../../base/text.ts';
import { amountText } from '../../render/figures.ts';

/** A date-time to the second, with the offset that its document states: `2026-09-08 00:00:00 +03:00`. */
export function timestampText(iso: string): string {
  return cleanText(instantForPeople(iso), 60);
}

/** Says how a decision that waits for a second person goes on. */
export function waitingLine({ id }: Waiting): string {
  return `this waits for a second person: \`remit approvals approve ${id} --by NAME\` does it, and until then nothing is changed`;
}

/** What an effect means to you: `short 69.00 USD` for `-69.00`, which you lack; `ahead 69.00 USD` for `69.00`. */
export function shortOrAhead(effect: string, currency: string): string {
  return `${effect.startsWith('-') ? 'short' : 'ahead'} ${amountText(effect.replace('-', ''))} ${currency}`;
}

/** The invoice and the order that a mismatch is about: `invoice 10009`, `order 4F1C`; empty for none. */
export function subjectsOf(mismatch: Record<'invoice_number_text' | 'order_id', string | null>): string[] {
  const { invoice_number_text: invoice, order_id: order } = mismatch;
  return [
    invoice === null ? '' : `invoice ${cleanText(invoice, 60)}`,
    order === null ? '' : `order ${cleanText(order, 80)}`,
  ];
}

/** The rows of a table as lines, each cell as wide as the widest of its column. */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const padded = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)));
  return padded.map((cells) => cells.join('  ').trimEnd());
}

/** Something that belongs to one courier; null for the whole books. */
interface Owned {
  readonly courier?: string | null | undefined;
}

/** Returns a function: the courier's name to put before a line (`swift  `); empty if all lines are of one courier. */
export function whoseLabels(...all: readonly (readonly Owned[])[]): (line: Owned) => string {
  const names = new Set(all.flat().flatMap(({ courier }) => courier ?? []));
  if (names.size < 2) return () => '';
  const width = Math.max(...[...names].map(({ length }) => length));
  return ({ courier }) => `${(courier ?? '').padEnd(width)}  `;
}
