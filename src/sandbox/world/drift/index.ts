import { UsageError } from '../../../base/errors.ts';
import type { Store } from '../../store/store.ts';
import { latestEvent } from '../../store/timestamp.ts';
import type { Planted, PlantFilter } from '../planted.ts';
import type { Targets } from '../plants/targets.ts';
import { DOCUMENT_DRIFT } from './documents.ts';
import { type Drift, need, type Prepared } from './drift.ts';
import { ORDER_DRIFT } from './orders.ts';
import { RESTATED } from './restated.ts';
import { VANISHED } from './vanished.ts';

const DRIFT: readonly Drift[] = [...RESTATED, ...VANISHED, ...ORDER_DRIFT, ...DOCUMENT_DRIFT];

const SETTING = 'world.drift';

const nameOf = ({ code, variant }: Drift): string => (variant === undefined ? code : `${code}: ${variant}`);

/** A drift to come, as the service file keeps it. */
interface Noted {
  readonly prepared: Prepared;
  /** The states when it was prepared. */
  readonly standing: string;
}

/**
 * Makes the orders and invoices that {@link plantDrift} will change, and notes them in the file. A first sync sees them
 * as they should be. Only within `store.write`.
 *
 * @returns what a check finds of them before the change
 */
export function prepareDrift(targets: Targets): Planted[] {
  const { store } = targets;
  const already: Planted[] = [];
  const notes: Record<string, Noted> = {};
  for (const drift of DRIFT) {
    const prepared = drift.prepare(targets);
    notes[nameOf(drift)] = { prepared, standing: standingOf(store, prepared) };
    already.push(...(drift.already?.(store, prepared) ?? []));
  }
  store.run('insert or replace into setting (name, value) values (?, ?)', SETTING, JSON.stringify(notes));
  return already;
}

/**
 * Changes a planted world in every way that only a second sync can see: what was invoiced, paid, listed and delivered
 * changes afterwards. Its own check finds each change, and no other check does.
 *
 * @param wanted which changes; all by default
 * @throws UsageError when the world was not planted, has drifted already, or has changed since it was planted
 */
export function plantDrift(store: Store, wanted: PlantFilter = () => true): Planted[] {
  return store.write(() => {
    const noted = store.get<{ value: string }>('select value from setting where name = ?', SETTING)?.value;
    if (noted === undefined) {
      throw new UsageError(
        'nothing in this file is prepared to change between two syncs',
        'Seed a new file with --plant; then, once after a first sync, run: remit sandbox seed --data FILE --plant-drift',
      );
    }
    const notes = JSON.parse(noted) as Record<string, Noted>;
    const at = latestEvent(store) ?? '';
    store.run('delete from setting where name = ?', SETTING);
    return DRIFT.filter(wanted).flatMap((drift) => {
      const { prepared, standing } = need(notes[nameOf(drift)]);
      if (standingOf(store, prepared) !== standing) {
        throw new UsageError(
          `${prepared.order ? `order ${prepared.order}` : `invoice ${prepared.invoice}`} has moved since the world was planted`,
          'Let the world change before it lives on: seed a new file with --plant, sync, and run --plant-drift first.',
        );
      }
      return drift.strike(store, prepared, at);
    });
  });
}

/** The states of what a drift will change. */
function standingOf(store: Store, { order = '', invoice = 0 }: Prepared): string {
  return JSON.stringify([
    store.get('select delivery_state, payment_state, merchant_invoice from delivery_order where order_id = ?', order),
    store.get('select status from invoice where number = ?', invoice),
  ]);
}
