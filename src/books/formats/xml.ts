import { SaxesParser, type SaxesTagNS } from 'saxes';
import { FileFault } from './fault.ts';

/** Deeper than any format that is read here: without a bound, 20,000 nested elements take seconds. */
const MOST_DEPTH = 64;
const CHUNK = 64 * 1024;

/** What is called while an XML document is read. Names are local: prefixes differ from bank to bank. */
export interface XmlHandlers {
  /** @param depth 1 for the root element */
  open(tag: XmlTag, depth: number): void;
  close(name: string, depth: number): void;
  text(text: string): void;
}

/** An element's beginning. */
export interface XmlTag {
  readonly name: string;
  readonly namespace: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
}

/** Reads XML as it arrives. `end` must be called: a document that is cut off is a fault there. */
export interface XmlReader {
  write(text: string): void;
  end(): void;
}

/**
 * An XML reader that refuses what no bank's file has and attackers do: document types and their entities, nesting without end.
 *
 * @param part the part of an archive that is read, for messages; empty for a file of its own
 */
export function xmlReader(handlers: XmlHandlers, part = ''): XmlReader {
  const parser = new SaxesParser({ xmlns: true, position: true });
  const within = part === '' ? '' : `its part ${part}: `;
  let depth = 0;
  parser.on('error', (error) => {
    throw new FileFault(
      `${within}it is not well-formed XML (${error.message.replace(/^\d+:\d+:\s*/, '').replace(/\.$/, '')})`,
      'The file is damaged or cut off: export it again.',
      part === '' ? { line: parser.line } : {},
    );
  });
  parser.on('doctype', () => {
    throw new FileFault(
      `${within}it declares a document type, which can hide entities`,
      "No bank's statement does: export it again, or ask whoever sent it.",
      { line: part === '' ? parser.line : null },
    );
  });
  parser.on('opentag', (tag: SaxesTagNS) => {
    depth += 1;
    if (depth > MOST_DEPTH) {
      throw new FileFault(
        `${within}its elements are nested more than ${MOST_DEPTH} deep`,
        'The file is damaged: export it again.',
        {
          line: part === '' ? parser.line : null,
        },
      );
    }
    const attributes: Record<string, string> = Object.create(null);
    for (const { local, value, prefix } of Object.values(tag.attributes)) {
      attributes[prefix === '' || prefix === 'xmlns' ? local : `${prefix}:${local}`] = value;
    }
    handlers.open({ name: tag.local, namespace: tag.uri, attributes, line: parser.line }, depth);
  });
  parser.on('closetag', (tag: SaxesTagNS) => {
    handlers.close(tag.local, depth);
    depth -= 1;
  });
  parser.on('text', (text) => handlers.text(text));
  parser.on('cdata', (text) => handlers.text(text));
  return {
    write: (text) => void parser.write(text),
    end: () => void parser.close(),
  };
}

/** Reads a whole document. */
export function readXml(text: string, handlers: XmlHandlers): void {
  const reader = xmlReader(handlers);
  for (let at = 0; at < text.length; at += CHUNK) reader.write(text.slice(at, at + CHUNK));
  reader.end();
}
