import type { FakeInvoice, FakeOrder, FakeRow, Pair } from '../../helpers/courier.ts';
import { decimal } from '../units.ts';
import { dayOf } from '../world/clock.ts';
import type { Line, ShownInvoice } from './facts.ts';
import { type Convention, OF_SHEETS, type PlannedFile, type PlannedInvoice } from './plan.ts';

const FEE: Readonly<Record<string, bigint>> = { USD: 30_000n, LBP: 500_000_000n };

/** What a courier says of an invoice on a day. */
export function shownOn(
  { courier, id, issued, hour, nets, restated, paidFrom }: PlannedInvoice,
  day: string,
  zone = 'UTC',
): ShownInvoice {
  return {
    ...(courier === OF_SHEETS ? { paidOn: issued } : {}),
    id,
    issued: dayOf(new Date(`${issued}T${hour}:00:00Z`), zone),
    nets: restated !== null && day >= restated.from ? restated.nets : nets,
    paid: paidFrom !== null && day >= paidFrom,
  };
}

interface Row {
  readonly order: string;
  readonly isReturn: boolean;
  readonly state: string;
  readonly cod: ReadonlyMap<string, bigint>;
  readonly fee: ReadonlyMap<string, bigint>;
}

const STATES = ['DELIVERED', 'DELIVERED_AT_WAREHOUSE'] as const;

/** Orders that come to the nets: the first has what the others leave. */
function rowsOf(invoice: PlannedInvoice, day: string): Row[] {
  const { nets } = shownOn(invoice, day);
  const { returned, hasStates } = invoice;
  const fee = new Map([...nets.keys()].map((currency) => [currency, FEE[currency]!]));
  const rows = Array.from({ length: invoice.rows }, (_, index): Row => {
    const cod = [...nets].map(([currency, net]): [string, bigint] => {
      const others = BigInt(invoice.rows - 1) * 7n * FEE[currency]!;
      const first = net - others + FEE[currency]! + (returned.get(currency) ?? 0n);
      return [currency, index === 0 ? first : 8n * FEE[currency]!];
    });
    const state = STATES[hasStates && index > 0 ? 1 : 0]!;
    return { order: `${invoice.id}-${index + 1}`, isReturn: false, state, cod: new Map(cod), fee };
  });
  if (returned.size > 0) {
    const state = 'DELIVERED';
    rows.push({ order: `${invoice.id}-R`, isReturn: true, state, cod: returned, fee: new Map() });
  }
  return rows;
}

/** A courier that states what came back by its sign takes it off by its sum. */
const signed = (rows: readonly Row[]): Row[] =>
  rows.map((row) => ({ ...row, cod: row.isReturn ? minus(row.cod) : row.cod }));

/** What a header says of its rows, as its courier counts orders that come back. */
function headerOf(rows: readonly Row[], convention: Convention): Pick<Row, 'cod' | 'fee'> {
  if (convention === 'as-stated') return { cod: sumOf(rows, (row) => row.cod), fee: sumOf(rows, (row) => row.fee) };
  const cod = sumOf(
    rows.filter(({ isReturn }) => !isReturn),
    (row) => row.cod,
  );
  const fee = sumOf(rows, (row) => row.fee);
  for (const row of rows.filter(({ isReturn }) => isReturn)) {
    for (const [currency, amount] of row.cod) {
      const [own, sign] = convention === 'charged' ? [fee, 1n] : [cod, convention === 'deducted' ? -1n : 0n];
      own.set(currency, (own.get(currency) ?? 0n) + sign * amount);
    }
  }
  return { cod, fee };
}

const pairs = (amounts: ReadonlyMap<string, bigint>): Pair[] =>
  [...amounts].map(([currency, amount]) => [currency, decimal(amount)]);

function sumOf(rows: readonly Row[], of: (row: Row) => ReadonlyMap<string, bigint>): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const row of rows)
    for (const [currency, amount] of of(row)) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  return sums;
}

const minus = (amounts: ReadonlyMap<string, bigint>) =>
  new Map([...amounts].map(([currency, amount]) => [currency, -amount]));

/** What the server of a courier holds on a day. */
export function served(
  invoices: readonly PlannedInvoice[],
  day: string,
  convention: Convention,
): { invoices: FakeInvoice[]; orders: FakeOrder[] } {
  const known = invoices.filter(({ issued }) => issued < day);
  const made = known.map((invoice): FakeInvoice => {
    const rows = convention === 'as-stated' ? signed(rowsOf(invoice, day)) : rowsOf(invoice, day);
    const { nets, paid } = shownOn(invoice, day);
    const header = headerOf(rows, convention);
    return {
      number: Number(invoice.id),
      issued_at: `${invoice.issued}T${invoice.hour}:00:00.000000+00:00`,
      status: paid ? 'PAID' : 'PENDING_PAYMENT',
      cod: pairs(header.cod),
      delivery_fee: pairs(header.fee),
      net_due_to_merchant: pairs(nets),
      orders: rows.map(
        (row): FakeRow => ({
          order_id: row.order,
          workflow: row.isReturn ? 'RETURN' : 'STANDARD',
          delivery_state: row.state,
          reference_id: `SO-${invoice.courier}-${row.order}`,
          cod: pairs(row.cod),
          delivery_fee: pairs(row.fee),
        }),
      ),
    };
  });
  const orders = made.flatMap((invoice) =>
    invoice.orders.map((row): FakeOrder => {
      const payment_state = invoice.status === 'PAID' ? 'PAID_TO_MERCHANT' : 'PENDING_PAYMENT_TO_MERCHANT';
      return {
        ...row,
        is_exchange: false,
        payment_state,
        merchant_invoice: invoice.number,
        number_of_packages: 1,
        return_reason: null,
        statestamps: [
          { delivery_state: row.delivery_state, payment_state, timestamp: invoice.issued_at.replace(/T../, 'T07') },
        ],
      };
    }),
  );
  return { invoices: made, orders };
}

export const SHEET_MAP = `[maps.sheet]
kind = "settlement"
totals_row = "Total"
columns = { invoice = "Payout", issued_on = "Date", status = "Status", order = "AWB", reference = "Ref", workflow = "Type", cod = { USD = "COD $", LBP = "COD LL" }, fee = { USD = "Fee $", LBP = "Fee LL" } }
`;

/** A sheet of payouts as they are on a day, with the totals of each. */
export function sheetOf(payouts: readonly PlannedInvoice[], day: string): string {
  const lines = payouts.flatMap((payout) => {
    const rows = signed(rowsOf(payout, day));
    const { paid } = shownOn(payout, day);
    const figures = (cod: ReadonlyMap<string, bigint>, fee: ReadonlyMap<string, bigint>) =>
      [cod.get('USD'), cod.get('LBP'), fee.get('USD'), fee.get('LBP')]
        .map((amount) => (amount === undefined ? '' : decimal(amount)))
        .join(',');
    return [
      ...rows.map(({ order, isReturn, cod, fee }) =>
        [
          payout.id,
          payout.issued,
          paid ? 'Paid' : 'Pending',
          order,
          `SO-${order}`,
          isReturn ? 'Return' : 'Delivery',
          figures(cod, fee),
        ].join(','),
      ),
      `Total,,,,,,${figures(
        sumOf(rows, ({ cod }) => cod),
        sumOf(rows, ({ fee }) => fee),
      )}`,
    ];
  });
  return `Payout,Date,Status,AWB,Ref,Type,COD $,COD LL,Fee $,Fee LL\n${lines.join('\n')}\n`;
}

const textOf = ({ names }: Line) => (names.length > 0 ? `INV ${names.join(', ')}` : 'TRANSFER');

/** The name of a bank's file with its ending, and what is in it. */
export function bankFileOf(file: PlannedFile): [name: string, text: string] {
  if (file.format === 'ofx') return [`${file.name}.ofx`, ofxOf(file)];
  return file.format === 'camt' ? [`${file.name}.xml`, camtOf(file)] : [`${file.name}.csv`, cashOf(file)];
}

function idOf({ ids, name, lines }: PlannedFile, line: Line): string {
  if (ids === 'own') return line.key;
  return ids === 'used' ? `R${lines.indexOf(line) + 1}` : `${name}-${line.key}`;
}

function cashOf({ lines }: PlannedFile): string {
  const rows = lines.map((line) => [line.date, decimal(line.amount), line.currency, `${line.payer} ${textOf(line)}`]);
  return `date,amount,currency,text\n${rows.map((row) => row.join(',')).join('\n')}\n`;
}

function ofxOf(file: PlannedFile): string {
  const { currency, from, to, lines } = file;
  const day = (text: string) => text.replaceAll('-', '');
  const entries = lines.map(
    (line) =>
      `<STMTTRN><TRNTYPE>${line.amount < 0n ? 'DEBIT' : 'CREDIT'}</TRNTYPE><DTPOSTED>${day(line.date)}</DTPOSTED><TRNAMT>${decimal(line.amount)}</TRNAMT><FITID>${idOf(file, line)}</FITID><NAME>${line.payer}</NAME><MEMO>${textOf(line)}</MEMO></STMTTRN>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?><OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>${currency}</CURDEF><BANKACCTFROM><BANKID>1</BANKID><ACCTID>ACCOUNT-${currency}</ACCTID><ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM><BANKTRANLIST><DTSTART>${day(from)}</DTSTART><DTEND>${day(to)}</DTEND>${entries.join('')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
}

function camtOf(file: PlannedFile): string {
  const { name, currency, from, to, lines, opening, closing } = file;
  const size = (amount: bigint) => decimal(amount < 0n ? -amount : amount);
  const sign = (amount: bigint) => (amount < 0n ? 'DBIT' : 'CRDT');
  const balance = (kind: string, day: string, amount: bigint) =>
    `<Bal><Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${size(amount)}</Amt><CdtDbtInd>${sign(amount)}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
  const entries = lines.map(
    (line) =>
      `<Ntry><Amt Ccy="${currency}">${size(line.amount)}</Amt><CdtDbtInd>${sign(line.amount)}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${line.date}</Dt></BookgDt><AcctSvcrRef>${idOf(file, line)}</AcctSvcrRef><NtryDtls><TxDtls><RltdPties><Dbtr><Nm>${line.payer}</Nm></Dbtr></RltdPties><RmtInf><Ustrd>${line.payer} ${textOf(line)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>${name}</MsgId><CreDtTm>${to}T23:00:00</CreDtTm></GrpHdr><Stmt><Id>${name}</Id><CreDtTm>${to}T23:00:00</CreDtTm><FrToDt><FrDtTm>${from}T00:00:00</FrDtTm><ToDtTm>${to}T23:59:59</ToDtTm></FrToDt><Acct><Id><Othr><Id>ACCOUNT-${currency}</Id></Othr></Id><Ccy>${currency}</Ccy></Acct>${balance('OPBD', from, opening)}${balance('CLBD', to, closing)}${entries.join('')}</Stmt></BkToCstmrStmt></Document>`;
}
