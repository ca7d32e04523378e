import { Type } from '@sinclair/typebox';
import { claim } from '../../app/disputes/claim.ts';
import { claimData } from '../../app/disputes/claim-report.ts';
import { answerClaims, withdrawClaims, writeOffClaims } from '../../app/disputes/move.ts';
import { planDispute } from '../../app/disputes/plan.ts';
import { UsageError } from '../../base/errors.ts';
import { because } from '../../words/errors/desk.ts';
import { ENGLISH } from '../../words/index.ts';
import { ofCourier } from '../reading/of-courier.ts';
import { DeskTable } from '../table.ts';
import { COURIER, type DecideRoute, fields, MONTH, route, TEXT } from './act.ts';

const IDS = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 1_000 });

/** @throws UsageError for an empty text */
function said(text: string, field = 'note'): string {
  if (text.trim() !== '') return text.trim();
  throw new UsageError(because({ id: 'note-empty' })).at(field);
}

export const CLAIM_ROUTES: readonly DecideRoute[] = [
  route({
    path: '/claims',
    title: 'Claim what you are owed, and put it on record',
    operationId: 'claim',
    isChosen: true,
    body: fields({
      ids: Type.Optional(IDS),
      month: Type.Optional(MONTH),
      again: Type.Optional(Type.Boolean()),
      short: Type.Optional(Type.Boolean()),
      courier: COURIER,
    }),
    decide: async ({ desk, by, body: { ids = [], month, again = false, short = false, courier } }) => {
      const books = ofCourier(desk.books, courier);
      const months = month === undefined ? undefined : [month];
      const selection = { ids, filter: ids.length > 0 ? {} : { periods: months } };
      const plan = await planDispute(books, { selection, months, again, shortOnly: short, by });
      const { period, lines, left } = plan;
      const { claimPage } = await import('../../render/claim/html.tsx');
      const letter = Buffer.from(claimPage(plan, ENGLISH));
      const evidence = await claim(books, plan, { format: 'html', language: 'en', bytes: letter });
      const report = claimData(lines, { period }, 'json');
      const rows = [];
      for await (const row of report.rows) rows.push(row);
      const table = new DeskTable({ ...report, rows, totals: report.totals(), notes: report.notes() }, books.now());
      const parts = left.map(({ mismatch: { id, status }, why }) => ({ id, status, why }));
      const { claimText } = await import('../../render/claim/text.ts');
      const answer = { claim: evidence, by, period, ...table.toJSON(), left: parts };
      const see = { address: `/claims/${evidence}`, word: 'see-claim' } as const;
      return { answer, to: '/claims', see, letter: `${claimText(plan, ENGLISH)}\n` };
    },
  }),
  route({
    path: '/claims/answer',
    title: 'Record what the courier answered to claims',
    operationId: 'answerClaims',
    body: fields({
      ids: IDS,
      answer: Type.Optional(Type.Union([Type.Literal('accepted'), Type.Literal('refused')])),
      courier: COURIER,
      note: TEXT,
    }),
    decide: async ({ desk: { books }, by, body: { ids, answer = null, courier, note } }) => ({
      answer: await answerClaims(ofCourier(books, courier), { ids, by, note: said(note), answer }),
      to: '/claims',
    }),
  }),
  route({
    path: '/claims/withdraw',
    title: 'Take claims back: their mismatches are open again',
    operationId: 'withdrawClaims',
    body: fields({ ids: IDS, courier: COURIER, note: TEXT }),
    decide: async ({ desk: { books }, by, body: { ids, courier, note } }) => ({
      answer: await withdrawClaims(ofCourier(books, courier), { ids, months: [], by, note: said(note) }),
      to: '/claims',
    }),
  }),
  route({
    path: '/claims/write-off',
    title: 'Give claims up for a reason',
    operationId: 'writeOffClaims',
    body: fields({ ids: IDS, courier: COURIER, reason: TEXT }),
    decide: async ({ desk: { books }, by, body: { ids, courier, reason } }) => ({
      answer: await writeOffClaims(ofCourier(books, courier), { ids, by, note: said(reason, 'reason') }),
      to: '/claims',
    }),
  }),
];
