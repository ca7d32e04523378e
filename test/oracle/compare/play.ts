import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';
import { remit } from '../../helpers/cli.ts';
import { CloseBook } from '../closes/books.ts';
import type { Night } from '../history/knowledge.ts';
import { judge, type Verdict } from '../judge/index.ts';
import { daysAfter, monthAfter, monthsBetween } from '../world/clock.ts';
import { ordersCsv, pricesCsv } from '../world/own-book.ts';
import { applyNight, beginning, FIRST_MONTH, ownOf, type Plan, type PlannedNight } from '../world/plan.ts';
import { API_KEY, startWorldServer } from '../world/server.ts';
import type { CheckAnswer } from './answer.ts';
import { ComparedCloses } from './closing.ts';
import { compareNews } from './news.ts';
import { compareReading } from './reading.ts';
import { compareStatements } from './statements.ts';
import { compareVerdict } from './verdict.ts';

/** The first night on which the program and the oracle differ. */
export interface Difference {
  readonly night: number;
  readonly faults: readonly string[];
}

/** Called after the last night's comparison, with the ledger still there. */
export type AtTheEnd = (scene: {
  readonly check: (...args: string[]) => Promise<{ code: number; answer: CheckAnswer }>;
  readonly verdict: Verdict;
  /** The whole check's. */
  readonly answer: CheckAnswer;
  readonly months: readonly string[];
}) => Promise<readonly string[]>;

/** Plays a world with the real program, night after night; null when the two agree to the end. */
export async function play(plan: Plan, atTheEnd: AtTheEnd = async () => []): Promise<Difference | null> {
  const state = beginning(plan);
  const server = await startWorldServer(state, plan.manner);
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-oracle-'));
  writeFileSync(
    path.join(folder, 'remit.toml'),
    `api_url = "${server.url}"\nmax_attempts = 1\nreturns = "as-stated"\n`,
  );
  try {
    const nights: Night[] = [];
    let verdict: Verdict | undefined;
    let before: CheckAnswer | undefined;
    const [book, closes] = [new CloseBook(), new ComparedCloses(plan.firstClosed)];
    for (const [index, planned] of plan.nights.entries()) {
      applyNight(state, planned);
      const faults: string[] = [];
      const sync = await run(folder, planned.at, syncArguments(planned));
      const own = ownOf(plan, index, state);
      const night: Night = { at: planned.at, asked: planned.asked, shown: server.take(), own };
      faults.push(...compareReading(night, nights, sync.code));
      nights.push(night);
      book.see(nights);
      if (own) {
        await importFile(folder, planned.at, 'orders', `orders-${index}.csv`, ordersCsv(own));
        if (own.prices.length > 0) await importFile(folder, planned.at, 'tariff', 'prices.csv', pricesCsv(own));
      }

      const now = daysAfter(planned.at, 0.01);
      const months = monthsBetween(monthAfter(FIRST_MONTH, -1), planned.at.toISOString().slice(0, 7));
      const check = async (...args: string[]) => {
        const { code, stdout, stderr } = await run(folder, now, [
          'check',
          `${months[0]}..${months.at(-1)}`,
          '--json',
          ...args,
        ]);
        if (!stdout.startsWith('{')) throw new Error(`check printed no JSON (exit ${code}): ${stderr}`);
        return { code, answer: JSON.parse(stdout) as CheckAnswer };
      };
      verdict = judge(nights, now, verdict);
      const news = await check('--new');
      const { code, answer } = await check();
      faults.push(...compareVerdict(withDrift(verdict, book), months, answer, code));
      faults.push(...compareNews(before, answer, news.answer));
      before = answer;
      const morning = { run: (...argv: string[]) => run(folder, now, argv), now, verdict, book, months };
      for (const act of planned.acts) if (faults.length === 0) faults.push(...(await closes.act(act, morning)));
      if (planned.acts.length > 0 && faults.length === 0) {
        const after = await check();
        faults.push(...compareVerdict(withDrift(verdict, book), months, after.answer, after.code));
        before = after.answer;
      }
      if (!closes.isEmpty && faults.length === 0) faults.push(...(await closes.look(morning)));
      const last = index === plan.nights.length - 1;
      if (faults.length === 0 && last) faults.push(...(await compareStatements(morning.run, months, before)));
      if (faults.length === 0 && last) faults.push(...(await atTheEnd({ check, verdict, answer, months })));
      if (faults.length > 0) return { night: index, faults };
    }
    return null;
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A night's verdict, and what has moved since each close. */
const withDrift = (verdict: Verdict, book: CloseBook): Verdict => ({
  ...verdict,
  shown: [...verdict.shown, ...book.drift()],
});

/** Runs the program as if it were that time, whichever clock it looks at. */
async function run(cwd: string, now: Date, argv: readonly string[]) {
  vi.useFakeTimers({ toFake: ['Date'], now });
  try {
    return await remit([...argv, '--quiet'], { cwd, now, env: { REMIT_API_KEY: API_KEY } });
  } finally {
    vi.useRealTimers();
  }
}

async function importFile(folder: string, at: Date, kind: string, name: string, text: string): Promise<void> {
  writeFileSync(path.join(folder, name), text);
  const { code, stderr } = await run(folder, at, ['import', kind, name]);
  if (code !== 0) throw new Error(`import of ${name} ended with ${code}: ${stderr}`);
}

function syncArguments({ asked, orders, full }: PlannedNight): string[] {
  const period = asked ? [asked.from === asked.to ? asked.from : `${asked.from}..${asked.to}`] : [];
  return ['sync', ...period, ...(orders ? ['--orders'] : []), ...(full ? ['--full'] : []), '--json'];
}
