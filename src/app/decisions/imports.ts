import { by, decision, field, NUMBER, TEXT } from './decision.ts';

export const importUndo = decision({
  name: 'import undo',
  summary: 'take an import back',
  description:
    'Takes an import back: removes the rows that no other import holds, and the matches that rest on them, and resolves the mismatches that rested on it alone. The file and both events stay on record.',
  examples: ['remit import undo 57 --reason "wrong account"'],
  fields: {
    id: field('<id>', 'the import, as `remit import list` shows it', NUMBER),
    reason: field('--reason <text>', 'why; it stays on record', TEXT),
    by: by('who takes it back'),
  },
  desk: { path: '/imports/:id/undo', operationId: 'undoImport', to: '/imports' },
  undoes: 'undo-import',
  decide: async (books, { id, reason, by }) =>
    (await import('../import/undo.ts')).undoImport(books, { id, reason, by }),
});
