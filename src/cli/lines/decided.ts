import type { Waiting } from '../../app/approvals/propose.ts';
import type { EVERY_DECISION } from '../../app/decisions/every.ts';
import type { DecidedMismatches } from '../../app/mismatches/decide.ts';
import { approvedLines } from './approvals.ts';
import { closedLines, refusedLines, reopenedLines } from './close.ts';
import { claimLines } from './dispute.ts';
import { undoneLines } from './import.ts';
import { addedLine, settledLine } from './match.ts';
import { decidedLine, leftLines } from './mismatches.ts';

type Declared = (typeof EVERY_DECISION)[number];
type AnswerOf<Name> = Exclude<Awaited<ReturnType<Extract<Declared, { name: Name }>['decide']>>, Waiting>;

/** What the command of a decision says when it is made. */
interface Said {
  readonly lines: readonly string[];
  readonly warnings: readonly string[];
  /** Whether less was done than was asked for. */
  readonly isShort: boolean;
}

const mismatches = ({ act, changed, left }: DecidedMismatches) => ({
  lines: [decidedLine(act, changed.length)],
  warnings: leftLines(act, left),
  isShort: left.some(({ why }) => why === 'other'),
});
const claims = async ({ claims }: AnswerOf<'dispute answer'>, zone: () => Promise<string>) => ({
  lines: claimLines(claims, [], await zone()),
});

const SAID: {
  readonly [Name in Declared['name']]?: (
    answer: AnswerOf<Name>,
    zone: () => Promise<string>,
  ) => Partial<Said> | Promise<Partial<Said>>;
} = {
  'mismatch ack': mismatches,
  'mismatch resolve': mismatches,
  'mismatch reopen': mismatches,
  'match add': (added) => ({ lines: [addedLine(added)] }),
  'match remove': ({ match }) => ({ lines: [`match ${match} is taken away`] }),
  settle: ({ settled }) => ({ lines: settled.map(settledLine) }),
  'settle undo': ({ settlement }) => ({ lines: [`settlement ${settlement} is undone`] }),
  'dispute answer': claims,
  'dispute write-off': claims,
  'dispute withdraw': claims,
  close: (result) =>
    result.status === 'refused' ? notMade(result, 'cannot be closed') : { lines: closedLines(result) },
  reopen: (result) =>
    result.status === 'refused' ? notMade(result, 'cannot be opened again') : { lines: reopenedLines(result) },
  'import undo': (undone) => ({ lines: undoneLines(undone) }),
  'approvals approve': async (result, zone) =>
    result.status === 'refused'
      ? notMade(result, 'cannot be closed')
      : { lines: [`decision ${result.approval} is approved`, ...approvedLines(result, await zone())] },
  'approvals refuse': ({ approval }) => ({ lines: [`decision ${approval} is refused`] }),
};

function notMade({ period, reasons }: Extract<AnswerOf<'close'>, { status: 'refused' }>, what: string): Partial<Said> {
  return { warnings: [refusedLines(`${period} ${what}:`, reasons).join('\n')], isShort: true };
}

/** @param zone whose days are shown */
export async function decidedLines(name: string, answer: object, zone: () => Promise<string>): Promise<Said> {
  const say = SAID[name as keyof typeof SAID] as ((answer: object, of: typeof zone) => Partial<Said>) | undefined;
  return { lines: say ? [] : [`${name}: done`], warnings: [], isShort: false, ...(await say?.(answer, zone)) };
}
