/** Who may do what when several people share the books: `[approvals]` and `[desk]`. */
import { isTable, type ReadTable } from './settings.ts';

/** Decisions that need a second person (`[approvals]`). */
export interface ApprovalSettings {
  /** The most that one person may take off an invoice without a receipt, by currency: decimal text. */
  readonly writeOffAbove: Readonly<Record<string, string>>;
  /** Closing a month needs a second person. */
  readonly close: boolean;
  /** Importing a file of receipts needs a second person. */
  readonly imports: boolean;
}

/** The users of the desk who are not accountants: clerks decide less, readers nothing (`[desk]`). */
export interface DeskSettings {
  readonly clerks: readonly string[];
  readonly readers: readonly string[];
}

export const NO_APPROVALS: ApprovalSettings = { writeOffAbove: {}, close: false, imports: false };
export const NO_DESK: DeskSettings = { clerks: [], readers: [] };

export function readApprovalSettings(table: Readonly<Record<string, unknown>>): ReadTable<ApprovalSettings> {
  const { write_off_above = {}, close = false, imports = false } = table;
  const faults = unknownNames('approvals', table, ['write_off_above', 'close', 'imports']);
  for (const [name, value] of Object.entries({ close, imports })) {
    if (typeof value !== 'boolean') faults.push(`approvals.${name} must be true or false`);
  }
  if (!isTable(write_off_above) || !Object.entries(write_off_above).every(isLimit)) {
    faults.push(
      'approvals.write_off_above must be currencies with decimals of at most four places in quotes, such as { USD = "50" }',
    );
  }
  return {
    value: {
      writeOffAbove: { ...(write_off_above as Record<string, string>) },
      close: close === true,
      imports: imports === true,
    },
    faults,
  };
}

/** Whether an entry is a currency and its limit: `USD = "50"`. */
function isLimit([code, amount]: [string, unknown]): boolean {
  return /^[A-Z][A-Z0-9]{1,9}$/.test(code) && typeof amount === 'string' && /^\d{1,12}(\.\d{1,4})?$/.test(amount);
}

export function readDesk(table: Readonly<Record<string, unknown>>): ReadTable<DeskSettings> {
  const faults = unknownNames('desk', table, ['clerks', 'readers']);
  const { clerks = [], readers = [] } = table;
  for (const [name, list] of Object.entries({ clerks, readers })) {
    if (!isNames(list)) faults.push(`desk.${name} must be a list of user names, such as ["rana"]`);
  }
  const namedTwice = isNames(clerks) && isNames(readers) ? clerks.find((name) => readers.includes(name)) : undefined;
  if (namedTwice !== undefined)
    faults.push(`desk names ${JSON.stringify(namedTwice.slice(0, 60))} as a clerk and as a reader`);
  return { value: { clerks: clerks as string[], readers: readers as string[] }, faults };
}

function isNames(list: unknown): list is string[] {
  return Array.isArray(list) && list.every((name) => typeof name === 'string' && name !== '' && name === name.trim());
}

function unknownNames(table: string, settings: object, known: readonly string[]): string[] {
  return Object.keys(settings)
    .filter((name) => !known.includes(name))
    .map(
      (name) =>
        `[${table}] has no setting ${JSON.stringify(name.slice(0, 60))}: it knows ${known.slice(0, -1).join(', ')} and ${known.at(-1)}`,
    );
}
