/** A table with more columns has smaller letters. */
const MOST_WIDE_COLUMNS = 8;
/** A table with more columns is no table on a tablet either: its rows are cards. */
const MOST_NARROW_COLUMNS = 5;

/** How a table with so many columns is drawn: on a telephone each row is a card, and each cell needs `data-label`. */
export function tableLook(columns: number): string {
  if (columns > MOST_WIDE_COLUMNS) return 'list broad dense';
  return columns > MOST_NARROW_COLUMNS ? 'list broad' : 'list';
}
