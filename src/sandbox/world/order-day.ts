import { timestamp } from '../calendar.ts';
import { type Move, moveOrder } from '../operator/moves.ts';
import type { Random } from '../random.ts';
import { changeStates } from '../store/states.ts';
import type { Store } from '../store/store.ts';

const MINUTE = 60_000;

/** After this many failed attempts a parcel goes back to the merchant. */
const MAX_ATTEMPTS = 3;

/** Simulates one order for one day. Each step advances its clock, until the day or the world ends. */
export class OrderDay {
  readonly #store: Store;
  readonly #orderId: string;
  readonly #random: Random;
  readonly #until: number;
  #clock: number;
  #steps = 0;

  /**
   * @param start the earliest moment of the first step, in milliseconds
   * @param until the moment at which everything stops, in milliseconds
   */
  constructor(store: Store, orderId: string, random: Random, start: number, until: number) {
    this.#store = store;
    this.#orderId = orderId;
    this.#random = random;
    this.#clock = start;
    this.#until = until;
  }

  /** The day on which the order is placed. @param isEarly it was placed in time for today's van */
  firstHours(isEarly: boolean): void {
    if (this.#random.chance(0.03)) this.#stamp('CANCELLED', 5, 120);
    else if (this.#random.chance(0.85)) {
      const requested = this.#stamp('PICKUP_REQUESTED', 5, 90);
      if (requested && isEarly && this.#random.chance(0.5)) this.#pickUp('PICKUP_REQUESTED');
    }
  }

  /** A later day. @returns how many steps the order took */
  run(order: { delivery_state: string; payment_state: string }): number {
    switch (order.delivery_state) {
      case 'CREATED':
        if (this.#random.chance(0.08)) this.#stamp('CANCELLED', 60, 300);
        else if (this.#stamp('PICKUP_REQUESTED', 60, 240)) this.#pickUp('PICKUP_REQUESTED');
        break;
      case 'AT_WAREHOUSE':
      case 'DELIVERY_ASSIGNED':
      case 'SCANNED_FOR_DELIVERY':
      case 'PICKED_UP_FOR_DELIVERY':
        this.#deliver(order.delivery_state);
        break;
      case 'IN_TRANSIT':
        this.#attempt();
        break;
      case 'AWAITING_RETURN':
        this.#afterReturn();
        break;
      case 'DELIVERED':
        this.#move('collect', 120, 600);
        break;
      default:
        this.#pickUp(order.delivery_state);
    }
    return this.#steps;
  }

  /** From the shop to the warehouse; sometimes it ends tomorrow. */
  #pickUp(from: string): void {
    const way: [string, Move][] = [
      ['PICKUP_REQUESTED', 'assign'],
      ['PICKUP_ASSIGNED', 'scan'],
      ['SCANNED_FOR_PICKUP', 'pickup'],
      ['PICKED_UP', 'warehouse'],
    ];
    this.#along(way, from, 0.97);
  }

  /** From the warehouse to the customer's door. */
  #deliver(from: string): void {
    const way: [string, Move][] = [
      ['AT_WAREHOUSE', 'assign'],
      ['DELIVERY_ASSIGNED', 'scan'],
      ['SCANNED_FOR_DELIVERY', 'pickup'],
      ['PICKED_UP_FOR_DELIVERY', 'dispatch'],
    ];
    if (this.#along(way, from, 0.99)) this.#attempt();
  }

  /** Makes the moves from a state on, each with a probability. @returns false if one was not made */
  #along(way: readonly [string, Move][], from: string, probability: number): boolean {
    const start = way.findIndex(([state]) => state === from);
    const moves = way.slice(Math.max(start, 0));
    return moves.every(([, move]) => this.#random.chance(probability) && this.#move(move, 3, 50));
  }

  /** At the door: delivered, back to the warehouse, or still on the road. Later the driver hands in the cash. */
  #attempt(): void {
    const outcome = this.#random.next();
    if (outcome < 0.85) {
      if (this.#move('deliver', 20, 240) && this.#random.chance(0.9)) this.#move('collect', 30, 180);
    } else if (outcome < 0.97 && this.#move('fail', 20, 240)) {
      if (this.#attempts() >= MAX_ATTEMPTS || this.#random.chance(0.35)) this.#move('return', 10, 60);
    }
  }

  /**
   * A parcel that is back at the warehouse: its customer collects it there, it is given up, or it waits another day.
   */
  #afterReturn(): void {
    const outcome = this.#random.next();
    if (outcome < 0.15) this.#move('handover', 60, 600);
    else if (outcome < 0.5) this.#move('return', 60, 600);
  }

  /** Each dispatch is one attempt. */
  #attempts(): number {
    return this.#store.count(`statestamp where order_id = ? and delivery_state = 'IN_TRANSIT'`, this.#orderId);
  }

  #move(move: Move, least: number, most: number): boolean {
    return this.#at(least, most, (at) => moveOrder(this.#store, this.#orderId, move, at));
  }

  /** The two moves that only the merchant can make. */
  #stamp(state: 'PICKUP_REQUESTED' | 'CANCELLED', least: number, most: number): boolean {
    return this.#at(least, most, (at) =>
      changeStates(this.#store, this.#orderId, { delivery_state: state, payment_state: 'UNPAID' }, at),
    );
  }

  /** Takes one step some minutes later. @returns false if the day or the world has ended by then */
  #at(least: number, most: number, step: (at: string) => void): boolean {
    this.#clock += this.#random.int(least * MINUTE, most * MINUTE);
    if (this.#clock >= this.#until) return false;
    step(timestamp(new Date(this.#clock), this.#random.int(0, 999)));
    this.#steps += 1;
    return true;
  }
}
