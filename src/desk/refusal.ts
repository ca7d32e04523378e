import { ConflictError, type Explanation, LedgerAwayError, RemitError } from '../base/errors.ts';
import { because } from '../words/errors/desk.ts';

/** A refusal: with its status, its code, what it explains, and details, such as who was first. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly explanation: Explanation;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** The field of a form that is at fault; null where none is. */
  field: string | null = null;

  constructor(status: number, code: string, explanation: Explanation, details?: Readonly<Record<string, unknown>>) {
    super(explanation.message);
    this.status = status;
    this.code = code;
    this.explanation = explanation;
    this.details = details;
  }

  /** Names the field at fault. */
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

/** A failure as the refusal that is answered; what was not foreseen says nothing about itself. */
export function refusalOf(error: unknown, isReading: boolean): Refusal {
  if (error instanceof Refusal) return error;
  // Its words name the server and its user: they are for whoever looks after the desk.
  if (error instanceof LedgerAwayError) return new Refusal(503, error.code, because({ id: 'database-away' }));
  if (error instanceof RemitError) return refusalFrom(error, isReading);
  const { statusCode, message = '' } = (error ?? {}) as { statusCode?: number; message?: string };
  // A decision that is sent as something else is answered as any other that makes no sense.
  if (statusCode === 415) return new Refusal(400, 'request', because({ id: 'no-such-type' }));
  if (statusCode === 413) return new Refusal(413, 'too-large', because({ id: 'too-large' }));
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Refusal(statusCode, 'request', because({ id: 'not-understood', why: message }));
  }
  return new Refusal(500, 'unexpected', because({ id: 'unexpected' }));
}

function refusalFrom(error: RemitError, isReading: boolean): Refusal {
  const { code, explanation, field } = error;
  const isMisspelt = isReading && MISSPELT.has(explanation.sentence.id);
  const details = error instanceof ConflictError ? error.details : undefined;
  return new Refusal(isMisspelt ? 400 : statusOf(code, isReading), code, explanation, details).at(field);
}

/** Whether the books hold no month yet: nothing is wrong, they only begin. */
export function isEmpty({ explanation }: Refusal): boolean {
  return explanation.sentence.id === 'books/no-month-yet';
}

/** Errors of an address whose page is there: 400, not 404. */
const MISSPELT: ReadonlySet<string> = new Set(['desk/no-limit', 'desk/no-column']);

/** What a reader asks for and is not there is 404; what a clerk decides and makes no sense is 422. */
function statusOf(code: string, isReading: boolean): number {
  if (code === 'usage') return isReading ? 404 : 422;
  if (code === 'conflict' || code === 'busy' || code === 'proposal-stale' || code === 'stale') return 409;
  if (code === 'ledger') return isReading ? 404 : 409;
  if (code === 'import') return 422;
  return isReading ? 500 : 422;
}
