import { disputeAnswer, disputeWithdraw, disputeWriteOff } from './claims.ts';
import { closeMonth, reopenMonth } from './close.ts';
import { mismatchAck, mismatchReopen, mismatchResolve } from './mismatches.ts';
import { importUndo, matchAdd, matchRemove, settle, settleUndo } from './receipts.ts';

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
