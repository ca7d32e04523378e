import type { VNode } from 'preact';
import type { Column } from '../../../reports/model.ts';
import { instantForPeople } from '../../base/instant.ts';
import { amountText, countText, isAmount, isFigure } from '../figures.ts';
import type { SaidRow } from '../in-words.ts';

/** The CSS class of a cell by its column and what it holds. */
export type LookOf = (column: Column, text: string) => string | undefined;

/** Longer ids, such as hashes, may break over lines. */
const LONGEST_ID = 40;

/** A row of a report. On a telephone each cell is shown with its column's title, where there are `labels`. */
export function ReportRow(props: {
  readonly columns: readonly Column[];
  readonly row: SaidRow;
  readonly look: LookOf;
  readonly labels?: boolean;
}): VNode {
  const { columns, row, look, labels } = props;
  return (
    <tr>
      {columns.map((column) => {
        const text = cellText(column, row);
        return (
          <td dir="auto" data-label={labels ? column.title : undefined} class={look(column, text)}>
            {column.type === 'text' ? breakable(text) : text}
          </td>
        );
      })}
    </tr>
  );
}

export function cellText(column: Column, row: SaidRow): string {
  const cell = row[column.name] ?? null;
  if (cell === null) return '';
  const text = String(cell);
  if (isAmount(column, row)) return amountText(text);
  if (column.type === 'measure' || column.type === 'count') return countText(text);
  return column.type === 'datetime' ? instantForPeople(text) : text;
}

/** How a cell looks on a page that is read on a screen. */
export function lookOf({ type }: Column, text: string): string | undefined {
  if (isFigure(type) || type === 'number') return text.startsWith('-') ? 'figure negative' : 'figure';
  if (type === 'wide') return 'wide';
  const isWhole = type === 'id' || type === 'date' || type === 'datetime';
  if (isWhole && text.length <= LONGEST_ID) return 'whole';
  return text.length > LONGEST_ID ? 'long' : undefined;
}

/** The courier's states are words joined by underscores; a line may break after each. */
function breakable(text: string): (string | VNode)[] | string {
  if (!text.includes('_')) return text;
  return text.split(/(?<=_)/).flatMap((part, place) => (place === 0 ? [part] : [<wbr />, part]));
}
