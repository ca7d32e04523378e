import { offsetOf } from '../../instant.ts';
import type { SheetCell, Style } from './model.ts';
import { wallTime } from './values.ts';

const TIME = 'yyyy-mm-dd hh:mm';
const LOOK: Style = { rule: 'hair', align: 'center' };
/** A workbook holds few number formats; more offsets than this are in no honest ledger, and are written as text. */
const MOST_OFFSETS = 64;

const styles = new Map<string, Style>();

/**
 * The cell of a date-time: the wall-clock time that the document states, so that the day is the document's own, with its offset
 * shown after it. Sorting and filtering by day work as on any date.
 *
 * @param iso as received, with its offset
 */
export function dateTimeCell(iso: string): SheetCell {
  const style = styleOf(offsetOf(iso));
  const value = style && wallTime(iso);
  return value ? { value, style } : { value: iso, style: { ...LOOK, format: '@' } };
}

function styleOf(offset: string): Style | undefined {
  const known = styles.get(offset);
  if (known || styles.size >= MOST_OFFSETS) return known;
  const style = { ...LOOK, format: `${TIME} "${offset}"` };
  styles.set(offset, style);
  return style;
}
