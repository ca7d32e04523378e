import { counted } from '../../base/counted.ts';
import { dayIn } from '../../base/day.ts';
import { RemitError } from '../../base/errors.ts';
import { instantForPeople } from '../../base/instant.ts';
import { formatPeriod, requireSaneClock } from '../../base/period.ts';
import { describePlace } from '../../base/place.ts';
import { quoted } from '../../base/text.ts';
import { readReturns, sayReturns } from '../../checks/facts/returns/convention.ts';
import type { Config } from '../../config/index.ts';
import { describeKeySource } from '../../config/key.ts';
import { LOOPBACK, openConnections, type Received, send } from '../../courier/transport.ts';
import { parseColumnMap } from '../../imports/maps/parse-map.ts';
import {
  type Examined,
  examinePlace,
  findDamage,
  type Ledger,
  ledgerExists,
  SOLE_COURIER,
  wholeLedger,
} from '../../ledger/index.ts';
import { readClosesInForce } from '../../ledger/queries/closes/closes.ts';
import { findMismatchesBy } from '../../ledger/queries/findings/mismatches.ts';
import { readImports } from '../../ledger/queries/imports.ts';
import { readDocumentedMonths } from '../../ledger/queries/months.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { readLastSync } from '../../ledger/queries/sync/runs.ts';
import { readLastWalks } from '../../ledger/queries/sync/walks.ts';
import { readWebhookCounts } from '../../ledger/queries/webhooks.ts';
import { readBudget } from '../../sync/budget.ts';
import { say } from '../../words/index.ts';
import { type Books, booksOf, usingBooks } from '../books.ts';
import { requireApiUrl, usingClient } from '../client.ts';
import { type Courier, couriersOf, ledgerOf } from '../couriers.ts';
import { nightCost } from '../night-cost.ts';

export type { Examined };

const DAY_MS = 86_400_000;
const TIMEOUT_MS = 10_000;
/** The difference between this clock and the API's up to which certificates and rechecks work. */
const MAX_SKEW_SECONDS = 300;

/**
 * Examines settings, key, connection, clock, disk and ledger.
 *
 * @param openBooks reads the settings; what it throws is the only line
 * @returns the lines, in the order in which the probes ran
 */
export async function examine(openBooks: () => Promise<Books>): Promise<Examined[]> {
  let books: Books;
  try {
    books = await openBooks();
  } catch (error) {
    return [fromError('settings', error)];
  }
  const { config } = books;
  const lines = [good('settings', config.file ?? 'from the environment; no remit.toml'), ...probeMaps(config)];
  const fetched = couriersFetched(books);
  for (const courierBooks of fetched) {
    const prefix = fetched.length === 1 ? '' : `${courierBooks.config.courier}: `;
    lines.push(...(await probeApi(courierBooks)).map((line) => ({ ...line, message: `${prefix}${line.message}` })));
  }
  // Without an answer there is no other clock to compare this one with.
  if (lines.every(({ name }) => name !== 'clock')) lines.push(...(await attempt('clock', () => probeClock(books))));
  const place = await attempt('ledger', () => examinePlace(config.ledger));
  lines.push(...place);
  // A place that could not be reached was reported already.
  if (place.every(({ name }) => name !== 'ledger')) lines.push(...(await attempt('ledger', () => probeLedger(books))));
  return lines;
}

/** The books narrowed to each courier of the settings whose invoices are fetched. */
function couriersFetched(books: Books): Books[] {
  const { config } = books;
  const ofTables = Object.entries(config.couriers).map(([name, table]) =>
    booksOf(books, { name, config: { ...config, ...table } }),
  );
  const ofSole = config.hasSole ? [booksOf(books, { name: SOLE_COURIER, config })] : [];
  return [...ofSole, ...ofTables].filter((courierBooks) => courierBooks.config.kind === 'api');
}

/** Examines the key, address, connection and account of one courier. */
async function probeApi(books: Books): Promise<Examined[]> {
  const { config } = books;
  const lines = await attempt('key', async () => {
    await books.key();
    return [good('key', `from ${describeKeySource(config.keySource)}`)];
  });
  const address = await attempt('address', async () => [good('address', requireApiUrl(config))]);
  if (!address[0]!.ok) return [...lines, ...address];
  const connection = await probeConnection(requireApiUrl(config), books.now);
  const isReached = lines[0]!.ok && connection.every(({ name, ok }) => ok || name === 'clock');
  lines.push(...address, ...connection);
  return isReached ? [...lines, ...(await attempt('account', () => probeAccount(books)))] : lines;
}

/** Reports the maps in the settings that no import could use. */
function probeMaps({ maps }: Config): Examined[] {
  return Object.entries(maps).flatMap(([name, value]) => {
    const read = parseColumnMap(name, value);
    if ('map' in read) return [];
    return [bad('map', read.faults.join('; '), 'Correct that map; docs/settings.md has an example.')];
  });
}

async function probeAccount(books: Books): Promise<Examined[]> {
  const profile = await usingClient(books, (client) => client.profile(), { maxAttempts: 1 });
  return [good('account', `the key is accepted, for ${quoted(profile.value.organisation_name)}`)];
}

async function probeClock({ now }: Books): Promise<Examined[]> {
  requireSaneClock(now());
  return [];
}

async function attempt(name: string, probe: () => Promise<Examined[]>): Promise<Examined[]> {
  try {
    return await probe();
  } catch (error) {
    return [fromError(name, error)];
  }
}

function fromError(name: string, error: unknown): Examined {
  if (!(error instanceof RemitError)) throw error;
  return bad(name, error.message, error.hint);
}

function good(name: string, message: string): Examined {
  return { name, ok: true, message, remedy: null };
}

function bad(name: string, message: string, remedy: string): Examined {
  return { name, ok: false, message, remedy };
}

/** Asks the API once, without the key: can it be reached, is the line encrypted, and do the clocks agree? */
async function probeConnection(apiUrl: string, now: () => Date): Promise<Examined[]> {
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

function encryption(url: URL): Examined {
  if (url.protocol === 'https:') return good('encryption', `the certificate of ${url.host} is trusted`);
  if (LOOPBACK.test(url.hostname)) return good('encryption', 'none needed: the API runs on this machine');
  return bad('encryption', `the key travels to ${url.host} unencrypted`, 'Use an address that begins with https://.');
}

function clock({ headers }: Received, now: Date): Examined {
  const apiTime = new Date(String(headers.date));
  if (Number.isNaN(apiTime.getTime())) return good('clock', 'not compared: the API does not tell the time');
  const seconds = Math.round((now.getTime() - apiTime.getTime()) / 1_000);
  const apart = `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the API's`;
  if (Math.abs(seconds) <= MAX_SKEW_SECONDS) return good('clock', apart);
  return bad('clock', apart, 'Set the clock of this machine: `this-month` and overdue days are computed from it.');
}

/**
 * Examines the ledger: whether it opens and is sound, and its sheets, webhooks, budgets and closes.
 *
 * @throws LedgerError
 */
async function probeLedger(books: Books): Promise<Examined[]> {
  const place = books.config.ledger;
  const file = describePlace(place);
  if (!(await ledgerExists(place))) return [good('ledger', `${file} does not exist yet; the first sync makes it`)];
  return usingBooks(books, { readOnly: true, newSettings: 'unchecked', allCouriers: true }, async (ledger) => {
    const [problem] = await findDamage(ledger);
    if (problem) {
      return [bad('ledger', `${file} is damaged: ${problem}`, 'Restore a backup, or move it away and sync again.')];
    }
    const wholeDb = wholeLedger(ledger.db);
    const run = await readLastSync(wholeDb);
    const months = (await readDocumentedMonths(wholeDb)).length;
    const synced = run ? `last sync ${instantForPeople(run.started_at)} (${run.status})` : 'never synced';
    const lines = [good('ledger', `${file} is sound: ${counted(months, 'month')}, ${synced}`)];
    const couriers = await couriersOf(ledger.db, books.config);
    for (const probe of [probeSheets, probeWebhooks, probeReturns, probeBudget]) {
      for (const courier of couriers) {
        lines.push(...(await probe(ledgerOf(ledger, courier), courier, books, couriers.length === 1)));
      }
    }
    return [...lines, ...(await probeCloses(wholeDb))];
  });
}

/** Examines one courier's rows. */
type Probe = (ledger: Ledger, courier: Courier<Config>, books: Books, isOnly: boolean) => Promise<Examined[]>;

/** Reports the last sheet of a courier that sends sheets, the map that reads them and the months they cover. */
const probeSheets: Probe = async ({ db }, { key, name, config }, books) => {
  if (config.kind !== 'files') return [];
  const sheets = (await readImports(db)).filter(({ kind, courier }) => kind === 'settlement' && courier === key);
  const last = sheets.findLast(({ undone_at }) => undone_at === null);
  const months = (await readLastWalks(db)).flatMap(({ period, isOfSheet }) => (isOfSheet ? [period] : []));
  const map = last?.map ?? config.map;
  const parts = [
    last === undefined
      ? 'no settlement sheet is imported yet'
      : `last sheet ${quoted(last.source)}, imported ${dayIn(last.at, books.config.timeZone)}`,
    map === null ? 'no map is set' : `map ${map}`,
    ...(months.length === 0 ? [] : [`covers ${formatPeriod(months)}`]),
  ];
  return [good('sheets', `${name}: ${parts.join('; ')}`)];
};

/** Reports how many webhooks came from a courier that ever sent one, and how many orders wait to be fetched. */
const probeWebhooks: Probe = async ({ db }, { name, config }) => {
  const { received, last, unreadable, waiting } = await readWebhookCounts(db);
  if (last === null) return [];
  const parts = [
    `${name}: ${counted(received, 'message')}, the last ${instantForPeople(last)}`,
    ...(unreadable === 0 ? [] : [`${unreadable} cannot be read`]),
    ...(waiting === 0 ? [] : [`${counted(waiting, 'order')} to be fetched`]),
  ];
  const remedy = 'Run `remit sync`, and look whether `remit listen` runs.';
  // With a budget of requests, orders may wait for a sync that can afford them.
  const isWell = waiting === 0 || config.requestsPerMonth !== null;
  return [isWell ? good('webhooks', parts.join(', ')) : bad('webhooks', parts.join(', '), remedy)];
};

/** Reports which convention holds for a courier's RETURN orders, and why; nothing for a courier without such orders. */
const probeReturns: Probe = async ({ db }, { name, config }, _, isOnly) => {
  const returns = await readReturns(db, config.returns);
  const sentence = sayReturns(returns);
  if (sentence === null) return [];
  const [prefix, option, table] = isOnly
    ? ['', '', 'remit.toml']
    : [`${name}: `, ` --courier ${name}`, `[couriers.${name}]`];
  const remedy = `\`remit check --only returns-undecided${option}\` says what to ask; then set \`returns\` in ${table}.`;
  const message = `${prefix}${say(sentence)}`;
  return [returns.uncompared.length === 0 ? good('returns', message) : bad('returns', message, remedy)];
};

/**
 * Reports how many requests a night costs, and for how many nights a courier's budget lasts; nothing without a budget.
 */
const probeBudget: Probe = async (ledger, { name, config }, { now }, isOnly) => {
  const { requestsPerMonth, ordersFullEvery, kind } = config;
  if (requestsPerMonth === null || kind !== 'api') return [];
  const night = await nightCost(ledger, { config, now });
  const { used_this_month: used, left, resets_on } = await readBudget(ledger, config, now());
  const nights = Math.floor(left! / night.requests);
  const nightsToCome = Math.ceil((Date.parse(resets_on) - now().getTime()) / DAY_MS);
  const prefix = isOnly ? '' : `${name}: `;
  const book =
    night.book === null
      ? ''
      : `, ${night.book.whole} of them for the whole order book every ${counted(ordersFullEvery, 'day')} and ${night.book.between} in between`;
  const message = `${prefix}a night costs about ${night.requests} requests${book}; ${used} of ${requestsPerMonth} are used this month, and the ${left} left buy ${counted(nights, 'night')} until ${resets_on}`;
  const remedy =
    'Read the whole order book less often (orders_full_every in remit.toml), or ask the delivery company for a larger plan.';
  return [nights >= nightsToCome ? good('budget', message) : bad('budget', message, remedy)];
};

/** Reports which closed months had changed by the last check; nothing is checked here. */
async function probeCloses(db: LedgerReader): Promise<Examined[]> {
  const closed = [...new Set((await readClosesInForce(db)).map(({ period }) => period))];
  if (closed.length === 0) return [];
  const drifts = (await findMismatchesBy(db, { periods: closed })).filter(
    ({ code, status }) => code === 'closed-period-changed' && status === 'open',
  );
  const months = `${counted(closed.length, 'month')} closed, the last ${closed.at(-1)}`;
  if (drifts.length === 0) return [good('closes', `${months}; by the last check none has changed since`)];
  const changed = [...new Set(drifts.map(({ period }) => period))].sort().join(', ');
  const remedy = `\`remit mismatch list --code closed-period-changed\` says what moved; the closes stay as they are.`;
  return [bad('closes', `${months}; changed since: ${changed}`, remedy)];
}
