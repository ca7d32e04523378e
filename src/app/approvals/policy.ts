/** The policy of the books (`[approvals]`): what tightens it holds at once, what loosens it waits for a second person. */
import type { Config } from '../../config/index.ts';
import { appendEvidence, type LedgerTransaction, wholeLedger } from '../../ledger/index.ts';
import { readDatabaseUser } from '../../ledger/queries/couriers.ts';
import { readEvidenceOfKinds } from '../../ledger/queries/evidence/decided.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { formatUnits, parseUnits } from '../../money/units.ts';
import type { DecisionLine } from '../decisions/lines.ts';
import { isSame } from '../settings-record.ts';

/** What the policy is among the settings on record. */
type Held = Pick<Config, 'approvals' | 'rateTolerance'>;

/** The policy, by its names in remit.toml. */
export interface Policy {
  readonly write_off_above: Readonly<Record<string, string>>;
  readonly close: boolean;
  readonly imports: boolean;
  /** How far a rate of somebody's own may be off: what is paid beyond it counts under the limits. */
  readonly rate_tolerance: string;
}

/** Another policy than that of the books: what is done when it is approved. */
export interface PolicyRequest {
  readonly old: Policy;
  readonly new: Policy;
  readonly by: string;
}

/** What remit.toml asks for that the books do not let one person have. */
export interface Looser extends Omit<PolicyRequest, 'by'> {
  /** Who proposed it, and who refused it; null where nobody proposed it yet. */
  readonly proposed: { readonly by: string; readonly refusedBy: string | null } | null;
}

/** One value of a policy that another one loosens; null where there is none. */
export interface Loosened {
  readonly setting: string;
  readonly old: string | null;
  readonly new: string | null;
}

export function policyOf({ approvals, rateTolerance }: Held): Policy {
  const limits = Object.entries(approvals.writeOffAbove).map(([code, most]) => [code, formatUnits(parseUnits(most))]);
  const { close, imports } = approvals;
  return { write_off_above: Object.fromEntries(limits), close, imports, rate_tolerance: rateTolerance };
}

export function settingsOf({ write_off_above, close, imports, rate_tolerance }: Policy) {
  return { approvals: { writeOffAbove: write_off_above, close, imports }, rate_tolerance };
}

/** What holds at once: of each value the tighter one, as the books have it where both are the same. */
export function tighterOf(held: Held, asked: Held): Held {
  const limits: Record<string, string> = { ...asked.approvals.writeOffAbove };
  const heldLimits = Object.entries(held.approvals.writeOffAbove);
  for (const [code, most] of heldLimits) if (!isLess(limits[code], most)) limits[code] = most;
  return {
    approvals: {
      writeOffAbove: limits,
      close: held.approvals.close || asked.approvals.close,
      // A record of settings that an earlier remit made does not say it.
      imports: held.approvals.imports === true || asked.approvals.imports,
    },
    // Without a limit nothing is counted that a wider tolerance would leave out.
    rateTolerance:
      heldLimits.length > 0 && !isLess(asked.rateTolerance, held.rateTolerance)
        ? held.rateTolerance
        : asked.rateTolerance,
  };
}

/** The values of a policy that another one loosens. */
export function loosenedBy(old: Policy, asked: Policy): Loosened[] {
  const limits = Object.entries(old.write_off_above).flatMap(([code, most]): Loosened[] => {
    const other = asked.write_off_above[code];
    const isLooser = other === undefined || isLess(most, other);
    return isLooser ? [{ setting: `write_off_above ${code}`, old: most, new: other ?? null }] : [];
  });
  return [
    ...limits,
    ...(old.close && !asked.close ? [{ setting: 'close', old: 'true', new: 'false' }] : []),
    ...(old.imports && !asked.imports ? [{ setting: 'imports', old: 'true', new: 'false' }] : []),
    ...(isLess(old.rate_tolerance, asked.rate_tolerance)
      ? [{ setting: 'rate_tolerance', old: old.rate_tolerance, new: asked.rate_tolerance }]
      : []),
  ];
}

/** Whether a decimal is below another; none is above all. */
function isLess(one: string | undefined, other: string): boolean {
  return one !== undefined && parseUnits(one) < parseUnits(other);
}

/** What of a policy is looser than what holds; null where nothing is. */
export async function findLooser(db: LedgerReader, held: Held, asked: Held): Promise<Looser | null> {
  const change = { old: policyOf(held), new: policyOf(asked) };
  if (loosenedBy(change.old, change.new).length === 0) return null;
  const rows = await readEvidenceOfKinds(wholeLedger(db), ['proposal', 'proposal-approved', 'proposal-refused']);
  for (const { id, actor, data } of rows.filter(({ kind, subject }) => kind === 'proposal' && subject === 'policy')) {
    const { request } = JSON.parse(data!) as { readonly request: PolicyRequest };
    if (!isSame({ old: request.old, new: request.new }, change)) continue;
    const end = rows.find(({ kind, subject }) => kind !== 'proposal' && subject === String(id));
    if (end?.kind === 'proposal-approved') continue;
    return { ...change, proposed: { by: actor!, refusedBy: end?.actor ?? null } };
  }
  return { ...change, proposed: null };
}

/** Keeps a looser policy for a second person. Call it inside a transaction. */
export async function proposePolicy(
  trx: LedgerTransaction,
  { old, new: asked }: Looser,
  { at, by, isTeams = false }: { readonly at: Date; readonly by: string; readonly isTeams?: boolean | undefined },
): Promise<Looser> {
  const user = isTeams ? null : await readDatabaseUser(trx);
  const request: PolicyRequest = { old, new: asked, by };
  const lines = loosenedBy(old, asked).map(lineOf);
  const data = { what: 'policy', request, lines, ...(user === null ? {} : { database_user: user }) };
  await appendEvidence(trx, { at, kind: 'proposal', actor: by, subject: 'policy', data, isOfAll: true });
  return { old, new: asked, proposed: { by, refusedBy: null } };
}

/** `write_off_above USD: 50.00 → 100.00` */
export function loosenedText({ setting, old, new: asked }: Loosened): string {
  return `${setting}: ${old ?? 'none'} → ${asked ?? 'none'}`;
}

function lineOf(one: Loosened): DecisionLine {
  const subject = loosenedText(one);
  return { what: 'policy', courier: null, subject, currency: null, amount: null, direction: 'none' };
}
