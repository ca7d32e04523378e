import { by, type Decision, decision, field, NOTE, NUMBER } from './decision.ts';
import { DECISIONS } from './list.ts';

const ID = field('<id>', 'the decision, as `remit approvals list` shows it', NUMBER);
const WHY = field('--note <text>', 'why; it stays on record', NOTE);

const approve = decision({
  name: 'approvals approve',
  summary: 'approve a decision of another person: it is done',
  description: 'Approves a decision and does it. The one who proposed it cannot approve it; both names stay on record.',
  examples: ['remit approvals approve 812 --by Karim --note "talked to Rana"'],
  fields: { id: ID, by: by('who approves it'), note: WHY },
  desk: { path: '/approvals/:id/approve', operationId: 'approve', to: '/approvals', isForPeople: true },
  refuses: 'close',
  decide: async (books, { id, by, note = null }) =>
    (await import('../approvals/approve.ts')).approve(books, { id, by, note }),
});

const refuse = decision({
  name: 'approvals refuse',
  summary: 'refuse a decision: it is never done',
  description: 'Refuses a decision that waits: it is never done, and stays on record.',
  examples: ['remit approvals refuse 812 --by Karim --note "talked to Rana"'],
  fields: { id: ID, by: by('who refuses it'), note: WHY },
  desk: {
    path: '/approvals/:id/refuse',
    title: 'Refuse a decision that waits: it is never done',
    operationId: 'refuse',
    to: '/approvals',
    isForPeople: true,
  },
  decide: async (books, { id, by, note = null }) =>
    (await import('../approvals/list.ts')).refuse(books, { id, by, note }),
});

/** All decisions: those of the list, and approving or refusing one of them. */
export const EVERY_DECISION: readonly Decision[] = [...DECISIONS, approve, refuse];

/** The type of each decision, with its name, fields and answer; {@link Decision} knows only what they share. */
export type DeclaredDecision = (typeof DECISIONS)[number] | typeof approve | typeof refuse;
