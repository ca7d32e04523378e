import { RemitError } from '../base/errors.ts';

/** Why the desk does not do what it is asked: what happened, and what to do about it. */
export interface RefusalBody {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** What is known beside it, such as who was first. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A refusal with its status. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: RefusalBody;

  constructor(status: number, body: RefusalBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

const UNEXPECTED: RefusalBody = {
  code: 'unexpected',
  message: 'this should not have happened',
  hint: 'Look at what `remit serve` prints, and report it with `remit --version`.',
};

/** A failure as the refusal that is answered; what was not foreseen says nothing about itself. */
export function refusalOf(error: unknown, isReading: boolean): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof RemitError) return refusalFrom(error, isReading);
  const { statusCode, message = '' } = (error ?? {}) as { statusCode?: number; message?: string };
  if (statusCode === 413) {
    return new Refusal(413, {
      code: 'too-large',
      message: 'this is larger than the desk takes',
      hint: 'A file may have 32 MiB, a form without files 1 MiB and 1,000 fields.',
    });
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Refusal(statusCode, { code: 'request', message, hint: 'Correct the request and send it again.' });
  }
  return new Refusal(500, UNEXPECTED);
}

/** The same of an error's code and words, such as a thread hands over. */
export function refusalFrom({ code, message, hint }: RefusalBody, isReading: boolean): Refusal {
  if (code === 'unexpected') return new Refusal(500, UNEXPECTED);
  return new Refusal(statusOf(code, isReading), { code, message, hint });
}

/** What a reader asks for and is not there is 404; what a clerk decides and makes no sense is 422. */
function statusOf(code: string, isReading: boolean): number {
  if (code === 'usage') return isReading ? 404 : 422;
  if (code === 'busy') return 409;
  if (code === 'ledger') return isReading ? 404 : 409;
  return isReading ? 500 : 422;
}
