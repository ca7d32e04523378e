import type { ColumnType } from '../../reports/model.ts';
import type { Fact, Grid, GridCell, Head, Part, Section } from '../../reports/page.ts';
import { cleanText, wrapText } from '../base/text.ts';
import { ENGLISH } from '../words/index.ts';
import { gridCellText } from './in-words.ts';
import { drawnTable, type TableOptions } from './terminal-table.ts';

const LONGEST_TEXT = 1_000;
const INDENT = '  ';
/** The least width of a table in columns, even on a narrower terminal. */
const NARROWEST_TABLE = 20;
/** The type of each column of figures, by its head; all other columns hold text. */
const FIGURE_TYPES: Readonly<Partial<Record<Head['is'], ColumnType>>> = { amount: 'money', count: 'count' };

/** Sections as text for a terminal: each under its title, facts in two columns, figures in tables. */
export async function sectionsText(sections: readonly Section[], options: TableOptions): Promise<string> {
  const drawnSections: string[] = [];
  for (const section of sections) {
    const drawn: string[] = [];
    for (const part of section.parts) {
      if (drawn.length > 0 && part.kind === 'grid') drawn.push('\n');
      drawn.push(await partText(part, options));
    }
    drawnSections.push(`${ENGLISH.label(section.title)}\n${drawn.join('')}`);
  }
  return drawnSections.join('\n');
}

async function partText(part: Part, options: TableOptions): Promise<string> {
  if (part.kind === 'facts') return factsText(part.facts);
  if (part.kind === 'grid') return gridText(part, options);
  const text = cleanText(ENGLISH.say(part.says), LONGEST_TEXT);
  return `${wrapText(text, INDENT, options.width ?? undefined).join('\n')}\n`;
}

function factsText(facts: readonly Fact[]): string {
  const names = facts.map(({ label }) => (label ? ENGLISH.label(label) : ''));
  const width = Math.max(...names.map(({ length }) => length));
  return facts.map(({ value }, at) => `${INDENT}${names[at]!.padEnd(width)}  ${textOf(value)}\n`).join('');
}

async function gridText({ heads, rows }: Grid, options: TableOptions): Promise<string> {
  const columns = heads.map(({ is }) => ({ type: FIGURE_TYPES[is] ?? ('text' as const), key: is === 'label' }));
  const head = heads.map(({ title }) => ENGLISH.label(title));
  const isTotal = ({ look }: Grid['rows'][number]) => look === 'total';
  const textsOf = (row: Grid['rows'][number]) => row.cells.map(textOf);
  const texts = {
    head,
    rows: rows.filter((row) => !isTotal(row)).map(textsOf),
    totals: rows.filter(isTotal).map(textsOf),
  };
  const width = options.width === null ? null : Math.max(NARROWEST_TABLE, options.width - INDENT.length);
  let table = '';
  for await (const piece of drawnTable(columns, texts, { ...options, width })) table += piece;
  // Every line but empty ones.
  return table.replace(/^(?=.)/gm, INDENT);
}

const textOf = (cell: GridCell) => cleanText(gridCellText(cell, ENGLISH), LONGEST_TEXT);
