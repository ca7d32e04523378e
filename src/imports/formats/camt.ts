import { banksError } from '../../words/errors/banks.ts';
import type { Format } from '../maps/column-map.ts';
import { exactAmount } from './amount-text.ts';
import { isBalanced } from './balance.ts';
import { readCurrency } from './currency-text.ts';
import { isoDay } from './date-text.ts';
import { FileFault } from './fault.ts';
import type { ReceiptLine, ReceiptsFile, SkippedLine, StatementFormat, StatementOfAccount } from './receipts-file.ts';
import { oneLine } from './text-forms.ts';
import { child, children, childText, type Element, elementBuilder, readXml } from './xml.ts';

const NOT_BOOKED: Record<string, string> = {
  PDNG: 'pending, not booked',
  INFO: 'for information, not booked',
  FUTR: 'for a later day, not booked',
};
const NO_REFERENCE = /^(NOTPROVIDED|NOTAVAIL|NONREF|NOREF)$/i;
/** The most characters of a line's text: a longer one is a file that a bank put there. */
const MOST_TEXT = 64 * 1024;

/**
 * Reads one `Ntry`. The entry's amount is what moved on the account: the amounts of its details may leave out charges,
 * or be in another currency.
 *
 * @returns a line, or why the entry is skipped, if it is not booked
 */
function camtEntry(entry: Element): ReceiptLine | SkippedLine {
  // In earlier versions `Sts` is the code itself; in later ones it holds the code, or a bank's word for it.
  const status =
    childText(child(entry, 'Sts'), 'Cd') ?? childText(entry, 'Sts') ?? childText(child(entry, 'Sts'), 'Prtry');
  if (status !== 'BOOK') {
    const why = NOT_BOOKED[status ?? ''];
    if (why !== undefined) return { line: entry.line, why };
    const place = { line: entry.line, column: 'Ntry/Sts' };
    throw new FileFault(banksError({ id: 'entry-status', status: status ?? '' }), place);
  }
  const { amount, currency } = camtAmount(entry);
  const valueDate = camtDay(child(entry, 'ValDt'));
  const date = camtDay(child(entry, 'BookgDt')) ?? valueDate;
  if (date === null) {
    throw new FileFault(banksError({ id: 'entry-without-date' }), { line: entry.line, column: 'Ntry/BookgDt' });
  }
  // In version 01 the details are directly in the entry.
  const details = [entry, ...children(entry, 'NtryDtls')].flatMap((holder) => children(holder, 'TxDtls'));
  const isCredit = childText(entry, 'CdtDbtInd') === 'CRDT';
  const isReversal = /^(true|1)$/.test(childText(entry, 'RvslInd') ?? '');
  // The reversal of a payment made is a credit, but its counterparty is still the one who was paid.
  const party = isCredit !== isReversal ? 'Dbtr' : 'Cdtr';
  const parties = details.map((detail) => partyOf(detail, party));
  const direction = `${isCredit ? 'CRDT' : 'DBIT'}${isReversal ? ' reversal' : ''}`;
  const text = textOf(entry, details);
  return {
    line: entry.line,
    date,
    valueDate,
    amount,
    currency,
    text,
    counterparty: onlyOne(parties.map(({ name }) => name)),
    counterpartyAccount: onlyOne(parties.map(({ account }) => account)),
    account: null,
    id: referenceIn(entry, 'AcctSvcrRef'),
    reference: onlyOne(details.map(endToEnd)),
    raw: `${childText(entry, 'Amt')} ${currency} ${direction} ${text}`.slice(0, 4_000),
  };
}

/** The value that all details share; null for a batch with several. */
function onlyOne(values: readonly (string | null)[]): string | null {
  const [first = null] = values;
  return values.every((value) => value === first) ? first : null;
}

function partyOf(details: Element, role: 'Dbtr' | 'Cdtr') {
  const parties = child(details, 'RltdPties');
  const party = child(parties, role);
  const id = child(child(parties, `${role}Acct`), 'Id');
  return {
    name: childText(party, 'Nm') ?? childText(child(party, 'Pty'), 'Nm'),
    account: childText(id, 'IBAN') ?? childText(child(id, 'Othr'), 'Id'),
  };
}

/** The reference that the payer gave the payment; null if there is none. */
function endToEnd(details: Element): string | null {
  return referenceIn(child(details, 'Refs'), 'EndToEndId');
}

/** The reference in a child element; null if there is none, or a bank's word for none, such as `NOTPROVIDED`. */
function referenceIn(element: Element | null, name: string): string | null {
  const reference = childText(element, name);
  return reference === null || NO_REFERENCE.test(reference) ? null : reference;
}

/** All texts of an entry, each once: remittance texts and references of its details, and the bank's words. */
function textOf(entry: Element, details: readonly Element[]): string {
  const ofDetails = details.flatMap((detail) => {
    const remittance = child(detail, 'RmtInf');
    const structured = children(remittance, 'Strd').flatMap((strd) => [
      childText(child(strd, 'CdtrRefInf'), 'Ref'),
      ...children(strd, 'RfrdDocInf').map((document) => childText(document, 'Nb')),
      ...children(strd, 'AddtlRmtInf').map((more) => more.text),
    ]);
    const plain = children(remittance, 'Ustrd').map((ustrd) => ustrd.text);
    return [...plain, ...structured, endToEnd(detail), childText(detail, 'AddtlTxInf')];
  });
  const texts = [...ofDetails, childText(entry, 'AddtlNtryInf')]
    .map((text) => oneLine(text ?? ''))
    .filter((text) => text !== '');
  return [...new Set(texts)].join(' ').slice(0, MOST_TEXT);
}

/** `Amt` with its currency and the sign of `CdtDbtInd`. @throws FileFault when either is missing or no plain decimal */
function camtAmount(element: Element): { amount: string; currency: string } {
  const amount = child(element, 'Amt');
  const text = amount?.text.trim() ?? '';
  const place = { line: amount?.line ?? element.line, column: `${element.name}/Amt` };
  const plain = /^\+?(\d{1,40}(?:\.\d{1,20})?|\.\d{1,20})$/.exec(text)?.[1];
  if (plain === undefined) throw new FileFault(banksError({ id: 'no-amount', amount: text }), place);
  const direction = childText(element, 'CdtDbtInd');
  if (direction !== 'CRDT' && direction !== 'DBIT') {
    const directionPlace = { line: element.line, column: `${element.name}/CdtDbtInd` };
    throw new FileFault(banksError({ id: 'no-direction', direction: direction ?? '' }), directionPlace);
  }
  const whole = plain.startsWith('.') ? `0${plain}` : plain;
  return {
    amount: exactAmount(direction === 'DBIT' ? `-${whole}` : whole, place),
    currency: readCurrency(amount?.attributes.Ccy ?? '', { line: place.line, column: `${element.name}/Amt/@Ccy` }),
  };
}

/**
 * The day in an element's `Dt` or `DtTm`, as written; with the prefix `Fr`, in its `FrDt` or `FrDtTm`.
 *
 * @returns null if there is none
 * @throws FileFault when it is no day
 */
function camtDay(element: Element | null, prefix = ''): string | null {
  const found = child(element, `${prefix}Dt`) ?? child(element, `${prefix}DtTm`);
  const text = found?.text.trim() ?? '';
  if (text === '') return null;
  const parts = /^(\d{4})-(\d{2})-(\d{2})(?:T[\d:.]+)?(?:Z|[+-]\d{2}:\d{2})?$/.exec(text);
  const day = parts ? isoDay(Number(parts[1]), Number(parts[2]), Number(parts[3])) : null;
  if (day !== null) return day;
  throw new FileFault(banksError({ id: 'no-date', date: text }), { line: found!.line, column: found!.name });
}

/** The elements with one account's entries: a statement, an intraday report, a notification. */
const STATEMENT_ELEMENTS = new Set(['Stmt', 'Rpt', 'Ntfctn']);
const ROOTS: Record<string, Format> = {
  BkToCstmrStmt: 'camt.053',
  BkToCstmrAcctRpt: 'camt.052',
  BkToCstmrDbtCdtNtfctn: 'camt.054',
};

/** The bank statements of ISO 20022. */
export const camt: StatementFormat = {
  title: 'CAMT.052 to 054',
  names: ['camt.052', 'camt.053', 'camt.054'],
  endings: [],
  recognise: recogniseCamt,
  read: readCamt,
};

function recogniseCamt(head: string): Format | null {
  const found = /urn:iso:std:iso:20022:tech:xsd:camt\.(\d{3})\.(\d{3})\.(\d{2})/.exec(head);
  if (!found || !head.startsWith('<')) return null;
  const [, message = '', , version = ''] = found;
  if (!['052', '053', '054'].includes(message))
    throw new FileFault(banksError({ id: 'camt-without-bookings', message }));
  if (Number(version) < 1 || Number(version) > 13) {
    throw new FileFault(banksError({ id: 'camt-version', message, version }));
  }
  return `camt.${message}` as Format;
}

/** A statement while its elements are read. */
interface OpenStatement {
  line: number;
  account: Element | null;
  period: Element | null;
  balances: Element[];
  lines: ReceiptLine[];
}

/**
 * Reads camt.052, .053 and .054, versions 01 to 13. Only booked entries are lines; others are skipped and counted. A
 * reversal counts with its sign, as the standard has it; a batch is one line. Only a .053 is checked by its balances.
 *
 * @throws FileFault naming line and element
 */
function readCamt(text: string): ReceiptsFile {
  const statements: StatementOfAccount[] = [];
  const skipped: SkippedLine[] = [];
  let format: Format | null = null;
  let namespace = '';
  let statement: OpenStatement | null = null;
  let openDepth = 0;
  /** Builds an element right below the statement, such as `Ntry`, which `finish` takes; null between two. */
  let builder: ReturnType<typeof elementBuilder> | null = null;
  const finish = (element: Element): void => {
    if (statement === null) return;
    if (element.name === 'Acct') statement.account = element;
    else if (element.name === 'FrToDt') statement.period = element;
    else if (element.name === 'Bal') statement.balances.push(element);
    else if (element.name === 'Ntry') {
      const read = camtEntry(element);
      if ('why' in read) skipped.push(read);
      else statement.lines.push(read);
    }
  };
  readXml(text, {
    open(tag, depth) {
      if (depth === 1) namespace = tag.namespace;
      // In version 01 the message's element has the number in its name.
      if (depth === 2) format = ROOTS[tag.name.replace(/V01$/, '')] ?? null;
      if (statement === null) {
        if (!STATEMENT_ELEMENTS.has(tag.name)) return;
        statement = { line: tag.line, account: null, period: null, balances: [], lines: [] };
        openDepth = depth;
        return;
      }
      // Elements of other namespaces are a bank's extensions, which book nothing.
      if (builder !== null) builder.open(tag);
      else if (depth === openDepth + 1 && tag.namespace === namespace) builder = elementBuilder(tag, depth);
    },
    text(part) {
      builder?.text(part);
    },
    close(_name, depth) {
      const done = builder?.close(depth);
      if (done) {
        builder = null;
        finish(done);
      } else if (statement !== null && depth === openDepth) {
        if (format === null) throw new FileFault(banksError({ id: 'no-camt' }));
        statements.push(...statementsOf(statement, format));
        statement = null;
      }
    },
  });
  if (format === null || statements.length === 0) throw new FileFault(banksError({ id: 'camt-empty' }));
  return { format, statements, skipped, notes: [] };
}

/** An account's statement; entries in several currencies make one for each, and then none can be balanced. */
function statementsOf(statement: OpenStatement, format: Format): StatementOfAccount[] {
  const id = child(statement.account, 'Id');
  const account = childText(id, 'IBAN') ?? childText(child(id, 'Othr') ?? child(id, 'PrtryAcct'), 'Id');
  // `OPBD` is the opening balance, `PRCD` the one with which the statement before closed, `CLBD` the closing balance.
  const opening = balanceOf(statement.balances, ['OPBD', 'PRCD']);
  const closing = balanceOf(statement.balances, ['CLBD']);
  const stated = childText(statement.account, 'Ccy') ?? opening?.currency ?? closing?.currency;
  // These are read only if nothing else names the currency, because a balance that is no amount is a fault.
  const balanceCurrencies = () => statement.balances.map((balance) => camtAmount(balance).currency);
  const code = stated ?? statement.lines[0]?.currency ?? balanceCurrencies()[0];
  if (code === undefined) {
    throw new FileFault(banksError({ id: 'statement-without-currency' }), { line: statement.line, column: 'Ccy' });
  }
  const accountCurrency = readCurrency(code, { line: statement.line, column: 'Ccy' });
  const from = camtDay(statement.period, 'Fr') ?? opening?.day ?? null;
  const to = camtDay(statement.period, 'To') ?? closing?.day ?? null;
  const currencies = [...new Set([accountCurrency, ...statement.lines.map((line) => line.currency)])];
  const canBalance = format === 'camt.053' && currencies.length === 1;
  return currencies.map((currency): StatementOfAccount => {
    const lines = statement.lines.filter((line) => line.currency === currency).map((line) => ({ ...line, account }));
    const amountOf = (balance: typeof opening) => (balance?.currency === currency ? balance.amount : null);
    const [openingAmount, closingAmount] = [amountOf(opening), amountOf(closing)];
    const balanced = canBalance ? isBalanced(openingAmount, closingAmount, lines, currency) : null;
    return { account, currency, from, to, opening: openingAmount, closing: closingAmount, balanced, lines };
  });
}

/** The first balance with the first of the codes that occurs. */
function balanceOf(balances: readonly Element[], codes: readonly string[]) {
  for (const code of codes) {
    const found = balances.find((balance) => {
      const type = child(balance, 'Tp');
      return (childText(child(type, 'CdOrPrtry'), 'Cd') ?? childText(type, 'Cd')) === code;
    });
    if (!found) continue;
    return { ...camtAmount(found), day: camtDay(child(found, 'Dt')) };
  }
  return null;
}
