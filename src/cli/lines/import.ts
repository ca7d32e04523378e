import type { ExplainedFile } from '../../app/import/read-by-map.ts';
import type { Imported } from '../../app/import/summary.ts';
import type { Undone } from '../../app/import/undo.ts';
import { counted } from '../../base/counted.ts';
import { cleanText, quoted } from '../../base/text.ts';
import { amountText } from '../../render/figures.ts';

const MOST_SKIPPED = 10;
const WAITING = '  its lines pay nothing until a second person approves them';

export function explainedLines({ file, kind, map, columns, unused }: ExplainedFile): string[] {
  const columnText = ({ header, values }: (typeof unused)[number]) =>
    `${quoted(header)}: ${values.length === 0 ? 'empty' : values.map((value) => cleanText(value, 40)).join(' · ')}`;
  const widest = Math.max(0, ...columns.map(({ field }) => field.length));
  return [
    `${cleanText(file, 200)}: ${kind}${map === null ? '' : `, by the map ${cleanText(map, 40)}`}`,
    ...columns.map((column) => `  ${column.field.padEnd(widest)}  ${columnText(column)}`),
    ...(unused.length > 0 ? ['not read:'] : []),
    ...unused.map((column) => `  ${columnText(column)}`),
  ];
}

export function importedLines({ summary, isKnown, notes, waiting }: Imported, isDryRun: boolean): string[] {
  const { file, kind, format, rows, skipped } = summary;
  const name = cleanText(file, 200);
  // The same file was imported before; with --replace this time, earlier lines that it lacks may no longer count.
  if (isKnown && !waiting) {
    const done = summary.replaced ? 'now taken as a correction' : 'nothing changed';
    return [`${name}: already imported, as import ${summary.import}; ${done}`, ...noteLines(notes)];
  }
  const counts = [
    `${summary.new} new`,
    ...(summary.changed > 0 ? [`${summary.changed} changed`] : []),
    ...(summary.unchanged > 0 ? [`${summary.unchanged} held already`] : []),
    ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
  ];
  const imported = waiting ? `waits as ${waiting.id}` : `import ${summary.import}`;
  const lead = isDryRun ? 'would be imported' : imported;
  const lines = [`${name}: ${lead}: ${kind} (${format}), ${counted(rows, ROWS[kind])}: ${counts.join(', ')}`];
  for (const total of summary.totals) {
    if ('net_due_to_merchant' in total) {
      lines.push(...settledLines(total));
      continue;
    }
    const lead = `  ${total.currency}  ${total.count}  `;
    if ('cod' in total) lines.push(`${lead}COD ${amountText(total.cod)}`);
    else lines.push(`${lead}in ${amountText(total.credits)}, out ${amountText(total.debits)}`);
  }
  for (const { account, currency, from, to, opening, closing, balanced } of summary.statements) {
    const whose = account === null ? '' : ` ${cleanText(account, 40)}`;
    const lead = `  statement${whose} ${from ?? '?'} to ${to ?? '?'}: `;
    if (opening !== null && closing !== null) {
      const change = `${amountText(opening)} → ${amountText(closing)} ${currency}`;
      lines.push(`${lead}${change}, ${balancedText(balanced)}`);
      // An account without lines is in no total.
    } else if (rows === 0) lines.push(`${lead}no lines in ${currency}`);
  }
  for (const { line, why } of skipped.slice(0, MOST_SKIPPED)) lines.push(`  line ${line} skipped: ${cleanText(why)}`);
  if (skipped.length > MOST_SKIPPED) lines.push(`  and ${skipped.length - MOST_SKIPPED} more skipped`);
  lines.push(...noteLines(notes));
  if (waiting) lines.push(`${WAITING}: \`remit approvals approve ${waiting.id} --by NAME\``);
  return lines;
}

/** Whether a statement's lines lead from its opening to its closing balance; null if the two cannot be compared. */
function balancedText(balanced: boolean | null): string {
  if (balanced === null) return 'not comparable';
  return balanced ? 'adds up' : 'DOES NOT ADD UP';
}

/** The sums of a settlement sheet's payouts in one currency. */
export function settledLines({
  currency,
  invoices,
  orders,
  ...sums
}: Extract<Imported['summary']['totals'][number], { invoices: number }>): string[] {
  const taxes = /[1-9]/.test(sums.taxes) ? `, taxes ${amountText(sums.taxes)}` : '';
  const amounts = `COD ${amountText(sums.cod)}, charges ${amountText(sums.charges)}${taxes}, net ${amountText(sums.net_due_to_merchant)}`;
  return [`  ${currency}  ${counted(invoices, 'payout')}, ${counted(orders, 'order')}: ${amounts}`];
}

/** A note that begins with blanks belongs to the one before, and is indented further. */
function noteLines(notes: readonly string[]): string[] {
  return notes.map((note) => `  ${note.startsWith('  ') ? '  ' : ''}${cleanText(note, 500)}`);
}

const ROWS = { orders: 'order', receipts: 'line', settlement: 'order', tariff: 'price', rates: 'rate' } as const;

/** An import that was undone, and the mismatches that were resolved with it. */
export function undoneLines({ import: id, kind, rows, resolved }: Undone): string[] {
  const rested = resolved === 1 ? '1 mismatch that rested on it is' : `${resolved} mismatches that rested on it are`;
  return [
    `import ${id} (${kind}, ${counted(rows, 'row')}) is undone`,
    ...(resolved === 0 ? [] : [`  ${rested} resolved`]),
  ];
}
