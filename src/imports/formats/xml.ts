import { SaxesParser, type SaxesTagNS } from 'saxes';
import { workbooksError } from '../../words/errors/workbooks.ts';
import { FileFault } from './fault.ts';

/** Deeper than any format that is read here nests; without a bound, 20,000 nested elements take seconds. */
const MOST_DEPTH = 64;
const CHUNK_LENGTH = 64 * 1024;

/**
 * Called while an XML document is read. Names of elements have no prefix, since banks choose different ones. Attributes
 * keep theirs, except for `xmlns`.
 */
export interface XmlHandlers {
  /** @param depth 1 for the root element */
  open(tag: XmlTag, depth: number): void;
  close(name: string, depth: number): void;
  text(text: string): void;
}

export interface XmlTag {
  readonly name: string;
  readonly namespace: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
}

/**
 * Makes a reader of XML in pieces, which refuses what banks do not write and attackers do: document types, for their
 * entities, and endless nesting. `end` must be called: it throws if the document is cut off.
 *
 * @param part the part's name in its ZIP archive, for messages; empty for a file that is in no archive
 */
export function xmlReader(handlers: XmlHandlers, part = '') {
  const parser = new SaxesParser({ xmlns: true, position: true });
  let depth = 0;
  const place = () => ({ line: part === '' ? parser.line : null });
  parser.on('error', (error) => {
    const why = error.message.replace(/^\d+:\d+:\s*/, '').replace(/\.$/, '');
    throw new FileFault(workbooksError({ id: 'not-well-formed', part, why }), place());
  });
  parser.on('doctype', () => {
    throw new FileFault(workbooksError({ id: 'xml-doctype', part }), place());
  });
  parser.on('opentag', (tag: SaxesTagNS) => {
    depth += 1;
    if (depth > MOST_DEPTH)
      throw new FileFault(workbooksError({ id: 'xml-too-deep', part, most: MOST_DEPTH }), place());
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
  return { write: (text: string) => void parser.write(text), end: () => void parser.close() };
}

/** Reads a whole document. */
export function readXml(text: string, handlers: XmlHandlers): void {
  const reader = xmlReader(handlers);
  for (let at = 0; at < text.length; at += CHUNK_LENGTH) reader.write(text.slice(at, at + CHUNK_LENGTH));
  reader.end();
}

export interface Element extends Pick<XmlTag, 'name' | 'line' | 'attributes'> {
  readonly children: Element[];
  text: string;
}

/** Builds one element from a reader's events; `close` returns it when it is complete, else null. */
export function elementBuilder(root: XmlTag, rootDepth: number) {
  const elementOf = ({ name, line, attributes }: XmlTag): Element => {
    return { name, line, attributes, children: [], text: '' };
  };
  const trail = [elementOf(root)];
  return {
    open(tag: XmlTag) {
      const element = elementOf(tag);
      trail.at(-1)!.children.push(element);
      trail.push(element);
    },
    text(text: string) {
      trail.at(-1)!.text += text;
    },
    close(depth: number): Element | null {
      if (depth === rootDepth) return trail[0]!;
      trail.pop();
      return null;
    },
  };
}

export function child<E extends { readonly name: string; readonly children: readonly E[] }>(
  element: E | null | undefined,
  name: string,
): E | null {
  return element?.children.find((candidate) => candidate.name === name) ?? null;
}

export function children(element: Element | null | undefined, name: string): readonly Element[] {
  return element?.children.filter((candidate) => candidate.name === name) ?? [];
}

export function childText(element: Element | null | undefined, name: string): string | null {
  const text = child(element, name)?.text.trim() ?? '';
  return text === '' ? null : text;
}
