import { timestamp } from '../calendar.ts';
import { type Move, moveOrder } from '../operator/moves.ts';
import type { Random } from '../random.ts';
import { changeStates } from '../store/states.ts';
import type { Store } from '../store/store.ts';

const MINUTE = 60_000;

/** After this many failed attempts a parcel goes back to the merchant. */
const MAX_ATTEMPTS = 3;

/**
 * The simulation of one order on one day: `firstHours` on the day on which the order is placed, `run` on a later day.
 * Each step advances its clock, until the day or the world ends. The two numbers of a step are the least and the most
 * minutes that it takes.
 *
 * @param start the earliest moment of the first step, in milliseconds
 * @param until the moment at which everything stops, in milliseconds
 */
export function orderDay(store: Store, orderId: string, random: Random, start: number, until: number) {
  let clock = start;
  let steps = 0;
  return { firstHours, run };

  /** The day on which the order is placed. @param isEarly it was placed in time for today's van */
  function firstHours(isEarly: boolean): void {
    if (random.chance(0.03)) stamp('CANCELLED', 5, 120);
    else if (random.chance(0.85)) {
      const requested = stamp('PICKUP_REQUESTED', 5, 90);
      if (requested && isEarly && random.chance(0.5)) pickUp('PICKUP_REQUESTED');
    }
  }

  /** A later day. @returns how many steps the order took */
  function run({ delivery_state: state }: { delivery_state: string }): number {
    switch (state) {
      case 'CREATED':
        if (random.chance(0.08)) stamp('CANCELLED', 60, 300);
        else if (stamp('PICKUP_REQUESTED', 60, 240)) pickUp('PICKUP_REQUESTED');
        break;
      case 'AT_WAREHOUSE':
      case 'DELIVERY_ASSIGNED':
      case 'SCANNED_FOR_DELIVERY':
      case 'PICKED_UP_FOR_DELIVERY':
        deliver(state);
        break;
      case 'IN_TRANSIT':
        attempt();
        break;
      case 'AWAITING_RETURN':
        afterReturn();
        break;
      case 'DELIVERED':
        move('collect', 120, 600);
        break;
      // From PICKUP_REQUESTED to PICKED_UP.
      default:
        pickUp(state);
    }
    return steps;
  }

  /** From the shop to the warehouse; sometimes it ends tomorrow. */
  function pickUp(from: string): void {
    const way: [string, Move][] = [
      ['PICKUP_REQUESTED', 'assign'],
      ['PICKUP_ASSIGNED', 'scan'],
      ['SCANNED_FOR_PICKUP', 'pickup'],
      ['PICKED_UP', 'warehouse'],
    ];
    along(way, from, 0.97);
  }

  /** From the warehouse to the customer's door. */
  function deliver(from: string): void {
    const way: [string, Move][] = [
      ['AT_WAREHOUSE', 'assign'],
      ['DELIVERY_ASSIGNED', 'scan'],
      ['SCANNED_FOR_DELIVERY', 'pickup'],
      ['PICKED_UP_FOR_DELIVERY', 'dispatch'],
    ];
    if (along(way, from, 0.99)) attempt();
  }

  /** Makes the moves from a state on, each with a probability. @returns false if one was not made */
  function along(way: readonly [string, Move][], from: string, probability: number): boolean {
    const first = way.findIndex(([state]) => state === from);
    const moves = way.slice(Math.max(first, 0));
    return moves.every(([, next]) => random.chance(probability) && move(next, 3, 50));
  }

  /** At the door: delivered, back to the warehouse, or still on the road. Later the driver hands in the cash. */
  function attempt(): void {
    const outcome = random.next();
    if (outcome < 0.85) {
      if (move('deliver', 20, 240) && random.chance(0.9)) move('collect', 30, 180);
    } else if (outcome < 0.97 && move('fail', 20, 240)) {
      if (attempts() >= MAX_ATTEMPTS || random.chance(0.35)) move('return', 10, 60);
    }
  }

  /** A parcel back at the warehouse: its customer collects it there, it is given up, or it waits another day. */
  function afterReturn(): void {
    const outcome = random.next();
    if (outcome < 0.15) move('handover', 60, 600);
    else if (outcome < 0.5) move('return', 60, 600);
  }

  /** Each dispatch is one attempt. */
  function attempts(): number {
    return store.count(`statestamp where order_id = ? and delivery_state = 'IN_TRANSIT'`, orderId);
  }

  function move(name: Move, least: number, most: number): boolean {
    return later(least, most, (at) => moveOrder(store, orderId, name, at));
  }

  /** The two moves that only the merchant can make. */
  function stamp(delivery_state: 'PICKUP_REQUESTED' | 'CANCELLED', least: number, most: number): boolean {
    return later(least, most, (at) => changeStates(store, orderId, { delivery_state, payment_state: 'UNPAID' }, at));
  }

  /** Takes one step some minutes later. @returns false if the day or the world has ended by then */
  function later(least: number, most: number, step: (at: string) => void): boolean {
    clock += random.int(least * MINUTE, most * MINUTE);
    if (clock >= until) return false;
    step(timestamp(clock, random.int(0, 999)));
    steps += 1;
    return true;
  }
}
