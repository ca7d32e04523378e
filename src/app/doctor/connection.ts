import { LOOPBACK, openConnections, type Received, send } from '../../courier/transport.ts';
import { bad, type Finding, good } from './finding.ts';

const TIMEOUT_MS = 10_000;
/** The difference between two clocks that certificates and rechecks tolerate. */
const MAX_SKEW_SECONDS = 300;

/** Asks the API once, without the key: can it be reached, is the line encrypted, and do the clocks agree? */
export async function probeConnection(apiUrl: string, now: () => Date): Promise<Finding[]> {
  const url = new URL(apiUrl);
  const connections = openConnections(url, 1);
  const request = { method: 'GET', url: new URL('profile/', url).href, headers: {}, body: null } as const;
  const startedAt = performance.now();
  try {
    const answer = await send(connections, request, { timeoutMs: TIMEOUT_MS, stop: new AbortController().signal });
    const took = Math.round(performance.now() - startedAt);
    return [good('connection', `${url.host} answered in ${took} ms`), encryption(url), clock(answer, now())];
  } catch (error) {
    const { code = 'UNKNOWN' } = error as { code?: string };
    const remedy = /CERT|TLS|SSL|SIGNED|VERIFY|HOSTNAME/.test(code)
      ? 'The certificate is not trusted: check the clock of this machine; for a company certificate set NODE_EXTRA_CA_CERTS to its file.'
      : 'Check the network connection, the proxy settings and the address (`api_url` in remit.toml, or REMIT_API_URL).';
    return [bad('connection', `${url.host} gave no answer (${code})`, remedy)];
  } finally {
    await connections.destroy();
  }
}

function encryption(url: URL): Finding {
  if (url.protocol === 'https:') return good('encryption', `the certificate of ${url.host} is trusted`);
  if (LOOPBACK.test(url.hostname)) return good('encryption', 'none needed: the API runs on this machine');
  return bad('encryption', `the key travels to ${url.host} unencrypted`, 'Use an address that begins with https://.');
}

function clock({ headers }: Received, now: Date): Finding {
  const theirs = new Date(String(headers.date));
  if (Number.isNaN(theirs.getTime())) return good('clock', 'not compared: the API does not tell the time');
  const seconds = Math.round((now.getTime() - theirs.getTime()) / 1_000);
  const apart = `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the API's`;
  if (Math.abs(seconds) <= MAX_SKEW_SECONDS) return good('clock', apart);
  return bad('clock', apart, 'Set the clock of this machine: `this-month` and overdue days are computed from it.');
}
