import type { CheckResult } from '../checks/run.ts';
import { applyFindings } from '../derive/findings.ts';
import { holdHead } from '../ledger/evidence/append.ts';
import { appendEvidence, type Ledger, sealBody, usingTransaction } from '../ledger/index.ts';
import { readLastChange } from '../ledger/read/last-change.ts';
import type { FindingsDelta } from '../ledger/write/mismatches.ts';

/** How many mismatches one document of findings holds: a first check of bad books may have many. */
const MOST = 5_000;

interface StoreOptions {
  readonly at: Date;
  /** The last change of mismatches that the findings know of; null to store them whatever came since. */
  readonly since: number | null;
}

/**
 * Puts on record that the checks were run, and what they changed: evidence first, and the rows derived from it.
 *
 * @returns false when another check or a decision came between; nothing is stored then
 */
export async function storeSettled(
  ledger: Ledger,
  { period, periods, codes, settled, incomplete, skipped }: CheckResult,
  { at, since }: StoreOptions,
): Promise<boolean> {
  const deltas = split(settled);
  const bodies = await Promise.all(deltas.map((delta) => sealBody(Buffer.from(JSON.stringify(delta)))));
  return usingTransaction(ledger, async (trx) => {
    const counts = {
      opened: settled.opened.length,
      reopened: settled.reopened.length,
      resolved: settled.resolved.length,
      incomplete: incomplete.length,
      skipped: skipped.length,
    };
    // Moved on first: nobody else can append from here on, so that what is read is the newest.
    await holdHead(trx);
    if (since !== null && (await readLastChange(trx)) !== since) return false;
    await appendEvidence(trx, { at, kind: 'check', subject: period, data: { periods, codes, ...counts } });
    for (const [index, delta] of deltas.entries()) {
      const body = bodies[index]!;
      const evidence = await appendEvidence(trx, { at, kind: 'findings', subject: period, body });
      await applyFindings(trx, evidence, delta);
    }
    return true;
  });
}

/** Cuts what changed, by id, into documents of bounded size; nothing changed makes none. */
function split(delta: FindingsDelta): FindingsDelta[] {
  // What is kept must not depend on the order in which a database happens to give its rows.
  const [opened, reopened, updated, resolved] = [
    byId(delta.opened),
    byId(delta.reopened),
    byId(delta.updated),
    byId(delta.resolved),
  ];
  const deltas: FindingsDelta[] = [];
  const none: FindingsDelta = { opened: [], reopened: [], updated: [], resolved: [] };
  for (const [name, items] of Object.entries({ opened, reopened, updated, resolved })) {
    for (let from = 0; from < items.length; from += MOST) {
      deltas.push({ ...none, [name]: items.slice(from, from + MOST) });
    }
  }
  const size = opened.length + reopened.length + updated.length + resolved.length;
  return size > 0 && size <= MOST ? [{ opened, reopened, updated, resolved }] : deltas;
}

function byId<T extends { readonly id: string }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => (a.id < b.id ? -1 : 1));
}
