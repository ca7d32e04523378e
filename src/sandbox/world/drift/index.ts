import { UsageError } from '../../../errors.ts';
import { latestEvent } from '../../store/latest.ts';
import type { Store } from '../../store/store.ts';
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

/** What the file remembers of a change that is to come. */
interface Noted {
  readonly prepared: Prepared;
  /** How it stood when it was prepared. */
  readonly standing: string;
}

/**
 * Makes the orders and invoices that {@link plantDrift} will change, so that a first look sees them as they should be, and
 * notes them in the file. Only within `store.write`.
 *
 * @returns what a check names of them from the start
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
 * Changes a planted world in every way that only a second look can see: what was invoiced, paid, listed and delivered is no
 * longer what it was. Each change is found by its own check and by no other.
 *
 * @param wanted which changes; all unless given
 * @throws UsageError when the world was not planted, has drifted already, or has lived on since it was planted
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

/** The states of what a change is prepared on. */
function standingOf(store: Store, { order = '', invoice = 0 }: Prepared): string {
  return JSON.stringify([
    store.get('select delivery_state, payment_state, merchant_invoice from delivery_order where order_id = ?', order),
    store.get('select status from invoice where number = ?', invoice),
  ]);
}
