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
import { whyUndone } from '../ledger/queries/receipts/matches.ts';
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
import { headerUnder, netOfRow, netUnder, type RowUnits, returnSigns } from '../money/returns.ts';
import { parseUnits, type Units } from '../money/units.ts';
import { blankRow, contentOf, versionAmounts } from './money-rows.ts';

// A settlement sheet is a courier's file of payouts (`Settlement`). Each payout becomes an invoice of the ledger. Its
// number may be a text (`ES-902`), for which an integer stands.

/** An order of a payout: one row of the sheet, or several in different currencies. */
interface SettledOrder {
  readonly firstRow: SettledRow;
  delivered_on: string | null;
  weight: string | null;
  readonly amounts: SettledAmount[];
}

/** A charge or tax that the courier deducts, in one currency. */
type Deduction = { readonly kind: ChargeKind; readonly name: string; readonly units: Units };

/**
 * Makes the ledger rows of a payout: those of an invoice, and what only a sheet states. The header has the sheet's
 * totals; figures that the totals lack are sums of the rows, and marked. The fee is the sum of all deductions.
 *
 * @param invoice its number in the ledger, and the SHA-256 of the sheet
 * @param returns how RETURN rows count in figures that are computed
 */
function settlementRows(
  settlement: Settlement,
  { number, sha256 }: { readonly number: number; readonly sha256: string },
  returns: ReturnsConvention,
): SettlementRows {
  // A payout is paid on its date unless its status says otherwise.
  const status = settlement.status ?? 'PAID';
  const orders: InvoiceRows['orders'][number][] = [];
  const orderAmounts: InvoiceRows['orderAmounts'][number][] = [];
  const orderCharges: SettlementRows['orderCharges'][number][] = [];
  const rowNets: SettlementRows['rowNets'][number][] = [];
  const sheetRows: SettlementRows['sheetRows'][number][] = [];
  /** A line for each amount beyond the invoice's rows: if one differs, it is another version of the payout. */
  const content: string[] = [];
  for (const [position, { firstRow, delivered_on, weight, amounts }] of ordersOf(settlement.rows).entries()) {
    const key = { invoice_number: number, position };
    const { workflow, line, reference } = firstRow;
    const order_id = firstRow.order ?? reference!;
    orders.push({
      ...key,
      order_id,
      reference_id: reference ?? '',
      workflow,
      // No sheet states it: a sheet lists what was delivered or came back. The table `settlement` marks its invoices.
      delivery_state: 'DELIVERED',
      payment_state: status === 'PAID' ? 'PAID_TO_MERCHANT' : 'PENDING_PAYMENT_TO_MERCHANT',
    });
    sheetRows.push({ ...key, line, delivered_on, weight: weight === null ? null : parseUnits(weight) });
    for (const amount of amounts) {
      const { currency } = amount;
      const deductions = deductionsOf(amount);
      const money = { cod: parseUnits(amount.cod), delivery_fee: sumOf(deductions) };
      orderAmounts.push({ ...blankRow(ORDER_MONEY_FIELDS, key), currency, ...money });
      for (const { kind, name, units } of deductions) {
        orderCharges.push({ ...key, kind, name, currency, amount: units });
        content.push(`${order_id} ${kind} ${name} ${currency} ${units}`);
      }
      if (amount.net === null) continue;
      const net = parseUnits(amount.net);
      rowNets.push({ ...key, currency, net });
      // A net that follows from the row's COD and fee adds nothing.
      if (net !== netOfRow({ workflow, ...money }, returnSigns(returns))) {
        content.push(`${order_id} net ${currency} ${net}`);
      }
    }
  }
  const headers = payoutHeaders(settlement, returns);
  const amounts = headers.map(({ currency, cod, deductions, net }) => {
    const blank = blankRow(MONEY_FIELDS, { invoice_number: number });
    return { ...blank, currency, cod, delivery_fee: sumOf(deductions), net_due_to_merchant: net };
  });
  const charges = headers.flatMap(({ currency, deductions }) =>
    deductions.map(({ kind, name, units }) => ({ invoice_number: number, kind, name, currency, amount: units })),
  );
  content.push(...charges.map(({ kind, name, currency, amount }) => `${kind} ${name} ${currency} ${amount}`));
  return {
    invoice: {
      invoice: {
        number,
        status,
        // Noon is the same day in almost every time zone.
        issued_at: `${settlement.issued_on}T12:00:00Z`,
        row_count: orders.length,
        detail_sha256: sha256,
      },
      amounts,
      orders,
      orderAmounts,
      contentSha256: contentOf(amounts, orders, orderAmounts, content.sort()),
      versionAmounts: versionAmounts(amounts, orders, orderAmounts),
    },
    charges,
    orderCharges,
    rowNets,
    computed: headers.flatMap(({ currency, computed }) =>
      computed.map((field) => ({ invoice_number: number, currency, field })),
    ),
    sheetRows,
  };
}

/** Joins rows of one order in different currencies (USD, LBP); a second row in the same currency is another order. */
export function ordersOf(rows: readonly SettledRow[]): SettledOrder[] {
  const orders: SettledOrder[] = [];
  const ordersByName = new Map<string, SettledOrder[]>();
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
    const added = { firstRow: row, delivered_on: row.delivered_on, weight: row.weight, amounts: [...row.amounts] };
    orders.push(added);
    ofName.push(added);
  }
  return orders;
}

/** The deductions of a row or a total, the charges first. */
function deductionsOf({ charges, taxes }: Pick<SettledAmount, 'charges' | 'taxes'>): Deduction[] {
  const ofKind = (kind: ChargeKind, amounts: SettledAmount['charges']) =>
    Object.entries(amounts).map(([name, amount]): Deduction => ({ kind, name, units: parseUnits(amount) }));
  return [...ofKind('charge', charges), ...ofKind('tax', taxes)];
}

function sumOf(deductions: readonly Deduction[]): Units {
  return deductions.reduce((sum, { units }) => sum + units, 0n);
}

/**
 * The header of a payout, one entry per currency: its totals as stated, or else the sums of its rows. `computed`: the
 * fields that the sheet does not state.
 */
export function payoutHeaders({ rows, totals }: Pick<Settlement, 'rows' | 'totals'>, returns: ReturnsConvention) {
  const amounts = rows.flatMap((row) => row.amounts);
  const returned = new Set(rows.filter(({ workflow }) => workflow === 'RETURN').flatMap((row) => row.amounts));
  const currencies = [...new Set([...amounts, ...totals].map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const inCurrency = amounts.filter((amount) => amount.currency === currency);
    const stated = totals.find((total) => total.currency === currency);
    const returnRows = inCurrency.filter((amount) => returned.has(amount));
    const deliveryRows = inCurrency.filter((amount) => !returned.has(amount));
    const fromRows = headerUnder(returns, moneyOf(deliveryRows), moneyOf(returnRows));
    const cod = stated?.cod != null ? parseUnits(stated.cod) : fromRows.cod;
    // The fees of RETURN rows count only under the conventions that say so.
    const rowsWithFee = returnSigns(returns).delivery_fee === 0 ? deliveryRows : inCurrency;
    // Not zero only under the conventions that charge the COD of returns as a fee.
    const returnCod = fromRows.delivery_fee - moneyOf(rowsWithFee).delivery_fee;
    const deductions = headerDeductions(rowsWithFee, returnCod, stated);
    const statesFee = stated !== undefined && deductionsOf(stated).length > 0;
    const net = statedNet(inCurrency, stated);
    return {
      currency,
      cod,
      deductions,
      net: net ?? netUnder(returns, { cod, delivery_fee: sumOf(deductions) }, moneyOf(returnRows)),
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
    delivery_fee: amounts.reduce((sum, amount) => sum + sumOf(deductionsOf(amount)), 0n),
  };
}

/**
 * One deduction for each kind and name: as the totals state it, or else the sum of the rows.
 *
 * @param returnCod the COD that the convention charges for RETURN rows: the charge `return-cod`
 */
function headerDeductions(rows: readonly SettledAmount[], returnCod: Units, stated?: StatedTotal): Deduction[] {
  const deductions = new Map<string, Deduction>();
  const keyOf = ({ kind, name }: Deduction) => `${kind} ${name}`;
  const ofReturns: Deduction = { kind: 'charge', name: 'return-cod', units: returnCod };
  if (returnCod !== 0n) deductions.set(keyOf(ofReturns), ofReturns);
  for (const deduction of rows.flatMap(deductionsOf)) {
    const key = keyOf(deduction);
    deductions.set(key, { ...deduction, units: (deductions.get(key)?.units ?? 0n) + deduction.units });
  }
  for (const deduction of stated ? deductionsOf(stated) : []) deductions.set(keyOf(deduction), deduction);
  return [...deductions.values()];
}

/** The net that the totals state, or else the sum of the rows' nets; null if a row has none. */
function statedNet(rows: readonly SettledAmount[], stated: StatedTotal | undefined): Units | null {
  if (stated?.net != null) return parseUnits(stated.net);
  if (rows.length === 0 || rows.some(({ net }) => net === null)) return null;
  return rows.reduce((sum, { net }) => sum + parseUnits(net!), 0n);
}

export function countOrders({ settlements }: SettlementFile): number {
  return settlements.reduce((sum, { rows }) => sum + ordersOf(rows).length, 0);
}

/** The months in which a sheet's payouts were made, in order. */
export function monthsOfSheet({ settlements }: SettlementFile): string[] {
  return [...new Set(settlements.map(({ issued_on }) => issued_on.slice(0, 7)))].sort();
}

/** Whether the ledger has every payout of a sheet exactly as the sheet states it. */
export async function holdsAll(trx: LedgerTransaction, file: SettlementFile, sha256: string): Promise<boolean> {
  for (const settlement of file.settlements) {
    const number = await findSettlementNumber(trx, settlement.invoice);
    if (number === null || (await compareWithHeld(trx, settlement, { number, sha256 }, file.returns)).held !== 'same')
      return false;
  }
  return true;
}

/** Writes the payouts of a sheet, each whole: one that the ledger has changes nothing, one that differs restates it. */
export async function applySettlements(
  trx: LedgerTransaction,
  { id, at, run_id, sha256 }: Pick<EvidenceRow, 'id' | 'at' | 'run_id' | 'sha256'>,
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
      await writeSettlement(trx, rows, { id, at, run: run_id! }, settlement.issued_on.slice(0, 7));
    }
  }
  return counts;
}

/** The rows of a payout, and whether the ledger has it already: not at all, the same, or with other content. */
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
 * Derives the payouts again after a sheet was taken back. Those that it alone brought are gone, with their matches.
 *
 * @param applyOthers applies the sheets that are still in force, in the order in which they came
 */
export async function withoutSettlement(
  trx: LedgerTransaction,
  undone: { readonly id: number; readonly run: number; readonly at: string },
  applyOthers: () => Promise<void>,
): Promise<void> {
  const numbersBefore = await readSettlementNumbers(trx);
  await clearSettlements(trx, numbersBefore, undone.run);
  await applyOthers();
  const numbersNow = new Set(await readSettlementNumbers(trx));
  const gone = numbersBefore.filter((number) => !numbersNow.has(number));
  const why = whyUndone(undone.id);
  // By remit, although a person took the sheet back: so the rules may match the receipts again.
  await removeMatches(trx, await matchesOfInvoices(trx, gone), { at: undone.at, by: 'remit', why });
}
