import { stringify } from 'csv-stringify/sync';
import { compareText } from '../../../base/text.ts';
import { formatUnits, sizeOf } from '../../../money/units.ts';
import type { BankLine, PaymentLine, Price, ShopBooks, ShopOrder } from './shop-books.ts';

/** The bank account in each currency, with its opening balance in units. */
const ACCOUNTS: Readonly<Record<'USD' | 'LBP', Pick<AccountStatement, 'account' | 'opening'>>> = {
  USD: { account: 'LB62099900000001001901229114', opening: 52_500_000n },
  LBP: { account: 'LB62099900000001001901229122', opening: 9_000_000_000_000n },
};

/** A bank account from its first line to its last: opening balance + lines = closing balance. */
interface AccountStatement {
  readonly account: string;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  readonly opening: bigint;
  readonly closing: bigint;
  /** In the order of their days; the bank uses each id once. */
  readonly lines: readonly (BankLine & { readonly id: string })[];
}

function statementOf(lines: readonly BankLine[], currency: keyof typeof ACCOUNTS): AccountStatement | null {
  const inCurrency = lines.filter((line) => line.currency === currency).sort((a, b) => compareText(a.date, b.date));
  const first = inCurrency[0];
  const last = inCurrency.at(-1);
  if (!first || !last) return null;
  const { account, opening } = ACCOUNTS[currency];
  return {
    account,
    currency,
    from: first.date,
    to: last.date,
    opening,
    closing: inCurrency.reduce((sum, { amount }) => sum + amount, opening),
    lines: inCurrency.map((line, index) => ({ ...line, id: `${compact(line.date)}-${currency}-${index + 1}` })),
  };
}

/** Escapes a text for XML and OFX. */
function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A bank statement as OFX 2.0, which states only the closing balance. */
function ofxText({ account, currency, from, to, closing, lines }: AccountStatement): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<?OFX OFXHEADER="200" VERSION="200" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>
<OFX>
<SIGNONMSGSRSV1><SONRS><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS><DTSERVER>${compact(to)}200000</DTSERVER><LANGUAGE>ENG</LANGUAGE></SONRS></SIGNONMSGSRSV1>
<BANKMSGSRSV1><STMTTRNRS><TRNUID>1</TRNUID><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>
<STMTRS><CURDEF>${currency}</CURDEF>
<BANKACCTFROM><BANKID>0999</BANKID><ACCTID>${account}</ACCTID><ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM>
<BANKTRANLIST><DTSTART>${compact(from)}</DTSTART><DTEND>${compact(to)}</DTEND>
${lines.map(transaction).join('\n')}
</BANKTRANLIST>
<LEDGERBAL><BALAMT>${formatUnits(closing)}</BALAMT><DTASOF>${compact(to)}</DTASOF></LEDGERBAL>
</STMTRS></STMTTRNRS></BANKMSGSRSV1>
</OFX>
`;
}

function transaction({ id, date, amount, counterparty, text }: AccountStatement['lines'][number]): string {
  return `<STMTTRN><TRNTYPE>${amount < 0n ? 'DEBIT' : 'CREDIT'}</TRNTYPE><DTPOSTED>${compact(date)}</DTPOSTED><TRNAMT>${formatUnits(amount)}</TRNAMT><FITID>${id}</FITID><NAME>${xmlText(counterparty)}</NAME><MEMO>${xmlText(text)}</MEMO></STMTTRN>`;
}

const compact = (day: string): string => day.replaceAll('-', '');

/** The account in the cash book's lines: next to the bank's files, an import refuses a file that names no account. */
const CASH_ACCOUNT = 'Cash box';

/** One file of the merchant's books, to be imported. */
export interface BookFile {
  readonly kind: 'orders' | 'receipts' | 'tariff' | 'rates';
  readonly format: 'csv' | 'camt' | 'ofx';
  readonly name: string;
  readonly text: string;
}

/** Writes the books as files: the dollar account as CAMT.053, the pound account as OFX, all else as CSV. */
export function bookFiles(books: ShopBooks): BookFile[] {
  const isCash = ({ invoices }: { invoices: readonly number[] }) => invoices.some((number) => books.inCash.has(number));
  const bank = [...books.receipts.filter((receipt) => !isCash(receipt)), ...books.others];
  const dollars = statementOf(bank, 'USD');
  const pounds = statementOf(bank, 'LBP');
  const cash = books.receipts.filter(isCash);
  const files: BookFile[] = [csvFile('orders', ORDER_HEAD, books.orders.map(orderRow))];
  if (dollars) files.push({ kind: 'receipts', format: 'camt', name: 'bank-usd.xml', text: camtText(dollars) });
  if (pounds) files.push({ kind: 'receipts', format: 'ofx', name: 'bank-lbp.ofx', text: ofxText(pounds) });
  if (cash.length > 0) files.push(csvFile('receipts', CASH_HEAD, cash.map(cashRow), 'cash-book'));
  const rateRows = books.rates.map(({ date, from, to, rate }) => [date, from, to, rate]);
  files.push(
    csvFile('tariff', PRICE_HEAD, books.prices.map(priceRow)),
    csvFile('rates', ['date', 'from', 'to', 'rate'], rateRows),
  );
  return files;
}

const ORDER_HEAD = ['reference', 'ordered_on', 'status', 'currency', 'cod', 'district', 'note'];

function orderRow({ reference, orderedOn, status, currency, cod, district, note }: ShopOrder): string[] {
  return [reference, orderedOn, status, currency, formatUnits(cod), district, note];
}

const CASH_HEAD = ['date', 'amount', 'currency', 'text', 'invoice', 'account'];

function cashRow({ date, amount, currency, text, invoices }: PaymentLine): string[] {
  return [date, formatUnits(amount), currency, text, invoices.join(' '), CASH_ACCOUNT];
}

const PRICE_HEAD = 'workflow district area merchant_location from to currency fee per_package'.split(' ');

function priceRow({ workflow, district, firstDay, lastDay, currency, fee }: Price): string[] {
  return [workflow, district, '', '', firstDay, lastDay, currency, fee, ''];
}

function csvFile(
  kind: BookFile['kind'],
  head: readonly string[],
  rows: readonly string[][],
  name: string = kind,
): BookFile {
  const text = stringify([head, ...rows], { record_delimiter: 'windows' });
  return { kind, format: 'csv', name: `${name}.csv`, text };
}

/** A bank statement as ISO 20022 camt.053.001.02. */
function camtText(statement: AccountStatement): string {
  const { account, currency, from, to, opening, closing, lines } = statement;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">
<BkToCstmrStmt>
<GrpHdr><MsgId>${currency}-${to}</MsgId><CreDtTm>${to}T20:00:00+02:00</CreDtTm></GrpHdr>
<Stmt>
<Id>${currency}-${from}-${to}</Id><CreDtTm>${to}T20:00:00+02:00</CreDtTm>
<FrToDt><FrDtTm>${from}T00:00:00</FrDtTm><ToDtTm>${to}T23:59:59</ToDtTm></FrToDt>
<Acct><Id><IBAN>${account}</IBAN></Id><Ccy>${currency}</Ccy></Acct>
${balance('OPBD', opening, currency, from)}
${balance('CLBD', closing, currency, to)}
${lines.map((line) => entry(line, currency)).join('\n')}
</Stmt>
</BkToCstmrStmt>
</Document>
`;
}

function balance(code: 'OPBD' | 'CLBD', units: bigint, currency: string, day: string): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${camtAmount(units, currency)}<Dt><Dt>${day}</Dt></Dt></Bal>`;
}

function entry(line: AccountStatement['lines'][number], currency: string): string {
  const [party, family] = line.amount < 0n ? ['Cdtr', 'ICDT'] : ['Dbtr', 'RCDT'];
  return `<Ntry>${camtAmount(line.amount, currency)}<Sts>BOOK</Sts><BookgDt><Dt>${line.date}</Dt></BookgDt><ValDt><Dt>${line.date}</Dt></ValDt><AcctSvcrRef>${line.id}</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>OTHR</SubFmlyCd></Fmly></Domn></BkTxCd>
<NtryDtls><TxDtls><Refs><AcctSvcrRef>${line.id}</AcctSvcrRef></Refs><RltdPties><${party}><Nm>${xmlText(line.counterparty)}</Nm></${party}></RltdPties><RmtInf><Ustrd>${xmlText(line.text)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
}

/** CAMT's unsigned amount, with a code for its sign. */
function camtAmount(units: bigint, currency: string): string {
  return `<Amt Ccy="${currency}">${formatUnits(sizeOf(units))}</Amt><CdtDbtInd>${units < 0n ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
}
