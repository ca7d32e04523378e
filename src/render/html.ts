import type { Column, Report, Row } from '../../reports/model.ts';
import { instantForPeople } from '../instant.ts';
import { fileText } from '../text.ts';
import { VERSION } from '../version.ts';
import { amountText, countText, isAmount, isFigure } from './figures.ts';
import { headingOf } from './heading.ts';
import { styleOf } from './html-style.ts';

export interface HtmlOptions {
  readonly generatedAt: Date;
  /** The head of the ledger's chain of evidence, where the caller knows it: what the page can be checked against later. */
  readonly chainHead?: string | null | undefined;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Nothing is loaded from anywhere, and no script runs: the page may be mailed, printed and opened years later. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** Tables of at most so many columns fit a telephone, and a desk. */
const FITS_A_PHONE = 4;
const FITS_A_DESK = 12;
/** A longer id is no id that people read, and may break. */
const LONGEST_ID = 40;

/** A report as one HTML page that needs nothing else. Text from outside is always text: never a tag, never a script. */
export async function* htmlText(report: Report, options: HtmlOptions): AsyncGenerator<string> {
  const { columns } = report;
  const heading = escaped(headingOf(report));
  yield `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n`;
  yield `<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="color-scheme" content="light dark">\n`;
  yield `<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n<meta name="referrer" content="no-referrer">\n`;
  yield `<title>${heading}</title>\n<style>${styleOf(cardsBelow(columns))}\n</style>\n</head>\n<body>\n<main>\n<h1>${title(report)}</h1>\n`;
  yield `<table${columns.length > FITS_A_DESK ? ' class="many"' : ''}>\n`;
  yield `<thead><tr>${columns.map((column) => `<th scope="col"${look(column, '')}>${escaped(column.title)}</th>`).join('')}</tr></thead>\n<tbody>\n`;
  let rows = 0;
  for await (const row of report.rows) {
    rows += 1;
    yield tableRow(columns, row);
  }
  yield '</tbody>\n';
  const totals = report.totals();
  if (totals.length > 0) {
    yield '<tfoot>\n';
    for (const row of totals) yield tableRow(columns, { [columns[0]!.name]: 'Total', ...row });
    yield '</tfoot>\n';
  }
  yield '</table>\n';
  if (rows === 0) yield '<p>Nothing to show.</p>\n';
  for (const note of report.notes()) yield `<p>${escaped(note)}</p>\n`;
  yield `</main>\n${footer(options)}</body>\n</html>\n`;
}

function footer({ generatedAt, chainHead }: HtmlOptions): string {
  const iso = generatedAt.toISOString();
  const made = `Made by remit ${escaped(VERSION)} on <time datetime="${iso}">${instantForPeople(iso)}</time>`;
  const head = chainHead ? `; the ledger’s chain ends in <code>${escaped(chainHead)}</code>` : '';
  return `<footer>${made}${head}</footer>\n`;
}

function tableRow(columns: readonly Column[], row: Row): string {
  const cells = columns.map((column) => {
    const text = shown(column, row);
    return `<td dir="auto" data-label="${escaped(column.title)}"${look(column, text)}>${escaped(text)}</td>`;
  });
  return `<tr>${cells.join('')}</tr>\n`;
}

function shown(column: Column, row: Row): string {
  const cell = row[column.name] ?? null;
  if (cell === null) return '';
  const text = String(cell);
  if (isAmount(column, row)) return amountText(text);
  if (column.type === 'measure') return countText(text);
  return column.type === 'datetime' ? instantForPeople(text) : text;
}

/** The heading, in which a month is never broken. */
function title(report: Report): string {
  if (report.period === '') return escaped(report.title);
  return `${escaped(report.title)}, <span class="whole">${escaped(report.period)}</span>`;
}

/** The width in rem below which a table of these columns is shown as cards. */
function cardsBelow(columns: readonly Column[]): number | null {
  if (columns.length <= FITS_A_PHONE) return null;
  return columns.length <= FITS_A_DESK ? 60 : 120;
}

/** The classes of a cell: what it is, as far as that is seen. */
function look({ type }: Column, text: string): string {
  if (isFigure(type) || type === 'number') return text.startsWith('-') ? ' class="figure negative"' : ' class="figure"';
  if (type === 'wide') return ' class="wide"';
  const isWhole = type === 'id' || type === 'date' || type === 'datetime';
  if (isWhole && text.length <= LONGEST_ID) return ' class="whole"';
  return text.length > LONGEST_ID ? ' class="long"' : '';
}

function escaped(text: string): string {
  return fileText(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
