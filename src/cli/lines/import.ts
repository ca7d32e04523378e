import type { ExplainedFile } from '../../app/import/read-by-map.ts';
import type { ImportedResolutions } from '../../app/import/resolutions.ts';
import type { Imported } from '../../app/import/summary.ts';
import type { Undone } from '../../app/import/undo.ts';
import { counted } from '../../base/counted.ts';
import { cleanText, quoted } from '../../base/text.ts';
import { amountText } from '../../render/figures.ts';
import { waitingLine } from './labels.ts';

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
  const outcome = isDryRun ? 'would be imported' : imported;
  const lines = [`${name}: ${outcome}: ${kind} (${format}), ${counted(rows, ROWS[kind])}: ${counts.join(', ')}`];
  for (const total of summary.totals) {
    if ('net_due_to_merchant' in total) {
      lines.push(payoutsLine(total));
      continue;
    }
    const start = `  ${total.currency}  ${total.count}  `;
    if ('cod' in total) lines.push(`${start}COD ${amountText(total.cod)}`);
    else lines.push(`${start}in ${amountText(total.credits)}, out ${amountText(total.debits)}`);
  }
  for (const { account, currency, from, to, opening, closing, balanced } of summary.statements) {
    const whose = account === null ? '' : ` ${cleanText(account, 40)}`;
    const start = `  statement${whose} ${from ?? '?'} to ${to ?? '?'}: `;
    if (opening !== null && closing !== null) {
      const change = `${amountText(opening)} → ${amountText(closing)} ${currency}`;
      lines.push(`${start}${change}, ${balancedText(balanced)}`);
      // An account without lines is in no total.
    } else if (rows === 0) lines.push(`${start}no lines in ${currency}`);
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
export function payoutsLine({
  currency,
  invoices,
  orders,
  ...sums
}: Extract<Imported['summary']['totals'][number], { invoices: number }>): string {
  const taxes = /[1-9]/.test(sums.taxes) ? `, taxes ${amountText(sums.taxes)}` : '';
  const cod = `COD ${amountText(sums.cod)}, charges ${amountText(sums.charges)}${taxes}`;
  const amounts = `${cod}, net ${amountText(sums.net_due_to_merchant)}`;
  return `  ${currency}  ${counted(invoices, 'payout')}, ${counted(orders, 'order')}: ${amounts}`;
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

/** Resolutions are the statuses and notes of mismatches that people typed into a statement's workbook. */
export function resolutionsJson(imported: ImportedResolutions, dryRun = false) {
  const { id, file, sha256, rows, taken, unchanged, skipped, conflicts, waiting } = imported;
  return {
    import: id,
    kind: 'resolutions',
    format: 'xlsx',
    file,
    sha256,
    rows,
    new: 0,
    changed: taken.length,
    unchanged,
    skipped: [...conflicts, ...skipped].map(({ line, why }) => ({ line, why })),
    totals: [],
    statements: [],
    conflicts,
    waiting: waiting.map(({ line, decision }) => ({ line, ...decision })),
    ...(dryRun ? { dry_run: true } : {}),
  };
}

export function resolutionsLines(imported: ImportedResolutions, dryRun = false): string[] {
  const { file, taken, unchanged, isKnown, waiting } = imported;
  if (isKnown) return [`${cleanText(file)}: already imported, nothing changed`];
  const rows = taken.map(({ line, id, status, note }) => `  line ${line}  ${id}  ${status}${noteText(note)}`);
  const proposed = waiting.map(({ line, mismatch, decision }) => {
    return `  line ${line}  ${mismatch}  ${waitingLine(decision)}`;
  });
  const verb = dryRun ? 'would be taken back' : 'taken back';
  const total = `${counted(taken.length, 'decision')} ${verb}, ${unchanged} as they were`;
  return [...rows, ...proposed, `${cleanText(file)}: ${total}`];
}

/** @param note null leaves the note as it is; an empty one removes it */
function noteText(note: string | null): string {
  if (note === null) return '';
  return note === '' ? ', its note taken away' : `: ${cleanText(note, 400)}`;
}

/** What was changed in the workbook, but is left as it is in the ledger. */
export function notTakenLines({ conflicts, skipped }: Pick<ImportedResolutions, 'conflicts' | 'skipped'>): string[] {
  return [
    ...conflicts.map(({ line, id, why }) => `line ${line}, mismatch ${id} is left: ${why}`),
    ...skipped.map(({ line, id, why }) => `line ${line}, mismatch ${id} is passed over: ${why}`),
  ];
}
