import type { ErrorBody } from '../../api/wire.ts';

/** The fixed message of each status (spec, 'Errors'; 401, 405, 413, 415, 421, 429 and 503 are the sandbox's choice). */
const MESSAGES = {
  400: 'Validation failed.',
  401: 'Authentication failed.',
  404: 'Resource not found.',
  405: 'Method not allowed.',
  413: 'Request too large.',
  415: 'Unsupported media type.',
  421: 'Misdirected request.',
  429: 'Too many requests.',
  500: 'Unexpected error.',
  503: 'Service unavailable.',
} as const;

export type ErrorStatus = keyof typeof MESSAGES;

/** A refusal, as the caller sees it: status, fixed message and details. */
export class ServiceError extends Error {
  readonly status: ErrorStatus;
  readonly details: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: ErrorStatus, details: string, headers: Readonly<Record<string, string>> = {}) {
    super(`${MESSAGES[status]} ${details}`);
    this.status = status;
    this.details = details;
    this.headers = headers;
  }
}

/** 404 for what does not exist, or belongs to another merchant (the answer does not tell which). @param what `Order` */
export function notFound(what: string): ServiceError {
  return new ServiceError(404, `detail: ${what} not found.`);
}

/** The error body of the spec: `error` is the text `true`, on the invoice endpoints the boolean. */
export function errorBody(status: ErrorStatus, details: string, path: string): ErrorBody {
  return { error: /^[^?]*\/external\/invoices\//.test(path) ? true : 'true', message: MESSAGES[status], details };
}

/** Any failure as a refusal. A failure of the service itself becomes a 500 that says nothing of it. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const { code = '', statusCode = 500 } = (error ?? {}) as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge();
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    const types = 'application/json, application/x-www-form-urlencoded or multipart/form-data';
    return new ServiceError(415, `Content-Type: ${types} is required.`);
  }
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') {
    return new ServiceError(404, 'detail: The path cannot be read.');
  }
  if (code.startsWith('SQLITE_BUSY')) {
    return new ServiceError(503, 'detail: Another process is writing; try again.', { 'retry-after': '1' });
  }
  if (statusCode >= 400 && statusCode < 500) return new ServiceError(400, 'body: The request cannot be read.');
  return new ServiceError(500, 'Internal server error.');
}

/** The most bytes of a request's body. */
export const BODY_LIMIT = 1024 * 1024;

export function tooLarge(): ServiceError {
  return new ServiceError(413, `body: At most ${BODY_LIMIT} bytes are accepted.`);
}

/** The header that carries a merchant's key (spec, 'Authentication'). */
export const KEY_HEADER = 'X-Api-Key';

/** The most faults that an answer lists. */
const MOST_LISTED = 50;

/** The faults of one request, collected so that one answer lists them all (spec, 'Errors': `<field>: <reason>`). */
export class Problems {
  readonly #faults: { field: string; reason: string }[] = [];
  #onlyMissing = true;

  /** Notes a fault; only a field's first is kept. */
  add(field: string, reason: string): void {
    this.#note(field, reason);
    this.#onlyMissing = false;
  }

  /** Notes an id that the merchant does not have. If all faults are such, the answer is 404, otherwise 400. */
  addMissing(field: string, what: string): void {
    this.#note(field, `${what} not found.`);
  }

  /** A field itself, or the whole body, is faulty. */
  has(field: string): boolean {
    return this.#faults.some((fault) => fault.field === field || fault.field === '');
  }

  /** A field, or something inside it, is faulty, so that further rules do not apply. */
  within(field: string): boolean {
    if (this.has(field)) return true;
    return this.#faults.some((fault) => fault.field.startsWith(`${field}.`) || fault.field.startsWith(`${field}[`));
  }

  /** One more is kept than is listed, to know that there are more. */
  get isFull(): boolean {
    return this.#faults.length > MOST_LISTED;
  }

  /** @throws ServiceError with every fault; returns if there is none */
  throwIfAny(): void {
    if (this.#faults.length === 0) return;
    const texts = this.#faults.slice(0, MOST_LISTED).map(({ field, reason }) => `${field || 'body'}: ${reason}`);
    if (this.isFull) texts.push('body: There are more faults.');
    throw new ServiceError(this.#onlyMissing ? 404 : 400, texts.join('; '));
  }

  #note(field: string, reason: string): void {
    if (!this.isFull && !this.#faults.some((fault) => fault.field === field)) this.#faults.push({ field, reason });
  }
}

/** A value for the text of a fault: quoted and cut; of a list or object, which may be large, only the kind. */
export function quote(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'A list' : 'An object';
  return `"${String(value).slice(0, 80)}"`;
}
