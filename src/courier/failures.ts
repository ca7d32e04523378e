import { ApiError, ContractError } from '../errors.ts';
import { Transient } from './retry.ts';
import {
  type AttemptFailed,
  type HttpRequest,
  MAX_BODY_BYTES,
  NOT_HTTP,
  TIMED_OUT,
  TOO_LARGE,
  UNKNOWN_ENCODING,
} from './transport.ts';

/** What may be sent again after a failure: nothing; reads; or everything, because the request surely did not arrive. */
type Repeat = 'nothing' | 'reads' | 'everything';

interface Cause {
  readonly codes: RegExp;
  readonly what: (host: string) => string;
  readonly hint: string;
  readonly repeat: Repeat;
}

const CHECK_URL = 'check the base URL (REMIT_API_URL or api_url in remit.toml)';
const LATER = 'run the same command again later: what is done is kept';

/** Causes of an attempt without an answer, by Node's or undici's code; the first that fits, the last fits all. */
const CAUSES: readonly Cause[] = [
  {
    codes: /^ENOTFOUND$/,
    what: (host) => `the host ${host} is not known`,
    hint: `Check the network connection, and ${CHECK_URL}.`,
    repeat: 'nothing',
  },
  {
    codes: /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/,
    what: (host) => `no secure connection to ${host} could be made`,
    hint: `Check the clock of this machine, and ${CHECK_URL}; for a company certificate set NODE_EXTRA_CA_CERTS to its file.`,
    repeat: 'nothing',
  },
  {
    codes: /^ECONNREFUSED$/,
    what: (host) => `${host} refuses connections`,
    hint: `Start the service or ${CHECK_URL}; behind a proxy, check HTTPS_PROXY.`,
    repeat: 'everything',
  },
  {
    codes: /^(UND_ERR_CONNECT_TIMEOUT|EAI_AGAIN)$/,
    what: (host) => `${host} cannot be reached`,
    hint: `Check the network connection and the proxy settings, and ${CHECK_URL}.`,
    repeat: 'everything',
  },
  {
    codes: /^(EHOSTUNREACH|ENETUNREACH)$/,
    what: (host) => `${host} cannot be reached`,
    hint: `Check the network connection and the proxy settings, and ${CHECK_URL}.`,
    repeat: 'reads',
  },
  {
    codes: new RegExp(`^${NOT_HTTP}$`),
    what: (host) => `${host} answered something that is not HTTP`,
    hint: `Check whether it wants https, and ${CHECK_URL}.`,
    repeat: 'reads',
  },
  {
    codes: new RegExp(`^${TIMED_OUT}$`),
    what: (host) => `${host} sent no whole answer in time`,
    hint: `Check the network connection, raise timeout_seconds in remit.toml, or ${LATER}.`,
    repeat: 'reads',
  },
  {
    codes: /./,
    what: (host) => `the connection to ${host} broke before the answer was whole`,
    hint: `Check the network connection, or ${LATER}.`,
    repeat: 'reads',
  },
];

/** Says what an attempt without a whole answer means: the error to throw, as {@link Transient} where another attempt may cure it. */
export function failureOf({ code }: AttemptFailed, request: HttpRequest): Error {
  const { method, url } = request;
  const { host } = new URL(url);
  if (code === TOO_LARGE) {
    const limit = `${MAX_BODY_BYTES / 1024 / 1024} MB`;
    const hint = 'Ask for smaller pages, or ask the delivery company why the answer is so large.';
    return new ContractError(`${method} ${url} answered with more than ${limit}`, hint);
  }
  if (code === UNKNOWN_ENCODING) {
    const hint = 'Ask the delivery company, or the owner of the proxy in between, to answer plainly or in gzip.';
    return new ContractError(`${method} ${url} answered in a compression that was not asked for`, hint);
  }
  const { what, hint, repeat } = CAUSES.find(({ codes }) => codes.test(code)) as Cause;
  const sentence = `${what(host)} (${code}): ${method} ${url}`;
  const giveUp = (attempts: number) =>
    method === 'GET' || repeat !== 'reads'
      ? new ApiError(`${sentence} failed${inAttempts(attempts)}`, hint)
      : new ApiError(`${sentence} may or may not have been carried out`, LOOK_FIRST);
  return repeat === 'nothing' ? giveUp(1) : new Transient(giveUp, { untouched: repeat === 'everything' });
}

/** The hint after a change that was sent and whose fate is not known. */
export const LOOK_FIRST = 'It was not sent a second time; look at what the service now holds before you send it again.';

/** The end of a sentence about a request that was tried more than once. */
export function inAttempts(attempts: number): string {
  return attempts > 1 ? `, in ${attempts} attempts` : '';
}
