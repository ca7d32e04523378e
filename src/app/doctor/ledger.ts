import { counted } from '../../base/counted.ts';
import { dayIn } from '../../base/day.ts';
import { instantForPeople } from '../../base/instant.ts';
import { formatPeriod } from '../../base/period.ts';
import { describePlace } from '../../base/place.ts';
import { quoted } from '../../base/text.ts';
import { readReturns, sayReturns } from '../../checks/facts/returns/convention.ts';
import { type Examined, examinePlace, findDamage, type Ledger, ledgerExists, wholeLedger } from '../../ledger/index.ts';
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
import { couriersOf, ledgerOf } from '../couriers.ts';
import { nightCost } from '../night-cost.ts';

export function good(name: string, message: string): Examined {
  return { name, ok: true, message, remedy: null };
}

export function bad(name: string, message: string, remedy: string): Examined {
  return { name, ok: false, message, remedy };
}

/**
 * Examines the ledger's place: the free space on its disk, or its server, connection and rights.
 *
 * @throws LedgerError
 */
export function probePlace({ config }: Books): Promise<Examined[]> {
  return examinePlace(config.ledger);
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
    return [
      good('ledger', `${file} is sound: ${counted(months, 'month')}, ${synced}`),
      ...(await probeSheets(ledger, books)),
      ...(await probeWebhooks(ledger, books)),
      ...(await probeReturns(ledger, books)),
      ...(await probeBudgets(ledger, books)),
      ...(await probeCloses(wholeDb)),
    ];
  });
}

/** Reports, for each courier that ever sent a webhook, how many came and how many orders wait to be fetched. */
async function probeWebhooks(ledger: Ledger, { config }: Books): Promise<Examined[]> {
  const lines: Examined[] = [];
  for (const courier of await couriersOf(ledger.db, config)) {
    const { received, last, unreadable, waiting } = await readWebhookCounts(ledgerOf(ledger, courier).db);
    if (last === null) continue;
    const parts = [
      `${courier.name}: ${counted(received, 'message')}, the last ${instantForPeople(last)}`,
      ...(unreadable === 0 ? [] : [`${unreadable} cannot be read`]),
      ...(waiting === 0 ? [] : [`${counted(waiting, 'order')} to be fetched`]),
    ];
    const remedy = 'Run `remit sync`, and look whether `remit listen` runs.';
    // With a budget of requests, orders may wait for a sync that can afford them.
    const isWell = waiting === 0 || courier.config.requestsPerMonth !== null;
    lines.push(isWell ? good('webhooks', parts.join(', ')) : bad('webhooks', parts.join(', '), remedy));
  }
  return lines;
}

/**
 * Reports, for each courier that sends settlement sheets, the last one, the map that reads them and the months they
 * cover.
 */
async function probeSheets(ledger: Ledger, { config }: Books): Promise<Examined[]> {
  const lines: Examined[] = [];
  for (const courier of await couriersOf(ledger.db, config)) {
    if (courier.config.kind !== 'files') continue;
    const { db } = ledgerOf(ledger, courier);
    const sheets = (await readImports(db)).filter((one) => one.kind === 'settlement' && one.courier === courier.key);
    const last = sheets.findLast(({ undone_at }) => undone_at === null);
    const months = (await readLastWalks(db)).flatMap(({ period, isOfSheet }) => (isOfSheet ? [period] : []));
    const map = last?.map ?? courier.config.map;
    const parts = [
      last === undefined
        ? 'no settlement sheet is imported yet'
        : `last sheet ${quoted(last.source)}, imported ${dayIn(last.at, config.timeZone)}`,
      map === null ? 'no map is set' : `map ${map}`,
      ...(months.length === 0 ? [] : [`covers ${formatPeriod(months)}`]),
    ];
    lines.push(good('sheets', `${courier.name}: ${parts.join('; ')}`));
  }
  return lines;
}

/**
 * Reports which convention holds for each courier's RETURN orders, and why; nothing for a courier without such orders.
 */
async function probeReturns(ledger: Ledger, { config }: Books): Promise<Examined[]> {
  const couriers = await couriersOf(ledger.db, config);
  const lines: Examined[] = [];
  for (const courier of couriers) {
    const returns = await readReturns(ledgerOf(ledger, courier).db, courier.config.returns);
    const sentence = sayReturns(returns);
    if (sentence === null) continue;
    const [prefix, option, table] =
      couriers.length === 1
        ? ['', '', 'remit.toml']
        : [`${courier.name}: `, ` --courier ${courier.name}`, `[couriers.${courier.name}]`];
    const remedy = `\`remit check --only returns-undecided${option}\` says what to ask; then set \`returns\` in ${table}.`;
    const message = `${prefix}${say(sentence)}`;
    lines.push(returns.uncompared.length === 0 ? good('returns', message) : bad('returns', message, remedy));
  }
  return lines;
}

/**
 * Reports how many requests a night costs, and for how many nights a courier's budget lasts; nothing without a budget.
 */
async function probeBudgets(ledger: Ledger, { config, now }: Books): Promise<Examined[]> {
  const lines: Examined[] = [];
  const couriers = await couriersOf(ledger.db, config);
  for (const courier of couriers) {
    const { requestsPerMonth, ordersFullEvery, kind } = courier.config;
    if (requestsPerMonth === null || kind !== 'api') continue;
    const courierLedger = ledgerOf(ledger, courier);
    const night = await nightCost(courierLedger, { config: courier.config, now });
    const { used_this_month: used, left, resets_on } = await readBudget(courierLedger, courier.config, now());
    const nights = Math.floor(left! / night.requests);
    const nightsToCome = Math.ceil((Date.parse(resets_on) - now().getTime()) / DAY_MS);
    const prefix = couriers.length === 1 ? '' : `${courier.name}: `;
    const book =
      night.book === null
        ? ''
        : `, ${night.book.whole} of them for the whole order book every ${counted(ordersFullEvery, 'day')} and ${night.book.between} in between`;
    const message = `${prefix}a night costs about ${night.requests} requests${book}; ${used} of ${requestsPerMonth} are used this month, and the ${left} left buy ${counted(nights, 'night')} until ${resets_on}`;
    const remedy =
      'Read the whole order book less often (orders_full_every in remit.toml), or ask the delivery company for a larger plan.';
    lines.push(nights >= nightsToCome ? good('budget', message) : bad('budget', message, remedy));
  }
  return lines;
}

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
