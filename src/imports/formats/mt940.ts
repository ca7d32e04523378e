import { banksError } from '../../words/errors/banks.ts';
import { exactAmount } from './amount-text.ts';
import { isBalanced } from './balance.ts';
import { readCurrency } from './currency-text.ts';
import { compactDay, isoDay } from './date-text.ts';
import { FileFault, type PlaceInFile } from './fault.ts';
import type { ReceiptLine, ReceiptsFile, SkippedLine, StatementFormat, StatementOfAccount } from './receipts-file.ts';
import { oneLine, splitLines } from './text-forms.ts';

/** One field of a message, such as `:61:`, with the lines that follow it. */
interface Mt940Field {
  readonly tag: string;
  readonly line: number;
  readonly lines: string[];
}

/** The fields of one message (a statement, or a page of one). */
interface Mt940Message {
  readonly line: number;
  readonly fields: Mt940Field[];
  /** A line `-` ended the message; if the file's last message has none, it may be cut off. */
  hasEnd: boolean;
}

/** A field of MT940 or MT942: these tags alone, because a line of text may begin alike (`:12:30`). */
const FIELD = /^:(13D?|20|21|25P?|28C?|34F|60[FM]|61|62[FM]|64|65|86|90[CD]):(.*)$/;
/** A line around a message: a SWIFT block (`{1:F01`, `-}`), or what a bank writes in its place (`940 00`). */
const ENVELOPE = /^(-\s*\}?.{0,40}$|:940:|\{|940 \d\d|0000 \d\d\w)/;
const MOST_FIELD_LINES = 10_000;

/**
 * Cuts an MT940 file into its messages and fields. Envelopes (`{1:F01...}{4:`, `-}`, `:940:`) are passed over.
 *
 * @throws FileFault when there is none
 */
function readMt940Messages(text: string): Mt940Message[] {
  const messages: Mt940Message[] = [];
  let message: Mt940Message | null = null;
  // Some banks put the first field behind the envelope, on its line.
  const lines = splitLines(text).map((raw) => raw.replace(/^\{1:.*\{4:(?=:)/, '').trimEnd());
  for (const [index, lineText] of lines.entries()) {
    const line = index + 1;
    const field = FIELD.exec(lineText);
    if (field) {
      const [, tag = '', value = ''] = field;
      if (tag === '20') {
        message = { line, fields: [], hasEnd: false };
        messages.push(message);
      }
      const read = { tag, line, lines: [value] };
      if (message === null) throw new FileFault(banksError({ id: 'before-first-field', tag }), placeOf(read));
      message.fields.push(read);
    } else if (endsMessage(lines, index, message)) {
      if (message !== null) message.hasEnd = true;
      message = null;
    } else if (message !== null && lineText !== '') {
      const last = message.fields.at(-1)!;
      if (last.lines.length === MOST_FIELD_LINES) {
        throw new FileFault(banksError({ id: 'field-without-end', tag: last.tag }), placeOf({ tag: last.tag, line }));
      }
      last.lines.push(lineText);
    }
  }
  if (messages.length === 0) throw new FileFault(banksError({ id: 'mt940-empty' }));
  return messages;
}

/**
 * A dash alone is a line of text, such as one of `:86:`, if the next field may follow in this message: then the message
 * continues. A new one begins with `:20:`.
 */
function continues(lines: readonly string[], at: number, message: Mt940Message | null): boolean {
  if (message === null) return false;
  const next = lines.slice(at + 1).find((line) => FIELD.test(line) || /^-\}|^\{[1-5]:/.test(line));
  const tag = FIELD.exec(next ?? '')?.[1];
  return tag !== undefined && (isClosed(message) ? /^(64|65|86)$/ : /^(61|62[FM]|86)$/).test(tag);
}

/** Whether the closing balance (`:62F:`, or `:62M:` of a page) was read. */
function isClosed(message: Mt940Message): boolean {
  return message.fields.some(({ tag }) => tag.startsWith('62'));
}

/** A dash alone ends a message unless it continues; a text that begins with one, only after the closing balance. */
function endsMessage(lines: readonly string[], at: number, message: Mt940Message | null): boolean {
  const text = lines[at]!;
  if (text === '-' && continues(lines, at, message)) return false;
  if (/^-\}?$/.test(text) || /^(:940:|\{[1-5]:)/.test(text)) return true;
  return (message === null || isClosed(message)) && ENVELOPE.test(text);
}

/** The details of a line, from its `:86:`. */
type Mt940Details = Pick<ReceiptLine, 'text' | 'counterparty' | 'counterpartyAccount'>;

/** The width of a line of `:86:`, in characters: a full one continues in the next without a blank. */
const FULL_LINE = 65;
/** The width of a subfield. */
const FULL_PART = 27;

/**
 * Reads `:86:`: German subfields (`166?00CREDIT?20Invoice 7?32Payer`, any sign for `?`), Dutch words
 * (`/NAME/Payer/REMI/Invoice 7`), or free text.
 */
function readMt940Details(lines: readonly string[]): Mt940Details {
  const subfieldMark = /^\s*\d{3}([^\w\s/:,.-])\d{2}/.exec(lines[0] ?? '')?.[1];
  const whole = joined(lines, FULL_LINE);
  if (subfieldMark !== undefined) return bySubfields(lines.join(''), subfieldMark);
  if (/(^|\s)\/(REMI|NAME|BENM|ORDP|EREF|IBAN|CNTP|TRTP|PREF)\//.test(whole)) return byWords(whole);
  return { text: oneLine(whole), counterparty: null, counterpartyAccount: null };
}

/**
 * Subfields have numbers: `00` is the kind of booking, 20 to 29 and 60 to 63 are the purpose, 31 or 38 is the other
 * account, 32 and 33 are its holder's name. The three digits before the first are the bank's code.
 */
function bySubfields(whole: string, mark: string): Mt940Details {
  const parts = new Map<string, string>();
  for (const part of whole.trimStart().slice(3).split(mark)) {
    const code = part.slice(0, 2);
    if (/^\d{2}$/.test(code)) parts.set(code, (parts.get(code) ?? '') + part.slice(2));
  }
  const partsOf = (first: number, last: number): string[] => {
    const codes = Array.from({ length: last - first + 1 }, (_, i) => String(first + i).padStart(2, '0'));
    return codes.map((code) => parts.get(code) ?? '').filter((part) => part !== '');
  };
  const counterparty = oneLine(partsOf(32, 33).join('')) || null;
  const counterpartyAccount = (parts.get('31') ?? parts.get('38') ?? '').trim() || null;
  const purpose = joined([...partsOf(20, 29), ...partsOf(60, 63)], FULL_PART);
  return { text: oneLine([parts.get('00') ?? '', purpose].join(' ')), counterparty, counterpartyAccount };
}

function byWords(whole: string): Mt940Details {
  const name = /\/NAME\/([^/]+)/.exec(whole)?.[1]?.trim();
  const account = /\/IBAN\/([^/]+)/.exec(whole)?.[1]?.trim() ?? /\/CNTP\/([^/]+)/.exec(whole)?.[1]?.trim();
  return { text: oneLine(whole), counterparty: name || null, counterpartyAccount: account || null };
}

/** Joins pieces of a fixed width: a full one was cut within a word, a shorter one ended. */
function joined(pieces: readonly string[], full: number): string {
  return pieces.map((piece, i) => (i > 0 && pieces[i - 1]!.length < full ? ` ${piece}` : piece)).join('');
}

/** `:60F:` and its like: `C261031USD1234,56`. */
const BALANCE = /^([CD])(\d{6})([A-Z]{3})([\d.,]+)$/;
/**
 * `:61:`: value date, entry date, direction (`R`: a reversal of the other direction; `E`: only expected), funds code
 * (the third letter of the currency), amount, type, references. `CR50,` is a credit with the funds code R, `RC50,` a
 * reversed credit.
 */
const ENTRY = /^(\d{6})([\d ]{4})?\s?(R[CD]|E[CD]|[CD])([A-Z])?\s?(\d[\d.,]*)\s?([NFS][A-Z0-9 ]{3})(.*)$/;

/** SWIFT's format of account statements. */
export const mt940: StatementFormat = {
  title: 'MT940',
  names: ['mt940'],
  endings: ['.sta', '.mt940', '.940'],
  recognise: (head) =>
    /^\{1:[A-Z]\d\d/.test(head) || (!head.startsWith('<') && /^:20:/m.test(head.replaceAll('\r', '\n')))
      ? 'mt940'
      : null,
  read: readMt940,
};

/**
 * Reads every statement, and every page of one, with its balances. A line's date is its entry date if it has one, else
 * its value date. The bank's reference is no id: banks repeat it from line to line.
 *
 * @throws FileFault naming line and field
 */
function readMt940(text: string): ReceiptsFile {
  const messages = readMt940Messages(text);
  const skipped: SkippedLine[] = [];
  const statements = messages.map((message, i) => readMessage(message, i === messages.length - 1, skipped));
  return { format: 'mt940', statements, skipped, notes: missingPages(messages, statements) };
}

/** Notes of missing pages: one that closes with `:62M:` continues in the next, which opens with the same balance. */
function missingPages(messages: readonly Mt940Message[], statements: readonly StatementOfAccount[]): string[] {
  return messages.flatMap((message, i) => {
    if (fieldOf(message, /^62M$/) === null) return [];
    const [page, next] = [statements[i]!, statements[i + 1]];
    const hasNext = next !== undefined && next.account === page.account && next.opening === page.closing;
    return hasNext ? [] : [`the statement on line ${message.line} goes on on a page that is not in this file`];
  });
}

/** @param skipped receives the entries that are no lines */
function readMessage(message: Mt940Message, isLast: boolean, skipped: SkippedLine[]): StatementOfAccount {
  const accountField = fieldOf(message, /^25P?$/);
  const openingField = fieldOf(message, /^60[FM]$/);
  const closingField = fieldOf(message, /^62[FM]$/);
  if (openingField === null) {
    throw new FileFault(banksError({ id: 'no-opening-balance' }), { line: message.line, column: 'field 60F' });
  }
  if (closingField === null && isLast && !message.hasEnd) {
    throw new FileFault(banksError({ id: 'no-closing-balance' }), { line: message.line, column: 'field 62F' });
  }
  const opening = readBalance(openingField);
  const closing = closingField === null ? null : readBalance(closingField);
  const { currency } = opening;
  if (closing !== null && closing.currency !== currency) {
    const why = banksError({ id: 'two-currencies', first: currency, last: closing.currency });
    throw new FileFault(why, placeOf(closingField!));
  }
  const account = accountField === null ? null : oneLine(accountField.lines.join(' '));
  const lines: ReceiptLine[] = [];
  const { fields } = message;
  for (const [i, field] of fields.entries()) {
    if (field.tag !== '61') continue;
    const details: Mt940Field[] = [];
    for (let next = i + 1; fields[next]?.tag === '86'; next++) details.push(fields[next]!);
    const read = readEntry(field, details, account, currency);
    if ('why' in read) skipped.push(read);
    else lines.push(read);
  }
  return {
    account,
    currency,
    from: opening.day,
    to: closing?.day ?? null,
    opening: opening.amount,
    closing: closing?.amount ?? null,
    balanced: isBalanced(opening.amount, closing?.amount ?? null, lines, currency),
    lines,
  };
}

/** The only field with such a tag. @throws FileFault if there are two: the file is damaged */
function fieldOf(message: Mt940Message, tag: RegExp): Mt940Field | null {
  const [first = null, second] = message.fields.filter((field) => tag.test(field.tag));
  if (second) throw new FileFault(banksError({ id: 'field-twice', tag: second.tag }), placeOf(second));
  return first;
}

function placeOf({ line, tag }: Pick<Mt940Field, 'line' | 'tag'>): PlaceInFile {
  return { line, column: `field ${tag}` };
}

function readBalance(field: Mt940Field): { amount: string; currency: string; day: string } {
  const text = field.lines[0]!.trim();
  const found = BALANCE.exec(text);
  const day = found ? compactDay(found[2]!) : null;
  if (!found || day === null) throw new FileFault(banksError({ id: 'no-balance', field: text }), placeOf(field));
  const amount = readAmount(found[4]!, placeOf(field));
  return {
    amount: exactAmount(found[1] === 'D' ? `-${amount}` : amount, placeOf(field)),
    currency: readCurrency(found[3]!, placeOf(field)),
    day,
  };
}

/** `1234,56`, `1234,` and, against the standard, `1234` and `1234.56`. The comma is always the decimal sign. */
function readAmount(text: string, place: PlaceInFile): string {
  const found = /^(\d{1,40})(?:(?:,(\d{0,20}))|(?:\.(\d{1,2})))?$/.exec(text);
  if (!found) throw new FileFault(banksError({ id: 'no-amount-cut', amount: text }), place);
  const decimals = found[2] || found[3] || '';
  const whole = found[1]!.replace(/^0+(?=\d)/, '');
  return decimals === '' ? whole : `${whole}.${decimals}`;
}

const NO_REFERENCE = /^(NONREF|NOREF|)$/i;

function readEntry(
  field: Mt940Field,
  details: readonly Mt940Field[],
  account: string | null,
  currency: string,
): ReceiptLine | SkippedLine {
  const text = field.lines[0]!.trim();
  const found = ENTRY.exec(text);
  const place = placeOf(field);
  if (!found) throw new FileFault(banksError({ id: 'no-line', line: text }), place);
  const [, value = '', padded = '', direction = '', , figure = '', type = '', references = ''] = found;
  // Banks that leave the entry date out pad it with blanks, and some pad its day and month.
  const entry = padded.trim() === '' ? undefined : padded.replaceAll(' ', '0');
  const valueDate = compactDay(value);
  // Banks that count interest in months of 30 days write 30 February: only the entry date says then when it was booked.
  const isThirtyDayMonth = entry !== undefined && /^\d{2}02(29|30)$/.test(value);
  if (valueDate === null && !isThirtyDayMonth)
    throw new FileFault(banksError({ id: 'no-date-cut', date: value }), place);
  if (direction.startsWith('E')) return { line: field.line, why: 'expected, not booked' };
  const isOut = direction === 'D' || direction === 'RC';
  const amount = readAmount(figure, place);
  const [customerReference = '', bankReference = ''] = references.split('//');
  const detailLines = details.flatMap(({ lines }) => lines);
  const { text: purpose, ...parties } = readMt940Details(detailLines);
  const supplement = oneLine(field.lines.slice(1).join(' '));
  const allReferences = [customerReference, bankReference].map((part) => part.trim());
  const raw = [`:61:${field.lines.join(' ')}`, detailLines.length > 0 ? `:86:${detailLines.join(' ')}` : '', type];
  return {
    line: field.line,
    // Of a 30 February only the year is needed, to complete the entry date: the 28th stands in for it.
    date: entryDay(valueDate ?? compactDay(`${value.slice(0, 4)}28`)!, entry),
    valueDate,
    amount: exactAmount(isOut ? `-${amount}` : amount, place),
    currency,
    text: oneLine([purpose, supplement].join(' ')),
    ...parties,
    account,
    id: null,
    reference: allReferences.find((reference) => !NO_REFERENCE.test(reference)) ?? null,
    raw: raw.join(' ').trim().slice(0, 4_000),
  };
}

/** The entry date has no year (`0131`): it is meant in the year that brings it nearest to the value date. */
function entryDay(valueDate: string, entry: string | undefined): string {
  if (entry === undefined) return valueDate;
  const year = Number(valueDate.slice(0, 4));
  const days = [year - 1, year, year + 1]
    .map((candidate) => isoDay(candidate, Number(entry.slice(0, 2)), Number(entry.slice(2))))
    .filter((day) => day !== null);
  const distance = (day: string) => Math.abs(Date.parse(day) - Date.parse(valueDate));
  return days.sort((a, b) => distance(a) - distance(b))[0] ?? valueDate;
}
