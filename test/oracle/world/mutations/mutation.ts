import type { Dice } from '../dice.ts';
import type { HeldInvoice, InvoiceRow, OrderDocument, ServerState } from '../documents.ts';

/** What a night's change sees: the server, its own dice, and the time of the night's sync. */
export interface Scene {
  readonly state: ServerState;
  readonly dice: Dice;
  readonly now: Date;
}

/** Changes the server; false when there was nothing that it could change. */
export type Mutation = (scene: Scene) => boolean;

/** The invoices that some month lists. */
export function listed(state: ServerState): HeldInvoice[] {
  const numbers = new Set([...state.months.values()].flatMap((held) => [...held]));
  return [...numbers].sort((a, b) => a - b).map((number) => state.invoices.get(number) as HeldInvoice);
}

/** A listed invoice that the test likes, or nothing. */
export function anInvoice(
  { state, dice }: Scene,
  fits: (invoice: HeldInvoice) => boolean = () => true,
): HeldInvoice | undefined {
  const found = listed(state).filter(fits);
  return found.length > 0 ? dice.pick(found) : undefined;
}

/** An order that the test likes, or nothing. */
export function anOrder({ state, dice }: Scene, fits: (order: OrderDocument) => boolean): OrderDocument | undefined {
  const found = [...state.orders.values()].filter(fits);
  return found.length > 0 ? dice.pick(found) : undefined;
}

/** A row of an invoice that some month lists. */
export function aRow(
  scene: Scene,
  fits: (row: InvoiceRow) => boolean = () => true,
): { invoice: HeldInvoice; row: InvoiceRow } | undefined {
  const invoice = anInvoice(scene, ({ detail }) => detail.orders.some(fits));
  return invoice && { invoice, row: scene.dice.pick(invoice.detail.orders.filter(fits)) };
}

export const currenciesOf = (...fields: (readonly (readonly [string, string])[])[]): string[] => [
  ...new Set(fields.flat().map(([currency]) => currency)),
];

/** An amount to move a figure by: some cents or units, either way. */
export function aShift(dice: Dice, currency: string): bigint {
  const size = currency === 'LBP' ? BigInt(dice.int(1, 9)) * 500_000_000n : BigInt(dice.int(1, 4000)) * 100n;
  return dice.chance(0.5) ? size : -size;
}
