import type { ReturnsConvention } from '../base/returns.ts';
import type {
  SettledAmount,
  SettledRow,
  Settlement,
  SettlementFile,
  StatedTotal,
} from '../imports/formats/settlement-file.ts';
import type { EvidenceRow } from '../ledger/evidence/chain.ts';
import type { LedgerTransaction } from '../ledger/index.ts';
import type { ChargeKind } from '../ledger/schema.ts';
import type { InvoiceRows } from '../ledger/write/invoices.ts';
import { matchesOfInvoices, removeMatches } from '../ledger/write/matches.ts';
import type { Counts } from '../ledger/write/own-orders.ts';
import {
  clearSettlements,
  findSettlementNumber,
  giveSettlementNumber,
  readHeldSettlement,
  readSettlementNumbers,
  type SettlementRows,
  writeSettlement,
} from '../ledger/write/settlements.ts';
import { MONEY_FIELDS, ORDER_MONEY_FIELDS } from '../money/fields.ts';
import { headerUnder, netOfRow, netUnder, type RowUnits, returnWorth } from '../money/returns.ts';
import { parseUnits, type Units } from '../money/units.ts';
import { blankRow, contentOf, versionAmounts } from './money-rows.ts';

/** An order of a payout: its rows in different currencies together. */
interface SettledOrder {
  readonly first: SettledRow;
  readonly delivered_on: string | null;
  readonly weight: string | null;
  readonly amounts: readonly SettledAmount[];
}

/** An amount of one kind that the courier keeps back, in one currency. */
type Kept = { readonly kind: ChargeKind; readonly name: string; readonly units: Units };

/**
 * Makes the ledger rows of a payout: those of an invoice, and what only a sheet says. The header is what the sheet's totals state; the
 * sums of the rows stand for what they do not, and are marked. A fee is all that is kept back: charges and taxes.
 *
 * @param invoice its number in the ledger, and the SHA-256 of the sheet
 * @param returns what a RETURN row is in a header that is computed
 */
function settlementRows(
  settlement: Settlement,
  { number, sha256 }: { readonly number: number; readonly sha256: string },
  returns: ReturnsConvention,
): SettlementRows {
  const status = settlement.status ?? 'PAID';
  const orders = ordersOf(settlement.rows);
  const rows = orders.map(({ first }, position): InvoiceRows['orders'][number] => ({
    invoice_number: number,
    position,
    order_id: first.order ?? first.reference!,
    reference_id: first.reference ?? '',
    workflow: first.workflow,
    // No sheet states it: a sheet lists what was delivered or came back. The table `settlement` marks its invoices.
    delivery_state: 'DELIVERED',
    payment_state: status === 'PAID' ? 'PAID_TO_MERCHANT' : 'PENDING_PAYMENT_TO_MERCHANT',
  }));
  const rowAmounts = orders.flatMap(({ amounts }, position) =>
    amounts.map((amount) => {
      const kept = keptOf(amount);
      const blank = blankRow(ORDER_MONEY_FIELDS, { invoice_number: number, position });
      const money = { cod: parseUnits(amount.cod), delivery_fee: sumOf(kept) };
      const net = amount.net === null ? null : parseUnits(amount.net);
      return { row: { ...blank, currency: amount.currency, ...money }, kept, net };
    }),
  );
  const orderAmounts = rowAmounts.map(({ row }) => row);
  const rowNets = rowAmounts.flatMap(({ row: { invoice_number, position, currency }, net }) =>
    net === null ? [] : [{ invoice_number, position, currency, net }],
  );
  const headers = headersOf(settlement, returns);
  const amounts = headers.map(({ currency, cod, kept, net }) => {
    const blank = blankRow(MONEY_FIELDS, { invoice_number: number });
    return { ...blank, currency, cod, delivery_fee: sumOf(kept), net_due_to_merchant: net };
  });
  const charge = (currency: string, { kind, name, units }: Kept) => {
    return { invoice_number: number, kind, name, currency, amount: units };
  };
  const charges = headers.flatMap(({ currency, kept }) => kept.map((amount) => charge(currency, amount)));
  const orderCharges = rowAmounts.flatMap(({ row, kept }) =>
    kept.map((amount) => ({ ...charge(row.currency, amount), position: row.position })),
  );
  /** A line for each amount beyond the invoice's rows: where one differs, it is another version of the payout. */
  const contentLines = [
    ...charges.map(({ kind, name, currency, amount }) => `${kind} ${name} ${currency} ${amount}`),
    ...orderCharges.map(({ position, kind, name, currency, amount }) => {
      return `${rows[position]!.order_id} ${kind} ${name} ${currency} ${amount}`;
    }),
    // A net that follows from its row says nothing more.
    ...rowAmounts.flatMap(({ row: { position, currency, cod, delivery_fee }, net }) => {
      const { order_id, workflow } = rows[position]!;
      const computedNet = netOfRow({ workflow, cod, delivery_fee }, returnWorth(returns));
      return net === null || net === computedNet ? [] : [`${order_id} net ${currency} ${net}`];
    }),
  ];
  return {
    invoice: {
      invoice: {
        number,
        status,
        issued_at: instantOfDay(settlement.issued_on),
        row_count: rows.length,
        detail_sha256: sha256,
      },
      amounts,
      orders: rows,
      orderAmounts,
      contentSha256: contentOf(amounts, rows, orderAmounts, contentLines.sort()),
      versionAmounts: versionAmounts(amounts, rows, orderAmounts),
    },
    charges,
    orderCharges,
    rowNets,
    computed: headers.flatMap(({ currency, computed }) =>
      computed.map((field) => ({ invoice_number: number, currency, field })),
    ),
    sheetRows: orders.map(({ first: { line }, delivered_on, weight }, position) => {
      return {
        invoice_number: number,
        position,
        line,
        delivered_on,
        weight: weight === null ? null : parseUnits(weight),
      };
    }),
  };
}

/** A sheet's day as an instant: noon, which is the same day in almost every time zone. */
function instantOfDay(day: string): string {
  return `${day}T12:00:00Z`;
}

/** Rows of one order in different currencies are one order; a second row in the same currency is another. */
export function ordersOf(rows: readonly SettledRow[]): SettledOrder[] {
  const orders: (Omit<SettledOrder, 'amounts'> & {
    delivered_on: string | null;
    weight: string | null;
    amounts: SettledAmount[];
  })[] = [];
  const ordersByName = new Map<string, typeof orders>();
  for (const row of rows) {
    const key = JSON.stringify([row.order, row.reference, row.workflow]);
    const ofName = ordersByName.get(key) ?? [];
    ordersByName.set(key, ofName);
    const rowCurrencies = row.amounts.map(({ currency }) => currency);
    const lacksThem = ({ amounts }: SettledOrder) =>
      rowCurrencies.length > 0 && !amounts.some(({ currency }) => rowCurrencies.includes(currency));
    const order = ofName.find(lacksThem);
    if (order) {
      order.amounts.push(...row.amounts);
      order.delivered_on ??= row.delivered_on;
      order.weight ??= row.weight;
      continue;
    }
    const added = { first: row, delivered_on: row.delivered_on, weight: row.weight, amounts: [...row.amounts] };
    orders.push(added);
    ofName.push(added);
  }
  return orders;
}

/** What a row or a total keeps back, the charges first. */
function keptOf({ charges, taxes }: Pick<SettledAmount, 'charges' | 'taxes'>): Kept[] {
  const ofKind = (kind: ChargeKind, amounts: SettledAmount['charges']) =>
    Object.entries(amounts).map(([name, amount]): Kept => ({ kind, name, units: parseUnits(amount) }));
  return [...ofKind('charge', charges), ...ofKind('tax', taxes)];
}

function sumOf(kept: readonly Kept[]): Units {
  return kept.reduce((sum, { units }) => sum + units, 0n);
}

/** A header in one currency, and the fields of it that the sheet does not state. */
interface Header {
  readonly currency: string;
  readonly cod: Units;
  readonly kept: readonly Kept[];
  readonly net: Units;
  readonly computed: readonly string[];
}

/** The header of a payout, a currency after the other: its totals where they are stated, else the sums of its rows. */
export function headersOf({ rows, totals }: Pick<Settlement, 'rows' | 'totals'>, returns: ReturnsConvention): Header[] {
  const amounts = rows.flatMap((row) => row.amounts);
  const returned = new Set(rows.filter(({ workflow }) => workflow === 'RETURN').flatMap((row) => row.amounts));
  const currencies = [...new Set([...amounts, ...totals].map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const inCurrency = amounts.filter((amount) => amount.currency === currency);
    const stated = totals.find((total) => total.currency === currency);
    const returnRows = inCurrency.filter((amount) => returned.has(amount));
    const deliveryRows = inCurrency.filter((amount) => !returned.has(amount));
    const computed = headerUnder(returns, moneyOf(deliveryRows), moneyOf(returnRows));
    const cod = stated?.cod != null ? parseUnits(stated.cod) : computed.cod;
    const rowsWithFee = returnWorth(returns).delivery_fee === 0 ? deliveryRows : inCurrency;
    const returnCod = computed.delivery_fee - moneyOf(rowsWithFee).delivery_fee;
    const kept = headerKept(rowsWithFee, returnCod, stated);
    const statesFee = stated !== undefined && keptOf(stated).length > 0;
    const net = statedNet(inCurrency, stated);
    return {
      currency,
      cod,
      kept,
      net: net ?? netUnder(returns, { cod, delivery_fee: sumOf(kept) }, moneyOf(returnRows)),
      computed: [
        ...(stated?.cod == null ? ['cod'] : []),
        ...(statesFee ? [] : ['delivery_fee']),
        ...(net === null ? ['net_due_to_merchant'] : []),
      ],
    };
  });
}

function moneyOf(amounts: readonly SettledAmount[]): RowUnits {
  return {
    cod: amounts.reduce((sum, amount) => sum + parseUnits(amount.cod), 0n),
    delivery_fee: amounts.reduce((sum, amount) => sum + sumOf(keptOf(amount)), 0n),
  };
}

/**
 * Each kind as the totals state it, else the sum of the rows.
 *
 * @param returnCod what the convention charges for RETURN rows besides their fees: the kind `return-cod`
 */
function headerKept(rows: readonly SettledAmount[], returnCod: Units, stated: StatedTotal | undefined): Kept[] {
  const kinds = new Map<string, Kept>();
  if (returnCod !== 0n) kinds.set('charge return-cod', { kind: 'charge', name: 'return-cod', units: returnCod });
  for (const kept of rows.flatMap(keptOf)) {
    const key = `${kept.kind} ${kept.name}`;
    kinds.set(key, { ...kept, units: (kinds.get(key)?.units ?? 0n) + kept.units });
  }
  for (const kept of stated ? keptOf(stated) : []) kinds.set(`${kept.kind} ${kept.name}`, kept);
  return [...kinds.values()];
}

/** The net that the totals state, else the sum of the rows' own nets; null where a row has none. */
function statedNet(rows: readonly SettledAmount[], stated: StatedTotal | undefined): Units | null {
  if (stated?.net != null) return parseUnits(stated.net);
  if (rows.length === 0 || rows.some(({ net }) => net === null)) return null;
  return rows.reduce((sum, { net }) => sum + parseUnits(net!), 0n);
}

type SheetEvidence = Pick<EvidenceRow, 'id' | 'at' | 'run_id' | 'sha256'>;

export function countOrders({ settlements }: SettlementFile): number {
  return settlements.reduce((sum, { rows }) => sum + ordersOf(rows).length, 0);
}

/** The months in which a sheet's payouts were made, in order. */
export function monthsOfSheet({ settlements }: SettlementFile): string[] {
  return [...new Set(settlements.map(({ issued_on }) => issued_on.slice(0, 7)))].sort();
}

/** The ledger holds each payout of a sheet as the sheet has it. */
export async function holdsAll(trx: LedgerTransaction, file: SettlementFile, sha256: string): Promise<boolean> {
  for (const settlement of file.settlements) {
    const number = await findSettlementNumber(trx, settlement.invoice);
    if (number === null || (await compareWithHeld(trx, settlement, { number, sha256 }, file.returns)).held !== 'same')
      return false;
  }
  return true;
}

/** Writes the payouts of a sheet, each whole: one that is as the ledger holds it changes nothing, any other restates it. */
export async function applySettlements(
  trx: LedgerTransaction,
  { id, at, run_id, sha256 }: SheetEvidence,
  file: SettlementFile,
): Promise<Counts> {
  const counts = { new: 0, changed: 0, unchanged: 0 };
  for (const settlement of file.settlements) {
    const number =
      (await findSettlementNumber(trx, settlement.invoice)) ?? (await giveSettlementNumber(trx, settlement.invoice));
    const { rows, held } = await compareWithHeld(trx, settlement, { number, sha256: sha256! }, file.returns);
    const count = rows.invoice.orders.length;
    if (held === 'same') counts.unchanged += count;
    else {
      counts[held === 'none' ? 'new' : 'changed'] += count;
      const period = settlement.issued_on.slice(0, 7);
      await writeSettlement(trx, rows, { evidenceId: id, at, run: run_id!, period });
    }
  }
  return counts;
}

/** The rows that a payout makes, and what the ledger holds of it: nothing, the same, or another content. */
async function compareWithHeld(
  trx: LedgerTransaction,
  settlement: Settlement,
  invoice: { readonly number: number; readonly sha256: string },
  returns: ReturnsConvention,
): Promise<{ readonly rows: SettlementRows; readonly held: 'none' | 'same' | 'other' }> {
  const rows = settlementRows(settlement, invoice, returns);
  const held = await readHeldSettlement(trx, invoice.number);
  if (!held) return { rows, held: 'none' };
  const { status, issued_at } = rows.invoice.invoice;
  const isSame =
    held.content_sha256 === rows.invoice.contentSha256 && held.status === status && held.issued_at === issued_at;
  return { rows, held: isSame ? 'same' : 'other' };
}

/**
 * Makes the payouts again of the sheets that are left, after one was taken back; what it alone brought is gone, and the matches with it.
 *
 * @param applyOthers applies the sheets in force, in the order in which they came
 */
export async function withoutSettlement(
  trx: LedgerTransaction,
  undone: { readonly id: number; readonly run: number; readonly at: string; readonly by: string },
  applyOthers: () => Promise<void>,
): Promise<void> {
  const numbersBefore = await readSettlementNumbers(trx);
  await clearSettlements(trx, numbersBefore, undone.run);
  await applyOthers();
  const left = new Set(await readSettlementNumbers(trx));
  const gone = numbersBefore.filter((number) => !left.has(number));
  const why = `import ${undone.id} was undone`;
  await removeMatches(trx, await matchesOfInvoices(trx, gone), { at: undone.at, by: undone.by, why });
}
