import { answerClaims, withdrawClaims, writeOffClaims } from './claims.ts';
import { closeMonth, reopenMonth } from './close.ts';
import { undoImport } from './imports.ts';
import { addMatch, removeMatch } from './match.ts';
import { acknowledge, reopen, resolve } from './mismatches.ts';
import { settle, undoSettlement } from './settle.ts';

/** The decisions in the order of help. To add one, write its declaration and put its name here. */
export const DECISIONS = [
  acknowledge,
  resolve,
  reopen,
  addMatch,
  removeMatch,
  settle,
  undoSettlement,
  answerClaims,
  writeOffClaims,
  withdrawClaims,
  closeMonth,
  reopenMonth,
  undoImport,
] as const;
