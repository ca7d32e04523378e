import type { Bridge, Step } from '../judge/bridge.ts';
import { decimal, units } from '../units.ts';
import type { AnswerBridge, AnswerStep } from './answer.ts';

/** Counts that the design leaves open: rows, and currencies in which a vanished invoice's net is zero. */
const UNCOUNTED = ['not-compared', 'invoice-vanished'];

/** Every difference between the bridges, a line each. Months and currencies in which all is zero may be left out. */
export function compareBridges(expected: readonly Bridge[], found: readonly AnswerBridge[]): string[] {
  const faults: string[] = [];
  const key = ({ period, currency }: { period: string; currency: string }) => `${period} ${currency}`;
  const wanted = new Map(expected.map((bridge) => [key(bridge), bridge]));
  const answered = new Map(found.map((bridge) => [key(bridge), bridge]));
  for (const at of new Set([...wanted.keys(), ...answered.keys()])) {
    const [must, is] = [wanted.get(at), answered.get(at)];
    if (!must && is && !isZero(is)) faults.push(`bridge ${at}: not expected: ${JSON.stringify(is)}`);
    if (must && !is && !isNothing(must)) faults.push(`bridge ${at}: missed: ${show(must)}`);
    if (must?.unexplained)
      faults.push(`bridge ${at}: the oracle itself leaves ${decimal(must.unexplained)} unexplained`);
    if (must && is) faults.push(...compare(must, is).map((fault) => `bridge ${at}: ${fault}`));
  }
  return faults;
}

function compare(must: Bridge, is: AnswerBridge): string[] {
  const faults = (['courier', 'ours', 'unexplained', 'short'] as const).flatMap((field) => {
    const wanted = must[field] === null ? null : decimal(must[field]);
    return wanted === is[field] ? [] : [`${field} is ${is[field]}, must be ${wanted}`];
  });
  return [
    ...faults,
    ...compareSteps('step', must.steps, is.steps),
    ...compareSteps('outside', must.outside, is.outside),
  ];
}

function compareSteps(what: string, must: readonly Step[], is: readonly AnswerStep[]): string[] {
  return [...new Set([...must, ...is].map(({ code }) => code))].sort().flatMap((code) => {
    const wanted = must.find((step) => step.code === code);
    const found = is.find((step) => step.code === code);
    const effect = decimal(wanted?.effect ?? 0n);
    const faults: string[] = [];
    if (effect !== (found?.effect ?? '0.00')) faults.push(`${what} ${code} is ${found?.effect}, must be ${effect}`);
    const count = wanted?.count ?? 0;
    if (!UNCOUNTED.includes(code) && count !== (found?.count ?? 0)) {
      faults.push(`${what} ${code} counts ${found?.count}, must be ${count}`);
    }
    return faults;
  });
}

const isZero = ({ courier, ours, steps, outside }: AnswerBridge): boolean =>
  [courier, ours ?? '0', ...steps.map(({ effect }) => effect), ...outside.map(({ effect }) => effect)].every(
    (text) => units(text) === 0n,
  );

const isNothing = ({ courier, ours, steps, outside }: Bridge): boolean =>
  courier === 0n && (ours ?? 0n) === 0n && [...steps, ...outside].every(({ effect }) => effect === 0n);

const show = (bridge: Bridge): string =>
  JSON.stringify(bridge, (_key, value) => (typeof value === 'bigint' ? decimal(value) : value));
