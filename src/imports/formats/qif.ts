import { banksError } from '../../words/errors/banks.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { amountStyle, exactAmount, readAmountText } from './amount-text.ts';
import { dateReader } from './date-text.ts';
import { FileFault } from './fault.ts';
import type { ReceiptLine, ReceiptsFile, SkippedLine, StatementFormat } from './receipts-file.ts';
import { statementsOf } from './receipts-table.ts';
import { oneLine, splitLines } from './text-forms.ts';

/** The sections that list an account's transactions; others are investments, or Quicken's categories and securities. */
const ACCOUNT_TYPES = /^(bank|cash|ccard|oth a|oth l)$/i;

/** Quicken's old exchange format. */
export const qif: StatementFormat = {
  title: 'QIF',
  names: ['qif'],
  endings: ['.qif'],
  recognise: (head) => (!head.startsWith('<') && /^!(Type|Account|Option|Clear)\b/im.test(head) ? 'qif' : null),
  read: readQif,
};

/** The parts of a map that a QIF file needs, because it names neither its currency nor the order of its dates. */
type QifOptions = Pick<ColumnMap, 'currency' | 'date' | 'decimal' | 'thousands'>;

interface QifRecord {
  readonly line: number;
  readonly account: string | null;
  /** By code: `D` date, `T` or `U` amount, `P` payee, `M` memo, `N` a cheque's number or an account's name. */
  readonly fields: Map<string, { text: string; line: number }>;
}

/**
 * Reads the transactions of bank, cash and card sections. The parts of a split transaction add up to its amount, and
 * are no lines.
 *
 * @throws FileFault naming the line; also if the map has no currency, as the format has none
 */
function readQif(text: string, options: QifOptions = {}): ReceiptsFile {
  const { records, skipped } = readRecords(text);
  if (records.length === 0) throw new FileFault(banksError({ id: 'qif-empty' }));
  const { currency } = options;
  if (currency === undefined) {
    // With an example of the setting, for the message to propose.
    throw new FileFault(banksError({ id: 'qif-without-currency' }), { line: records[0]!.line }, { currency: 'USD' });
  }
  const dates = records.map((record) => requireField(record, 'D', 'date'));
  const amounts = records.map((record) => record.fields.get('T') ?? requireField(record, 'U', 'amount'));
  const readDate = dateReader(dates, options.date);
  const style = amountStyle(amounts, options);
  const lines = records.map((record, i): ReceiptLine => {
    const place = { line: amounts[i]!.line, column: 'T' };
    const read = readAmountText(amounts[i]!.text, style, place);
    if (read.currency !== null)
      throw new FileFault(banksError({ id: 'no-amount-qif', amount: amounts[i]!.text }), place);
    const textOf = (code: string): string | null => oneLine(record.fields.get(code)?.text ?? '') || null;
    const payee = textOf('P');
    const texts = [...record.fields].map(([code, { text: value }]) => code + value);
    return {
      line: record.line,
      date: readDate({ ...dates[i]!, column: 'D' }),
      valueDate: null,
      amount: exactAmount(read.amount, place),
      currency,
      text: [...new Set([payee, textOf('M')])].filter((part) => part !== null).join(' '),
      counterparty: payee,
      counterpartyAccount: null,
      account: record.account,
      id: null,
      reference: textOf('N'),
      raw: texts.join(' ').slice(0, 4_000),
    };
  });
  return { format: 'qif', statements: statementsOf(lines), skipped, notes: [] };
}

function requireField(record: QifRecord, code: string, what: 'date' | 'amount'): { text: string; line: number } {
  const field = record.fields.get(code);
  if (field && field.text.trim() !== '') return field;
  throw new FileFault(banksError({ id: 'transaction-lacks', what }), { line: record.line, column: code });
}

/** Cuts the file into records, each ended by `^`. */
function readRecords(text: string): { records: QifRecord[]; skipped: SkippedLine[] } {
  const records: QifRecord[] = [];
  const skipped: SkippedLine[] = [];
  // What the section lists; null above the first one. A section `account` names the account of the lines that follow.
  let section: 'lines' | 'account' | 'other' | null = null;
  let sectionName = '';
  let account: string | null = null;
  let record: QifRecord | null = null;
  let inSplit = false;
  for (const [index, raw] of splitLines(text).entries()) {
    const line = index + 1;
    const trimmed = raw.trim();
    if (trimmed === '') continue;
    if (trimmed.startsWith('!')) {
      if (record !== null) throw cutOff(record);
      const type = /^!Type:(.*)$/i.exec(trimmed)?.[1]?.trim();
      if (type !== undefined) {
        section = ACCOUNT_TYPES.test(type) ? 'lines' : 'other';
        sectionName = type;
      } else if (/^!Account/i.test(trimmed)) section = 'account';
      // !Option and !Clear switch Quicken's own settings.
      continue;
    }
    if (section === null) continue;
    if (trimmed === '^') {
      if (record !== null && section === 'account') account = record.fields.get('N')?.text.trim() || null;
      else if (record !== null && section === 'lines') records.push(record);
      else if (record !== null) skipped.push({ line: record.line, why: `!Type:${sectionName} lists no receipts` });
      record = null;
      inSplit = false;
      continue;
    }
    record ??= { line, account, fields: new Map() };
    const code = raw.trimStart()[0]!;
    // The parts of a split may have dates too: the first field of a code is the transaction's.
    if (code === 'S') inSplit = true;
    if (section === 'lines' && record.fields.has(code) && (code === 'T' || (code === 'D' && !inSplit))) {
      const what = code === 'T' ? 'amount' : 'date';
      throw new FileFault(banksError({ id: 'transaction-has-two', what }), { line, column: code });
    }
    if (!record.fields.has(code)) record.fields.set(code, { text: raw.trimStart().slice(1), line });
  }
  if (record !== null) throw cutOff(record);
  return { records, skipped };
}

function cutOff(record: QifRecord): FileFault {
  return new FileFault(banksError({ id: 'not-ended' }), { line: record.line });
}
