import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, makeDemo } from '../../helpers/demo-desk.ts';
import type { RunningDesk } from '../../helpers/desk.ts';
import { randomFrom } from '../../helpers/random.ts';

const SEEDS = Number(process.env.REMIT_AGREE_SEEDS ?? 2);
const FIRST_SEED = Number(process.env.REMIT_AGREE_FROM ?? 1);
const STEPS = 15;
const SEVERITIES = ['error', 'warning', 'info'] as const;

interface Counts {
  readonly error: number;
  readonly warning: number;
  readonly info: number;
}
interface Row {
  readonly [column: string]: string | number | null;
}
interface Found {
  readonly rows: readonly Row[];
  readonly totals: readonly Row[];
  readonly groups: readonly { readonly count: number }[];
  readonly count: number;
}
interface Home {
  readonly months: readonly { readonly period: string; readonly open: Counts; readonly closed: object | null }[];
  readonly rows: readonly Row[];
}

let demo: Demo;

describe('home, month, lists and JSON', () => {
  beforeAll(async () => {
    demo = await makeDemo();
  });
  afterAll(() => demo?.end());

  it.each(Array.from({ length: SEEDS }, (_, at) => FIRST_SEED + at))(
    'agree after every single decision: seed %i',
    {
      timeout: 400_000,
    },
    async (seed) => {
      const desk = await demo.desk(`agree-${seed}`);
      const random = randomFrom(seed);
      const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)];
      const made: string[] = [];
      try {
        await agree(desk, made);
        for (let step = 0; step < STEPS; step += 1) {
          const told = await decide(desk, pick, random);
          if (told === null) continue;
          made.push(told);
          await agree(desk, made);
        }
        expect(made.length).toBeGreaterThan(STEPS / 3);
        expect((await demo.cli(['verify'], `agree-${seed}`)).code).toBe(0);
      } finally {
        await desk.stop();
      }
    },
  );
});

type Pick = <T>(list: readonly T[]) => T | undefined;

/** Sends one of the forms on the page. @returns its action; null where the page has none */
async function decide(desk: RunningDesk, pick: Pick, random: () => number): Promise<string | null> {
  const send = async (address: string, fields: Readonly<Record<string, string | readonly string[]>>) => {
    const { status } = await desk.submit(address, fields);
    expect([address, fields, [303, 409, 422].includes(status)]).toEqual([address, fields, true]);
    return `${address} ${JSON.stringify(fields)}: ${status}`;
  };
  const { rows } = await desk.json<Found>('/mismatches');
  const some = (status: string) =>
    rows.filter((row) => row.status === status && random() < 0.1).map(({ id }) => String(id));
  const way = pick(['ack', 'resolve', 'reopen', 'settle', 'match', 'claim', 'undo', 'undo'] as const)!;
  if (way === 'ack' || way === 'resolve' || way === 'reopen') {
    const ids = some(way === 'reopen' ? 'acknowledged' : 'open');
    return ids.length === 0 ? null : send(`/mismatches/${way}`, { ids, note: 'x' });
  }
  if (way === 'undo') {
    const { decisions } = await desk.json<{ decisions: { id: number; undo: object | null }[] }>('/decisions');
    const one = pick(decisions.filter(({ undo }) => undo !== null).slice(0, 8));
    return one ? send(`/decisions/${one.id}/undo`, { reason: 'x' }) : null;
  }
  const { rows: invoices } = await desk.json<Found>('/reports/invoices?limit=1000');
  const open = pick(invoices.filter(({ outstanding }) => /[1-9]/.test(String(outstanding))));
  if (!open) return null;
  const invoice = String(open.number_text ?? open.number);
  if (way === 'settle') {
    const amount = { amount: String(open.outstanding), currency: String(open.currency) };
    return send('/settlements', { invoices: invoice, as: 'other', note: 'x', ...amount });
  }
  if (way === 'claim') return send('/claims', { month: String(open.period) });
  const { rows: receipts } = await desk.json<Found>('/receipts?limit=1000');
  const receipt = pick(receipts.filter((one) => /[1-9]/.test(String(one.left)) && one.currency === open.currency));
  return receipt
    ? send('/matches', { receipt: String(receipt.receipt), invoices: invoice, part: '1', note: 'x' })
    : null;
}

/** Home, month, list and JSON show the same figures. */
async function agree(desk: RunningDesk, made: readonly string[]): Promise<void> {
  const home = await desk.json<Home>('/');
  const { text } = await desk.send('/', { headers: { cookie: desk.cookie, accept: 'text/html' } });
  const { rows: invoices } = await desk.json<Found>('/reports/invoices?limit=1000');
  const sum = (rows: readonly Row[], name: string) =>
    rows.reduce((total, row) => total + BigInt(Math.round(Number(row[name] ?? 0) * 10_000)), 0n);
  for (const { period, open } of home.months) {
    const month = await desk.json<{ open: Counts; groups: { count: number }[] }>(`/months/${period}`);
    const list = await desk.json<Found>(`/mismatches?month=${period}&status=open&limit=1000`);
    const counts = Object.fromEntries(
      SEVERITIES.map((severity) => [severity, list.rows.filter((row) => row.severity === severity).length]),
    );
    const about = { made, period };
    expect({ ...about, home: open, month: month.open }).toEqual({ ...about, home: counts, month: counts });
    const grouped = list.groups.reduce((total, group) => total + group.count, 0);
    expect({ ...about, count: list.count, grouped }).toEqual({
      ...about,
      count: list.rows.length,
      grouped: list.rows.length,
    });
    const shown = open.error + open.warning + open.info;
    expect({
      ...about,
      page: text.includes(`href="/mismatches?month=${period}&amp;status=open">${shown}</a>`),
    }).toEqual({
      ...about,
      page: true,
    });
    for (const row of home.rows.filter((one) => one.period === period && one.currency !== null)) {
      const own = invoices.filter((one) => one.period === period && one.currency === row.currency);
      for (const name of ['net_due_to_merchant', 'received', 'outstanding']) {
        expect({ ...about, name, sum: sum(own, name) }).toEqual({ ...about, name, sum: sum([row], name) });
      }
    }
    for (const currency of ['USD', 'LBP']) {
      const effects = list.rows.filter((row) => row.currency === currency);
      const total = list.totals.filter((row) => row.currency === currency);
      expect({ ...about, currency, sum: sum(total, 'effect') }).toEqual({
        ...about,
        currency,
        sum: sum(effects, 'effect'),
      });
    }
  }
}
