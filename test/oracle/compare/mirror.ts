import type { Bridge, Step } from '../judge/bridge.ts';
import type { Expected } from '../judge/finding.ts';
import type { Verdict } from '../judge/index.ts';
import { decimal } from '../units.ts';
import type { AnswerBridge, AnswerStep, CheckAnswer, Mismatch } from './answer.ts';
import { CODES } from './catalogue.ts';

/** The answer of a program that says exactly what the oracle says. */
export function mirrorOf(verdict: Verdict, months: readonly string[]): CheckAnswer {
  const mismatches = [...verdict.shown, ...verdict.kept].filter(({ times }) => times !== 'may').map(mismatchOf);
  const count = (severity: string) => mismatches.filter((mismatch) => mismatch.severity === severity).length;
  return {
    open: { error: count('error'), warning: count('warning'), info: count('info') },
    new: 0,
    resolved: 0,
    skipped: [],
    incomplete: months.flatMap((period) => [...verdict.why(period)].map((why) => ({ period, why }))),
    coverage: CODES.map((code) => {
      const found = mismatches.filter((mismatch) => mismatch.code === code).length;
      return { code, compared: found, not_comparable: 0, found };
    }),
    bridge: verdict.bridges.map(bridgeOf),
    mismatches,
  };
}

const mismatchOf = (finding: Expected, index: number): Mismatch => ({
  id: String(index),
  severity: 'error',
  period: '',
  invoice_number: null,
  order_id: null,
  reference_id: finding.reference ?? null,
  currency: null,
  field: null,
  expected: null,
  actual: null,
  difference: null,
  unit: null,
  effect: null,
  amount: null,
  message: '',
  status: 'open',
  ...finding,
});

const stepOf = ({ code, count, effect }: Step): AnswerStep => ({ code, count, effect: decimal(effect) });

const bridgeOf = (bridge: Bridge): AnswerBridge => ({
  period: bridge.period,
  currency: bridge.currency,
  courier: decimal(bridge.courier),
  ours: bridge.ours === null ? null : decimal(bridge.ours),
  steps: bridge.steps.map(stepOf),
  unexplained: bridge.unexplained === null ? null : decimal(bridge.unexplained),
  outside: bridge.outside.map(stepOf),
  short: decimal(bridge.short),
});
