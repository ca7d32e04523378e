import type { Sentence } from '../../src/base/sentence.ts';
import type { Units } from '../../src/money/units.ts';

/** The accounts that remit posts to. */
export const JOURNAL_ACCOUNTS = [
  // What customers owe the merchant.
  'receivables',
  // COD that the courier collected and that no invoice states yet.
  'uninvoiced_cod',
  // What the courier owes on its invoices.
  'courier_receivable',
  // By how much invoices differ from our records, until that is resolved.
  'cod_in_dispute',
  'delivery_fees',
  // What the courier will charge for deliveries that no invoice states yet.
  'accrued_fees',
  'recoverable_tax',
  'taxes_withheld',
  'bank',
  // Money that came in and that no invoice explains yet.
  'unallocated_receipts',
  // Differences that a person agreed to: these three by their kind, the others on the accounts of differences.
  'write_off',
  'bank_charges',
  'rounding',
  // Realised: agreed by a person, or from a payment at another rate than the invoice's.
  'exchange_differences',
  // From revaluations, until they are taken back.
  'unrealised_differences',
  // Agreed differences of any other kind, and what COD less fees leaves unexplained of an invoice's net.
  'other_differences',
  // A line in each currency, where a receipt is in another currency than the invoice.
  'currency_conversion',
  'opening',
] as const;
export type FixedAccount = (typeof JOURNAL_ACCOUNTS)[number];

/** Each kind of charge or tax has an account below that of fees or of taxes withheld: `charge:handling`. */
export type KindAccount = `charge:${string}` | `tax:${string}`;
export type JournalAccount = FixedAccount | KindAccount;

export function isKindAccount(account: string): account is KindAccount {
  return account.startsWith('charge:') || account.startsWith('tax:');
}

/** All fixed accounts in their order, then the accounts of charges and taxes that these lines use, by name. */
export function accountsOf(lines: Iterable<Pick<JournalLine, 'account'>>): JournalAccount[] {
  const kinds = new Set<JournalAccount>();
  for (const { account } of lines) if (isKindAccount(account)) kinds.add(account);
  return [...JOURNAL_ACCOUNTS, ...[...kinds].sort()];
}

export type DeliveredBy = 'order' | 'day';

/** What a transaction books. `isLater`: matched after the month of the receipt was closed. */
export type JournalNarration =
  | { id: 'booked-delivery'; order: string }
  | { id: 'booked-deliveries'; count: number }
  | { id: 'booked-accrual-reversed'; number: number }
  | { id: 'booked-invoice'; number: number; isRestated: boolean }
  | { id: 'booked-receipt'; invoices: readonly number[]; isTakenBack: boolean }
  | { id: 'booked-allocation'; number: number; isLater: boolean }
  | { id: 'booked-paid-flag'; number: number; isPaid: boolean }
  | { id: 'booked-exchange'; number: number }
  | { id: 'booked-dispute'; invoice: number | null; order: string | null; isOver: boolean }
  | { id: 'booked-difference'; number: number; kind: string }
  | { id: 'booked-adjustment'; of: Sentence }
  | { id: 'booked-revaluation'; currency: string; isReversed: boolean }
  | { id: 'booked-opening' };

export interface JournalLine {
  readonly account: JournalAccount;
  /** Positive is debit, negative is credit; zero only if the line has an amount in the base currency alone. */
  readonly amount: Units;
  /** The same in the base currency; absent in books without one. */
  readonly base?: Units;
}

/** What a transaction is about, by which a reader finds its documents. */
export interface JournalReferences {
  readonly invoice?: number;
  readonly order?: string;
  readonly reference?: string;
  readonly receipt?: string;
}

/** How much of a transaction's `courier_receivable` belongs to one invoice. */
export interface ReceivableShare {
  readonly number: number;
  /** With the line's sign: negative if the invoice is paid. */
  readonly amount: Units;
}

/** One booking, in one currency. Its lines add up to zero. */
export interface JournalTransaction {
  /** Stable: the same event has the same id in every export, so that one made again is recognised. */
  readonly id: string;
  /** `2026-10-09`. */
  readonly date: string;
  readonly currency: string;
  readonly narration: JournalNarration;
  readonly references: JournalReferences;
  /** What each invoice gets of a receipt that pays several; together the line of the courier receivable. */
  readonly shares?: readonly ReceivableShare[];
  /** How much of the line `delivery_fees` is COD given back for RETURN orders. It is no fee, and so bears no tax. */
  readonly refunds?: Units;
  /** If the receipt is in another currency than the invoice: the receipt's amount that paid it. */
  readonly converted?: { readonly currency: string; readonly amount: Units };
  readonly lines: readonly JournalLine[];
}

export interface JournalBalance extends JournalLine {
  readonly currency: string;
}

export interface Journal {
  /** As it is printed: `2026-10`, `2026-Q4`. */
  readonly period: string;
  /** The first and the last day. */
  readonly from: string;
  readonly to: string;
  /** The base currency; null in books without one. */
  readonly base: string | null;
  /** What the accounts held before the first day. */
  readonly opening: readonly JournalBalance[];
  /** By date, then id. */
  readonly transactions: readonly JournalTransaction[];
}
