import { because } from '../../words/errors/records.ts';
import { oneLine } from './characters.ts';
import { type Column, valueAt } from './columns.ts';
import { FileFault } from './fault.ts';
import type { TableRow } from './table.ts';

const PAID = /^(paid|settled|transferred|remitted|completed?|closed|done|paid out|مدفوعة?|مسددة?|تم الدفع)$/i;
const PENDING =
  /^(pending([ _]payment)?|unpaid|not paid|open|due|processing|in progress|on hold|to be paid|غير مدفوعة?|معلقة?|قيد الدفع)$/i;
const STANDARD = /^(standard|delivery|deliver|delivered|cod|normal|forward|sale|تسليم|توصيل)$/i;
const RETURN = /^(returns?|returned|rto|refund(ed)?|reverse|return to (origin|sender|merchant)|مرتجعة?|إرجاع|ارجاع)$/i;

// biome-ignore lint/suspicious/noControlCharactersInRegex: what no text holds is what is looked for
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]|\p{Cs}/u;
/** The longest number of an order or a payout. */
const LONGEST = 200;

/** A cell's words on one line; null where it is blank. @throws FileFault for characters that are no text, and for far too many */
export function wordsAt(row: TableRow, column: Column | null): string | null {
  const value = valueAt(row, column);
  if (CONTROL.test(value.text)) {
    throw new FileFault(because({ id: 'control-character' }), value);
  }
  const words = oneLine(value.text);
  if (words.length > LONGEST) {
    throw new FileFault(because({ id: 'cell-too-long', most: LONGEST }), value);
  }
  return words || null;
}

/** A payout's status: the API's own where the sheet's words are known, else the words; null where the cell is blank. */
export function statusAt(row: TableRow, column: Column | null): string | null {
  const words = wordsAt(row, column);
  if (words === null) return null;
  const plain = words.replaceAll('_', ' ').trim();
  if (PAID.test(plain)) return 'PAID';
  return PENDING.test(plain) ? 'PENDING_PAYMENT' : words.toUpperCase();
}

/** Whether the row is a delivery or a return; a delivery where the cell is blank. @throws FileFault for any other word */
export function workflowAt(row: TableRow, column: Column | null): 'STANDARD' | 'RETURN' {
  const words = wordsAt(row, column);
  if (words === null || STANDARD.test(words)) return 'STANDARD';
  if (RETURN.test(words)) return 'RETURN';
  throw new FileFault(because({ id: 'neither-delivery-nor-return', words }), valueAt(row, column));
}
