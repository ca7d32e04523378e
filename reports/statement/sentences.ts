import type { Sentence } from '../../src/base/sentence.ts';

/** What the workbook of a statement says: sentences and labels, which every language has a function for. */
export type StatementSentence =
  | Label<
      // Every table of a workbook.
      | 'workbook/total'
      | 'workbook/see-rows'
      | 'workbook/not-in-list'
      | 'workbook/totals-of-all-rows'
      // Sheets and parts of sheets.
      | 'statement/about'
      | 'statement/summary'
      | 'statement/mismatches'
      | 'statement/resolved'
      | 'statement/vanished'
      | 'statement/no-longer-listed'
      // The result.
      | 'statement/no-money'
      | 'statement/then-open'
      | 'statement/then-unproven'
      | 'statement/no-error-open'
      | 'statement/errors-open'
      | 'statement/result-unexplained'
      | 'statement/result-unproven'
      | 'statement/result-partial'
      | 'statement/result-explained'
      // The page that one signs.
      | 'statement/merchant'
      | 'statement/courier'
      | 'statement/balance'
      | 'statement/result-of-month'
      | 'statement/causes'
      | 'statement/cause'
      | 'statement/amount'
      | 'statement/no-open-finding'
      | 'statement/details'
      | 'statement/closed-head'
      // The facts of the month.
      | 'statement/period'
      | 'statement/status'
      | 'statement/as-of'
      | 'statement/result'
      | 'statement/warnings'
      | 'statement/draft'
      // The balance.
      | 'statement/opening-balance'
      | 'statement/invoiced'
      | 'statement/restated'
      | 'statement/received-in-month'
      | 'statement/marked-paid'
      | 'statement/agreed-differences'
      | 'statement/received-since'
      | 'statement/settled-since'
      | 'statement/restated-since'
      | 'statement/open-today'
      | 'statement/balance-hint'
      // What is due.
      | 'statement/due'
      | 'statement/no-invoice'
      | 'statement/as-invoices-state'
      | 'statement/cod'
      | 'statement/delivery-fees'
      | 'statement/due-at-close'
      | 'statement/net-otherwise'
      | 'statement/net-due'
      | 'statement/net-due-of-month'
      | 'statement/of-which-received'
      | 'statement/of-which-differences'
      | 'statement/of-which-paid'
      | 'statement/of-which-outstanding'
      // The bridge.
      | 'statement/bridge'
      | 'statement/computed-twice'
      | 'statement/outside'
      | 'statement/resolved-by-us'
      | 'statement/nothing-outside'
      | 'statement/short-or-ahead-unresolved'
      | 'statement/effects'
      | 'statement/found'
      | 'statement/code'
      | 'statement/no-own-record'
      | 'statement/courier-figure-line'
      | 'statement/own-figure-line'
      | 'statement/difference-line'
      | 'statement/no-step'
      | 'statement/explained-line'
      | 'statement/unexplained'
      // Since the last statement.
      | 'statement/since'
      | 'statement/first-statement'
      | 'statement/against-last'
      | 'statement/currency'
      | 'statement/then'
      | 'statement/now'
      | 'statement/change'
      | 'statement/mismatches-unresolved'
      | 'statement/all-of-them'
      | 'statement/last-figures-not-kept'
      | 'statement/nothing-since'
      // Mismatches.
      | 'statement/not-resolved'
      | 'statement/open'
      | 'statement/acknowledged'
      | 'statement/where'
      | 'statement/written-off'
      | 'statement/effect-hint'
      // What was not checked.
      | 'statement/not-checked'
      | 'statement/all-checks-run'
      | 'statement/own-side-hint'
      // Signatures and history.
      | 'statement/signatures'
      | 'statement/prepared-by'
      | 'statement/reviewed-by'
      | 'statement/date'
      | 'statement/sign-after'
      | 'statement/month'
      // Where it comes from.
      | 'statement/definitions'
      | 'statement/documents'
      | 'statement/documents-hint'
      | 'statement/invoice'
      | 'statement/document-hash'
      | 'statement/bytes'
      | 'statement/run'
      | 'statement/received-at'
      | 'statement/origin'
      | 'statement/made-by'
      | 'statement/returns'
      | 'statement/ledger-version'
      | 'statement/evidence'
      | 'statement/no-evidence'
      | 'statement/runs'
      | 'statement/command'
      | 'statement/started-at'
      | 'statement/finished-at'
      | 'statement/mark-hint'
    >
  | { id: 'workbook/page-of-pages'; page: string; pages: string }
  | { id: 'workbook/choose-one'; words: readonly string[] }
  | { id: 'workbook/amounts-as-text'; count: number }
  | { id: 'statement/title'; month: string }
  | { id: 'statement/heading'; monthInWords: string }
  /** What stands before the amount, which is live: `USD: you are short`. */
  | { id: 'statement/side'; currency: string; side: 'short' | 'ahead' | 'even' }
  | { id: 'statement/then-unexplained'; amount: string; currency: string }
  | { id: 'statement/then-not-compared'; amount: string; currency: string }
  | { id: 'statement/closing-at'; day: string }
  | { id: 'statement/days'; from: string; to: string }
  /** `withOpen`: why it was closed though errors were open. */
  | { id: 'statement/closed'; by: string; time: string; withOpen: string | null }
  | { id: 'statement/status-word'; status: 'draft' | 'closed' }
  | { id: 'statement/other-steps'; count: number }
  | { id: 'statement/other-causes'; count: number }
  /** The beginning of the chain's head, at the foot of every page. */
  | { id: 'statement/chain'; chain: string }
  | { id: 'statement/as-of-time'; time: string }
  | { id: 'statement/counts'; invoices: number; orders: number }
  | { id: 'statement/compared-with'; time: string; evidence: number }
  | { id: 'statement/found-since'; codes: readonly { code: string; count: number }[] }
  | { id: 'statement/resolved-since'; codes: readonly { code: string; count: number }[] }
  | { id: 'statement/invoices-since'; what: InvoicesSince; numbers: readonly number[] }
  | { id: 'statement/orders-since'; count: number }
  | { id: 'statement/effect-in'; currency: string }
  | { id: 'statement/severity'; severity: Severity }
  | { id: 'statement/severity-line'; severity: Severity }
  | { id: 'statement/months-of'; currency: string }
  | { id: 'statement/evidence-row'; row: number; chain: string }
  | { id: 'statement/term'; term: Term }
  | { id: 'statement/definition'; term: Term }
  /** What a check finds. */
  | { id: 'statement/finding'; code: string }
  /** Another sentence with a capital letter and a full stop. */
  | { id: 'statement/as-sentence'; says: Sentence }
  /** A step of the bridge that no check finds. */
  | { id: 'statement/not-compared' };

/** A sentence about nothing in particular: its id is all of it. */
type Label<Id extends string> = Id extends string ? { id: Id } : never;

export type Severity = 'error' | 'warning' | 'info';

/** What became of invoices since the last statement. */
export type InvoicesSince = 'added' | 'restated' | 'vanished' | 'back' | 'status';

/** The terms that the last page defines, in order. */
export const TERMS = [
  'cod',
  'delivery-fees',
  'net-due',
  'received',
  'outstanding',
  'net-of-orders',
  'courier-figure',
  'own-figure',
  'explained',
  'short-or-ahead',
  'unexplained',
  'month',
  'exactness',
] as const;
export type Term = (typeof TERMS)[number];
