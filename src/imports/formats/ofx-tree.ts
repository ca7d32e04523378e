import { because } from '../../words/errors/banks.ts';
import { FileFault } from './fault.ts';
import { child } from './xml.ts';

/** An OFX element: a leaf with a value, or an aggregate with children. */
export interface OfxElement {
  readonly name: string;
  readonly line: number;
  value: string;
  readonly children: OfxElement[];
}

/** Aggregates that are read; one of them left open would lose its lines silently. */
const MUST_CLOSE = /^(OFX|\w*MSGSRSV\d+|\w*STMTTRNRS|(CC|INV)?STMTRS|BANKTRANLISTP?|STMTTRNP?|LEDGERBAL)$/;
const MOST_DEPTH = 64;
const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/**
 * Reads the elements of an OFX document, SGML (1.x, where leaves have no closing tags) and XML (2.x) alike, because banks mix
 * them. Comments and processing instructions are passed over; a bare `&` is itself.
 *
 * @throws FileFault when the document is cut off, or its tags contradict each other
 */
export function readOfxTree(text: string): OfxElement {
  const start = text.search(/<OFX>/i);
  if (start === -1) throw new FileFault(because({ id: 'no-ofx' }));
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) {
    throw new FileFault(because({ id: 'ofx-doctype' }));
  }
  let line = lineCount(text, 0, start) + 1;
  let at = start;
  const root: OfxElement = { name: '', line, value: '', children: [] };
  const open: OfxElement[] = [root];
  while (at < text.length) {
    const token = nextToken(text, at);
    const tagLine = line;
    line += lineCount(text, at, token.end);
    at = token.end;
    if (token.kind === 'skip') continue;
    if (token.kind === 'cut') throw new FileFault(because({ id: 'ends-within-tag' }), { line: tagLine });
    if (token.kind === 'text') {
      addText(open.at(-1)!, token.text, tagLine);
      continue;
    }
    if (token.kind === 'close') {
      close(open, token.name, tagLine);
      if (open.length === 1 && token.name === 'OFX') return root.children[0]!;
      continue;
    }
    // A leaf that was not closed ends where the next tag begins.
    if (open.at(-1)!.value !== '') open.pop();
    // Balances come after the list of lines, not in it; some banks do not close the list.
    if (/^(LEDGERBAL|AVAILBAL)$/.test(token.name)) endList(open);
    const element: OfxElement = { name: token.name, line: tagLine, value: '', children: [] };
    open.at(-1)!.children.push(element);
    if (token.empty) continue;
    open.push(element);
    if (open.length > MOST_DEPTH) {
      throw new FileFault(because({ id: 'ofx-too-deep', most: MOST_DEPTH }), { line: tagLine });
    }
  }
  throw new FileFault(because({ id: 'ofx-not-ended' }), { line });
}

type Token =
  | { readonly kind: 'skip'; readonly end: number }
  | { readonly kind: 'cut'; readonly end: number }
  | { readonly kind: 'text'; readonly text: string; readonly end: number }
  | { readonly kind: 'open'; readonly name: string; readonly empty: boolean; readonly end: number }
  | { readonly kind: 'close'; readonly name: string; readonly end: number };

const TAG = /<(\/?)([A-Za-z][\w.:-]*)(?:\s[^<>]*?)?(\/?)>/y;

function nextToken(text: string, at: number): Token {
  if (text[at] !== '<') return textToken(text, at, at);
  if (text.startsWith('<!--', at)) return skipTo(text, at, '-->');
  if (text.startsWith('<?', at)) return skipTo(text, at, '?>');
  if (text.startsWith('<![CDATA[', at)) {
    const end = text.indexOf(']]>', at);
    return end === -1
      ? { kind: 'cut', end: text.length }
      : { kind: 'text', text: text.slice(at + 9, end), end: end + 3 };
  }
  TAG.lastIndex = at;
  const tag = TAG.exec(text);
  // A `<` that begins no tag is a character of a bank's text.
  if (!tag) return textToken(text, at, at + 1);
  const name = tag[2]!.toUpperCase();
  if (tag[1] === '/') return { kind: 'close', name, end: TAG.lastIndex };
  return { kind: 'open', name, empty: tag[3] === '/', end: TAG.lastIndex };
}

function textToken(text: string, at: number, from: number): Token {
  const next = text.indexOf('<', from);
  const end = next === -1 ? text.length : next;
  return { kind: 'text', text: decodeEntities(text.slice(at, end)), end };
}

function skipTo(text: string, at: number, mark: string): Token {
  const end = text.indexOf(mark, at);
  return end === -1 ? { kind: 'cut', end: text.length } : { kind: 'skip', end: end + mark.length };
}

/** The few entities of SGML and numbers; any other `&` is a character. */
function decodeEntities(text: string): string {
  return text.replace(
    /&(?:(\w+)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi,
    (whole, name?: string, decimal?: string, hex?: string) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : whole;
    },
  );
}

function addText(element: OfxElement, text: string, line: number): void {
  if (text.trim() === '') return;
  if (element.name === '' || element.children.length > 0) {
    throw new FileFault(because({ id: 'text-between', words: text.trim() }), {
      line,
      column: element.name || 'OFX',
    });
  }
  element.value = element.value === '' ? text.trim() : `${element.value} ${text.trim()}`;
}

/** Closes an element and the leaves open within it, whose closing tags SGML leaves out. */
function close(open: OfxElement[], name: string, line: number): void {
  const at = open.findLastIndex((element) => element.name === name);
  // A list that a balance has ended may be closed after it.
  if (at <= 0 && name === 'BANKTRANLIST' && open.at(-1)!.children.some((child) => child.name === name)) return;
  if (at <= 0) {
    // A leaf closed by another leaf's name: the value is whole, and a bank's slip loses nothing.
    if (open.at(-1)!.value !== '' && !MUST_CLOSE.test(name)) open.pop();
    else throw new FileFault(because({ id: 'closes-nothing', name }), { line, column: name });
    return;
  }
  while (open.length - 1 > at) {
    const unclosed = open.pop()!;
    if (MUST_CLOSE.test(unclosed.name)) {
      throw new FileFault(because({ id: 'never-closed', name: unclosed.name }), {
        line: unclosed.line,
        column: unclosed.name,
      });
    }
    // What was read as a child of an empty leaf is its sibling.
    open.at(-1)!.children.push(...unclosed.children.splice(0));
  }
  open.pop();
}

/** Ends a list of lines that is open, with the empty leaves in it; a line that is still open is left so, and is a fault later. */
function endList(open: OfxElement[]): void {
  const at = open.findLastIndex(({ name }) => name === 'BANKTRANLIST');
  if (at !== -1 && !open.slice(at + 1).some(({ name }) => MUST_CLOSE.test(name))) open.length = at;
}

function lineCount(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) lines += 1;
  }
  return lines;
}

/** The value of the first child of a name; null where there is none or it is empty. */
export function ofxValue(element: OfxElement | null | undefined, name: string): string | null {
  return child(element, name)?.value || null;
}

/** All elements of some names, at any depth. */
export function ofxFind(element: OfxElement, names: RegExp): OfxElement[] {
  return [...(names.test(element.name) ? [element] : []), ...element.children.flatMap((one) => ofxFind(one, names))];
}
