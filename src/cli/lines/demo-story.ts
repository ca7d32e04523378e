import path from 'node:path';
import type { CheckResult } from '../../app/check-result.ts';
import { type Demo, isFound, type Planted } from '../../app/demo/index.ts';
import { SHEETS } from '../../app/demo/sheets.ts';
import type { BooksSync } from '../../app/sync.ts';
import { counted } from '../../base/counted.ts';
import { cleanText, shellWord } from '../../base/text.ts';
import type { Session } from '../session.ts';
import { atStake } from './check.ts';
import { payoutsLine } from './import.ts';
import { tableLines } from './labels.ts';

/** What the demo prints: what was found, what to open, what to try next. */
export function storyLines(session: Session, demo: Demo): string[] {
  const { syncs, result, planted } = demo;
  const [first, second] = syncs;
  const lines: string[] = ['', `The delivery company's service ran on this machine, at ${demo.url}`];
  if (first) lines.push(`${second ? 'First night: ' : ''}${syncSentence(first)}`);
  if (demo.imports.length > 0) lines.push(importSentence(demo.imports), matchSentence(demo.matches));
  if (demo.close) lines.push(closeSentence(demo.close));
  if (second) lines.push(`The next night: ${syncSentence(second)}`);
  lines.push('', ...foundTable(result), '');
  if (planted) lines.push(plantedSentence(planted, result));
  lines.push(...sheetLines(demo.sheets));
  lines.push('', `Open   ${typedPath(session, demo.statement)}`, '', ...nextLines(session, demo));
  return lines;
}

function syncSentence({ invoices, orders, seconds }: Pick<BooksSync, 'invoices' | 'orders' | 'seconds'>): string {
  const { listed, fetched, unchanged } = invoices;
  const ordersText = `${orders.listed} orders, ${orders.changed} new or changed`;
  return `${listed} invoices listed, ${fetched} fetched, ${unchanged} unchanged; ${ordersText}; ${seconds.toFixed(1)} s`;
}

function importSentence(imports: Demo['imports']): string {
  const rows = (kind: string) =>
    imports.reduce((sum, { summary }) => sum + (summary.kind === kind ? summary.rows : 0), 0);
  const parts = [
    counted(rows('orders'), 'order'),
    `${counted(rows('receipts'), 'line')} of bank and cash book`,
    counted(rows('tariff'), 'agreed price'),
    counted(rows('rates'), 'rate'),
  ];
  return `The shop's own files: ${parts.join(', ')}`;
}

function matchSentence({ matches, ambiguous, unmatched }: Demo['matches']): string {
  const receipts = new Set(matches.flatMap((match) => match.receipts)).size;
  const invoices = new Set(matches.flatMap((match) => match.invoices)).size;
  const leftParts = [
    ...(ambiguous.length > 0 ? [`${ambiguous.length} ambiguous`] : []),
    ...(unmatched.receipts.length > 0 ? [`${unmatched.receipts.length} unmatched`] : []),
  ];
  const left = leftParts.length > 0 ? `; ${leftParts.join(', ')}` : '';
  return `Matched: ${counted(receipts, 'payment')} of the courier's with ${counted(invoices, 'invoice')}${left}`;
}

function closeSentence(close: NonNullable<Demo['close']>): string {
  if (close.status === 'refused') return `${close.period} cannot be closed yet: ${close.reasons[0]?.why ?? ''}`;
  // The demo's books have one courier.
  const open = close.couriers[0]?.with_open?.findings.length ?? 0;
  const openPart = open === 0 ? '' : `, ${counted(open, 'open error')} on record with it`;
  return `Closed: ${close.period}, its figures frozen under ${close.couriers[0]?.figures_sha256.slice(0, 12)}${openPart}`;
}

/** The couriers that send sheets, and the sums of their payouts by currency. */
function sheetLines(sheets: Demo['sheets']): string[] {
  if (sheets.length === 0) return [];
  return [
    '',
    `${counted(sheets.length, 'courier')} without an API, in books of their own: the settlement sheets that they send`,
    ...sheets.flatMap(({ courier, summary: { totals } }) => {
      const lines = totals.flatMap((total) => ('net_due_to_merchant' in total ? payoutsLine(total) : []));
      return [`  ${courier}`, ...lines.map((line) => `  ${line}`)];
    }),
  ];
}

/** One short line per mismatch: `remit check` prints them in full. */
function foundTable({ mismatches }: CheckResult): string[] {
  const rows = mismatches.map((mismatch) => [
    mismatch.severity,
    mismatch.code,
    mismatch.period,
    mismatch.invoice_number === null ? '' : `invoice ${mismatch.invoice_number}`,
    mismatch.order_id === null ? '' : cleanText(mismatch.order_id, 80),
    atStake(mismatch),
  ]);
  return tableLines(rows);
}

function plantedSentence(planted: readonly Planted[], result: CheckResult): string {
  const found = planted.filter((plant) => isFound(plant, result.mismatches)).length;
  const unplanned = result.mismatches.filter((mismatch) => !planted.some((plant) => isFound(plant, [mismatch])));
  // The second night moved figures of the month that was closed after the first.
  const moved = unplanned.filter(({ code }) => code === 'closed-period-changed').length;
  const others = unplanned.length - moved;
  const othersPart = others === 0 ? 'and nothing else' : `and ${counted(others, 'other')}`;
  const since = moved === 0 ? '' : ` ${counted(moved, 'figure')} of the closed month moved in the second night.`;
  return `${found} of the ${planted.length} faults that were planted are found, ${othersPart}.${since}`;
}

/** Commands to copy, for the folder from which the demo was started. */
function nextLines(session: Session, { folder, url, result, sheets }: Demo): string[] {
  const { program } = session.io;
  const where = shellWord(typedPath(session, folder));
  const inside = shellWord(path.join(typedPath(session, folder), SHEETS));
  const service = shellWord(path.join(typedPath(session, folder), 'courier.db'));
  const port = new URL(url).port;
  const worst = result.mismatches[0];
  return [
    'Try next',
    `  ${program} -C ${where} check${worst ? ` ${worst.period} --only ${worst.code}` : ''}`,
    `  ${program} -C ${where} report totals`,
    `  ${program} -C ${where} match list`,
    `  ${program} -C ${where} mismatch list --code remittance-missing`,
    `  ${program} -C ${where} report mismatches --out mismatches.csv`,
    'The service has stopped with the demo. Start it again in another terminal, let a week pass, and sync:',
    `  ${program} sandbox serve --data ${service} --port ${port}`,
    `  ${program} sandbox run-day --data ${service} --days 7`,
    `  ${program} -C ${where} sync --orders`,
    ...(sheets.length === 0
      ? []
      : [
          'Several couriers in one set of books, by their sheets',
          `  ${program} -C ${inside} report totals`,
          `  ${program} -C ${inside} report charges`,
        ]),
    'With an account of your own',
    `  ${program} init books`,
    'See it all in a browser, and decide there',
    `  ${program} -C ${where} serve`,
  ];
}

/** A path as one types it from the current folder: relative if that is shorter. */
function typedPath(session: Session, file: string): string {
  const relative = path.relative(session.io.cwd, file);
  return relative.length < file.length && relative !== '' ? relative : file;
}
