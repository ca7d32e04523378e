import type { ListedApproval } from '../app/approvals/list.ts';
import type { CheckReasons, checkJson } from '../app/check-result.ts';
import type { RefusedClose } from '../app/close/close.ts';
import type { CourierCash } from '../app/custody.ts';
import type { Preview } from '../app/decisions/preview.ts';
import type { Assignment } from '../app/desk/assignments.ts';
import type { BooksState, ListedClose, MonthOfBooks } from '../app/desk/books-state.ts';
import type { DecisionEntry } from '../app/desk/decision-log.ts';
import type { Unexplained } from '../app/desk/proof.ts';
import type { FoundLine } from '../app/desk/search.ts';
import type { SavedView } from '../app/desk/views.ts';
import type { listClaims } from '../app/disputes/list.ts';
import type { EvidenceOf } from '../app/evidence/index.ts';
import type { readMonthSteps } from '../app/header-from-rows.ts';
import type { ListedImport } from '../app/import/undo.ts';
import type { TriedMap, Unmapped } from '../app/import/unmapped.ts';
import type { MatchReport } from '../app/match/report-matches.ts';
import type { SaidGroup } from '../app/mismatches/groups.ts';
import type { ListedSettlement } from '../app/settle/list.ts';
import type { ShownClose, ShownInvoice, ShownMismatch, ShownOrder, ShownReceipt, ShownRun } from '../app/show/index.ts';
import type { Explanation } from '../base/errors.ts';
import type { ClaimState } from '../base/states.ts';
import type { DecideName } from '../words/sentences.ts';
import type { FilesPreview, ImportBody, KINDS } from './deciding/imports.ts';
import type { DeskTable } from './desk-table.ts';
import type { Refusal } from './refusal.ts';
import type { DeskSync } from './syncs/syncs.ts';

/** A list of which a page shows a part. */
interface Paged {
  /** The address of the next page; null if this is the last. */
  readonly next: string | null;
}

/** The model of each page, by the page's name. As JSON, a model has the fields of its `table`: see `modelJson`. */
export interface Models {
  readonly home: HomeModel;
  readonly month: MonthModel;
  readonly mismatches: MismatchesModel;
  readonly mismatch: MismatchModel;
  readonly invoice: ShownInvoice;
  readonly order: ShownOrder;
  readonly rows: { readonly table: DeskTable };
  readonly receipts: ReceiptsModel;
  readonly receipt: ShownReceipt;
  readonly evidence: EvidenceModel;
  readonly runs: { readonly table: DeskTable };
  readonly run: ShownRun;
  readonly imports: { readonly imports: readonly ListedImport[] } & Paged;
  readonly closes: { readonly closes: readonly ListedClose[] } & Paged;
  readonly close: ShownClose;
  readonly settlements: { readonly settlements: readonly ListedSettlement[] } & Paged;
  readonly claims: Awaited<ReturnType<typeof listClaims>> & Paged;
  /** One claim about several mismatches. Its `id` is that of its row of evidence. */
  readonly claim: { readonly id: number; readonly claims: Awaited<ReturnType<typeof listClaims>>['claims'] };
  readonly search: { readonly query: string; readonly found: readonly FoundLine[] };
  readonly decisions: { readonly decisions: readonly DecisionEntry[] } & Paged;
  readonly approvals: { readonly approvals: readonly ListedApproval[] } & Paged;
  readonly views: { readonly views: readonly SavedView[] } & Paged;
  readonly reports: { readonly reports: readonly { readonly name: string; readonly title: string }[] };
  readonly report: { readonly table: DeskTable };
  readonly refusal: Refusal;
  readonly deciding: DecidingModel;
  readonly sync: DeskSync;
  readonly files: FilesModel;
  readonly map: MapModel;
  readonly empty: null;
  readonly computing: null;
}

/** What would be imported from files, before it is. */
export interface FilesModel extends FilesPreview {
  /** The name under which the readable files wait. */
  readonly staged: string;
  /** For each file, the name under which it waits for somebody to name its columns; null if it need not. */
  readonly unread: readonly (string | null)[];
  readonly body: ImportBody;
}

/** A file whose columns a person is to name. */
export interface MapModel extends Unmapped {
  readonly file: string;
  readonly staged: string;
  readonly kind: (typeof KINDS)[number];
  /** The form's fields as they were filled in. */
  readonly values: URLSearchParams;
  /** What the columns and styles of the form make of the file; null until somebody asks. */
  readonly tried: TriedMap | null;
  /** Why the last try could not read it; null before the first try. */
  readonly why: Explanation | null;
}

/** What a decision would do, before it is made. */
export interface DecidingModel {
  readonly preview: Preview;
  /** The preview with every line, if lines can be left out; else null. */
  readonly all: Preview | null;
  /** The ids of the chosen mismatches; null if lines cannot be left out. */
  readonly chosen: readonly string[] | null;
  readonly decision: DecideName;
  /** The address to which the decision is sent, and its fields as they were filled in. */
  readonly path: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The month that the decision is about; null if it is about none. */
  readonly month: string | null;
}

/** A month is `ready` if only its close is left to do, and `waiting` if a second person has to approve its close. */
export type MonthState = 'open' | 'ready' | 'waiting' | 'closed';

export interface HomeModel extends Omit<BooksState, 'months'> {
  /** `state` is null while it is being computed. */
  readonly months: readonly (MonthOfBooks & { readonly state: MonthState | null })[];
  /** `report totals`. */
  readonly table: DeskTable;
  /** `report roll-forward`: from the opening balance due to the closing one. */
  readonly balance: DeskTable;
  /** Where each courier's money is today. */
  readonly cash: readonly CourierCash[];
  /** `report ageing` of the last month: its totals, and the receipts that no invoice explains. */
  readonly ageing: DeskTable;
  /** What the checks cannot explain, by month and currency; null while it is being computed. */
  readonly unexplained: readonly Unexplained[] | null;
  /** How many decisions wait for a second person. */
  readonly waiting: number;
  readonly views: readonly SavedView[];
}

/** What `check M --json` prints, and what else a month end needs. */
export type MonthModel = ReturnType<typeof checkJson> & {
  /** The sentences in the lists of the check, not yet in words. */
  readonly reasons: Pick<CheckReasons, 'skipped' | 'incomplete' | 'causes'>;
  /** The month in the list of months: whether it is closed, and what is open; null if the list lacks it. */
  readonly standing: MonthOfBooks | null;
  /** How many findings are about receipts without an invoice. */
  readonly unmatched: number;
  /** How many open findings the courier owes you for and nobody claimed. */
  readonly unclaimed: number;
  /** The previous and the next month that the books hold. */
  readonly previous: string | null;
  readonly next: string | null;
  /** The steps from the sums of its invoice rows to the invoices' headers, for each courier and currency. */
  readonly header_from_rows: Awaited<ReturnType<typeof readMonthSteps>>;
  /** `report totals` and `report roll-forward` of the month. */
  readonly totals: DeskTable;
  readonly balance: DeskTable;
  /** Why the month cannot be closed; empty if it can. */
  readonly refusals: RefusedClose['reasons'];
  /** What can be downloaded as a file, by report. */
  readonly reports: readonly { readonly name: string; readonly title: string }[];
};

export type MismatchModel = ShownMismatch & {
  /** The courier's name. */
  readonly courier: string | null;
  readonly assignment: Assignment | null;
  /** Its place in the list that the address's filters give, and its neighbours; null if no list led to it. */
  readonly among: {
    readonly place: number;
    readonly count: number;
    readonly previous: MismatchLink | null;
    readonly next: MismatchLink | null;
  } | null;
  /** The open amounts of its invoice, in the mismatch's currency or in each. */
  readonly open: readonly LeftToPay[];
  /** The sets of invoices that its receipt may pay. */
  readonly pays: readonly { readonly receipt: number; readonly invoices: readonly string[] }[];
  /** If the invoice was not paid: receipts that may pay it. */
  readonly near: readonly {
    readonly receipt: number;
    readonly invoice: string;
    readonly currency: string;
    /** What no match uses of it. */
    readonly left: string;
    readonly date: string;
    /** The receipt's payer and text. */
    readonly says: string;
  }[];
};

/** What the address of a mismatch needs. */
interface MismatchLink {
  readonly id: string;
  readonly courier: string;
}

/** What is left to pay of an invoice in a currency. */
export interface LeftToPay {
  /** The number that courier and merchant write. */
  readonly invoice: string;
  readonly currency: string;
  readonly amount: string;
}

export interface MismatchesModel {
  readonly table: DeskTable;
  /** How many rows the filters let through, on all pages. */
  readonly count: number;
  /** The unresolved mismatches of all pages by cause, the most money first; as HTML only the first causes. */
  readonly groups: readonly SaidGroup[];
  /** How many causes the HTML leaves out. */
  readonly more_groups: number;
  /** To whom a mismatch of the page is assigned, by its id; with several couriers `swift/c3606b59d61e470d`. */
  readonly assigned: Readonly<Record<string, Assignment>>;
  /** The instant since which each mismatch of the page is known, by its id. */
  readonly since: Readonly<Record<string, string>>;
  /** The state of each claim, by the id of its mismatch. */
  readonly claims: Readonly<Record<string, ClaimState>>;
  readonly views: readonly SavedView[];
  /** Every check's code, for the filter. */
  readonly codes: readonly string[];
}

export interface ReceiptsModel {
  /** `report receipts`. */
  readonly table: DeskTable;
  /** The receipts with something left, and the invoices with something outstanding; as HTML only the first of each. */
  readonly left: DeskTable;
  readonly open: DeskTable;
  /** `match --dry-run --json`: a match without an id is suggested, not booked. As HTML only the first of each list. */
  readonly matching: MatchReport;
  /** How many entries of each list the HTML leaves out. */
  readonly more: Readonly<Record<'left' | 'open' | 'suggested' | 'matched', number>>;
}

export interface EvidenceModel {
  readonly sha256: string;
  /** The SHA-256 of the bytes that are kept, computed when the page was made. */
  readonly computed: string;
  readonly size: number;
  /** The beginning of the document as text; null if it is no text. */
  readonly text: string | null;
  readonly is_cut: boolean;
  /** The field that the address asks to mark. */
  readonly field: string | null;
  readonly documents: readonly EvidenceOf[];
}
