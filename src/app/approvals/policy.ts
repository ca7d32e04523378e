/**
 * The policy of the books (`[approvals]`): what tightens it holds at once, what loosens it waits for a second person.
 */
import type { Config } from '../../config/index.ts';
import { appendEvidence, type LedgerTransaction, wholeLedger } from '../../ledger/index.ts';
import { readDatabaseUser } from '../../ledger/queries/couriers.ts';
import { readEvidenceOfKinds } from '../../ledger/queries/evidence/decided.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { formatUnits, parseUnits } from '../../money/units.ts';
import type { DecisionLine } from '../decisions/lines.ts';
import { isSame } from '../settings-record.ts';

/** The policy as it is among the settings. */
type Settings = Pick<Config, 'approvals' | 'rateTolerance'>;

/** The policy, by its names in remit.toml. */
export interface Policy {
  readonly write_off_above: Readonly<Record<string, string>>;
  readonly close: boolean;
  readonly imports: boolean;
  /** How far a rate that a person chooses may be off: what is paid beyond it counts under the limits. */
  readonly rate_tolerance: string;
}

/** A change of the policy, as it is proposed. */
export interface PolicyRequest {
  readonly old: Policy;
  readonly new: Policy;
  readonly by: string;
}

/** A looser policy that remit.toml asks for, and that a second person has to approve. */
export interface Looser extends Omit<PolicyRequest, 'by'> {
  /** Who proposed it, and who refused it; null where nobody proposed it yet. */
  readonly proposed: { readonly by: string; readonly isNamed: boolean; readonly refusedBy: string | null } | null;
}

/** A limit or rule of the old policy that the new one loosens; null where one of them has none. */
export interface Loosened {
  readonly setting: string;
  readonly old: string | null;
  readonly new: string | null;
}

/** The policy of settings, each limit written in one way (`50` as `50.00`), so that two can be compared. */
export function policyOf({ approvals, rateTolerance }: Settings): Policy {
  const limits = Object.entries(approvals.writeOffAbove).map(([code, limit]) => [code, formatUnits(parseUnits(limit))]);
  const { close, imports } = approvals;
  return { write_off_above: Object.fromEntries(limits), close, imports, rate_tolerance: rateTolerance };
}

/** The policy as a record of the settings has it. */
export function settingsOf({ write_off_above, close, imports, rate_tolerance }: Policy) {
  return { approvals: { writeOffAbove: write_off_above, close, imports }, rate_tolerance };
}

/** The policy that holds at once: the tighter value of each setting; where both are equal, as it is on record. */
export function tighterOf(onRecord: Settings, wanted: Settings): Settings {
  const limits: Record<string, string> = { ...wanted.approvals.writeOffAbove };
  const heldLimits = Object.entries(onRecord.approvals.writeOffAbove);
  for (const [code, limit] of heldLimits) limits[code] = lowerOf(limit, limits[code]);
  return {
    approvals: {
      writeOffAbove: limits,
      close: onRecord.approvals.close || wanted.approvals.close,
      // A record of settings that an earlier remit made does not say it.
      imports: onRecord.approvals.imports === true || wanted.approvals.imports,
    },
    // Without a limit on record a wider tolerance loosens nothing: it holds at once.
    rateTolerance:
      heldLimits.length === 0 ? wanted.rateTolerance : lowerOf(onRecord.rateTolerance, wanted.rateTolerance),
  };
}

/** The lower of two decimals; the held one if they are equal (`50.00` and `50`), or no other is wanted. */
function lowerOf(held: string, wanted: string | undefined): string {
  return wanted !== undefined && isLess(wanted, held) ? wanted : held;
}

/** The values of the old policy that the wanted one loosens. */
export function loosenedBy(old: Policy, wanted: Policy): Loosened[] {
  const limits = Object.entries(old.write_off_above).flatMap(([code, limit]): Loosened[] => {
    const other = wanted.write_off_above[code];
    const isLooser = other === undefined || isLess(limit, other);
    return isLooser ? [{ setting: `write_off_above ${code}`, old: limit, new: other ?? null }] : [];
  });
  return [
    ...limits,
    ...(['close', 'imports'] as const)
      .filter((rule) => old[rule] && !wanted[rule])
      .map((setting) => ({ setting, old: 'true', new: 'false' })),
    ...(isLess(old.rate_tolerance, wanted.rate_tolerance)
      ? [{ setting: 'rate_tolerance', old: old.rate_tolerance, new: wanted.rate_tolerance }]
      : []),
  ];
}

function isLess(one: string, other: string): boolean {
  return parseUnits(one) < parseUnits(other);
}

/**
 * Finds what a second person has to approve of the wanted policy, and whether it was proposed; null for nothing.
 *
 * @param held the policy that holds at once, as {@link tighterOf} gives it
 */
export async function findLooser(db: LedgerReader, held: Settings, wanted: Settings): Promise<Looser | null> {
  const change = { old: policyOf(held), new: policyOf(wanted) };
  if (loosenedBy(change.old, change.new).length === 0) return null;
  const rows = await readEvidenceOfKinds(wholeLedger(db), ['proposal', 'proposal-approved', 'proposal-refused']);
  const proposals = rows.filter(({ kind, subject }) => kind === 'proposal' && subject === 'policy');
  for (const { id, actor, data } of proposals.reverse()) {
    // A proposal of an earlier remit does not say whether its proposer was named.
    const { request, is_named: isNamed = false } = JSON.parse(data!) as { request: PolicyRequest; is_named?: boolean };
    if (!isSame({ old: request.old, new: request.new }, change)) continue;
    const verdict = rows.find(({ kind, subject }) => kind !== 'proposal' && subject === String(id));
    // An approval counts once, and ends what came before it: whoever wants the same change later proposes it anew.
    if (verdict?.kind === 'proposal-approved') break;
    return { ...change, proposed: { by: actor!, isNamed, refusedBy: verdict?.actor ?? null } };
  }
  return { ...change, proposed: null };
}

/** Who proposes a policy, and when. `isNamed`: the person was named, and is not just the user of the machine. */
interface Proposer {
  readonly at: Date;
  readonly by: string;
  readonly isNamed: boolean;
  /** Whether it is proposed at a team's desk, whose database user says nothing about the person. */
  readonly isTeams?: boolean | undefined;
}

/** Records a looser policy as a proposal to a second person. Call it inside a transaction. */
export async function proposePolicy(
  trx: LedgerTransaction,
  { old, new: wanted }: Pick<Looser, 'old' | 'new'>,
  { at, by, isNamed, isTeams = false }: Proposer,
) {
  const user = isTeams ? null : await readDatabaseUser(trx);
  const request: PolicyRequest = { old, new: wanted, by };
  const lines = loosenedBy(old, wanted).map(lineOf);
  const database = user === null ? {} : { database_user: user };
  const data = { what: 'policy', request, lines, is_named: isNamed, ...database };
  const proposal = { at, kind: 'proposal', actor: by, subject: 'policy', data, isOfBooks: true } as const;
  const evidence = await appendEvidence(trx, proposal);
  const looser: Looser = { old, new: wanted, proposed: { by, isNamed, refusedBy: null } };
  return { id: evidence.id, at: evidence.at, lines, looser };
}

/** `write_off_above USD: 50.00 → 100.00` */
export function loosenedText({ setting, old, new: loosened }: Loosened): string {
  return `${setting}: ${old ?? 'none'} → ${loosened ?? 'none'}`;
}

function lineOf(one: Loosened): DecisionLine {
  const subject = loosenedText(one);
  return { what: 'policy', courier: null, subject, currency: null, amount: null, direction: 'none' };
}
