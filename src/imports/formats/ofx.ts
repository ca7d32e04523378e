import { banksError } from '../../words/errors/banks.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { type AmountStyle, amountStyle, exactAmount, readAmountText } from './amount-text.ts';
import { readCurrency } from './currency-text.ts';
import { compactDay } from './date-text.ts';
import { FileFault, type PlaceInFile } from './fault.ts';
import type { ReceiptLine, ReceiptsFile, SkippedLine, StatementFormat, StatementOfAccount } from './receipts-file.ts';
import { oneLine } from './text-forms.ts';
import { child } from './xml.ts';

/** An OFX element: a leaf with a value, or an aggregate with children. */
interface OfxElement {
  readonly name: string;
  readonly line: number;
  value: string;
  readonly children: OfxElement[];
}

/** The aggregates that are read (`P`: pending lines): if one were left open, its lines would be lost silently. */
const NEEDS_CLOSING_TAG = /^(OFX|\w*MSGSRSV\d+|\w*STMTTRNRS|(CC|INV)?STMTRS|BANKTRANLISTP?|STMTTRNP?|LEDGERBAL)$/;
const MOST_DEPTH = 64;
const NAMED_ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/**
 * Reads the elements of an OFX document. SGML (1.x, where leaves have no closing tags) and XML (2.x) are read alike,
 * because banks mix them. Comments and processing instructions are passed over; a bare `&` is a character.
 *
 * @throws FileFault when the document is cut off, or its tags contradict each other
 */
function readOfxTree(text: string): OfxElement {
  const start = text.search(/<OFX>/i);
  if (start === -1) throw new FileFault(banksError({ id: 'no-ofx' }));
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) throw new FileFault(banksError({ id: 'ofx-doctype' }));
  let line = lineCount(text, 0, start) + 1;
  let at = start;
  const root: OfxElement = { name: '', line, value: '', children: [] };
  const open: OfxElement[] = [root];
  while (at < text.length) {
    const token = nextToken(text, at);
    if (token === null) throw new FileFault(banksError({ id: 'ends-within-tag' }), { line });
    const tagLine = line;
    line += lineCount(text, at, token.end);
    at = token.end;
    if (token.kind === 'skip') continue;
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
    if (token.isEmpty) continue;
    open.push(element);
    if (open.length > MOST_DEPTH) {
      throw new FileFault(banksError({ id: 'ofx-too-deep', most: MOST_DEPTH }), { line: tagLine });
    }
  }
  throw new FileFault(banksError({ id: 'ofx-not-ended' }), { line });
}

/** A part of the document, up to the character at `end`. A `skip` is a comment or a processing instruction. */
type Token =
  | { readonly kind: 'skip'; readonly end: number }
  | { readonly kind: 'text'; readonly text: string; readonly end: number }
  | { readonly kind: 'open'; readonly name: string; readonly isEmpty: boolean; readonly end: number }
  | { readonly kind: 'close'; readonly name: string; readonly end: number };

const TAG = /<(\/?)([A-Za-z][\w.:-]*)(?:\s[^<>]*?)?(\/?)>/y;

/** @returns null if the document breaks off within it */
function nextToken(text: string, at: number): Token | null {
  if (text[at] !== '<') return textToken(text, at, at);
  if (text.startsWith('<!--', at)) return skipTo(text, at, '-->');
  if (text.startsWith('<?', at)) return skipTo(text, at, '?>');
  if (text.startsWith('<![CDATA[', at)) {
    const end = text.indexOf(']]>', at);
    return end === -1 ? null : { kind: 'text', text: text.slice(at + 9, end), end: end + 3 };
  }
  TAG.lastIndex = at;
  const tag = TAG.exec(text);
  // A `<` that begins no tag is a character of a bank's text.
  if (!tag) return textToken(text, at, at + 1);
  const name = tag[2]!.toUpperCase();
  if (tag[1] === '/') return { kind: 'close', name, end: TAG.lastIndex };
  return { kind: 'open', name, isEmpty: tag[3] === '/', end: TAG.lastIndex };
}

function textToken(text: string, at: number, from: number): Token {
  const next = text.indexOf('<', from);
  const end = next === -1 ? text.length : next;
  return { kind: 'text', text: decodeEntities(text.slice(at, end)), end };
}

function skipTo(text: string, at: number, mark: string): Token | null {
  const end = text.indexOf(mark, at);
  return end === -1 ? null : { kind: 'skip', end: end + mark.length };
}

/** Decodes SGML's few named entities and numeric ones; any other `&` is a character. */
function decodeEntities(text: string): string {
  return text.replace(
    /&(?:(\w+)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi,
    (whole, name?: string, decimal?: string, hex?: string) => {
      if (name !== undefined) return NAMED_ENTITIES[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : whole;
    },
  );
}

function addText(element: OfxElement, text: string, line: number): void {
  if (text.trim() === '') return;
  if (element.name === '' || element.children.length > 0) {
    const place = { line, column: element.name || 'OFX' };
    throw new FileFault(banksError({ id: 'text-between', words: text.trim() }), place);
  }
  element.value = element.value === '' ? text.trim() : `${element.value} ${text.trim()}`;
}

/** Closes an element, and the leaves that are open in it, since SGML leaves out their closing tags. */
function close(open: OfxElement[], name: string, line: number): void {
  const at = open.findLastIndex((element) => element.name === name);
  if (at <= 0) {
    closeByOtherName(open, name, line);
    return;
  }
  while (open.length - 1 > at) {
    const unclosed = open.pop()!;
    if (NEEDS_CLOSING_TAG.test(unclosed.name)) {
      const { name, line } = unclosed;
      throw new FileFault(banksError({ id: 'never-closed', name }), { line, column: name });
    }
    // The children of an empty leaf are its siblings.
    for (const child of unclosed.children.splice(0)) open.at(-1)!.children.push(child);
  }
  open.pop();
}

/** Deals with a closing tag of a name under which nothing is open: a fault, but for two cases that lose nothing. */
function closeByOtherName(open: OfxElement[], name: string, line: number): void {
  const last = open.at(-1)!;
  // The tag of a list that a balance has ended (`endList`) may come after the balance.
  if (name === 'BANKTRANLIST' && last.children.some((child) => child.name === name)) return;
  // Some banks close a leaf by another leaf's name: its value is whole.
  const closesLeaf = last.value !== '' && !NEEDS_CLOSING_TAG.test(name);
  if (!closesLeaf) throw new FileFault(banksError({ id: 'closes-nothing', name }), { line, column: name });
  open.pop();
}

/** Ends an open list of lines, with the empty leaves in it. A list with an open line stays: its closing tag fails. */
function endList(open: OfxElement[]): void {
  const at = open.findLastIndex(({ name }) => name === 'BANKTRANLIST');
  const hasOpenLine = open.slice(at + 1).some(({ name }) => NEEDS_CLOSING_TAG.test(name));
  if (at !== -1 && !hasOpenLine) open.length = at;
}

function lineCount(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) lines += 1;
  }
  return lines;
}

function childValue(element: OfxElement | null | undefined, name: string): string | null {
  return child(element, name)?.value || null;
}

/** All elements with such names, at any depth. */
function findAll(element: OfxElement, names: RegExp): OfxElement[] {
  const within = element.children.flatMap((inner) => findAll(inner, names));
  return names.test(element.name) ? [element, ...within] : within;
}

/** OFX 1 and 2, and Quicken's and QuickBooks' dialects of it. */
export const ofx: StatementFormat = {
  title: 'OFX',
  names: ['ofx'],
  endings: ['.ofx', '.qfx'],
  recognise: (head) => (/^(OFXHEADER|<\?OFX)|<OFX>/i.test(head) ? 'ofx' : null),
  read: readOfx,
};

/** The parts of a map that count for an OFX file: how its amounts are written. */
type OfxOptions = Pick<ColumnMap, 'decimal' | 'thousands'>;

/**
 * Reads every bank and card statement in the file. A server's error in place of a statement is a fault, not an empty
 * statement. Dates count as written, whatever offset follows them.
 *
 * @throws FileFault naming line and element
 */
function readOfx(text: string, options: OfxOptions = {}): ReceiptsFile {
  const ofx = readOfxTree(text);
  refuseErrors(ofx);
  const responses = findAll(ofx, /^(CC)?STMTRS$/);
  const skipped: SkippedLine[] = findAll(ofx, /^(INV|LOAN|AMORT)\w*STMTRS$/).map(({ line, name }) => {
    return { line, why: `${name}: investments and loans are not read` };
  });
  if (responses.length === 0) throw new FileFault(banksError({ id: 'ofx-empty' }), { line: skipped[0]?.line });
  const transactions = responses.flatMap((response) => findAll(response, /^STMTTRN$/));
  const balances = responses.flatMap((response) => findAll(response, /^LEDGERBAL$/));
  const styleOf = styleFinder([...transactions, ...balances], options);
  const statements = responses.flatMap((response) => readStatement(response, styleOf, skipped));
  return { format: 'ofx', statements, skipped, notes: repeatedIds(statements) };
}

/** @throws FileFault for an error that a server sent in place of a statement */
function refuseErrors(ofx: OfxElement): void {
  for (const status of findAll(ofx, /^STATUS$/)) {
    if (childValue(status, 'SEVERITY')?.toUpperCase() !== 'ERROR') continue;
    const [code, message] = [childValue(status, 'CODE'), childValue(status, 'MESSAGE')];
    throw new FileFault(banksError({ id: 'server-error', code, message }), { line: status.line, column: 'STATUS' });
  }
}

/**
 * The style of one amount. In OFX each amount may have a point or a comma as its decimal sign, and no grouping. Banks
 * group with commas all the same, so that `1,234` is in doubt: the file's other amounts decide it.
 */
type StyleOf = (text: string, place: PlaceInFile) => AmountStyle | null;

function styleFinder(elements: readonly OfxElement[], options: OfxOptions): StyleOf {
  const allAmounts = elements.map((element) => {
    const amount = child(element, 'TRNAMT') ?? child(element, 'BALAMT');
    return { text: amount?.value ?? '', line: amount?.line ?? element.line, column: amount?.name ?? 'TRNAMT' };
  });
  return (text, place) => {
    // The map's style comes before that of the amounts.
    if (options.decimal !== undefined || options.thousands !== undefined) return amountStyle([], options);
    if (/^[-+]?\d*\.\d+$/.test(text)) return { decimal: '.', thousands: null };
    const isDoubtful = /^[-+]?[1-9]\d{0,2},\d{3}$/.test(text);
    return amountStyle(isDoubtful ? [{ text, ...place }, ...allAmounts] : [{ text, ...place }]);
  };
}

function readStatement(response: OfxElement, styleOf: StyleOf, skipped: SkippedLine[]): StatementOfAccount[] {
  const from = child(response, 'BANKACCTFROM') ?? child(response, 'CCACCTFROM');
  const account = childValue(from, 'ACCTID');
  const transactions = findAll(response, /^STMTTRN$/);
  const currency = currencyOfStatement(response, transactions);
  const list = child(response, 'BANKTRANLIST');
  for (const { line } of findAll(response, /^STMTTRNP$/)) skipped.push({ line, why: 'pending, not booked' });
  const lines = transactions.map((transaction) => readTransaction(transaction, account, currency, styleOf));
  const balance = child(child(response, 'LEDGERBAL'), 'BALAMT');
  const closing = balance?.value ? readAmount(balance.value, styleOf, { line: balance.line, column: 'BALAMT' }) : null;
  const period = { from: optionalDay(child(list, 'DTSTART')), to: optionalDay(child(list, 'DTEND')) };
  // Lines in other currencies are separate statements: the balance is not theirs.
  const currencies = [...new Set([currency, ...lines.map((line) => line.currency)])];
  return currencies.map((lineCurrency) => ({
    account,
    currency: lineCurrency,
    ...period,
    opening: null,
    closing: lineCurrency === currency ? closing : null,
    balanced: null,
    lines: lines.filter((line) => line.currency === lineCurrency),
  }));
}

/** `CURDEF`, or else the first line's currency, if every line names one. @throws FileFault if there is none */
function currencyOfStatement(response: OfxElement, transactions: readonly OfxElement[]): string {
  const currencies = transactions.map((transaction) => childValue(child(transaction, 'CURRENCY'), 'CURSYM'));
  const stated = childValue(response, 'CURDEF') ?? (currencies.includes(null) ? null : (currencies[0] ?? null));
  const place = { line: response.line, column: 'CURDEF' };
  if (stated === null) throw new FileFault(banksError({ id: 'ofx-without-currency' }), place);
  return readCurrency(stated, place);
}

function readTransaction(
  transaction: OfxElement,
  account: string | null,
  statementCurrency: string,
  styleOf: StyleOf,
): ReceiptLine {
  const { line } = transaction;
  if (childValue(transaction, 'CORRECTFITID') !== null) {
    throw new FileFault(banksError({ id: 'line-corrects' }), { line, column: 'CORRECTFITID' });
  }
  const amountElement = child(transaction, 'TRNAMT');
  const amountPlace = { line: amountElement?.line ?? line, column: 'TRNAMT' };
  const amount = readAmount(amountElement?.value ?? '', styleOf, amountPlace);
  const date = day(child(transaction, 'DTPOSTED'), line);
  // CURRENCY: the amount is in that currency. ORIGCURRENCY: it was converted already, and is the account's.
  const stated = childValue(child(transaction, 'CURRENCY'), 'CURSYM');
  const name = childValue(transaction, 'NAME') ?? childValue(child(transaction, 'PAYEE'), 'NAME');
  const memo = childValue(transaction, 'MEMO');
  const to = child(transaction, 'BANKACCTTO') ?? child(transaction, 'CCACCTTO');
  const filled = transaction.children.flatMap(({ name: tag, value }) => (value === '' ? [] : [`${tag}=${value}`]));
  return {
    line,
    date,
    valueDate: optionalDay(child(transaction, 'DTAVAIL')),
    amount,
    currency: stated === null ? statementCurrency : readCurrency(stated, { line, column: 'CURSYM' }),
    text: oneLine([...new Set([name, memo])].filter((part) => part !== null).join(' ')),
    counterparty: name === null ? null : oneLine(name),
    counterpartyAccount: childValue(to, 'ACCTID'),
    account,
    id: childValue(transaction, 'FITID'),
    reference: childValue(transaction, 'REFNUM') ?? childValue(transaction, 'CHECKNUM'),
    raw: filled.join(' ').slice(0, 4_000),
  };
}

function readAmount(text: string, styleOf: StyleOf, place: PlaceInFile): string {
  if (!/^[-+]?\s*[\d.,']+$/.test(text.replaceAll('\u00A0', ' '))) {
    throw new FileFault(banksError({ id: 'no-amount-ofx', amount: text }), place);
  }
  return exactAmount(readAmountText(text, styleOf(text, place), place).amount, place);
}

/** `YYYYMMDD[HHMMSS[.mmm]][[offset:TZ]]`: the day as written. */
function day(element: OfxElement | null, line: number): string {
  const text = element?.value ?? '';
  const found = /^(\d{8})(\d{2,6}(\.\d+)?)?\s*(\[.*\])?$/.exec(text);
  const iso = found ? compactDay(found[1]!) : null;
  if (iso !== null) return iso;
  const place = { line: element?.line ?? line, column: element?.name ?? 'DTPOSTED' };
  throw new FileFault(banksError({ id: 'no-date-ofx', date: text }), place);
}

/** A day that a line or statement may lack: null if it cannot be read. */
function optionalDay(element: OfxElement | null): string | null {
  return element === null ? null : compactDay(element.value.slice(0, 8));
}

function repeatedIds(statements: readonly StatementOfAccount[]): string[] {
  const repeated = statements.reduce((sum, { lines }) => {
    const ids = lines.map(({ id }) => id).filter((id) => id !== null);
    return sum + ids.length - new Set(ids).size;
  }, 0);
  if (repeated === 0) return [];
  return [`${repeated} ${repeated === 1 ? 'line repeats' : 'lines repeat'} an id (FITID) of the same account`];
}
