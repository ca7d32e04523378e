import { parseJson } from '../api/json.ts';
import { ApiError, AuthError, BudgetError, ContractError, NotJsonError } from '../base/errors.ts';
import { cleanText } from '../base/text.ts';
import { inAttempts, LOOK_FIRST } from './failures.ts';
import { retryAfterMs, Transient } from './retry.ts';
import type { HttpRequest, Received } from './transport.ts';

/**
 * Judges a whole answer by its status and parses its JSON (spec, 'Errors').
 *
 * @param parse throws SyntaxError if the body is not JSON
 * @returns the parsed body; undefined for a success without one
 * @throws Transient for 429, 5xx and JSON that cannot be parsed; BudgetError for a 429 of more than an hour;
 * NotJsonError, AuthError, ApiError or ContractError for what no retry cures
 */
export function readAnswer<D>(received: Received, request: HttpRequest, parse: (body: Buffer) => D): D | undefined {
  const { status } = received;
  if (status >= 200 && status < 300) return parseBody(received, request, parse);
  const where = `${request.method} ${request.url}`;
  if (status === 401 || status === 403) {
    throw new AuthError(
      `${new URL(request.url).host} refused the API key (${status})`,
      'Set REMIT_API_KEY, or api_key_file in remit.toml, to a key that is valid; keys are made in the dashboard settings, in the API keys section.',
      { status },
    );
  }
  if (status >= 300 && status < 400) {
    throw new ApiError(
      `${where} answered ${status}, a redirect${redirectTarget(received, request)}; it was not followed, so that the API key goes nowhere else`,
      'Set the base URL to the final address: https where the service wants it, with the right host, ending in /v1/external/.',
      { status },
    );
  }
  const wordsOfService = serviceWords(received);
  if (status === 429 || status >= 500) throw busy(received, request, wordsOfService);
  if (status === 404) {
    const hint = 'Check the id or number; if nothing is found at all, check the base URL (it ends in /v1/external/).';
    throw new ApiError(`${where} was not found${wordsOfService}`, hint, { status });
  }
  const hint = 'Correct what the message names and send it again.';
  throw new ApiError(`${where} was refused with ${status}${wordsOfService}`, hint, { status });
}

/** A service that asks to wait more than an hour has spent what it allows, and is not merely busy. */
const BUDGET_WAIT_MS = 3_600_000;

/** The failure of a service that is busy. @throws BudgetError if it asks to wait more than an hour */
function busy(received: Received, request: HttpRequest, wordsOfService: string): Transient {
  const { status, headers } = received;
  const afterMs = retryAfterMs(firstValue(headers['retry-after']), firstValue(headers.date));
  if (status === 429 && afterMs !== null && afterMs > BUDGET_WAIT_MS) {
    // The server counts from its own clock.
    const sent = Date.parse(firstValue(headers.date) ?? '');
    const until = new Date((Number.isNaN(sent) ? Date.now() : sent) + afterMs).toISOString();
    throw new BudgetError(
      `${new URL(request.url).host} answers no more requests until ${until.slice(0, 16)} UTC (429)${wordsOfService}`,
      'Run the same command again then, or ask the delivery company for a larger plan; what is done is kept.',
    );
  }
  const waitNote = afterMs === null ? '' : `, and asked to wait ${Math.ceil(afterMs / 1000)} s`;
  return new Transient(
    (attempts) =>
      new ApiError(
        `${request.method} ${request.url} answered ${status}${wordsOfService}${waitNote}${inAttempts(attempts)}`,
        busyHint(status, request),
        { status },
      ),
    // A service that answers 429 has changed nothing.
    { afterMs, isUntouched: status === 429 },
  );
}

function busyHint(status: number, { method }: HttpRequest): string {
  if (status === 429) {
    return 'The service limits how often it may be asked; run the same command again later, or with a lower concurrency: what is done is kept.';
  }
  return method === 'GET' ? 'The service failed; run the same command again later: what is done is kept.' : LOOK_FIRST;
}

function parseBody<D>(received: Received, request: HttpRequest, parse: (body: Buffer) => D): D | undefined {
  const { body, status } = received;
  if (body.length === 0 && request.method !== 'GET') return undefined;
  const where = `${request.method} ${request.url}`;
  try {
    return parse(body);
  } catch (error) {
    if (error instanceof ContractError)
      throw new ContractError(`${where} answered ${error.message}`, error.hint, { body });
    if (!(error instanceof SyntaxError)) throw error;
  }
  const type = (firstValue(received.headers['content-type']) ?? '').toLowerCase();
  if (type !== '' && !/[/+]json\b/.test(type)) {
    const kind = type.includes('html') ? 'HTML' : cleanText(type.split(';')[0] as string, 60);
    throw new NotJsonError(
      `${where} answered ${kind}, not JSON${acceptedNote(request.method, status)}: is the base URL right (it ends in /v1/external/)?`,
      'Set REMIT_API_URL (or api_url in remit.toml) to the address of the API, not of the website or dashboard.',
      { body },
    );
  }
  const what = body.length === 0 ? 'nothing' : 'JSON that cannot be parsed';
  throw new Transient(
    (attempts) =>
      new ContractError(
        `${where} answered ${what}${inAttempts(attempts)}${acceptedNote(request.method, status)}`,
        'Run the same command again later; if it stays so, send the delivery company this message.',
        { body },
      ),
  );
}

/** The end of a message about an unreadable answer: that the change itself was made. Empty for a GET. */
export function acceptedNote(method: HttpRequest['method'], status: number): string {
  return method === 'GET' ? '' : `; the request was accepted (${status}): do not send it again before you have looked`;
}

/** The longest error body that is quoted. */
const MAX_QUOTED_BYTES = 64 * 1024;

/**
 * The service's own words about a failure, as the end of a sentence: `: Validation failed. (workflow: "X" is not a
 * valid choice.)`.
 */
function serviceWords({ body }: Received): string {
  if (body.length > MAX_QUOTED_BYTES) return '';
  try {
    const { message, details, detail } = parseJson(body).value as Record<string, unknown>;
    const parts = [message, details ?? detail].filter((part) => part !== undefined && part !== null && part !== '');
    const [first, second] = parts.map((part) => cleanText(typeof part === 'string' ? part : JSON.stringify(part), 500));
    if (first === undefined) return '';
    return second === undefined ? `: ${first}` : `: ${first} (${second})`;
  } catch {
    // Not a JSON object: the message names the status alone.
    return '';
  }
}

function redirectTarget({ headers }: Received, request: HttpRequest): string {
  const location = firstValue(headers.location) ?? '';
  if (location === '' || !URL.canParse(location, request.url)) return '';
  const { protocol, host, pathname } = new URL(location, request.url);
  return ` to ${cleanText(`${protocol}//${host}${pathname}`)}`;
}

function firstValue(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
