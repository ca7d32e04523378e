import { Type } from '@sinclair/typebox';
import { importFiles } from '../../app/import/index.ts';
import { undoImport } from '../../app/import/undo.ts';
import { UsageError } from '../../base/errors.ts';
import { because } from '../../words/errors/desk.ts';
import { type DecideRoute, fields, numberOf, route, TEXT } from './act.ts';

const KINDS = ['orders', 'receipts', 'tariff', 'rates'] as const;
const NAME = Type.Optional(Type.String({ maxLength: 100 }));
const FLAG = Type.Optional(Type.Boolean());

export const IMPORT_ROUTES: readonly DecideRoute[] = [
  route({
    path: '/imports',
    title: 'Import files of a bank, a shop or a price list',
    operationId: 'importFiles',
    takesFiles: true,
    body: fields({
      kind: Type.Union(KINDS.map((kind) => Type.Literal(kind))),
      account: NAME,
      map: NAME,
      allow_gap: FLAG,
      replace: FLAG,
    }),
    decide: async ({ desk: { books }, by, body: { kind, account, map, allow_gap, replace }, files }) => {
      if (files.length === 0) throw new UsageError(because({ id: 'no-file' }));
      const imported = await importFiles(books, {
        kind,
        files,
        map: map ?? null,
        by,
        dryRun: false,
        allowGap: allow_gap === true,
        account: account ?? null,
        replace: replace === true,
      });
      const imports = imported.map(({ summary, isKnown, notes }) => ({ ...summary, is_known: isKnown, notes }));
      const waiting = imported.find((one) => one.waiting)?.waiting;
      return { answer: { imports, ...waiting }, to: '/imports' };
    },
  }),
  route({
    path: '/imports/:id/undo',
    title: 'Take an import back',
    operationId: 'undoImport',
    body: fields({ reason: TEXT }),
    decide: async ({ desk: { books }, by, body: { reason }, parameters }) => ({
      answer: await undoImport(books, { id: numberOf(parameters.id), reason, by }),
      to: '/imports',
    }),
  }),
];
