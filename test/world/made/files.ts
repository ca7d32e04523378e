import { at, DAY, dayText } from './days.ts';
import { type Line, NIGHTS, type World } from './model.ts';
import { plain } from './money.ts';
import { cardText, RATES } from './prices.ts';

export interface File {
  readonly kind: 'orders' | 'receipts' | 'tariff' | 'rates';
  readonly name: string;
  readonly text: string;
}

/** What the shop imports after each night: its book, its bank by month in the format of the day, its prices. */
export function filesOfNight(world: World, night: number): File[] {
  const files: File[] = [{ kind: 'orders', name: `orders-${night}.csv`, text: ordersText(world, NIGHTS[night]!) }];
  if (night === 0) {
    files.push(
      { kind: 'tariff', name: 'tariff.csv', text: cardText() },
      { kind: 'rates', name: 'rates.csv', text: RATES },
    );
  }
  for (const month of [['2026-08', '2026-09'], ['2026-10'], ['2026-11']][night]!) files.push(...bankOf(world, month));
  return files;
}

function ordersText(world: World, until: string): string {
  const rows = world.orders.flatMap((order) => {
    const day = dayText(order.created);
    if (order.own === null || day > until) return [];
    const status = order.outcome === 'cancelled' ? 'cancelled' : 'handed_over';
    const asked = order.own.cod.entries();
    return (asked.length === 0 ? [['USD', 0n] as const] : asked).map(
      ([currency, cents]) => `${order.own!.reference},${day},${status},${currency},${plain(cents)},${order.district},`,
    );
  });
  for (const { reference, day, cents } of world.neverSent) {
    if (day <= until) rows.push(`${reference},${day},handed_over,USD,${plain(cents)},Beirut,lost?`);
  }
  return `reference,ordered_on,status,currency,cod,district,note\n${rows.join('\n')}\n`;
}

type Numbered = Line & { readonly id: string };

/** A month of each account, as its bank exports it; the statement of September begins in August. */
function bankOf(world: World, month: string): File[] {
  const ofAccount = (currency: string): Numbered[] =>
    world.lines
      .filter((line) => line.currency === currency && !line.inCash)
      .sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
      .map((line, index) => ({ ...line, id: `B${currency}${String(index + 1).padStart(6, '0')}` }));
  const within = (lines: Numbered[], first: string) =>
    lines.filter(({ date }) => date >= first && date.startsWith(month));
  const before = (lines: Numbered[], first: string) =>
    lines.filter(({ date }) => date < first).reduce((sum, { cents }) => sum + cents, 10_000_000n);
  const files: File[] = [];
  const add = (name: string, lines: readonly Line[], text: string) =>
    lines.length > 0 && files.push({ kind: 'receipts', name: `${month}-${name}`, text });
  const dollars = ofAccount('USD');
  const first = `${month}-01`;
  const own = within(dollars, first);
  if (month === '2026-08') add('usd.ofx', own, ofx('USD', own));
  if (month === '2026-09') {
    const early = dayText(at(first) - 8 * DAY);
    const more = dollars.filter(({ date }) => date >= early && date <= `${month}-31`);
    add('usd.xml', more, camt('USD', more, before(dollars, early)));
  }
  if (month === '2026-10') add('usd.sta', own, mt940('USD', own, before(dollars, first)));
  if (month === '2026-11') add('usd.csv', own, csv('LB620USD', own));
  const pounds = within(ofAccount('LBP'), first);
  add('lbp.ofx', pounds, ofx('LBP', pounds));
  const euros = within(ofAccount('EUR'), first);
  add('eur.csv', euros, csv('LB620EUR', euros));
  const cash = world.lines.filter(({ inCash, date }) => inCash && date.startsWith(month));
  add('cash.csv', cash, csv('Cash box', cash));
  return files;
}

function csv(account: string, lines: readonly Line[]): string {
  const rows = lines.map(({ date, cents, currency, text, invoice }) =>
    [date, plain(cents), currency, `"${text}"`, invoice, account].join(','),
  );
  return `date,amount,currency,text,invoice,account\n${rows.join('\n')}\n`;
}

function ofx(currency: string, lines: readonly Numbered[]): string {
  const compact = (day: string) => day.replaceAll('-', '');
  const entries = lines.map(
    ({ date, cents, text, id }) =>
      `<STMTTRN><TRNTYPE>${cents < 0n ? 'DEBIT' : 'CREDIT'}<DTPOSTED>${compact(date)}<TRNAMT>${plain(cents)}<FITID>${id}<NAME>${text.slice(0, 32)}<MEMO>${text}</STMTTRN>`,
  );
  const [first, last] = [compact(lines[0]!.date), compact(lines.at(-1)!.date)];
  return `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\nCOMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n
<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>${last}<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>${currency}<BANKACCTFROM><BANKID>0620<ACCTID>LB620${currency}<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>${first}<DTEND>${last}
${entries.join('\n')}
</BANKTRANLIST><LEDGERBAL><BALAMT>0.00<DTASOF>${last}</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`;
}

function camt(currency: string, lines: readonly Numbered[], opening: bigint): string {
  const closing = lines.reduce((sum, { cents }) => sum + cents, opening);
  const amount = (cents: bigint) =>
    `<Amt Ccy="${currency}">${plain(cents < 0n ? -cents : cents)}</Amt><CdtDbtInd>${cents < 0n ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
  const balance = (code: string, cents: bigint, day: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(cents)}<Dt><Dt>${day}</Dt></Dt></Bal>`;
  const entries = lines.map(
    ({ date, cents, text, id }) =>
      `<Ntry>${amount(cents)}<Sts>BOOK</Sts><BookgDt><Dt>${date}</Dt></BookgDt><ValDt><Dt>${date}</Dt></ValDt><AcctSvcrRef>${id}</AcctSvcrRef><BkTxCd><Prtry><Cd>X</Cd></Prtry></BkTxCd><NtryDtls><TxDtls><RmtInf><Ustrd>${text.replaceAll('&', '&amp;')}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId><CreDtTm>2026-10-01T00:00:00</CreDtTm></GrpHdr><Stmt><Id>9</Id><CreDtTm>2026-10-01T00:00:00</CreDtTm><Acct><Id><Othr><Id>LB620${currency}</Id></Othr></Id><Ccy>${currency}</Ccy></Acct>${balance('OPBD', opening, lines[0]!.date)}${balance('CLBD', closing, lines.at(-1)!.date)}
${entries.join('\n')}
</Stmt></BkToCstmrStmt></Document>\n`;
}

function mt940(currency: string, lines: readonly Numbered[], opening: bigint): string {
  const closing = lines.reduce((sum, { cents }) => sum + cents, opening);
  const short = (day: string) => day.slice(2).replaceAll('-', '');
  const size = (cents: bigint) => plain(cents < 0n ? -cents : cents).replace('.', ',');
  const sign = (cents: bigint) => (cents < 0n ? 'D' : 'C');
  const balance = (cents: bigint, day: string) => `${sign(cents)}${short(day)}${currency}${size(cents)}`;
  const entries = lines.map(
    ({ date, cents, text, id }) =>
      `:61:${short(date)}${short(date).slice(2)}${sign(cents)}${size(cents)}NTRFNONREF//${id}\r\n:86:${text.slice(0, 64)}`,
  );
  return `:20:WORLD\r\n:25:LB620${currency}\r\n:28C:10/1\r\n:60F:${balance(opening, lines[0]!.date)}\r\n${entries.join('\r\n')}\r\n:62F:${balance(closing, lines.at(-1)!.date)}\r\n-\r\n`;
}
