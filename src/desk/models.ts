import type { ListedApproval } from '../app/approvals/list.ts';
import type { Preview } from '../app/decisions/preview.ts';
import type { ListedClose } from '../app/desk/books-state.ts';
import type { DecisionEntry } from '../app/desk/decision-log.ts';
import type { FoundLine } from '../app/desk/search.ts';
import type { SavedView } from '../app/desk/views.ts';
import type { listClaims } from '../app/disputes/list.ts';
import type { EvidenceOf } from '../app/evidence/index.ts';
import type { ListedImport } from '../app/import/undo.ts';
import type { TriedMap, Unmapped } from '../app/import/unmapped.ts';
import type { ListedSettlement } from '../app/settle/list.ts';
import type { ShownClose, ShownInvoice, ShownOrder, ShownReceipt, ShownRun } from '../app/show/index.ts';
import type { Explanation } from '../base/errors.ts';
import type { DecideName } from '../words/sentences.ts';
import type { FilesPreview, ImportBody, KINDS } from './deciding/imports.ts';
import type { DeskTable } from './desk-table.ts';
import type { readHome, readMonth } from './reading/home.ts';
import type { readMismatch, readMismatchesPage } from './reading/mismatches.ts';
import type { readReceiptsPage } from './reading/receipts.ts';
import type { Refusal } from './refusal.ts';
import type { DeskSync } from './syncs/syncs.ts';

interface Paged {
  /** The address of the next page; null if this is the last. */
  readonly next: string | null;
}

/** The model of each page, by the page's name. As JSON, a model has the fields of its `table`: see `modelJson`. */
export interface Models {
  readonly home: HomeModel;
  readonly month: MonthModel;
  readonly mismatches: MismatchesModel;
  readonly mismatch: Awaited<ReturnType<typeof readMismatch>>;
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

export interface DecidingModel {
  /** The preview of what would be decided: if lines can be left out, of the ticked ones. */
  readonly preview: Preview;
  /** The preview with every line, if lines can be left out; else null. */
  readonly all: Preview | null;
  /** The mismatches whose lines are ticked; null if no lines can be left out. */
  readonly chosen: readonly string[] | null;
  readonly decision: DecideName;
  /** The address to which the decision is sent, and its fields as they were filled in. */
  readonly path: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The month that the decision is about; null if it is about none. */
  readonly month: string | null;
}

export type HomeModel = Awaited<ReturnType<typeof readHome>>;

export type MonthModel = Awaited<ReturnType<typeof readMonth>>;

export type ReceiptsModel = Awaited<ReturnType<typeof readReceiptsPage>>;

export type MismatchesModel = Awaited<ReturnType<typeof readMismatchesPage>>;

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
