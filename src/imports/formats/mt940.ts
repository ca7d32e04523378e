import { because } from '../../words/errors/banks.ts';
import { exactAmount } from './amount-text.ts';
import { isBalanced } from './balance.ts';
import { oneLine, splitLines } from './characters.ts';
import { readCurrency } from './currency-text.ts';
import { compactDay, isoDay } from './date-text.ts';
import { FileFault, type Place } from './fault.ts';
import type { ReceiptLine, ReceiptsFile, Skipped, Statement, StatementFormat } from './receipts-file.ts';

/** One field of an MT940 message: `:61:`, with the lines that follow it. */
export interface Mt940Field {
  readonly tag: string;
  readonly line: number;
  readonly lines: string[];
}

/** The fields of one message (a statement, or a page of one). */
export interface Mt940Message {
  readonly line: number;
  readonly fields: Mt940Field[];
  /** The message was ended by `-`; one that was not, and ends the file, may be cut off. */
  ended: boolean;
}

/** The fields of MT940 and MT942; a line of text may begin like one (`:12:30`). */
const FIELD = /^:(13D?|20|21|25P?|28C?|34F|60[FM]|61|62[FM]|64|65|86|90[CD]):(.*)$/;
/** Where a message begins or ends: SWIFT blocks and what banks put in their place. */
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
  for (const [index, text] of lines.entries()) {
    const line = index + 1;
    const field = FIELD.exec(text);
    if (field) {
      const [, tag = '', value = ''] = field;
      if (tag === '20') {
        message = { line, fields: [], ended: false };
        messages.push(message);
      }
      if (message === null)
        throw new FileFault(because({ id: 'before-first-field', tag }), {
          line,
          column: `field ${tag}`,
        });
      message.fields.push({ tag, line, lines: [value] });
    } else if (endsMessage(text, message) && !(text === '-' && goesOn(lines, index, message))) {
      if (message !== null) message.ended = true;
      message = null;
    } else if (message !== null && text !== '') {
      const last = message.fields.at(-1)!;
      if (last.lines.length === MOST_FIELD_LINES) {
        throw new FileFault(because({ id: 'field-without-end', tag: last.tag }), {
          line,
          column: `field ${last.tag}`,
        });
      }
      last.lines.push(text);
    }
  }
  if (messages.length === 0) throw new FileFault(because({ id: 'mt940-empty' }));
  return messages;
}

/** A dash alone is text: the next field is one that the message still lacks, where another message would begin with `:20:`. */
function goesOn(lines: readonly string[], at: number, message: Mt940Message | null): boolean {
  if (message === null) return false;
  const next = lines.slice(at + 1).find((line) => FIELD.test(line) || /^-\}|^\{[1-5]:/.test(line));
  const tag = FIELD.exec(next ?? '')?.[1];
  return tag !== undefined && (isClosed(message) ? /^(64|65|86)$/ : /^(61|62[FM]|86)$/).test(tag);
}

function isClosed(message: Mt940Message): boolean {
  return message.fields.some(({ tag }) => tag.startsWith('62'));
}

/** A dash alone ends a message; a line of text that begins with one does not, unless the closing balance was read. */
function endsMessage(text: string, message: Mt940Message | null): boolean {
  if (/^-\}?$/.test(text) || /^(:940:|\{[1-5]:)/.test(text)) return true;
  return (message === null || isClosed(message)) && ENVELOPE.test(text);
}

/** What `:86:` says of a line. */
export interface Mt940Details {
  readonly text: string;
  readonly counterparty: string | null;
  readonly counterpartyAccount: string | null;
}

/** A line of `:86:` holds 65 characters; one that is full goes on in the next without a blank. */
const FULL_LINE = 65;
/** A subfield holds 27. */
const FULL_PART = 27;

/** Reads `:86:`: German subfields (`?20...?32...`, any sign for `?`), Dutch words (`/NAME/.../REMI/...`), or free text. */
function readMt940Details(lines: readonly string[]): Mt940Details {
  const parted = /^\s*\d{3}([^\w\s/:,.-])\d{2}/.exec(lines[0] ?? '');
  const whole = joined(lines, FULL_LINE);
  if (parted) return bySubfields(lines.join(''), parted[1]!);
  if (/(^|\s)\/(REMI|NAME|BENM|ORDP|EREF|IBAN|CNTP|TRTP|PREF)\//.test(whole)) return byWords(whole);
  return { text: oneLine(whole), counterparty: null, counterpartyAccount: null };
}

function bySubfields(whole: string, mark: string): Mt940Details {
  const parts = new Map<string, string>();
  for (const part of whole.trimStart().slice(3).split(mark)) {
    const code = part.slice(0, 2);
    if (/^\d{2}$/.test(code)) parts.set(code, (parts.get(code) ?? '') + part.slice(2));
  }
  const of = (first: number, last: number): string[] =>
    Array.from({ length: last - first + 1 }, (_, i) => parts.get(String(first + i).padStart(2, '0')) ?? '').filter(
      (part) => part !== '',
    );
  const name = oneLine(of(32, 33).join(''));
  const account = (parts.get('31') ?? parts.get('38') ?? '').trim();
  const purpose = joined([...of(20, 29), ...of(60, 63)], FULL_PART);
  return {
    text: oneLine([parts.get('00') ?? '', purpose].join(' ')),
    counterparty: name === '' ? null : name,
    counterpartyAccount: account === '' ? null : account,
  };
}

function byWords(whole: string): Mt940Details {
  const name = /\/NAME\/([^/]+)/.exec(whole)?.[1]?.trim();
  const account = /\/IBAN\/([^/]+)/.exec(whole)?.[1]?.trim() ?? /\/CNTP\/([^/]+)/.exec(whole)?.[1]?.trim();
  return { text: oneLine(whole), counterparty: name || null, counterpartyAccount: account || null };
}

/** Joins pieces of a fixed width: a full one was cut within a word, a shorter one ended. */
function joined(pieces: readonly string[], full: number): string {
  return pieces.reduce(
    (text, piece, i) => (i === 0 ? piece : text + (pieces[i - 1]!.length >= full ? '' : ' ') + piece),
    '',
  );
}

const BALANCE = /^([CD])(\d{6})([A-Z]{3})([\d.,]+)$/;
/**
 * Value date, entry date, direction (`R`: a reversal of the other direction; `E`: only expected), funds code (the third letter of
 * the currency), amount, type, references. `CR50,` is a credit with the funds code R, `RC50,` the reversal of a credit.
 */
const ENTRY = /^(\d{6})([\d ]{4})?\s?(R[CD]|E[CD]|[CD])([A-Z])?\s?(\d[\d.,]*)\s?([NFS][A-Z0-9 ]{3})(.*)$/;
const NO_REFERENCE = /^(NONREF|NOREF|)$/i;

/** SWIFT's MT940. */
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
 * Reads MT940: every statement, and every page of one, with its balances. A line's date is its entry date where it has one,
 * else its value date. The bank's reference is no id: banks repeat it from line to line.
 *
 * @throws FileFault naming line and field
 */
function readMt940(text: string): ReceiptsFile {
  const messages = readMt940Messages(text);
  const skipped: Skipped[] = [];
  const statements = messages.map((message, i) => readMessage(message, i === messages.length - 1, skipped));
  return { format: 'mt940', statements, skipped, notes: missingPages(messages, statements) };
}

/** A page that closes with `:62M:` goes on in the next, which opens with the same balance. */
function missingPages(messages: readonly Mt940Message[], statements: readonly Statement[]): string[] {
  return messages.flatMap((message, i) => {
    if (fieldOf(message, /^62M$/) === null) return [];
    const [page, next] = [statements[i]!, statements[i + 1]];
    const goesOn = next !== undefined && next.account === page.account && next.opening === page.closing;
    return goesOn ? [] : [`the statement on line ${message.line} goes on on a page that is not in this file`];
  });
}

function readMessage(message: Mt940Message, last: boolean, skipped: Skipped[]): Statement {
  const account = fieldOf(message, /^25P?$/);
  const opening = fieldOf(message, /^60[FM]$/);
  const closing = fieldOf(message, /^62[FM]$/);
  if (opening === null) {
    throw new FileFault(because({ id: 'no-opening-balance' }), {
      line: message.line,
      column: 'field 60F',
    });
  }
  if (closing === null && last && !message.ended) {
    throw new FileFault(because({ id: 'no-closing-balance' }), {
      line: message.line,
      column: 'field 62F',
    });
  }
  const first = readBalance(opening);
  const end = closing === null ? null : readBalance(closing);
  if (end !== null && end.currency !== first.currency) {
    throw new FileFault(
      because({ id: 'two-currencies', first: first.currency, last: end.currency }),
      placeOf(closing!),
    );
  }
  const owner = account === null ? null : oneLine(account.lines.join(' '));
  const lines: ReceiptLine[] = [];
  const { fields } = message;
  for (const [i, field] of fields.entries()) {
    if (field.tag !== '61') continue;
    const details: Mt940Field[] = [];
    for (let next = i + 1; fields[next]?.tag === '86'; next++) details.push(fields[next]!);
    const read = readEntry(field, details, owner, first.currency);
    if ('why' in read) skipped.push(read);
    else lines.push(read);
  }
  return {
    account: owner,
    currency: first.currency,
    from: first.day,
    to: end?.day ?? null,
    opening: first.amount,
    closing: end?.amount ?? null,
    balanced: isBalanced(first.amount, end?.amount ?? null, lines, first.currency),
    lines,
  };
}

/** The one field of a kind. @throws FileFault where a second one shows that the file is damaged */
function fieldOf(message: Mt940Message, tag: RegExp): Mt940Field | null {
  const [first = null, second] = message.fields.filter((field) => tag.test(field.tag));
  if (second) throw new FileFault(because({ id: 'field-twice', tag: second.tag }), placeOf(second));
  return first;
}

function placeOf(field: Mt940Field): Place {
  return { line: field.line, column: `field ${field.tag}` };
}

function readBalance(field: Mt940Field): { amount: string; currency: string; day: string } {
  const text = field.lines[0]!.trim();
  const found = BALANCE.exec(text);
  const day = found ? compactDay(found[2]!) : null;
  if (!found || day === null) throw new FileFault(because({ id: 'no-balance', field: text }), placeOf(field));
  const amount = readAmount(found[4]!, placeOf(field));
  return {
    amount: exactAmount(found[1] === 'D' ? `-${amount}` : amount, placeOf(field)),
    currency: readCurrency(found[3]!, placeOf(field)),
    day,
  };
}

/** `1234,56`, `1234,` and, against the standard, `1234` and `1234.56`. The comma is always the decimal sign. */
function readAmount(text: string, place: Place): string {
  const found = /^(\d{1,40})(?:(?:,(\d{0,20}))|(?:\.(\d{1,2})))?$/.exec(text);
  if (!found) throw new FileFault(because({ id: 'no-amount-cut', amount: text }), place);
  const decimals = found[2] || found[3] || '';
  const whole = found[1]!.replace(/^0+(?=\d)/, '');
  return decimals === '' ? whole : `${whole}.${decimals}`;
}

function readEntry(
  field: Mt940Field,
  details: readonly Mt940Field[],
  account: string | null,
  currency: string,
): ReceiptLine | Skipped {
  const text = field.lines[0]!.trim();
  const found = ENTRY.exec(text);
  const place = placeOf(field);
  if (!found) throw new FileFault(because({ id: 'no-line', line: text }), place);
  const [, value = '', padded = '', mark = '', , figure = '', type = '', rest = ''] = found;
  // Banks that leave the entry date out pad it with blanks, and some pad its day and month.
  const entry = padded.trim() === '' ? undefined : padded.replaceAll(' ', '0');
  const valueDate = compactDay(value);
  // Banks that count interest in months of 30 days write 30 February: the day it was booked is then the entry date alone.
  const thirtyDays = entry !== undefined && /^\d{2}02(29|30)$/.test(value);
  if (valueDate === null && !thirtyDays) throw new FileFault(because({ id: 'no-date-cut', date: value }), place);
  if (mark.startsWith('E')) return { line: field.line, why: 'expected, not booked' };
  const out = mark === 'D' || mark === 'RC';
  const amount = readAmount(figure, place);
  const [own = '', bank = ''] = rest.split('//');
  const said = details.flatMap(({ lines }) => lines);
  const about = readMt940Details(said);
  const supplement = oneLine(field.lines.slice(1).join(' '));
  return {
    line: field.line,
    date: entryDay(valueDate ?? compactDay(`${value.slice(0, 4)}28`)!, entry),
    valueDate,
    amount: exactAmount(out ? `-${amount}` : amount, place),
    currency,
    text: oneLine([about.text, supplement].join(' ')),
    counterparty: about.counterparty,
    counterpartyAccount: about.counterpartyAccount,
    account,
    id: null,
    reference: [own, bank].map((one) => one.trim()).find((one) => !NO_REFERENCE.test(one)) ?? null,
    raw: [`:61:${field.lines.join(' ')}`, said.length > 0 ? `:86:${said.join(' ')}` : '', type]
      .join(' ')
      .trim()
      .slice(0, 4_000),
  };
}

/** The entry date has no year: it is the day of that name nearest the value date. */
function entryDay(valueDate: string, entry: string | undefined): string {
  if (entry === undefined) return valueDate;
  const year = Number(valueDate.slice(0, 4));
  const days = [year - 1, year, year + 1]
    .map((one) => isoDay(one, Number(entry.slice(0, 2)), Number(entry.slice(2))))
    .filter((one) => one !== null);
  const distance = (day: string) => Math.abs(Date.parse(day) - Date.parse(valueDate));
  return days.sort((a, b) => distance(a) - distance(b))[0] ?? valueDate;
}
