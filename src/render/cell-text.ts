import type { GridCell } from '../../reports/page.ts';
import { countGrouped } from '../base/counted.ts';
import { instantForPeople } from '../base/instant.ts';
import { formatGrouped } from '../money/format.ts';
import type { Language } from '../words/index.ts';

/** What a cell of a page says, in every medium that shows text; nothing for what only a workbook draws. */
export function cellText(cell: GridCell, language: Language): string {
  if (cell === null || 'rows' in cell || 'bar' in cell) return '';
  if ('says' in cell) return language.label(cell.says);
  if ('word' in cell) return language.tables.cells[cell.word]?.[cell.text] ?? cell.text;
  if ('text' in cell) return cell.text;
  if ('at' in cell) return instantForPeople(cell.at);
  if ('count' in cell) return countGrouped(cell.count);
  if (cell.amount === null) return cell.unknown ? language.say(cell.unknown) : '';
  return formatGrouped(cell.amount);
}
