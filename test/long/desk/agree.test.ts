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
  readonly months: readonly {
    readonly period: string;
    readonly open: Counts;
    readonly closed: object | null;
    readonly state: string | null;
  }[];
  readonly rows: readonly Row[];
  readonly unexplained: object | null;
  readonly cash: readonly Row[];
  readonly ageing: { readonly rows: readonly Row[]; readonly totals: readonly Row[] };
  readonly balance: { readonly rows: readonly Row[] };
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
  const way = pick(['ack', 'resolve', 'reopen', 'settle', 'match', 'claim', 'close', 'undo', 'undo'] as const)!;
  if (way === 'close') {
    const month = pick(['2026-09', '2026-10', '2026-11'])!;
    return send('/closes', { month, with_open: random() < 0.5 ? 'x' : '', first: random() < 0.5 ? '1' : '' });
  }
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

/** Home once its checks are done: until then it says so. */
async function homeOf(desk: RunningDesk): Promise<Home> {
  for (;;) {
    const home = await desk.json<Home>('/');
    if (home.unexplained !== null) return home;
    expect(home.months.map(({ closed, state }) => closed !== null || state === null)).not.toContain(false);
  }
}

/** What a card says is owed is the closing balance, and so is the balance by age. */
function expectCash({ cash, ageing, balance }: Home, made: readonly string[]): void {
  const last = balance.rows
    .map(({ period }) => String(period))
    .sort()
    .at(-1);
  for (const { currency, closing } of balance.rows.filter(({ period }) => period === last)) {
    const of = (rows: readonly Row[]) => rows.filter((row) => row.currency === currency);
    const ages = Object.entries(of(ageing.totals)[0] ?? {}).filter(([name]) => name.startsWith('days_'));
    const aged = [...ages.map(([, amount]) => amount), ...of(ageing.rows).map(({ open }) => open)];
    const units = aged.reduce((sum: bigint, amount) => sum + BigInt(Math.round(Number(amount) * 10_000)), 0n);
    expect({ made, currency, owed: of(cash)[0]?.owed, aged: units }).toEqual({
      made,
      currency,
      owed: closing,
      aged: BigInt(Math.round(Number(closing) * 10_000)),
    });
  }
}

/** Home, month, list and JSON show the same figures. */
async function agree(desk: RunningDesk, made: readonly string[]): Promise<void> {
  const home = await homeOf(desk);
  const { text } = await desk.send('/', { headers: { cookie: desk.cookie, accept: 'text/html' } });
  const { rows: invoices } = await desk.json<Found>('/reports/invoices?limit=1000');
  const sum = (rows: readonly Row[], name: string) =>
    rows.reduce((total, row) => total + BigInt(Math.round(Number(row[name] ?? 0) * 10_000)), 0n);
  const { closes } = await desk.json<{ closes: { period: string; reopened: object | null }[] }>('/closes');
  let isNext = home.months.some(({ closed }) => closed);
  expectCash(home, made);
  for (const { period, open, closed, state } of home.months) {
    const month = await desk.json<{ open: Counts; groups: { count: number }[]; refusals: object[] }>(
      `/months/${period}`,
    );
    const list = await desk.json<Found>(`/mismatches?month=${period}&status=open&limit=1000`);
    const counts = Object.fromEntries(
      SEVERITIES.map((severity) => [severity, list.rows.filter((row) => row.severity === severity).length]),
    );
    const about = { made, period };
    const isClosed = closes.some((one) => one.period === period && one.reopened === null);
    const isAfter = home.months
      .slice(home.months.findIndex((one) => one.period === period))
      .every((one) => !one.closed);
    const ready = !isClosed && isAfter && isNext && month.refusals.length === 0 ? 'ready' : 'open';
    expect({ ...about, closed: closed !== null, state }).toEqual({
      ...about,
      closed: isClosed,
      state: isClosed ? 'closed' : ready,
    });
    if (!isClosed && isAfter) isNext = false;
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
