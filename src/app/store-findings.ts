import type { RunResult } from '../checks/run.ts';
import { recordCourier } from '../derive/account.ts';
import { applyFindings } from '../derive/decisions.ts';
import { holdHead } from '../ledger/evidence/append.ts';
import { appendEvidence, type Ledger, readHead, sealBody, usingTransaction } from '../ledger/index.ts';
import { readLastChange } from '../ledger/queries/findings/history.ts';
import { writeAdoptedReturns } from '../ledger/write/couriers.ts';
import type { FindingsDelta, FoundRecord } from '../ledger/write/mismatches.ts';
import { say } from '../words/index.ts';

/** How many mismatches one document of findings holds: a first check of bad books may have many. */
const MOST_IN_DOCUMENT = 5_000;

/**
 * Puts on record that the checks were run, and what they changed: evidence first, and the rows derived from it.
 *
 * @param since the last change of mismatches that the findings are based on; null to store them even if others came
 * since
 * @returns the heads of the chain before and after; null, and nothing stored, if another check or a decision came
 * between
 */
export async function storeChanges(
  ledger: Ledger,
  { period, periods, codes, changes, incomplete, skipped, returns: { adopts } }: RunResult,
  at: Date,
  since: number | null,
) {
  const deltas = splitIntoDocuments(withMessages(changes));
  const bodies = await Promise.all(deltas.map((delta) => sealBody(Buffer.from(JSON.stringify(delta)))));
  return usingTransaction(ledger, async (trx) => {
    const data = {
      periods,
      codes,
      opened: changes.opened.length,
      reopened: changes.reopened.length,
      resolved: changes.resolved.length,
      incomplete: incomplete.length,
      skipped: skipped.length,
    };
    // First, so that nobody else appends now, and the newest is read.
    await holdHead(trx);
    if (since !== null && (await readLastChange(trx)) !== since) return null;
    const before = await readHead(trx);
    let { chain: after } = await appendEvidence(trx, { at, kind: 'check', subject: period, data });
    // `recordCourier`: rows need their courier in the ledger, which lacks one from which nothing came yet.
    if (adopts) {
      const adopted = { at, kind: 'returns-adopted', subject: 'returns', data: { ...adopts } } as const;
      const evidence = await appendEvidence(trx, adopted);
      await recordCourier(trx, evidence);
      await writeAdoptedReturns(trx, adopts, evidence);
      after = evidence.chain;
    }
    for (const [index, delta] of deltas.entries()) {
      const body = bodies[index]!;
      const evidence = await appendEvidence(trx, { at, kind: 'findings', subject: period, body });
      await recordCourier(trx, evidence);
      await applyFindings(trx, evidence, delta);
      after = evidence.chain;
    }
    return { before, after };
  });
}

/** Adds each mismatch's sentence in English to its id and parameters. */
function withMessages(delta: FindingsDelta<FoundRecord>): FindingsDelta {
  const worded = <R extends FoundRecord>(records: readonly R[]) =>
    records.map((record) => ({ ...record, message: say(JSON.parse(record.sentence)) }));
  const { opened, reopened, updated } = delta;
  return { ...delta, opened: worded(opened), reopened: worded(reopened), updated: worded(updated) };
}

/** Divides what changed, by id, into documents of bounded size; where nothing changed there is none. */
function splitIntoDocuments(delta: FindingsDelta): FindingsDelta[] {
  const { replaced = [] } = delta;
  // Sorted, so that the evidence does not depend on the order of a database's rows.
  const sorted: FindingsDelta = {
    opened: byId(delta.opened),
    reopened: byId(delta.reopened),
    updated: byId(delta.updated),
    resolved: byId(delta.resolved),
    ...(replaced.length > 0 && { replaced: byId(replaced) }),
  };
  const size = Object.values(sorted).reduce((sum, items) => sum + items.length, 0);
  if (size === 0) return [];
  if (size <= MOST_IN_DOCUMENT) return [sorted];
  const deltas: FindingsDelta[] = [];
  const none: FindingsDelta = { opened: [], reopened: [], updated: [], resolved: [] };
  for (const [name, items] of Object.entries(sorted)) {
    for (let from = 0; from < items.length; from += MOST_IN_DOCUMENT) {
      deltas.push({ ...none, [name]: items.slice(from, from + MOST_IN_DOCUMENT) });
    }
  }
  return deltas;
}

function byId<T extends { readonly id: string }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => (a.id < b.id ? -1 : 1));
}
