import { ApiError, ContractError } from '../errors.ts';
import { Transient } from './retry.ts';
import {
  type AttemptFailed,
  type HttpRequest,
  MAX_BODY_BYTES,
  TIMED_OUT,
  TOO_LARGE,
  UNKNOWN_ENCODING,
} from './transport.ts';

const TLS = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/;
const BASE_URL = 'check the base URL (REMIT_API_URL or api_url in remit.toml)';
const LATER = 'run the same command again later: what is done is kept';

/** Says what an attempt without an answer means: an error to throw, wrapped as {@link Transient} where another attempt may cure it. */
export function failureOf(failed: AttemptFailed, request: HttpRequest, timeoutMs: number): Error {
  const { code } = failed;
  const { host } = new URL(request.url);
  if (code === TOO_LARGE) {
    const limit = `${MAX_BODY_BYTES / 1024 / 1024} MB`;
    return new ContractError(
      `${host} answered with more than ${limit} for ${request.url}`,
      'Ask for smaller pages, or ask the delivery company why the answer is so large.',
    );
  }
  if (code === UNKNOWN_ENCODING) {
    return new ContractError(
      `${host} compressed its answer in a way that was not asked for, for ${request.url}`,
      'Ask the delivery company or the owner of the proxy in between to answer plainly or in gzip.',
    );
  }
  if (code === 'ENOTFOUND')
    return new ApiError(`The host ${host} is not known (${code})`, `Check the network connection, and ${BASE_URL}.`);
  if (TLS.test(code)) {
    return new ApiError(
      `No secure connection to ${host} could be made (${code})`,
      `Check the clock of this machine, and ${BASE_URL}; for a company certificate set NODE_EXTRA_CA_CERTS to its file.`,
    );
  }
  if (code === 'ECONNREFUSED') {
    return transient(request, `${host} refuses connections`, `Start the service or ${BASE_URL}.`, true);
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH' || code === 'EAI_AGAIN') {
    return transient(
      request,
      `${host} cannot be reached (${code})`,
      `Check the network connection and the proxy settings, and ${BASE_URL}.`,
      false,
    );
  }
  if (code === TIMED_OUT) {
    return transient(
      request,
      `${host} sent no whole answer within ${Math.round(timeoutMs / 100) / 10} s`,
      `Check the network connection, or ${LATER}.`,
      false,
    );
  }
  return transient(
    request,
    `The connection to ${host} broke before the answer was whole (${code})`,
    `Check the network connection, or ${LATER}.`,
    false,
  );
}

function transient(request: HttpRequest, what: string, hint: string, untouched: boolean): Transient {
  const { method, url } = request;
  return new Transient(
    (attempts) => {
      const tried = attempts > 1 ? `, in ${attempts} attempts` : '';
      if (method === 'GET' || untouched) return new ApiError(`${what}: ${method} ${url} failed${tried}`, hint);
      return new ApiError(
        `${what}: ${method} ${url} may or may not have been carried out`,
        'It was not sent a second time; look at what the service now holds before you send it again.',
      );
    },
    { untouched },
  );
}
