import { Type } from '@sinclair/typebox';
import { COURIER, FLAG, IDS, MONTH } from '../../app/decisions/decision.ts';
import { claim } from '../../app/disputes/claim.ts';
import { claimData } from '../../app/disputes/claim-report.ts';
import { planDispute } from '../../app/disputes/plan.ts';
import { ENGLISH } from '../../words/index.ts';
import { DeskTable } from '../desk-table.ts';
import { ofCourier } from '../reading/of-courier.ts';
import { type DecideRoute, fields, route } from './route.ts';

export const CLAIM_ROUTES: readonly DecideRoute[] = [
  route({
    path: '/claims',
    title: 'Claim what you are owed, and put it on record',
    operationId: 'claim',
    isChosen: true,
    body: fields({
      ids: Type.Optional(IDS),
      month: Type.Optional(MONTH),
      again: FLAG,
      short: FLAG,
      courier: COURIER.schema,
    }),
    decide: async ({ desk, by, body: { ids = [], month, again = false, short = false, courier } }) => {
      const books = ofCourier(desk.books, courier);
      const months = month === undefined ? undefined : [month];
      const selection = { ids, filter: ids.length > 0 ? {} : { periods: months } };
      const plan = await planDispute(books, { selection, months, again, shortOnly: short, by });
      const { period, lines, left: leftOut } = plan;
      const { claimPage } = await import('../../render/claim/html.tsx');
      const letter = Buffer.from(claimPage(plan, ENGLISH));
      const evidence = await claim(books, plan, { format: 'html', language: 'en', bytes: letter });
      const report = claimData(lines, { period }, 'json');
      const rows = [];
      for await (const row of report.rows) rows.push(row);
      const table = new DeskTable({ ...report, rows, totals: report.totals(), notes: report.notes() }, books.now());
      const left = leftOut.map(({ mismatch: { id, status }, why }) => ({ id, status, why }));
      const { claimText } = await import('../../render/claim/text.ts');
      const answer = { claim: evidence, by, period, ...table.toJSON(), left };
      const see = { address: `/claims/${evidence}`, word: 'see-claim' } as const;
      return { answer, to: '/claims', see, letter: `${claimText(plan, ENGLISH)}\n` };
    },
  }),
];
