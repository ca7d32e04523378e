import { because } from '../../words/errors/banks.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { type AmountStyle, amountStyle, exactAmount, readAmountText } from './amount-text.ts';
import { oneLine } from './characters.ts';
import { readCurrency } from './currency-text.ts';
import { compactDay } from './date-text.ts';
import { FileFault, type Place } from './fault.ts';
import { type OfxElement, ofxFind, ofxValue, readOfxTree } from './ofx-tree.ts';
import type { ReceiptLine, ReceiptsFile, Skipped, Statement, StatementFormat } from './receipts-file.ts';
import { child } from './xml.ts';

/** OFX 1 and 2, and Quicken's and QuickBooks' dialects of it. */
export const ofx: StatementFormat = {
  title: 'OFX',
  names: ['ofx'],
  endings: ['.ofx', '.qfx'],
  recognise: (head) => (/^(OFXHEADER|<\?OFX|<OFX>)/i.test(head) || /<OFX>/i.test(head) ? 'ofx' : null),
  read: readOfx,
};

/** What a map may say of an OFX file: how its amounts are written. */
type OfxOptions = Pick<Partial<ColumnMap>, 'decimal' | 'thousands'>;

/**
 * Reads OFX 1.x and 2.x: every bank and card statement in the file. A server's error instead of a statement is a fault, not an
 * empty statement. Dates count as written, whatever offset follows them.
 *
 * @throws FileFault naming line and element
 */
function readOfx(text: string, options: OfxOptions = {}): ReceiptsFile {
  const ofx = readOfxTree(text);
  refuseErrors(ofx);
  const responses = ofxFind(ofx, /^(CC)?STMTRS$/);
  const skipped: Skipped[] = ofxFind(ofx, /^(INV|LOAN|AMORT)\w*STMTRS$/).map(({ line, name }) => ({
    line,
    why: `${name}: investments and loans are not read`,
  }));
  if (responses.length === 0) {
    throw new FileFault(because({ id: 'ofx-empty' }), {
      line: skipped[0]?.line,
    });
  }
  const transactions = responses.flatMap((response) => ofxFind(response, /^STMTTRN$/));
  const styles = ofxStyles(
    [...transactions, ...responses.flatMap((response) => ofxFind(response, /^LEDGERBAL$/))],
    options,
  );
  const statements = responses.flatMap((response) => readStatement(response, styles, skipped));
  return { format: 'ofx', statements, skipped, notes: repeatedIds(statements) };
}

/** What a server says when it has no statement to give. */
function refuseErrors(ofx: OfxElement): void {
  for (const status of ofxFind(ofx, /^STATUS$/)) {
    if (ofxValue(status, 'SEVERITY')?.toUpperCase() !== 'ERROR') continue;
    const [code, message] = [ofxValue(status, 'CODE'), ofxValue(status, 'MESSAGE')];
    throw new FileFault(because({ id: 'server-error', code, message }), { line: status.line, column: 'STATUS' });
  }
}

/**
 * How one amount is written. OFX allows a point or a comma as the decimal sign, from amount to amount, and no grouping; only a
 * lone comma before three digits is in doubt, because banks group with it all the same: the file's other amounts decide it.
 */
type StyleOf = (text: string, place: Place) => AmountStyle | null;

function ofxStyles(elements: readonly OfxElement[], options: OfxOptions): StyleOf {
  const others = elements.map((element) => {
    const amount = child(element, 'TRNAMT') ?? child(element, 'BALAMT');
    return { text: amount?.value ?? '', line: amount?.line ?? element.line, column: amount?.name ?? 'TRNAMT' };
  });
  return (text, place) => {
    if (options.decimal !== undefined || options.thousands !== undefined) return amountStyle([], options);
    if (/^[-+]?\d*\.\d+$/.test(text)) return { decimal: '.', thousands: null };
    const doubtful = /^[-+]?[1-9]\d{0,2},\d{3}$/.test(text);
    return amountStyle(doubtful ? [{ text, ...place }, ...others] : [{ text, ...place }]);
  };
}

function readStatement(response: OfxElement, styles: StyleOf, skipped: Skipped[]): Statement[] {
  const from = child(response, 'BANKACCTFROM') ?? child(response, 'CCACCTFROM');
  const account = ofxValue(from, 'ACCTID');
  const transactions = ofxFind(response, /^STMTTRN$/);
  const currency = currencyOfStatement(response, transactions);
  const list = child(response, 'BANKTRANLIST');
  for (const pending of ofxFind(response, /^STMTTRNP$/))
    skipped.push({ line: pending.line, why: 'pending, not booked' });
  const lines = transactions.map((one) => readTransaction(one, account, currency, styles));
  const balance = ofxValue(child(response, 'LEDGERBAL'), 'BALAMT');
  const balanceLine = child(child(response, 'LEDGERBAL'), 'BALAMT')?.line;
  const closing = balance === null ? null : readAmount(balance, styles, { line: balanceLine, column: 'BALAMT' });
  const period = { from: optionalDay(child(list, 'DTSTART')), to: optionalDay(child(list, 'DTEND')) };
  // Lines in a currency of their own are a statement of their own: the balance is not theirs.
  const currencies = [...new Set([currency, ...lines.map((line) => line.currency)])];
  return currencies.map((one) => ({
    account,
    currency: one,
    ...period,
    opening: null,
    closing: one === currency ? closing : null,
    balanced: null,
    lines: lines.filter((line) => line.currency === one),
  }));
}

/** `CURDEF`; where it is empty, the currency that every line names by itself. @throws FileFault where neither says it */
function currencyOfStatement(response: OfxElement, transactions: readonly OfxElement[]): string {
  const currencies = transactions.map((one) => ofxValue(child(one, 'CURRENCY'), 'CURSYM'));
  const stated = ofxValue(response, 'CURDEF') ?? (currencies.includes(null) ? null : (currencies[0] ?? null));
  const place = { line: response.line, column: 'CURDEF' };
  if (stated === null) throw new FileFault(because({ id: 'ofx-without-currency' }), place);
  return readCurrency(stated, place);
}

function readTransaction(
  transaction: OfxElement,
  account: string | null,
  statementCurrency: string,
  styles: StyleOf,
): ReceiptLine {
  const { line } = transaction;
  if (ofxValue(transaction, 'CORRECTFITID') !== null) {
    throw new FileFault(because({ id: 'line-corrects' }), { line, column: 'CORRECTFITID' });
  }
  const amountElement = child(transaction, 'TRNAMT');
  const amount = readAmount(amountElement?.value ?? '', styles, {
    line: amountElement?.line ?? line,
    column: 'TRNAMT',
  });
  const date = day(child(transaction, 'DTPOSTED'), line);
  // CURRENCY: the amount is in that currency. ORIGCURRENCY: it was converted already, and is the account's.
  const stated = ofxValue(child(transaction, 'CURRENCY'), 'CURSYM');
  const name = ofxValue(transaction, 'NAME') ?? ofxValue(child(transaction, 'PAYEE'), 'NAME');
  const memo = ofxValue(transaction, 'MEMO');
  const to = child(transaction, 'BANKACCTTO') ?? child(transaction, 'CCACCTTO');
  return {
    line,
    date,
    valueDate: optionalDay(child(transaction, 'DTAVAIL')),
    amount,
    currency: stated === null ? statementCurrency : readCurrency(stated, { line, column: 'CURSYM' }),
    text: oneLine([...new Set([name, memo])].filter((part) => part !== null).join(' ')),
    counterparty: name === null ? null : oneLine(name),
    counterpartyAccount: ofxValue(to, 'ACCTID'),
    account,
    id: ofxValue(transaction, 'FITID'),
    reference: ofxValue(transaction, 'REFNUM') ?? ofxValue(transaction, 'CHECKNUM'),
    raw: transaction.children
      .filter(({ value }) => value !== '')
      .map((one) => `${one.name}=${one.value}`)
      .join(' ')
      .slice(0, 4_000),
  };
}

function readAmount(text: string, styles: StyleOf, place: Place): string {
  if (!/^[-+]?\s*[\d.,']+$/.test(text.replaceAll('\u00A0', ' '))) {
    throw new FileFault(because({ id: 'no-amount-ofx', amount: text }), place);
  }
  return exactAmount(readAmountText(text, styles(text, place), place).amount, place);
}

/** `YYYYMMDD[HHMMSS[.mmm]][[offset:TZ]]`: the day as written. */
function day(element: OfxElement | null, line: number): string {
  const text = element?.value ?? '';
  const found = /^(\d{8})(\d{2,6}(\.\d+)?)?\s*(\[.*\])?$/.exec(text);
  const iso = found ? compactDay(found[1]!) : null;
  if (iso !== null) return iso;
  throw new FileFault(because({ id: 'no-date-ofx', date: text }), {
    line: element?.line ?? line,
    column: element?.name ?? 'DTPOSTED',
  });
}

/** A date that nothing rests on: what cannot be read is left out. */
function optionalDay(element: OfxElement | null): string | null {
  return element === null ? null : compactDay(element.value.slice(0, 8));
}

function repeatedIds(statements: readonly Statement[]): string[] {
  const repeated = statements.reduce((sum, { lines }) => {
    const ids = lines.map(({ id }) => id).filter((id) => id !== null);
    return sum + ids.length - new Set(ids).size;
  }, 0);
  return repeated === 0
    ? []
    : [`${repeated} ${repeated === 1 ? 'line repeats' : 'lines repeat'} an id (FITID) of the same account`];
}
