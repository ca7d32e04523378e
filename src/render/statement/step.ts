import type { PageLine } from '../../../reports/statement/bridge.ts';
import { ENGLISH, type Language } from '../../words/index.ts';
import type { StatementSentence } from '../../words/sentences.ts';

const FIGURES: Readonly<Record<string, StatementSentence>> = {
  opening: { id: 'statement/opening-balance' },
  invoiced: { id: 'statement/invoiced' },
  restated: { id: 'statement/restated' },
  received: { id: 'statement/received-in-month' },
  marked_paid: { id: 'statement/marked-paid' },
  differences: { id: 'statement/agreed-differences' },
  receivedSince: { id: 'statement/received-since' },
  settledSince: { id: 'statement/settled-since' },
  restatedSince: { id: 'statement/restated-since' },
  openToday: { id: 'statement/open-today' },
  courier: { id: 'statement/courier-figure-line' },
  ours: { id: 'statement/own-figure-line' },
  difference: { id: 'statement/difference-line' },
  explained: { id: 'statement/explained-line' },
  'not-compared': { id: 'statement/not-compared' },
  unexplained: { id: 'statement/unexplained' },
  outside: { id: 'statement/outside' },
  resolved: { id: 'statement/resolved-by-us' },
  short: { id: 'statement/short-or-ahead-unresolved' },
};

/** What a line of the balance or of the bridge is called: `An order on two invoices`. */
export function lineInWords({ figure, count }: Pick<PageLine, 'figure' | 'count'>, language: Language): string {
  const { say, finds } = language;
  if (figure === 'other-steps') return say({ id: 'statement/other-steps', count: count ?? 0 });
  const sentence = FIGURES[figure];
  return sentence ? say(sentence) : finds(figure);
}

/** What a step of the bridge is called. */
export function stepInWords(code: string, language: Language = ENGLISH): string {
  return lineInWords({ figure: code, count: null }, language);
}
