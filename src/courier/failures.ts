import { megabytes } from '../api/json.ts';
import { ApiError, ContractError } from '../base/errors.ts';
import { causeOf } from './network-errors.ts';
import { Transient } from './retry.ts';
import {
  type AttemptFailed,
  type HttpRequest,
  MAX_BODY_BYTES,
  MAX_RATIO,
  TOO_DENSE,
  TOO_LARGE,
  UNKNOWN_ENCODING,
} from './transport.ts';

/**
 * The error to throw for an attempt without a whole answer: {@link Transient} if another attempt may succeed.
 * `readAnswer` judges whole answers, also that of a server that refuses the key.
 */
export function failureOf(failed: AttemptFailed, { method, url }: HttpRequest): Error {
  const refused = refusal(failed);
  if (refused !== null) return new ContractError(`${method} ${url} ${refused.what}`, refused.hint);
  const { what, hint, repeat } = causeOf(failed, new URL(url).host);
  const { code, cause } = failed;
  const sentence = `${what} (${code}): ${method} ${url}`;
  const mayBeCarriedOut = method !== 'GET' && repeat === 'reads';
  const giveUp = (attempts: number) =>
    mayBeCarriedOut
      ? new ApiError(`${sentence} may or may not have been carried out`, LOOK_FIRST, { cause })
      : new ApiError(`${sentence} failed${inAttempts(attempts)}`, hint, { cause });
  return repeat === 'nothing' ? giveUp(1) : new Transient(giveUp, { isUntouched: repeat === 'everything' });
}

/**
 * Describes an answer that was refused for its size or encoding; null for other failures. Another attempt would bring
 * the same.
 */
function refusal({ code, received }: AttemptFailed): { what: string; hint: string } | null {
  const most = megabytes(MAX_BODY_BYTES);
  const smaller =
    'Ask for smaller pages (page_size in remit.toml), or ask the delivery company why the answer is so large.';
  switch (code) {
    case TOO_LARGE:
      return received > MAX_BODY_BYTES
        ? { what: `answered with more than ${most}; the rest was not read, and nothing kept`, hint: smaller }
        : { what: `answered ${bytesText(received)} that unpack to more than ${most}; nothing was kept`, hint: smaller };
    case TOO_DENSE:
      return {
        what: `answered ${bytesText(received)} that unpack to more than ${MAX_RATIO} times as much; nothing was kept`,
        hint: 'No honest answer is so empty: ask the delivery company, or the owner of the proxy in between, what it sends.',
      };
    case UNKNOWN_ENCODING:
      return {
        what: 'answered in a compression that was not asked for',
        hint: 'Ask the delivery company, or the owner of the proxy in between, to answer plainly or in gzip.',
      };
    default:
      return null;
  }
}

function bytesText(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : megabytes(bytes);
}

/** The hint after a change that may or may not have been carried out. */
export const LOOK_FIRST = 'It was not sent a second time; look at what the service now holds before you send it again.';

/** The end of a sentence about a request: how often it was tried. */
export function inAttempts(attempts: number): string {
  return attempts > 1 ? `, in ${attempts} attempts` : '';
}
