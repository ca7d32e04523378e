import { type Sentence, said } from './sentence.ts';
import { cleanText } from './text.ts';

/** What an error says: a sentence for which every language has words, and its English, which logs and programs read. */
export type Explanation = {
  readonly sentence: Sentence;
  /** What happened and where. */
  readonly message: string;
  /** What to do. */
  readonly hint: string;
};

/**
 * Failures of the program or its surroundings. Bad data about money is not an error but a mismatch (see `checks/`).
 *
 * Every error has a stable `code`, and an explanation that `words/errors` puts into each language. An error that only
 * people who type commands or write programs can meet may have a `message` and `hint` in English alone.
 */
export abstract class RemitError extends Error {
  abstract readonly code: string;
  /** The exit code of the command line: 1 failed, 2 wrong use or settings, 4 another command is at work. */
  readonly exitCode: 1 | 2 | 4 = 1;
  readonly hint: string;
  readonly explanation: Explanation;
  /** The form's field that is at fault, by its name in the body of the decision; null if none is. */
  field: string | null = null;

  constructor(explanation: Explanation, options?: ErrorOptions);
  constructor(message: string, hint: string, options?: ErrorOptions);
  constructor(what: Explanation | string, hintOrOptions?: string | ErrorOptions, options?: ErrorOptions) {
    const explanation = cleaned(typeof what === 'string' ? inEnglish(what, hintOrOptions as string) : what);
    super(explanation.message, typeof hintOrOptions === 'object' ? hintOrOptions : options);
    this.name = new.target.name;
    this.hint = explanation.hint;
    this.explanation = explanation;
  }

  /** Names the form's field that is at fault. */
  at(field: string): this {
    this.field = field;
    return this;
  }

  /** Replaces the words: a caller may know better names for what the error is about. */
  sayOtherwise(explanation: Explanation): void {
    const clean = cleaned(explanation);
    Object.assign(this, { message: clean.message, hint: clean.hint, explanation: clean });
  }
}

export function inEnglish(message: string, hint: string): Explanation {
  return { sentence: said(message), message, hint };
}

/** The longest line of an error that is shown. */
const MOST_CHARACTERS = 2_000;

function cleaned({ sentence, message, hint }: Explanation): Explanation {
  return { sentence, message: cleanMessage(message), hint: cleanMessage(hint) };
}

/**
 * An error is shown on a terminal and may hold names from anywhere: nothing in it is obeyed, and no line is megabytes
 * long.
 */
function cleanMessage(text: string): string {
  return text
    .split('\n')
    .map((line) => cleanText(line, MOST_CHARACTERS))
    .join('\n');
}

/** A command, flag, period or argument that cannot be understood. */
export class UsageError extends RemitError {
  readonly code = 'usage';
  override readonly exitCode = 2;
}

/** The proposal that a second person would approve is out of date: it would do something else now. */
export class ProposalStaleError extends RemitError {
  readonly code = 'proposal-stale';
  override readonly exitCode = 2;
}

/** A decision would no longer do what was shown to the person before. */
export class StaleError extends RemitError {
  readonly code = 'stale';
  override readonly exitCode = 2;
}

/** Somebody was first: nothing is left to decide. `details`: who, when, and what it is now. */
export class ConflictError extends RemitError {
  readonly code = 'conflict';
  override readonly exitCode = 2;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(explanation: Explanation, details: Readonly<Record<string, unknown>> = {}) {
    super(explanation);
    this.details = details;
  }
}

/** A setting that is missing, unreadable or not valid: in the environment, remit.toml or a key file. */
export class ConfigError extends RemitError {
  readonly code = 'config';
  override readonly exitCode = 2;
}

/** Two couriers of the settings are one account at the company: it would be counted twice. */
export class AccountHeldError extends RemitError {
  readonly code = 'account-held';
  override readonly exitCode = 2;
}

/** The API could not be reached, or answered with a failure that retries did not cure. */
export class ApiError extends RemitError {
  readonly code = 'api';
  /** HTTP status of the last answer; null when there was none (refused, reset, timed out). */
  readonly status: number | null;

  constructor(explanation: Explanation);
  constructor(message: string, hint: string, options?: { status?: number | null; cause?: unknown });
  constructor(what: Explanation | string, hint = '', options: { status?: number | null; cause?: unknown } = {}) {
    super(typeof what === 'string' ? inEnglish(what, hint) : what, options);
    this.status = options.status ?? null;
  }
}

/** The API refused the key (401 or 403): no retry and no other request can succeed. */
export class AuthError extends ApiError {}

/** No more requests may be sent until a later day: your budget is spent, or the service's. What was fetched is kept. */
export class BudgetError extends RemitError {
  readonly code = 'budget';
}

/** The API answered, but not with what the specification describes. Carries the body so that it can be kept. */
export class ContractError extends RemitError {
  readonly code = 'contract';
  /** Where in the document, such as `orders[3].cod[0][1]`; empty for the document itself. */
  readonly path: string;
  /** The answer as received; null if there is none to keep. */
  readonly body: Buffer | null;

  constructor(message: string, hint: string, options: { path?: string; body?: Buffer | null; cause?: unknown } = {}) {
    super(message, hint, options);
    this.path = options.path ?? '';
    this.body = options.body ?? null;
  }
}

/** The answer is not JSON at all, but a web page for instance: most likely the address is not the API's. */
export class NotJsonError extends ContractError {}

/** The ledger cannot be opened, read, written or trusted. */
export class LedgerError extends RemitError {
  readonly code = 'ledger';
}

/** The ledger's server does not answer or accepts no connection: it may do so again in a moment. */
export class LedgerAwayError extends LedgerError {}

/** Another command is at work on the ledger: its process holds the lock. */
export class LedgerBusyError extends RemitError {
  readonly code = 'busy';
  override readonly exitCode = 4;
}

/** An amount, or a sum of amounts, that cannot be read or held exactly. */
export class MoneyError extends RemitError {
  readonly code = 'money';
}

/** A file or folder that cannot be read, written or replaced. */
export class FileError extends RemitError {
  readonly code = 'file';
}

/** This Node.js, or what was installed with another one, cannot run remit. */
export class InstallationError extends RemitError {
  readonly code = 'installation';
}

/** A file from a bank, a shop or a person that cannot be read as what it is. Nothing of it is used. */
export class ImportFileError extends RemitError {
  readonly code = 'import';
  readonly file: string;
  /** The line, or the row of a sheet, counted from 1; null if the fault is not in one place. */
  readonly line: number | null;
  /** The column's header, the cell (`B7`) or the field (`field 61`); null if there is none. */
  readonly column: string | null;
  /** The column map with which the file can be read, as text for remit.toml; also in the hint. Null for none. */
  readonly map: string | null;

  constructor(
    explanation: Explanation,
    about: { file: string; line?: number | null; column?: string | null; map?: string | null; cause?: unknown },
  ) {
    super(explanation, about);
    this.file = about.file;
    this.line = about.line ?? null;
    this.column = about.column ?? null;
    this.map = about.map ?? null;
  }
}

/** Ctrl-C: what was done is kept. */
export class InterruptedError extends Error {
  readonly exitCode = 130;
}
