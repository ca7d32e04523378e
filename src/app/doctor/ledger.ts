import { counted } from '../../base/counted.ts';
import { dayIn } from '../../base/day.ts';
import { instantForPeople } from '../../base/instant.ts';
import { formatPeriod } from '../../base/period.ts';
import { describePlace } from '../../base/place.ts';
import { quoted } from '../../base/text.ts';
import { readReturns, sayReturns } from '../../checks/facts/returns/convention.ts';
import type { Config } from '../../config/index.ts';
import { type Examined, findDamage, type Ledger, ledgerExists, wholeLedger } from '../../ledger/index.ts';
import { readClosesInForce } from '../../ledger/queries/closes/closes.ts';
import { readMismatches } from '../../ledger/queries/findings/mismatches.ts';
import { readImports } from '../../ledger/queries/imports.ts';
import { readDocumentedMonths } from '../../ledger/queries/months.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { readLastSync } from '../../ledger/queries/sync/runs.ts';
import { readLastWalks } from '../../ledger/queries/sync/walks.ts';
import { readWebhookCounts } from '../../ledger/queries/webhooks.ts';
import { readBudget } from '../../sync/budget.ts';
import { say } from '../../words/index.ts';
import { type Books, usingBooks } from '../books.ts';
import { type Courier, couriersOf, ledgerOf } from '../couriers.ts';
import { nightCost } from '../night-cost.ts';

export function good(name: string, message: string): Examined {
  return { name, ok: true, message, remedy: null };
}

export function bad(name: string, message: string, remedy: string): Examined {
  return { name, ok: false, message, remedy };
}

/**
 * Examines the ledger: whether it opens and is sound, and its sheets, webhooks, budgets and closes.
 *
 * @throws LedgerError
 */
export async function probeLedger(books: Books): Promise<Examined[]> {
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

const DAY_MS = 86_400_000;

/** Reports which closed months had changed by the last check; nothing is checked here. */
async function probeCloses(db: LedgerReader): Promise<Examined[]> {
  const closed = [...new Set((await readClosesInForce(db)).map(({ period }) => period))];
  if (closed.length === 0) return [];
  const drifts = (await readMismatches(db, closed)).filter(
    ({ code, status }) => code === 'closed-period-changed' && status === 'open',
  );
  const months = `${counted(closed.length, 'month')} closed, the last ${closed.at(-1)}`;
  if (drifts.length === 0) return [good('closes', `${months}; by the last check none has changed since`)];
  const changed = [...new Set(drifts.map(({ period }) => period))].sort().join(', ');
  const remedy = `\`remit mismatch list --code closed-period-changed\` says what moved; the closes stay as they are.`;
  return [bad('closes', `${months}; changed since: ${changed}`, remedy)];
}
