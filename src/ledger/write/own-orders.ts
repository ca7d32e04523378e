import type { Insertable, Kysely } from 'kysely';
import { formatAmount } from '../../money/format.ts';
import { amountOfUnits, type Units } from '../../money/units.ts';
import { chunks } from '../chunks.ts';
import type { LedgerSchema, OwnOrderTable } from '../schema.ts';
import { unitsText } from '../sql.ts';
import { insertRows } from './insert.ts';

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

type Change = Insertable<LedgerSchema['own_order_change']>;
type HeldOwnOrder = Pick<OwnOrderTable, 'reference' | (typeof FIELDS)[number]> & { readonly cod: Map<string, Units> };

/** Writes a file's orders, each reference once. Call it inside a transaction. */
export async function writeOwnOrders(
  trx: Kysely<LedgerSchema>,
  orders: readonly OwnOrderRows[],
  evidenceId: number,
): Promise<Counts> {
  const counts = { new: 0, changed: 0, unchanged: 0 };
  for (const page of chunks(orders)) {
    const held = await readHeld(
      trx,
      page.map(({ reference }) => reference),
    );
    const added = page.filter(({ reference }) => !held.has(reference));
    await insertRows(
      trx,
      'own_order',
      added.map(({ cod: _, ...order }) => ({ ...order, first_evidence_id: evidenceId, evidence_id: evidenceId })),
    );
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
export async function clearOwnOrders(trx: Kysely<LedgerSchema>): Promise<void> {
  for (const table of ['own_order_change', 'own_order_amount', 'own_order'] as const) {
    await trx.deleteFrom(table).execute();
  }
}

async function readHeld(trx: Kysely<LedgerSchema>, references: readonly string[]): Promise<Map<string, HeldOwnOrder>> {
  const orders = await trx
    .selectFrom('own_order')
    .select(['reference', ...FIELDS])
    .where('reference', 'in', references)
    .execute();
  const held = new Map<string, HeldOwnOrder>(orders.map((order) => [order.reference, { ...order, cod: new Map() }]));
  if (held.size === 0) return held;
  const amounts = await trx
    .selectFrom('own_order_amount')
    .select(['reference', 'currency', unitsText('cod').as('cod')])
    .where('reference', 'in', references)
    .execute();
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
      return {
        reference,
        evidence_id,
        field: 'cod',
        currency,
        before: amountText(before.cod.get(currency)),
        after: amountText(cod),
      };
    });
  return [...fields, ...amounts];
}

async function applyChanges(
  trx: Kysely<LedgerSchema>,
  order: OwnOrderRows,
  changes: readonly Change[],
  evidenceId: number,
): Promise<void> {
  const { reference, cod } = order;
  const fields = Object.fromEntries(changes.flatMap(({ field, after }) => (field === 'cod' ? [] : [[field, after]])));
  await trx
    .updateTable('own_order')
    .set({ ...fields, evidence_id: evidenceId })
    .where('reference', '=', reference)
    .execute();
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

function amountRows({ reference, cod }: OwnOrderRows): Insertable<LedgerSchema['own_order_amount']>[] {
  return [...cod].map(([currency, units]) => ({ reference, currency, cod: units }));
}

function amountText(units: Units | undefined): string | null {
  return units === undefined ? null : formatAmount(amountOfUnits(units));
}
