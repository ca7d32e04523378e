import { quoted } from '../../text.ts';
import { FileFault } from './fault.ts';
import type { Cell } from './table.ts';
import { addressOf, dateCell, numberCell, unescapeText } from './xlsx-cells.ts';
import { NOT_A_WORKBOOK } from './xlsx-part.ts';
import type { XmlHandlers } from './xml.ts';

const MOST_COLUMNS = 1_000;

/** A row of a sheet as it is read. */
export interface SheetRow {
  readonly line: number;
  readonly hidden: boolean;
  readonly cells: Cell[];
  /** The columns, from 0, whose cells hold formulas. */
  readonly formulas: number[];
}

/** What a sheet's cells need of the workbook around it. */
export interface SheetContext {
  readonly sharedStrings: () => readonly string[];
  readonly dateStyles: readonly boolean[];
  readonly from1904: boolean;
  /** Numbers as the file writes them: dates as days, and digits uncounted. */
  readonly asWritten?: boolean;
}

/** Follows a sheet's XML and hands out its rows. Where rows or cells have no address, they follow on each other. */
export function sheetHandlers(context: SheetContext, onRow: (row: SheetRow) => void): XmlHandlers {
  let row: SheetRow | null = null;
  let line = 0;
  let cell: {
    column: number;
    type: string;
    style: number;
    value: string | null;
    inline: string;
    formula: boolean;
  } | null = null;
  let target: 'value' | 'inline' | null = null;
  let phonetic = 0;
  return {
    open({ name, attributes }) {
      if (name === 'row') {
        const given = Number(attributes.r ?? line + 1);
        if (!Number.isInteger(given) || given <= line || given > 1_048_576) {
          throw new FileFault(`its row ${quoted(attributes.r ?? '')} is out of order`, NOT_A_WORKBOOK, {
            line: line + 1,
          });
        }
        line = given;
        row = { line, hidden: /^(1|true)$/.test(attributes.hidden ?? ''), cells: [], formulas: [] };
      } else if (name === 'c' && row) {
        const address = attributes.r === undefined ? { column: row.cells.length, row: line } : addressOf(attributes.r);
        if (address === null || address.row !== line || address.column < row.cells.length) {
          throw new FileFault(`its cell ${quoted(attributes.r ?? '')} is out of order`, NOT_A_WORKBOOK, { line });
        }
        if (address.column >= MOST_COLUMNS) {
          throw new FileFault(
            `it has a cell in column ${address.column + 1}`,
            `A table has at most ${MOST_COLUMNS} columns.`,
            {
              line,
              column: attributes.r,
            },
          );
        }
        cell = {
          column: address.column,
          type: attributes.t ?? 'n',
          style: Number(attributes.s ?? -1),
          value: null,
          inline: '',
          formula: false,
        };
      } else if (cell) {
        if (name === 'v') {
          target = 'value';
          cell.value = '';
        } else if (name === 't' && phonetic === 0) target = 'inline';
        else if (name === 'f') cell.formula = true;
        else if (name === 'rPh') phonetic += 1;
      }
    },
    text(text) {
      if (cell === null || target === null) return;
      if (target === 'value') cell.value += text;
      else cell.inline += text;
    },
    close(name) {
      if (name === 'v' || name === 't') target = null;
      else if (name === 'rPh') phonetic -= 1;
      else if (name === 'c' && cell && row) {
        while (row.cells.length < cell.column) row.cells.push('');
        if (cell.formula) row.formulas.push(cell.column);
        row.cells.push(cellValue(cell, context));
        cell = null;
      } else if (name === 'row' && row) {
        onRow(row);
        row = null;
      }
    },
  };
}

function cellValue(
  cell: { type: string; style: number; value: string | null; inline: string; formula: boolean },
  { sharedStrings, dateStyles, from1904, asWritten = false }: SheetContext,
): Cell {
  const value = cell.value ?? '';
  switch (cell.type) {
    case 's': {
      const text = /^\s*\d+\s*$/.test(value) ? sharedStrings()[Number(value)] : undefined;
      return text ?? { kind: 'fault', text: 'refers to a text that the workbook does not hold' };
    }
    case 'inlineStr':
      return unescapeText(cell.inline);
    case 'str':
      return unescapeText(value);
    case 'b':
      return { kind: 'boolean', text: value.trim() === '1' ? 'true' : 'false' };
    case 'e':
      return { kind: 'fault', text: `holds the error ${value.slice(0, 20)}` };
    case 'd':
      return { kind: 'date', text: value.trim().replace('T', ' ') };
    case 'n':
      if (value.trim() === '') return cell.formula ? { kind: 'fault', text: 'holds a formula without its result' } : '';
      if (asWritten) return { kind: 'number', text: value.trim() };
      return dateStyles[cell.style] === true ? dateCell(value, from1904) : numberCell(value);
    default:
      return { kind: 'fault', text: `is of a kind that is not known (${cell.type.slice(0, 20)})` };
  }
}
