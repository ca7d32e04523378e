import { FileFault } from './fault.ts';
import { type XmlHandlers, xmlReader } from './xml.ts';
import { unpack, type ZipEntry } from './zip.ts';

export const NOT_A_WORKBOOK = 'Save it as .xlsx with Excel or LibreOffice, or as CSV.';

/** Reads one XML part of a workbook as it is unpacked, so that a large sheet is never held whole. */
export function readPart(bytes: Uint8Array, entry: ZipEntry, handlers: XmlHandlers): void {
  const reader = xmlReader(ownElements(handlers), entry.name);
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

/** Passes over elements of other namespaces: later versions extend a workbook with elements of the same names. */
function ownElements(handlers: XmlHandlers): XmlHandlers {
  let namespace = '';
  const own: boolean[] = [];
  return {
    open(tag, depth) {
      if (depth === 1) namespace = tag.namespace;
      own.push(tag.namespace === namespace);
      if (own.at(-1)) handlers.open(tag, depth);
    },
    text(text) {
      if (own.at(-1)) handlers.text(text);
    },
    close(name, depth) {
      if (own.pop()) handlers.close(name, depth);
    },
  };
}
