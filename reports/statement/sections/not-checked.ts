import { groupBy } from '../../../src/base/group.ts';
import { said } from '../../../src/base/sentence.ts';
import { hint, note, type Section } from '../../page.ts';
import type { Statement } from '../model.ts';

/** The checks that could not be run, by reason, and what could not be compared. */
export function notCheckedSection({ skipped, uncompared }: Statement): Section {
  const reasons = [...groupBy(skipped, ({ why }) => JSON.stringify(why)).values()];
  const facts = reasons.map((checks) => {
    return { name: 'skipped', label: said(checks.map(({ code }) => code).join(', ')), value: { says: checks[0]!.why } };
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
