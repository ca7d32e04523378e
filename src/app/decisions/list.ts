import { disputeAnswer, disputeWithdraw, disputeWriteOff } from './claims.ts';
import { closeMonth, reopenMonth } from './close.ts';
import { importUndo } from './imports.ts';
import { matchAdd, matchRemove } from './match.ts';
import { mismatchAck, mismatchReopen, mismatchResolve } from './mismatches.ts';
import { settle, settleUndo } from './settle.ts';

/** The decisions in the order of help. To add one, write its declaration and put its name here. */
export const DECISIONS = [
  mismatchAck,
  mismatchResolve,
  mismatchReopen,
  matchAdd,
  matchRemove,
  settle,
  settleUndo,
  disputeAnswer,
  disputeWriteOff,
  disputeWithdraw,
  closeMonth,
  reopenMonth,
  importUndo,
] as const;
