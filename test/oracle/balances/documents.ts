import { decimal } from '../units.ts';
import type { OrderDocument, Pair, ServerState } from '../world/documents.ts';
import { listIn, rowOf } from '../world/state.ts';
import { filedDays, isListed, netsShown, recordedCods } from './balance.ts';
import type { BalancePlan, PlannedReceipt } from './plan.ts';

/** Makes the server hold what the courier holds on a day. */
export function show(state: ServerState, plan: BalancePlan, day: string): void {
  state.invoices.clear();
  state.months.clear();
  for (const invoice of plan.invoices) {
    const { number, issued, paidFrom } = invoice;
    if (issued >= day) continue;
    const isPaid = paidFrom !== null && day >= paidFrom;
    const nets: Pair[] = [...netsShown(invoice, day)].map(([currency, net]) => [currency, decimal(net)]);
    const recorded: Pair[] = [...recordedCods(invoice, day)].map(([currency, cod]) => [currency, decimal(cod)]);
    const order = orderOf(number, issued, recorded, isPaid ? paidFrom : null);
    state.orders.set(order.order_id, order);
    const header = {
      number,
      status: isPaid ? 'PAID' : 'PENDING_PAYMENT',
      issued_at: `${issued}T10:00:00.000000+03:00`,
      cod: nets,
      delivery_fee: [] as Pair[],
      net_due_to_merchant: nets,
    };
    state.invoices.set(number, {
      detail: { ...header, orders: [{ ...rowOf(order, isPaid), cod: nets }] },
      row: { ...header, status_display: isPaid ? 'Paid' : 'Pending payment', order_count: 1 },
    });
    if (isListed(invoice, day)) listIn(state, issued.slice(0, 7), number);
  }
}

function orderOf(number: number, issued: string, cod: Pair[], paidOn: string | null): OrderDocument {
  const payment_state = paidOn === null ? 'PENDING_PAYMENT_TO_MERCHANT' : 'PAID_TO_MERCHANT';
  const stamp = (state: string, timestamp: string) => ({
    delivery_state: 'DELIVERED',
    payment_state: state,
    timestamp,
  });
  const delivered = stamp('PENDING_PAYMENT_TO_MERCHANT', `${issued}T08:00:00.000000+03:00`);
  const paid = paidOn === null ? [] : [stamp('PAID_TO_MERCHANT', `${paidOn}T12:00:00.000000+03:00`)];
  return {
    order_id: `OR${number}`,
    reference_id: `Shop ${number}`,
    workflow: 'STANDARD',
    cod,
    delivery_fee: [],
    delivery_state: 'DELIVERED',
    payment_state,
    merchant_invoice: number,
    statestamps: [delivered, ...paid],
  };
}

/** The bank's files of a night: by currency, for the days since the last one and for lines that were late. */
export function* bankFiles(plan: BalancePlan, night: number): Generator<[currency: string, file: string]> {
  for (const currency of plan.bank.keys()) {
    const held = filedDays(plan, currency, night);
    if (held === null) continue;
    const lines = plan.receipts.filter((one) => one.currency === currency && one.imported === night);
    const before = filedDays(plan, currency, night - 1);
    const from = [before?.to ?? held.from, ...lines.map(({ date }) => date)].sort()[0]!;
    yield [currency, ofxOf(currency, from, held.to, lines)];
  }
}

export function ofxOf(currency: string, from: string, to: string, lines: readonly PlannedReceipt[]): string {
  const day = (text: string) => text.replaceAll('-', '');
  const entries = lines.map(
    ({ id, date, amount, names }) =>
      `<STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>${day(date)}</DTPOSTED><TRNAMT>${decimal(amount)}</TRNAMT><FITID>${id}</FITID><NAME>EXAMPLE COURIER</NAME><MEMO>${names === null ? 'ADVANCE' : `INV ${names}`}</MEMO></STMTTRN>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?><OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>${currency}</CURDEF><BANKACCTFROM><BANKID>1</BANKID><ACCTID>ACCOUNT-${currency}</ACCTID><ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM><BANKTRANLIST><DTSTART>${day(from)}</DTSTART><DTEND>${day(to)}</DTEND>${entries.join('')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
}
