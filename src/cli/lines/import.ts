import type { Imported } from '../../app/import/index.ts';
import type { ListedImport } from '../../app/import/list.ts';
import { counted } from '../../counted.ts';
import { amountText } from '../../render/figures.ts';
import { cleanText } from '../../text.ts';

const MOST_SKIPPED = 10;

/** What an import brought, for a person. */
export function importedLines({ summary, isKnown, notes }: Imported, isDryRun: boolean): string[] {
  const { file, kind, format, rows, skipped } = summary;
  const name = cleanText(file, 200);
  if (isKnown) return [`${name}: already imported, as import ${summary.import}; nothing changed`];
  const what = [
    `${summary.new} new`,
    ...(summary.changed > 0 ? [`${summary.changed} changed`] : []),
    ...(summary.unchanged > 0 ? [`${summary.unchanged} held already`] : []),
    ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
  ];
  const lead = isDryRun ? 'would be imported' : `import ${summary.import}`;
  const lines = [`${name}: ${lead}: ${kind} (${format}), ${counted(rows, ROWS[kind])}: ${what.join(', ')}`];
  for (const total of summary.totals) {
    const sums =
      'cod' in total
        ? `COD ${amountText(total.cod)}`
        : `in ${amountText(total.credits)}, out ${amountText(total.debits)}`;
    lines.push(`  ${total.currency}  ${total.count}  ${sums}`);
  }
  for (const { account, currency, from, to, opening, closing, balanced } of summary.statements) {
    if (opening === null || closing === null) continue;
    const whose = account === null ? '' : ` ${cleanText(account, 40)}`;
    const tally = balanced === false ? 'DOES NOT ADD UP' : balanced === null ? 'not comparable' : 'adds up';
    lines.push(
      `  statement${whose} ${from ?? '?'} to ${to ?? '?'}: ${amountText(opening)} → ${amountText(closing)} ${currency}, ${tally}`,
    );
  }
  for (const { line, why } of skipped.slice(0, MOST_SKIPPED)) lines.push(`  line ${line} skipped: ${cleanText(why)}`);
  if (skipped.length > MOST_SKIPPED) lines.push(`  and ${skipped.length - MOST_SKIPPED} more skipped`);
  return [...lines, ...notes.map((note) => `  ${cleanText(note, 500)}`)];
}

const ROWS = { orders: 'order', receipts: 'line', tariff: 'price', rates: 'rate' } as const;

/** Every import, a line each. */
export function importListLines(imports: readonly ListedImport[]): string[] {
  if (imports.length === 0) return ['nothing was imported yet'];
  return imports.map((one) => {
    const undone =
      one.undone_at === null
        ? ''
        : `, undone ${one.undone_at} by ${cleanText(one.undone_by ?? '')}: ${cleanText(one.undone_why ?? '')}`;
    return `${String(one.id).padStart(5)}  ${one.at}  ${one.kind.padEnd(8)}  ${cleanText(one.source, 60)}  ${one.rows} rows, ${one.new} new, by ${cleanText(one.actor)}${undone}`;
  });
}
