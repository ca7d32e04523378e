import { formatUnits, type Units } from '../../money/units.ts';
import { chunks } from '../chunks.ts';
import type { OwnOrderTable } from '../schema.ts';
import { unitsText } from '../sql.ts';
import { insertRows, type Row, type Trx } from './insert.ts';

const FIELDS = ['ordered_on', 'status', 'district', 'note'] as const;

/** One of your orders as a file states it. Null fields and absent currencies leave the ledger's values as they are. */
export interface OwnOrderRows extends Pick<OwnOrderTable, 'reference' | (typeof FIELDS)[number]> {
  /** Currency to what the courier must collect. */
  readonly cod: ReadonlyMap<string, Units>;
}

/** How many orders a file brought, changed, or left as they were. */
export interface Counts {
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
}

type Change = Row<'own_order_change'>;
type HeldOwnOrder = Omit<OwnOrderRows, 'cod'> & { readonly cod: Map<string, Units> };

/** Writes a file's orders, each reference once. Call it inside a transaction. */
export async function writeOwnOrders(trx: Trx, orders: readonly OwnOrderRows[], evidenceId: number): Promise<Counts> {
  const counts = { new: 0, changed: 0, unchanged: 0 };
  for (const page of chunks(orders)) {
    const references = page.map(({ reference }) => reference);
    const held = await readHeld(trx, references);
    const added = page.filter(({ reference }) => !held.has(reference));
    const rows = added.map(({ cod: _, ...order }) => {
      return { ...order, first_evidence_id: evidenceId, evidence_id: evidenceId };
    });
    await insertRows(trx, 'own_order', rows);
    await insertRows(trx, 'own_order_amount', added.flatMap(amountRows));
    counts.new += added.length;
    for (const order of page) {
      const before = held.get(order.reference);
      if (!before) continue;
      const changes = changesOf(before, order, evidenceId);
      counts[changes.length > 0 ? 'changed' : 'unchanged'] += 1;
      if (changes.length > 0) await applyChanges(trx, order, changes, evidenceId);
    }
  }
  return counts;
}

/** Removes all of your own orders, which are then made again from the remaining imports. */
export async function clearOwnOrders(trx: Trx): Promise<void> {
  for (const table of ['own_order_change', 'own_order_amount', 'own_order'] as const) {
    await trx.deleteFrom(table).execute();
  }
}

async function readHeld(trx: Trx, references: readonly string[]): Promise<Map<string, HeldOwnOrder>> {
  const own = trx.selectFrom('own_order').select(['reference', ...FIELDS]);
  const orders = await own.where('reference', 'in', references).execute();
  const held = new Map<string, HeldOwnOrder>(orders.map((order) => [order.reference, { ...order, cod: new Map() }]));
  if (held.size === 0) return held;
  const ownAmounts = trx.selectFrom('own_order_amount').select(['reference', 'currency', unitsText('cod').as('cod')]);
  const amounts = await ownAmounts.where('reference', 'in', references).execute();
  for (const { reference, currency, cod } of amounts) held.get(reference)!.cod.set(currency, BigInt(cod));
  return held;
}

function changesOf(before: HeldOwnOrder, after: OwnOrderRows, evidence_id: number): Change[] {
  const { reference } = after;
  const fields = FIELDS.filter((field) => after[field] !== null && after[field] !== before[field]).map(
    (field): Change => ({ reference, evidence_id, field, currency: '', before: before[field], after: after[field] }),
  );
  const amounts = [...after.cod]
    .filter(([currency, cod]) => before.cod.get(currency) !== cod)
    .map(([currency, cod]): Change => {
      const values = { before: amountText(before.cod.get(currency)), after: amountText(cod) };
      return { reference, evidence_id, field: 'cod', currency, ...values };
    });
  return [...fields, ...amounts];
}

async function applyChanges(trx: Trx, order: OwnOrderRows, changes: readonly Change[], evidenceId: number) {
  const { reference, cod } = order;
  const fields = Object.fromEntries(changes.flatMap(({ field, after }) => (field === 'cod' ? [] : [[field, after]])));
  const changed = { ...fields, evidence_id: evidenceId };
  await trx.updateTable('own_order').set(changed).where('reference', '=', reference).execute();
  for (const { currency } of changes.filter(({ field }) => field === 'cod')) {
    const row = { reference, currency, cod: cod.get(currency)! };
    await trx
      .insertInto('own_order_amount')
      .values(row)
      .onConflict((conflict) => conflict.columns(['reference', 'currency']).doUpdateSet({ cod: row.cod }))
      .execute();
  }
  await insertRows(trx, 'own_order_change', changes);
}

function amountRows({ reference, cod }: OwnOrderRows): Row<'own_order_amount'>[] {
  return [...cod].map(([currency, units]) => ({ reference, currency, cod: units }));
}

function amountText(units: Units | undefined): string | null {
  return units === undefined ? null : formatUnits(units);
}
