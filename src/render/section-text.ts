import type { ColumnType } from '../../reports/model.ts';
import type { Fact, Grid, GridCell, Head, Part, Section } from '../../reports/page.ts';
import { cleanText, wrapText } from '../base/text.ts';
import { ENGLISH } from '../words/index.ts';
import { cellText } from './csv.ts';
import { drawnTable, type TableOptions } from './table.ts';

const LONGEST = 1_000;
const TYPES: Readonly<Partial<Record<Head['is'], ColumnType>>> = { amount: 'money', count: 'count' };

/** A page for a terminal: each section under its name, facts in two columns, figures in tables. */
export async function sectionsText(sections: readonly Section[], options: TableOptions): Promise<string> {
  const parts: string[] = [];
  for (const { title, parts: held } of sections) {
    const drawn: string[] = [];
    for (const part of held) {
      if (drawn.length > 0 && part.kind === 'grid') drawn.push('\n');
      drawn.push(await partText(part, options));
    }
    parts.push(`${ENGLISH.label(title)}\n${drawn.join('')}`);
  }
  return parts.join('\n');
}

async function partText(part: Part, options: TableOptions): Promise<string> {
  if (part.kind === 'facts') return factsText(part.facts);
  if (part.kind === 'grid') return gridText(part, options);
  const text = cleanText(ENGLISH.say(part.says), LONGEST);
  return `${wrapText(text, '  ', options.width ?? undefined).join('\n')}\n`;
}

function factsText(facts: readonly Fact[]): string {
  const names = facts.map(({ label }) => (label ? ENGLISH.label(label) : ''));
  const width = Math.max(...names.map(({ length }) => length));
  return facts.map(({ value }, at) => `  ${names[at]!.padEnd(width)}  ${textOf(value)}\n`).join('');
}

async function gridText({ heads, rows }: Grid, options: TableOptions): Promise<string> {
  const columns = heads.map(({ is }) => ({ type: TYPES[is] ?? ('text' as const), key: is === 'label' }));
  const head = heads.map(({ title }) => ENGLISH.label(title));
  const isTotal = ({ look }: Grid['rows'][number]) => look === 'total';
  const texts = (wanted: boolean) => rows.filter((row) => isTotal(row) === wanted).map((row) => row.cells.map(textOf));
  const width = options.width === null ? null : Math.max(20, options.width - 2);
  let drawn = '';
  const lines = drawnTable(columns, { head, rows: texts(false), totals: texts(true) }, { ...options, width });
  for await (const piece of lines) drawn += piece;
  return drawn.replace(/^(?=.)/gm, '  ');
}

const textOf = (cell: GridCell) => cleanText(cellText(cell, ENGLISH), LONGEST);
