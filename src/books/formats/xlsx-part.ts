import { FileFault } from './fault.ts';
import { type XmlHandlers, xmlReader } from './xml.ts';
import { unpack, type ZipEntry } from './zip.ts';

export const NOT_A_WORKBOOK = 'Save it as .xlsx with Excel or LibreOffice, or as CSV.';

/** Reads one XML part of a workbook as it is unpacked, so that a large sheet is never held whole. */
export function readPart(bytes: Uint8Array, entry: ZipEntry, handlers: XmlHandlers): void {
  const reader = xmlReader(handlers, entry.name);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new FileFault(`its part ${entry.name} is not UTF-8`, NOT_A_WORKBOOK);
    }
  };
  unpack(bytes, entry, (chunk) => reader.write(decode(chunk)));
  reader.write(decode());
  reader.end();
}
