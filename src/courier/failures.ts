import { megabytes } from '../api/json.ts';
import { ApiError, ContractError } from '../base/errors.ts';
import { Transient } from './retry.ts';
import { type AttemptFailed, type HttpRequest, MAX_BODY_BYTES, MAX_RATIO, PROXY_ANSWER } from './transport.ts';

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
    case 'TOO_LARGE':
      return received > MAX_BODY_BYTES
        ? { what: `answered with more than ${most}; the rest was not read, and nothing kept`, hint: smaller }
        : { what: `answered ${bytesText(received)} that unpack to more than ${most}; nothing was kept`, hint: smaller };
    case 'TOO_DENSE':
      return {
        what: `answered ${bytesText(received)} that unpack to more than ${MAX_RATIO} times as much; nothing was kept`,
        hint: 'No honest answer is so empty: ask the delivery company, or the owner of the proxy in between, what it sends.',
      };
    case 'UNKNOWN_ENCODING':
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

/** Why no whole answer came, and what to do about it. */
interface Cause {
  /** The beginning of a sentence: what happened, and where. */
  readonly what: string;
  readonly hint: string;
  /** What may be sent again: nothing, reads only, or everything because the request certainly did not arrive. */
  readonly repeat: 'nothing' | 'reads' | 'everything';
}

/** `what` has `{host}` in place of the host. */
interface KnownFailure extends Cause {
  readonly codes: RegExp;
}

const CHECK_URL = 'check the base URL (REMIT_API_URL or api_url in remit.toml)';
const LATER = 'run the same command again later: what is done is kept';

/** By the code of {@link AttemptFailed}. The first match counts; the last one matches everything. */
const KNOWN_FAILURES: readonly KnownFailure[] = [
  {
    codes: /^ENOTFOUND$/,
    what: 'the host {host} is not known',
    hint: `Check the network connection, and ${CHECK_URL}.`,
    repeat: 'nothing',
  },
  {
    codes: /^EAI_/,
    what: 'the name of {host} could not be looked up',
    hint: `Check the network connection and its name server, and ${CHECK_URL}.`,
    repeat: 'everything',
  },
  {
    codes: /^(ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|RECORD_LAYER_FAILURE|HTTP_REQUEST))$/,
    what: '{host} does not speak https',
    hint: `If the service is plain http at this port, write http:// in the base URL; else ${CHECK_URL}.`,
    repeat: 'nothing',
  },
  {
    codes: /^CERT_HAS_EXPIRED$/,
    what: 'the certificate of {host} has expired',
    hint: 'Check the clock of this machine; if it is right, ask the delivery company to renew its certificate.',
    repeat: 'nothing',
  },
  {
    codes: /^CERT_NOT_YET_VALID$/,
    what: 'the certificate of {host} is not valid yet',
    hint: 'Set the clock of this machine.',
    repeat: 'nothing',
  },
  {
    codes: /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    what: 'the certificate that {host} shows is for another name',
    hint: `Probably this is not the service: ${CHECK_URL}.`,
    repeat: 'nothing',
  },
  {
    codes: /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/,
    what: 'the certificate of {host} comes from nobody whom this machine trusts',
    hint: `For a company certificate set NODE_EXTRA_CA_CERTS to its file; else ${CHECK_URL}.`,
    repeat: 'nothing',
  },
  {
    codes: /^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO$)/,
    what: 'no secure connection to {host} could be made',
    hint: `Check the clock of this machine, and ${CHECK_URL}; for a company certificate set NODE_EXTRA_CA_CERTS to its file.`,
    repeat: 'nothing',
  },
  {
    codes: /^ECONNREFUSED$/,
    what: '{host} refuses connections',
    hint: `Start the service or ${CHECK_URL}.`,
    repeat: 'everything',
  },
  {
    codes: /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/,
    what: '{host} did not take the connection in time',
    hint: `Check the network connection, the firewall and the proxy settings, and ${CHECK_URL}.`,
    repeat: 'everything',
  },
  {
    codes: /^(EHOSTUNREACH|ENETUNREACH)$/,
    what: '{host} cannot be reached',
    hint: `Check the network connection and the proxy settings, and ${CHECK_URL}.`,
    repeat: 'reads',
  },
  {
    codes: /^NOT_HTTP$/,
    what: '{host} answered something that is not HTTP',
    hint: `Check whether it wants https, and ${CHECK_URL}.`,
    repeat: 'reads',
  },
  {
    codes: /^UND_ERR_HEADERS_OVERFLOW$/,
    what: '{host} answered with more than 16 kB of headers',
    hint: `Probably this is not the service: ${CHECK_URL}.`,
    repeat: 'nothing',
  },
  {
    codes: /^TIMED_OUT$/,
    what: '{host} sent no whole answer in time',
    hint: `Check the network connection, raise timeout_seconds in remit.toml, or ${LATER}.`,
    repeat: 'reads',
  },
  {
    codes: /^Z_/,
    what: '{host} sent gzip that cannot be unpacked',
    hint: `If it stays so, send the delivery company this message; else ${LATER}.`,
    repeat: 'reads',
  },
  {
    codes: /./,
    what: 'the connection to {host} broke before the answer was whole',
    hint: `Check the network connection, or ${LATER}.`,
    repeat: 'reads',
  },
];

/** Why an attempt to reach `host` brought no answer, or that a proxy is at fault. */
function causeOf(failed: AttemptFailed, host: string): Cause {
  const { code } = failed;
  if (code === 'PROXY_DENIED') return deniedBy(proxies()[0]?.host ?? '', failed.cause as Error);
  const proxy = proxyAtFault(failed.cause);
  const { what, hint, repeat } = KNOWN_FAILURES.find(({ codes }) => codes.test(code))!;
  if (proxy === null) return { what: what.replace('{host}', () => host), hint, repeat };
  return {
    // `the host the proxy P is not known` would be no English.
    what: what.replace(/(the host )?\{host\}/, () => `the proxy ${proxy}`),
    hint: 'Check the proxy settings (HTTPS_PROXY, HTTP_PROXY); name hosts to reach without it in NO_PROXY.',
    repeat,
  };
}

function deniedBy(proxy: string, { message }: Error): Cause {
  const status = PROXY_ANSWER.exec(message)?.[1] ?? '';
  const hint =
    status === '407'
      ? 'Write the user name and password into HTTPS_PROXY: http://USER:PASSWORD@HOST:PORT.'
      : 'Ask the owner of the proxy to let this host through, or name it in NO_PROXY to reach it directly.';
  return { what: `the proxy ${proxy} did not connect through, and answered ${status}`, hint, repeat: 'everything' };
}

const PROXY_VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'] as const;

function proxies(): URL[] {
  return PROXY_VARIABLES.map((name) => process.env[name] ?? '')
    .filter((text) => URL.canParse(text))
    .map((text) => new URL(text));
}

/** The host and port of the proxy that a network error names; null when it names another host or none. */
function proxyAtFault(error: unknown): string | null {
  const { hostname, address, port } = firstOf(error) as { hostname?: string; address?: string; port?: number };
  const found = proxies().find((proxy) =>
    hostname === undefined
      ? port !== undefined && String(port) === (proxy.port || '80') && mayBeAddressOf(address, proxy.hostname)
      : hostname === proxy.hostname,
  );
  return found?.host ?? null;
}

/** Whether an address may be that of `hostname`: the addresses of a host that is given by name are not known here. */
function mayBeAddressOf(address: string | undefined, hostname: string): boolean {
  const isByName = !/^[0-9.]+$|^\[/.test(hostname);
  return isByName || hostname.replace(/^\[|\]$/g, '') === address;
}

/** The error itself, or its first one if several addresses were tried. */
function firstOf(error: unknown): object {
  const { errors } = (error ?? {}) as { errors?: unknown[] };
  return ((Array.isArray(errors) && errors.length > 0 ? errors[0] : error) as object | null) ?? {};
}
