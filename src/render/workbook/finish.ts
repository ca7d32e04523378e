import { Readable } from 'node:stream';
import JSZip from 'jszip';
import { drawingParts } from './drawing.ts';
import type { Sheet } from './model.ts';

/** Every entry of the zip bears this date, the earliest that a zip can: the wall clock would make two equal workbooks differ. */
const ENTRY_DATE = new Date(Date.UTC(1980, 0, 1));
const CONTENT_TYPES = '[Content_Types].xml';

/**
 * Adds the parts that the streaming writer cannot make, sorts the entries and sets their dates. What is compressed already
 * is passed on as it is.
 *
 * @param chunks the workbook as exceljs wrote it; emptied, so that it is not held twice
 */
export async function finishWorkbook(chunks: Buffer[], sheets: readonly Sheet[]): Promise<AsyncIterable<Uint8Array>> {
  const zip = await JSZip.loadAsync(Buffer.concat(chunks.splice(0)));
  const parts = drawingParts(sheets);
  for (const { path, content } of parts) zip.file(path, content, { createFolders: false });
  const types = await zip.file(CONTENT_TYPES)!.async('string');
  const added = parts.flatMap(({ path, contentType }) =>
    contentType ? [`<Override PartName="/${path}" ContentType="${contentType}"/>`] : [],
  );
  const pictures = ['png', 'jpeg'].map((kind) => `<Default Extension="${kind}" ContentType="image/${kind}"/>`);
  zip.file(
    CONTENT_TYPES,
    types.replace(/(<Types [^>]*>)(.*)<\/Types>/s, `$1${pictures.join('')}$2${added.join('')}</Types>`),
    { createFolders: false },
  );
  const sorted = Object.entries(zip.files).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [, entry] of sorted) entry.date = ENTRY_DATE;
  zip.files = Object.fromEntries(sorted);
  // JSZip's stream is of an old kind, without async iteration.
  return new Readable().wrap(zip.generateNodeStream({ type: 'nodebuffer', compression: 'DEFLATE', platform: 'DOS' }));
}
