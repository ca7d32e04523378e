import { knowledgeOf, type Night } from '../history/knowledge.ts';
import { type Bridge, bridgesOf } from './bridge.ts';
import type { Expected } from './finding.ts';
import { type Why, whyIncomplete } from './incomplete.ts';
import { judgeInside } from './inside.ts';
import { type Ledger, ledgerOf } from './ledger.ts';
import { stillOpen } from './memory.ts';
import { judgeOrders } from './orders.ts';
import { judgeOwn } from './own-rows.ts';
import { judgeRows } from './rows.ts';
import { type Settings, Sheet } from './sheet.ts';
import { judgeTime } from './time.ts';

export interface Verdict {
  readonly ledger: Ledger;
  /** What the data shows now. */
  readonly shown: readonly Expected[];
  /** What it no longer shows, and does not deny either. */
  readonly kept: readonly Expected[];
  readonly bridges: readonly Bridge[];
  why(month: string): Set<Why>;
}

const DEFAULTS: Settings = { overdueDays: 30, invoiceLagDays: 14 };

/** What a check must say after these nights, `before` being the verdict after the night before. */
export function judge(nights: readonly Night[], now: Date, before?: Verdict, settings: Settings = DEFAULTS): Verdict {
  const ledger = ledgerOf(knowledgeOf(nights, now));
  const sheet = new Sheet(settings);
  judgeInside(ledger, sheet);
  judgeRows(ledger, sheet);
  judgeOrders(ledger, sheet);
  judgeTime(ledger, sheet);
  judgeOwn(ledger, sheet);
  const open = before ? [...before.shown, ...before.kept] : [];
  return {
    ledger,
    shown: sheet.findings,
    kept: stillOpen(open, sheet.findings, ledger),
    bridges: bridgesOf(ledger, sheet.parts),
    why: (month) => whyIncomplete(ledger, sheet, month),
  };
}
