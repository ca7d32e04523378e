import { because } from '../../words/errors/banks.ts';
import { exactAmount } from './amount-text.ts';
import { isBalanced } from './balance.ts';
import { oneLine } from './characters.ts';
import { readCurrency } from './currency-text.ts';
import { compactDay, isoDay } from './date-text.ts';
import { FileFault, type Place } from './fault.ts';
import { type Mt940Field, type Mt940Message, readMt940Details, readMt940Messages } from './mt940-fields.ts';
import type { ReceiptLine, ReceiptsFile, Skipped, Statement, StatementFormat } from './receipts-file.ts';

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
