import type { Purse } from './money.ts';

export type Outcome = 'delivered' | 'returned' | 'cancelled' | 'on the road';

/** What the courier does with one order, and what the shop wrote of it. */
export interface Order {
  readonly id: string;
  /** The shop's reference as the courier has it. */
  reference: string;
  readonly workflow: 'STANDARD' | 'RETURN';
  district: string;
  readonly location: number;
  readonly packages: number;
  readonly created: number;
  readonly outcome: Outcome;
  /** When it was delivered, came back, or was cancelled; of what is on the road, when it left. */
  readonly ended: number;
  /** What was to be collected when the shop sent it. */
  asked: Purse;
  /** The courier's own record. */
  cod: Purse;
  fee: Purse;
  /** The row of its invoice, where that says otherwise. */
  rowCod: Purse | null;
  rowFee: Purse | null;
  rowState: string | null;
  rowPayment: string | null;
  invoice: Invoice | null;
  /** What the record names, where that is not its invoice. */
  link: number | null | undefined;
  /** Of the shop's own book: null where it is not in it. */
  own: { reference: string; cod: Purse } | null;
  /** From this night on (2 is the last): another record, another state, or no record at all. */
  later: { night: number; cod?: Purse; payment?: string; gone?: true } | null;
  isUnknown: boolean;
}

export interface Invoice {
  readonly number: number;
  readonly issued: number;
  /** When it was paid; null where it was not. */
  paid: number | null;
  status: string | null;
  readonly orders: Order[];
  /** What the header says beyond its rows, and the net beyond both. */
  moreCod: Purse;
  moreFee: Purse;
  moreNet: Purse;
  /** What the month's list says otherwise. */
  listNet: Purse;
  listCount: number;
  alsoListedIn: string | null;
  /** The last night restates it: a row's COD by so much. Or takes it off the list. */
  restated: { order: Order; currency: string; by: bigint } | null;
  isVanished: boolean;
}

/** A line on a bank account or in the cash book. */
export interface Line {
  readonly date: string;
  readonly currency: string;
  readonly cents: bigint;
  readonly text: string;
  /** The cash book's column. */
  readonly invoice: string;
  readonly inCash: boolean;
}

/** A difference that was planted, as a check should report it: once, about this, in this currency, to this effect. */
export interface Expected {
  readonly code: string;
  /** An order's id, an invoice's number, a reference, an amount, or a month. */
  readonly about: string;
  readonly currency: string | null;
  /** What the courier's figure is too much, or too little, because of it; null where no figure moves. */
  readonly effect: string | null;
}

export interface World {
  readonly orders: readonly Order[];
  readonly invoices: readonly Invoice[];
  /** Own orders that the courier never saw. */
  readonly neverSent: readonly { reference: string; day: string; cents: bigint }[];
  readonly lines: readonly Line[];
  readonly expected: readonly Expected[];
  /** How many differences were planted; one may show in several findings. */
  readonly plants: number;
}

/** The nights on which the courier is looked at. */
export const NIGHTS = ['2026-10-05', '2026-11-05', '2026-12-01'];
export const PAYER = 'Cedar Road Couriers';
