import type { Night } from '../history/knowledge.ts';
import { type Answer, answer, type Exchange } from '../world/answers.ts';
import type { ServerState } from '../world/documents.ts';

const MANNER = { shape: 'flat', pageSize: 100 } as const;

export interface Reading {
  /** The months whose listings are read; their invoices' details are read too. */
  readonly months: readonly string[];
  readonly orders?: boolean;
  /** That of the books; UTC, unless said. */
  readonly zone?: string;
}

/** A sync of these months, by hand: what the server shows to one that reads everything. */
export function nightOf(state: ServerState, at: string, { months, orders = true, zone }: Reading): Night {
  const shown: Exchange[] = [];
  const ask = (path: string, query: Record<string, string> = {}): Answer => {
    const url = new URL(`http://world/v1/external${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const given = answer(state, MANNER, url);
    shown.push({ ...given, path, query });
    return given;
  };
  if (orders) ask('/orders/');
  for (const month of months) {
    ask('/invoices/', { year: month.slice(0, 4), month: String(Number(month.slice(5))) });
    for (const number of state.months.get(month) ?? []) ask(`/invoices/${number}/`);
  }
  const [from, to] = [months[0] as string, months.at(-1) as string];
  return { at: new Date(at), asked: { from, to }, shown, ...(zone === undefined ? {} : { zone }) };
}
