import { ConfigError } from '../base/errors.ts';
import { runCommand } from './key.ts';

/** Which decisions need a second person (`[approvals]`). */
export interface ApprovalSettings {
  /** The most that one person may take off an invoice without a receipt, by currency: decimal text. */
  readonly writeOffAbove: Readonly<Record<string, string>>;
  /** Whether closing a month needs one. */
  readonly close: boolean;
  /** Whether the import of a file of receipts does. */
  readonly imports: boolean;
}

/** Who may do what at a desk that a team shares (`[desk]`). */
export interface DeskSettings {
  readonly clerks: readonly string[];
  readonly readers: readonly string[];
}

export const NO_APPROVALS: ApprovalSettings = { writeOffAbove: {}, close: false, imports: false };
export const NO_DESK: DeskSettings = { clerks: [], readers: [] };

interface Read<T> {
  readonly value: T;
  readonly faults: readonly string[];
}

/** Reads `[approvals]`: its values, and all of its faults, each to follow the place in a message. */
export function readApprovals(table: Readonly<Record<string, unknown>>): Read<ApprovalSettings> {
  const { write_off_above = {}, close = false, imports = false } = table;
  const faults = unknownNames('approvals', table, ['write_off_above', 'close', 'imports']);
  for (const [name, value] of Object.entries({ close, imports })) {
    if (typeof value !== 'boolean') faults.push(`approvals.${name} must be true or false`);
  }
  const isTable = typeof write_off_above === 'object' && write_off_above !== null && !Array.isArray(write_off_above);
  if (!isTable || !Object.entries(write_off_above).every(isLimit)) {
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

function isLimit([code, amount]: [string, unknown]): boolean {
  return /^[A-Z][A-Z0-9]{1,9}$/.test(code) && typeof amount === 'string' && /^\d{1,12}(\.\d{1,4})?$/.test(amount);
}

/** Reads `[desk]` in the same way. */
export function readDesk(table: Readonly<Record<string, unknown>>): Read<DeskSettings> {
  const faults = unknownNames('desk', table, ['clerks', 'readers']);
  const { clerks = [], readers = [] } = table;
  for (const [name, list] of Object.entries({ clerks, readers })) {
    if (!isNames(list)) faults.push(`desk.${name} must be a list of user names, such as ["rana"]`);
  }
  const both = isNames(clerks) && isNames(readers) ? clerks.find((one) => readers.includes(one)) : undefined;
  if (both !== undefined) faults.push(`desk names ${JSON.stringify(both.slice(0, 60))} as a clerk and as a reader`);
  return { value: { clerks: clerks as string[], readers: readers as string[] }, faults };
}

function isNames(list: unknown): list is string[] {
  return Array.isArray(list) && list.every((one) => typeof one === 'string' && one.trim() !== '' && one === one.trim());
}

function unknownNames(table: string, given: object, known: readonly string[]): string[] {
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map(
      (name) =>
        `[${table}] has no setting ${JSON.stringify(name.slice(0, 60))}: it knows ${known.slice(0, -1).join(', ')} and ${known.at(-1)}`,
    );
}

const BY_HAND = 'Run it by hand: it must print the password on one line, and nothing else. It runs without a shell.';

/**
 * Reads a database's password from a command.
 *
 * @param folder where it runs
 * @throws ConfigError when it fails or prints no password; the message holds nothing of what it printed
 */
export async function readPassword(command: string, folder: string): Promise<string> {
  const printed = await runCommand('ledger_password_command', { command, folder }, BY_HAND);
  const password = printed.replace(/\r?\n$/, '');
  if (password === '') throw new ConfigError('`ledger_password_command` printed nothing', BY_HAND);
  if (/[\r\n\0]/.test(password)) throw new ConfigError('`ledger_password_command` printed more than one line', BY_HAND);
  return password;
}
