import type { Bridge } from '../judge/bridge.ts';
import { decimal } from '../units.ts';
import type { AnswerBridge, CheckAnswer } from './answer.ts';
import type { AtTheEnd } from './play.ts';

/**
 * The bridge must be able to fail: with the check of one step left out, exactly its effect is unexplained. And a check
 * that was narrower has resolved nothing: the whole check after it finds nothing new.
 */
export const proveByLeavingOut: AtTheEnd = async ({ check, verdict, answer: whole }) => {
  const all = [...whole.coverage, ...whole.skipped].map(({ code }) => code);
  const codes = new Set(verdict.bridges.flatMap(({ steps }) => steps.map(({ code }) => code)));
  codes.delete('not-compared');
  const faults: string[] = [];
  for (const code of codes) {
    const { answer } = await check('--only', ...all.filter((each) => each !== code));
    faults.push(...verdict.bridges.flatMap((bridge) => unexplainedWithout(code, bridge, answer)));
  }
  if (codes.size > 0) faults.push(...nothingNew((await check()).answer));
  return faults;
};

function unexplainedWithout(code: string, bridge: Bridge, answer: CheckAnswer): string[] {
  const { period, currency, unexplained, steps } = bridge;
  if (unexplained === null) return [];
  const taken = steps.find((step) => step.code === code)?.effect ?? 0n;
  const same = (each: AnswerBridge) => each.period === period && each.currency === currency;
  const is = answer.bridge.find(same)?.unexplained ?? '0.00';
  const must = decimal(unexplained + taken);
  return is === must ? [] : [`without ${code}, ${period} ${currency} leaves ${is} unexplained, must be ${must}`];
}

const nothingNew = (answer: CheckAnswer): string[] =>
  answer.new === 0 && answer.resolved === 0
    ? []
    : [`a check after narrower ones says ${answer.new} new and ${answer.resolved} resolved, and nothing changed`];
