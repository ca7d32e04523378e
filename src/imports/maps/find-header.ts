import { headerKey } from '../formats/text-forms.ts';
import { fittingMap } from './choose-map.ts';
import type { ColumnMap, ImportKind } from './column-map.ts';
import { guessMap } from './guess-map.ts';
import { headersOf, OPEN_HEADER } from './headers.ts';

/** A row is certainly the header: it has each column of the user's map or, if that has none, a map fits it. */
export function isHeaderOf(kind: ImportKind, cells: readonly string[], userMap: ColumnMap | null): boolean {
  const columns = Object.values(userMap?.columns ?? {});
  if (columns.length === 0) return fittingMap(kind, cells, userMap) !== null;
  const keys = new Set(cells.map(headerKey));
  return columns.every((headers) => headersOf(headers).some((header) => keys.has(headerKey(header))));
}

/** The index of the row with the most headers, of the map or usual ones; 0 if no row has two. */
export function likelyHeader(
  kind: ImportKind,
  rows: readonly (readonly string[])[],
  userMap: ColumnMap | null,
): number {
  const headersOfMap = Object.values(userMap?.columns ?? {}).flatMap(headersOf);
  const keysOfMap = new Set(headersOfMap.map(headerKey));
  const counts = rows.map((cells) => {
    const headersGuessed = Object.values(guessMap(kind, cells).columns).filter((header) => header !== OPEN_HEADER);
    const headersInMap = cells.filter((cell) => keysOfMap.has(headerKey(cell)));
    return new Set([...headersGuessed, ...headersInMap].map(headerKey)).size;
  });
  const most = Math.max(...counts);
  return most < 2 ? 0 : counts.indexOf(most);
}
