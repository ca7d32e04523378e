import { groupBy } from '../../../src/base/group.ts';
import { type Sentence, said } from '../../../src/base/sentence.ts';
import { hint, note, type Section } from '../../page.ts';
import type { Statement } from '../model.ts';

/** The checks that could not be run, by reason, and what could not be compared. */
export function notCheckedSection({ skipped, uncompared }: Statement): Section {
  const facts = byReason(skipped).map(({ why, codes }) => {
    return { name: 'skipped', label: said(codes.join(', ')), value: { says: why } };
  });
  return {
    title: { id: 'statement/not-checked' },
    parts: [
      facts.length === 0 ? note({ id: 'statement/all-checks-run' }) : { kind: 'facts', facts },
      ...uncompared.map((why) => note({ id: 'statement/as-sentence', says: why })),
      hint({ id: 'statement/own-side-hint' }),
    ],
  };
}

/** The checks that could not be run, by reason. */
export function byReason(skipped: Statement['skipped']): { why: Sentence; codes: string[] }[] {
  const reasons = groupBy(skipped, ({ why }) => JSON.stringify(why));
  return [...reasons.values()].map((checks) => ({ why: checks[0]!.why, codes: checks.map(({ code }) => code) }));
}
