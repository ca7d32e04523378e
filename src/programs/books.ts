/**
 * What programs import as `remit-books/books`: `openBooks`, which has every command as a method, and the classes of its
 * errors. The other functions that are exported do the work of single commands.
 */
import type { ListedApproval } from '../app/approvals/list.ts';
import type { Changes } from '../app/changes.ts';
import type { checkJson } from '../app/check-result.ts';
import type { ListedCourier } from '../app/courier-books.ts';
import type { Preview } from '../app/decisions/preview.ts';
import type { listClaims, showClaim } from '../app/disputes/list.ts';
import type { Examined } from '../app/doctor/index.ts';
import type { EvidenceResult } from '../app/evidence/index.ts';
import type { Exported } from '../app/export.ts';
import type { queryFleet, writeLake } from '../app/fleet/lake.ts';
import type { addMerchant, dropMerchant, makeFleet, moveMerchant } from '../app/fleet/merchants.ts';
import type { FleetNight } from '../app/fleet/night.ts';
import type { fleetStatus } from '../app/fleet/status.ts';
import type { Imported } from '../app/import/summary.ts';
import type { ListedImport } from '../app/import/undo.ts';
import type { Backup, BooksCopy } from '../app/ledger/backup.ts';
import type { listMatches } from '../app/match/report-matches.ts';
import type { ListedMismatch } from '../app/mismatches/list.ts';
import type { Night } from '../app/night/model.ts';
import type { SelfTest } from '../app/selftest/index.ts';
import type { ListedSettlement } from '../app/settle/list.ts';
import type { ShownClose, ShownInvoice, ShownMismatch, ShownOrder, ShownReceipt, ShownRun } from '../app/show/index.ts';
import type { BooksPlan, BooksSync } from '../app/sync.ts';
import type { rebuildBooks, Verified } from '../app/verify/index.ts';
import { UsageError } from '../base/errors.ts';
import type { letterJson } from '../cli/commands/dispute/show.ts';
import type { ClaimJson } from '../cli/commands/dispute/write.ts';
import type { FilesInput } from '../cli/commands/import/files.ts';
import type { explainedJson } from '../cli/commands/match/index.ts';
import type { ReportInput } from '../cli/commands/report.ts';
import type { StatementJson, StatementsJson } from '../cli/commands/statement.ts';
import type { resolutionsJson } from '../cli/lines/import.ts';
import { method, methodOfDecision, methodsOfGroup } from './method.ts';
import type { Caller, Json, Options } from './method-types.ts';

export { type Books, usingBooks } from '../app/books.ts';
export { type CheckRequest, listChecks } from '../app/check.ts';
export { checkBooks } from '../app/check-books.ts';
export type { CheckResult } from '../app/check-result.ts';
export { type ClosedMonth, type CloseRequest, closeBooks, type RefusedClose } from '../app/close/close.ts';
export { type RefusedReopen, type ReopenedMonth, type ReopenRequest, reopenBooks } from '../app/close/reopen.ts';
export { type Examined, examine } from '../app/doctor/index.ts';
export { type Exported, exportBooks } from '../app/export.ts';
export { makeBooks, type NewBooks } from '../app/init.ts';
export { type Backup, type BooksCopy, backupBooks, copyBooks, ledgerGrants } from '../app/ledger/backup.ts';
export { type NightRequest, runNight } from '../app/night/index.ts';
export type { Night } from '../app/night/model.ts';
export { findReport, listReports, type Report, usingReport } from '../app/report.ts';
export { type SelfTest, selfTest } from '../app/selftest/index.ts';
export { type StatementRequest, type WrittenStatement, writeBooksStatements } from '../app/statement/statement.ts';
export {
  type PlannedPeriod,
  type Progress,
  planBooksSync,
  type SyncRequest,
  type SyncSummary,
  silent,
  syncBooks,
} from '../app/sync.ts';
export {
  AccountHeldError,
  ApiError,
  AuthError,
  BudgetError,
  ConfigError,
  ConflictError,
  ContractError,
  FileError,
  ImportFileError,
  InstallationError,
  InterruptedError,
  LedgerAwayError,
  LedgerBusyError,
  LedgerError,
  MoneyError,
  NotJsonError,
  ProposalStaleError,
  RemitError,
  StaleError,
  UsageError,
} from '../base/errors.ts';
export { loadConfig } from '../config/index.ts';
export { readKey } from '../config/key.ts';

export interface OpenOptions {
  /** What time it is; the machine's clock unless given. */
  readonly now?: (() => Date) | undefined;
  /** Ends what is at work, after the document in flight, with an InterruptedError; what was done is kept. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A books folder, as the command line's `-C` names it. Each method is a command of the same name: it takes the
 * command's arguments and flags as one object and gives what `--json` prints. Nothing is printed, asked or held open
 * between two calls.
 *
 * @throws UsageError when no folder is named; each method throws a RemitError, or an InterruptedError when the signal
 *   aborts
 */
export function openBooks(folder: string, { now = () => new Date(), signal }: OpenOptions = {}): OpenedBooks {
  // Without a folder it would open the books of REMIT_HOME or of the current folder.
  if (typeof folder !== 'string' || folder === '') throw new UsageError('openBooks needs a books folder', 'Name it.');
  let isClosed = false;
  const closing = new AbortController();
  const caller: Caller = {
    folder,
    now,
    signal: signal ? AbortSignal.any([signal, closing.signal]) : closing.signal,
    requireOpen: () => {
      if (isClosed) throw new UsageError('these books were closed', 'Open them again with openBooks.');
    },
  };
  const books = bindMethods(METHODS, caller) as unknown as Methods;
  const close = (async (options) => {
    // The types of `books.close` are overloads, of which TypeScript cannot choose one here.
    if (options !== undefined) return books.close(options as never);
    isClosed = true;
    closing.abort();
  }) as OpenedBooks['close'];
  return { ...books, close };
}

type Methods = Bound<typeof METHODS>;

/** An open books folder: one method per command. */
export interface OpenedBooks extends Omit<Methods, 'close'> {
  /** With a month it closes that month, like `remit close`; without options it stops all work and closes the books. */
  readonly close: Methods['close'] & (() => Promise<void>);
}

/** The type of a declaration's method, with the methods that are properties of it. */
type Bound<T> = T extends (caller: Caller) => infer Made
  ? keyof T extends never
    ? Made
    : Made & { readonly [Key in keyof T]: Bound<T[Key]> }
  : { readonly [Key in keyof T]: Bound<T[Key]> };

/** Binds every declaration of a tree to a caller. `match`, a command with subcommands, has these as properties. */
function bindMethods(tree: object, caller: Caller): object {
  const subcommands = Object.entries(tree).map(([name, subtree]) => [name, bindMethods(subtree, caller)] as const);
  const bound = typeof tree === 'function' ? (tree as (caller: Caller) => object)(caller) : {};
  return Object.assign(bound, Object.fromEntries(subcommands));
}

/** A report: amounts are decimal texts. */
interface ReportJson {
  readonly report: string;
  readonly title: string;
  readonly period: string | null;
  readonly generated_at: string;
  readonly columns: readonly { readonly name: string; readonly title: string; readonly type: string }[];
  readonly rows: readonly Readonly<Record<string, string | number | null>>[];
  readonly totals: readonly Readonly<Record<string, string | number | null>>[];
  readonly notes: readonly string[];
}

type ReportOptions = Options<Omit<ReportInput, 'name' | 'format' | 'out' | 'apiUrl' | 'concurrency'>, never> & {
  readonly name: string;
};
type TextFormat = Exclude<NonNullable<ReportInput['format']>, 'json' | 'xlsx'>;

interface ReportMethod {
  /** Writes the report to a file, whose ending says the format. */
  (options: ReportOptions & Pick<ReportInput, 'format'> & { readonly out: string }): Promise<null>;
  /** Returns the report as the text that `--format` prints. */
  (options: ReportOptions & { readonly format: TextFormat }): Promise<string>;
  (options: ReportOptions & { readonly format?: 'json' | undefined }): Promise<Json<ReportJson>>;
  /** Lists the reports. */
  (): Promise<{ readonly reports: readonly { readonly name: string; readonly title: string }[] }>;
}

const report = (caller: Caller) =>
  method<ReportJson>()('report', () =>
    import('../cli/commands/report.ts').then(({ declare, report }) => [declare, report]),
  )(caller) as unknown as ReportMethod;

type Summary = Imported['summary'];
type ImportOptions = Options<Omit<FilesInput, 'kind' | 'files' | 'explain' | 'apiUrl' | 'concurrency'>, never>;

interface ImportMethod {
  (options: ImportOptions & { readonly file: string }): Promise<Json<Summary>>;
  (options: ImportOptions & { readonly files: readonly string[] }): Promise<Json<readonly Summary[]>>;
}

/** The method of an import: with `file` it returns one summary, with `files` a list. */
const methodOfImport = (kind: FilesInput['kind']) => (caller: Caller) => {
  const importThem = method<Summary | readonly Summary[]>()(
    `import ${kind}`,
    async () => {
      const { FILE_KINDS, fileCommand, importFiles } = await import('../cli/commands/import/files.ts');
      return [fileCommand(FILE_KINDS.find((fileKind) => fileKind.kind === kind)!), importFiles];
    },
    { argumentNames: ['files'], fixed: { kind } },
  )(caller);
  const call = async ({
    file,
    ...options
  }: ImportOptions & { readonly file?: string; readonly files?: readonly string[] }) => {
    // Of one file there is one summary, of several a list: here it is always a list.
    if (file === undefined) return [await importThem({ ...options, files: options.files ?? [] })].flat();
    if (options.files !== undefined) {
      throw new UsageError(`import ${kind} takes file or files, not both`, 'Leave one of them out.');
    }
    return importThem({ ...options, files: [file] });
  };
  return call as ImportMethod;
};

/**
 * Every method under its name, not yet bound to books; it imports its command on the first call. {@link method} says
 * what its type arguments are.
 */
const METHODS = {
  init: method<{ readonly folder: string; readonly settings: string }, never, never, 'apiUrl'>()('init', () =>
    import('../cli/commands/init.ts').then(({ declare, init }) => [declare, init]),
  ),
  sync: method<
    BooksSync,
    never,
    BooksPlan & { readonly dry_run: true; readonly orders: boolean },
    'ledger' | 'apiUrl' | 'concurrency'
  >()('sync', () => import('../cli/commands/sync.ts').then(({ declare, sync }) => [declare, sync])),
  night: method<Night, 'failOn', never, 'ledger' | 'apiUrl'>()('night', () =>
    import('../cli/commands/night.ts').then(({ declare, night }) => [declare, night]),
  ),
  importOrders: methodOfImport('orders'),
  importReceipts: methodOfImport('receipts'),
  importSettlement: methodOfImport('settlement'),
  importTariff: methodOfImport('tariff'),
  importRates: methodOfImport('rates'),
  imports: {
    list: method<{ readonly imports: readonly ListedImport[] }>()('import list', () =>
      import('../cli/commands/import/index.ts').then(({ list, listCommand }) => [listCommand, list]),
    ),
    ...methodsOfGroup('import'),
    resolutions: method<ReturnType<typeof resolutionsJson>, never, Preview & ReturnType<typeof resolutionsJson>>()(
      'import resolutions',
      () => import('../cli/commands/import/index.ts').then((file) => [file.declareResolutions, file.resolutions]),
    ),
  },
  check: method<ReturnType<typeof checkJson>, 'failOn'>()('check', () =>
    import('../cli/commands/check.ts').then(({ check, declare }) => [declare, check]),
  ),
  mismatches: {
    list: method<{ readonly mismatches: readonly ListedMismatch[] }>()('mismatch list', () =>
      import('../cli/commands/mismatch/index.ts').then(({ declareList, list }) => [declareList, list]),
    ),
    show: method<ShownMismatch>()(
      'mismatch show',
      async () => {
        const [{ showCommand }, { showOne }] = await Promise.all([
          import('../cli/commands/mismatch/index.ts'),
          import('../cli/commands/show.ts'),
        ]);
        return [showCommand, showOne];
      },
      { fixed: { kind: 'mismatch' } },
    ),
    ...methodsOfGroup('mismatch'),
  },
  match: Object.assign(
    method<Awaited<ReturnType<typeof listMatches>>>()('match', () =>
      import('../cli/commands/match/index.ts').then(({ declare, match }) => [declare, match]),
    ),
    {
      list: method<Awaited<ReturnType<typeof listMatches>>>()('match list', () =>
        import('../cli/commands/match/index.ts').then(({ declareList, list }) => [declareList, list]),
      ),
      explain: method<ReturnType<typeof explainedJson>>()(
        'match explain',
        () => import('../cli/commands/match/index.ts').then(({ declareExplain, explain }) => [declareExplain, explain]),
        { argumentNames: ['words'] },
      ),
      ...methodsOfGroup('match'),
    },
  ),
  settle: Object.assign(methodOfDecision('settle'), {
    list: method<{ readonly settlements: readonly ListedSettlement[] }>()('settle list', () =>
      import('../cli/commands/settle/index.ts').then(({ list, listCommand }) => [listCommand, list]),
    ),
    ...methodsOfGroup('settle'),
  }),
  dispute: Object.assign(
    method<ClaimJson, 'lang' | 'ids', ClaimJson & Preview>()(
      'dispute',
      () => import('../cli/commands/dispute/index.ts').then(({ declare, dispute }) => [declare, dispute]),
      { argumentNames: ['ids', 'period'] },
    ),
    {
      list: method<Awaited<ReturnType<typeof listClaims>>>()('dispute list', () =>
        import('../cli/commands/dispute/show.ts').then(({ declareList, list }) => [declareList, list]),
      ),
      show: method<Awaited<ReturnType<typeof showClaim>>>()('dispute show', () =>
        import('../cli/commands/dispute/show.ts').then(({ declareShow, show }) => [declareShow, show]),
      ),
      ...methodsOfGroup('dispute'),
      letter: method<ReturnType<typeof letterJson>>()('dispute letter', () =>
        import('../cli/commands/dispute/show.ts').then(({ declareLetter, letter }) => [declareLetter, letter]),
      ),
    },
  ),
  statement: method<StatementJson | StatementsJson, 'lang'>()('statement', () =>
    import('../cli/commands/statement.ts').then(({ declare, statement }) => [declare, statement]),
  ),
  report,
  close: methodOfDecision('close'),
  reopen: methodOfDecision('reopen'),
  approvals: {
    list: method<{ readonly approvals: readonly ListedApproval[] }>()('approvals list', () =>
      import('../cli/commands/approvals/index.ts').then(({ list, listCommand }) => [listCommand, list]),
    ),
    ...methodsOfGroup('approvals'),
  },
  couriers: {
    list: method<{ readonly couriers: readonly ListedCourier[] }>()('courier list', () =>
      import('../cli/commands/courier.ts').then(({ declareList, list }) => [declareList, list]),
    ),
    rename: method<{ readonly courier: string; readonly was: string; readonly by: string }>()(
      'courier rename',
      () => import('../cli/commands/courier.ts').then(({ declareRename, rename }) => [declareRename, rename]),
      { argumentNames: ['from', 'to'] },
    ),
  },
  show: method<ShownInvoice | ShownOrder | ShownReceipt | ShownClose | ShownRun | ShownMismatch>()('show', () =>
    import('../cli/commands/show.ts').then(({ declare, show }) => [declare, show]),
  ),
  changes: method<Changes, 'since'>()('changes', () =>
    import('../cli/commands/changes.ts').then(({ changes, declare }) => [declare, changes]),
  ),
  evidence: method<EvidenceResult>()('evidence', () =>
    import('../cli/commands/evidence.ts').then(({ declare, evidence }) => [declare, evidence]),
  ),
  verify: method<Verified>()('verify', () =>
    import('../cli/commands/verify.ts').then(({ declare, verify }) => [declare, verify]),
  ),
  backup: method<Pick<Backup, 'ledger' | 'file' | 'bytes'>>()('backup', () =>
    import('../cli/commands/ledger.ts').then(({ backup, declareBackup }) => [declareBackup, backup]),
  ),
  rebuild: method<Awaited<ReturnType<typeof rebuildBooks>>>()('rebuild', () =>
    import('../cli/commands/verify.ts').then(({ declareRebuild, rebuild }) => [declareRebuild, rebuild]),
  ),
  selftest: method<SelfTest>()('selftest', () =>
    import('../cli/commands/selftest.ts').then(({ declare, selftest }) => [declare, selftest]),
  ),
  export: {
    parquet: method<Exported>()('export parquet', () =>
      import('../cli/commands/ledger.ts').then(({ declareParquet, exportParquet }) => [declareParquet, exportParquet]),
    ),
  },
  ledger: {
    copy: method<BooksCopy>()('ledger copy', () =>
      import('../cli/commands/ledger.ts').then(({ copy, declareCopy }) => [declareCopy, copy]),
    ),
  },
  /** For a folder that is a fleet's. */
  fleet: {
    init: method<Awaited<ReturnType<typeof makeFleet>>>()('fleet init', () =>
      import('../cli/commands/fleet.ts').then(({ declareInit, initFleet }) => [declareInit, initFleet]),
    ),
    add: method<Awaited<ReturnType<typeof addMerchant>>>()('fleet add', () =>
      import('../cli/commands/fleet.ts').then(({ addToFleet, declareAdd }) => [declareAdd, addToFleet]),
    ),
    night: method<FleetNight, 'limit'>()('fleet night', () =>
      import('../cli/commands/fleet.ts').then(({ declareNight, fleetNight }) => [declareNight, fleetNight]),
    ),
    status: method<{ readonly merchants: Awaited<ReturnType<typeof fleetStatus>> }>()('fleet status', () =>
      import('../cli/commands/fleet.ts').then(({ declareStatus, status }) => [declareStatus, status]),
    ),
    lake: method<Awaited<ReturnType<typeof writeLake>>>()('fleet lake', () =>
      import('../cli/commands/fleet.ts').then(({ declareLake, lake }) => [declareLake, lake]),
    ),
    query: method<Pick<Awaited<ReturnType<typeof queryFleet>>, 'rows'>>()('fleet query', () =>
      import('../cli/commands/fleet.ts').then(({ declareQuery, query }) => [declareQuery, query]),
    ),
    move: method<Awaited<ReturnType<typeof moveMerchant>>>()('fleet move', () =>
      import('../cli/commands/fleet.ts').then(({ declareMove, move }) => [declareMove, move]),
    ),
    drop: method<Awaited<ReturnType<typeof dropMerchant>>>()('fleet drop', () =>
      import('../cli/commands/fleet.ts').then(({ declareDrop, drop }) => [declareDrop, drop]),
    ),
  },
  doctor: method<{ readonly ok: boolean; readonly checks: readonly Examined[] }, never, never, 'ledger' | 'apiUrl'>()(
    'doctor',
    () => import('../cli/commands/doctor.ts').then(({ declare, doctor }) => [declare, doctor]),
  ),
};
