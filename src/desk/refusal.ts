import { ConflictError, type Explanation, LedgerAwayError, RemitError } from '../base/errors.ts';
import { deskError } from '../words/errors/desk.ts';

/** Why a request was refused: the HTTP status, a code, a sentence with its hint, and details, such as who was first. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly explanation: Explanation;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  field: string | null = null;

  constructor(status: number, code: string, explanation: Explanation, details?: Readonly<Record<string, unknown>>) {
    super(explanation.message);
    this.status = status;
    this.code = code;
    this.explanation = explanation;
    this.details = details;
  }

  at(field: string | null): this {
    this.field = field;
    return this;
  }

  /** What a program gets, in English. */
  toJSON() {
    const { message, hint } = this.explanation;
    const { code, details, field } = this;
    return { code, message, hint, details, ...(field === null ? {} : { field }) };
  }
}

/**
 * The refusal that answers a failure. One that was not foreseen is not explained.
 *
 * @param options `isReading`: the request only reads: then a usage error means that nothing is there
 */
export function refusalOf(error: unknown, { isReading = false } = {}): Refusal {
  if (error instanceof Refusal) return error;
  // Its message names the server and its user, which a visitor must not see.
  if (error instanceof LedgerAwayError) return new Refusal(503, error.code, deskError({ id: 'database-away' }));
  if (error instanceof RemitError) return refusalFrom(error, isReading);
  const { statusCode, message = '' } = (error ?? {}) as { statusCode?: number; message?: string };
  // A decision in another content type is a bad request like any other.
  if (statusCode === 415) return new Refusal(400, 'request', deskError({ id: 'no-such-type' }));
  if (statusCode === 413) return new Refusal(413, 'too-large', deskError({ id: 'too-large' }));
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Refusal(statusCode, 'request', deskError({ id: 'not-understood', why: message }));
  }
  return new Refusal(500, 'unexpected', deskError({ id: 'unexpected' }));
}

function refusalFrom(error: RemitError, isReading: boolean): Refusal {
  const { code, explanation, field } = error;
  const hasBadParameter = isReading && BAD_PARAMETERS.has(explanation.sentence.id);
  const details = error instanceof ConflictError ? error.details : undefined;
  return new Refusal(hasBadParameter ? 400 : statusOf(code, isReading), code, explanation, details).at(field);
}

/** Whether the books hold no month yet: nothing is wrong, they only begin. */
export function saysNoMonthYet({ explanation }: Refusal): boolean {
  return explanation.sentence.id === 'books/no-month-yet';
}

/** Errors in the parameters of a page that exists: 400, not 404. */
const BAD_PARAMETERS: ReadonlySet<string> = new Set(['desk/no-limit', 'desk/no-column']);

/** The status of a code. A usage error is 404 for a reader, who asked for what is not there, and 422 for a decision. */
function statusOf(code: string, isReading: boolean): number {
  if (code === 'usage') return isReading ? 404 : 422;
  if (code === 'conflict' || code === 'busy' || code === 'proposal-stale' || code === 'stale') return 409;
  if (code === 'ledger') return isReading ? 404 : 409;
  if (code === 'import') return 422;
  // A failure of the program where it only reads; otherwise the decision cannot be made.
  return isReading ? 500 : 422;
}
