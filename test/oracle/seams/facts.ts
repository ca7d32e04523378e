/** What became known to the books, in order: all that the oracle goes by. */

export interface ShownInvoice {
  readonly id: string;
  /** The day on which it was issued, by the clock of the books. */
  readonly issued: string;
  /** Net due by currency, in ten-thousandths. */
  readonly nets: ReadonlyMap<string, bigint>;
  readonly paid: boolean;
  /** The day on which it says that it was paid: a sheet's is its date. */
  readonly paidOn?: string;
}

/** A movement of a bank account, whichever files bring it. */
export interface Line {
  readonly key: string;
  readonly account: string;
  readonly date: string;
  readonly currency: string;
  readonly amount: bigint;
  /** Who paid, as the text says it. */
  readonly payer: string;
  /** Invoices that the text names. */
  readonly names: readonly string[];
}

/** What a file says of itself: its days, and its balances where it states any. */
export interface Statement {
  readonly account: string;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  readonly opening: bigint | null;
  readonly closing: bigint | null;
  /** A cash book states neither range nor balances. */
  readonly isCash: boolean;
}

type Happened =
  | { readonly kind: 'list'; readonly courier: string; readonly invoices: readonly ShownInvoice[] }
  | {
      readonly kind: 'sheet';
      readonly courier: string;
      readonly file: string;
      readonly invoices: readonly ShownInvoice[];
    }
  | { readonly kind: 'bank'; readonly file: string; readonly lines: readonly Line[]; readonly statement: Statement }
  | { readonly kind: 'undo'; readonly file: string }
  | {
      readonly kind: 'pays';
      readonly receipt: string;
      readonly invoices: readonly string[];
      readonly how: 'rest' | 'part';
    }
  | { readonly kind: 'unmatch'; readonly receipt: string }
  | {
      readonly kind: 'settle';
      readonly id: string;
      readonly courier: string;
      readonly invoice: string;
      readonly currency: string;
      readonly amount: bigint;
    }
  | { readonly kind: 'unsettle'; readonly id: string }
  | { readonly kind: 'check' }
  | { readonly kind: 'close'; readonly month: string }
  | { readonly kind: 'reopen'; readonly month: string }
  | { readonly kind: 'payers'; readonly courier: string; readonly payers: readonly string[] }
  | { readonly kind: 'lag'; readonly courier: string; readonly days: number };

/** @property day the day on which it became known, by the clock of the books */
export type Fact = Happened & { readonly day: string };
