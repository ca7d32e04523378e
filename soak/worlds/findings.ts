import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CloseBook } from '../../test/oracle/closes/books.ts';
import type { CheckAnswer } from '../../test/oracle/compare/answer.ts';
import { ComparedCloses } from '../../test/oracle/compare/closing.ts';
import { compareNews } from '../../test/oracle/compare/news.ts';
import { compareReading } from '../../test/oracle/compare/reading.ts';
import { compareVerdict } from '../../test/oracle/compare/verdict.ts';
import type { Night } from '../../test/oracle/history/knowledge.ts';
import { judge, type Verdict } from '../../test/oracle/judge/index.ts';
import { daysAfter, monthAfter, monthsBetween } from '../../test/oracle/world/clock.ts';
import { Dice } from '../../test/oracle/world/dice.ts';
import { ordersCsv, pricesCsv } from '../../test/oracle/world/own-book.ts';
import { applyNight, beginning, FIRST_MONTH, ownOf, type PlannedNight, planOf } from '../../test/oracle/world/plan.ts';
import { Books } from '../books.ts';
import { startCourier } from '../courier.ts';
import { Disk } from '../disk.ts';
import { FaultLayer } from '../faults.ts';
import { bookZone, DISK_MEGABYTES, type Played, type Stage, settings, travel } from '../stage.ts';
import { Happening } from './meanwhile.ts';

/** The round of syncs in a night in which nothing happens to the answers. */
const LAST_ROUND = 4;

/**
 * A courier that changes every night in every way that the catalogue of mismatches knows, and the findings, effects,
 * bridge, months that are incomplete and closes that must follow: the oracle's of test/oracle, which shares no code
 * with the product.
 */
export async function playFindings(seed: number, stage: Stage): Promise<Played> {
  const { log, counts } = stage;
  const dice = new Dice(seed ^ 0xf1d);
  const plan = planOf(seed, dice.int(5, 10));
  const state = beginning(plan);
  const disk = new Disk(DISK_MEGABYTES);
  // Short pages, so that lists shift between two of them.
  const courier = await startCourier(state, { ...plan.manner, pageSize: dice.pick([2, 3, 5]) });
  process.env.http_proxy = courier.proxyUrl;
  let nights = 0;
  try {
    const place = await stage.newPlace(disk);
    const books = new Books(disk, place, stage, seed ^ 0x91ef);
    books.write('remit.toml', settings(place, bookZone(seed), ['returns = "as-stated"']));
    const seen: Night[] = [];
    let verdict: Verdict | undefined;
    let before: CheckAnswer | undefined;
    const [book, closes] = [new CloseBook(), new ComparedCloses(plan.firstClosed)];
    for (const [index, planned] of plan.nights.entries()) {
      if (!stage.hasNight()) break;
      nights += 1;
      counts.add('nights');
      applyNight(state, planned);
      const zone = travel(dice);
      const night = dice.seed();
      const happening = new Happening(state, night, planned.at);
      const rate = dice.pick([0, 0.1, 0.3]);
      const behave = (round: number) => {
        happening.end();
        const faults = new FaultLayer(night + round, round < LAST_ROUND ? rate : 0);
        courier.behave({ faults, meanwhile: happening.meanwhile });
      };
      const argv = syncArguments(planned);
      behave(0);
      await books.comesToGrief(planned.at, ...argv);
      behave(1);
      let sync = await books.run(planned.at, ...argv);
      // The sync is run again where the line was bad; what the courier itself refuses is for the oracle.
      for (let round = 2; round <= LAST_ROUND && courier.isLeftFaulty(); round += 1) {
        if (sync.code !== 1) books.faults.push(`sync ended with ${sync.code} though an answer did not arrive`);
        behave(round);
        sync = await books.run(planned.at, ...argv);
      }
      happening.end();
      const own = ownOf(plan, index, state);
      const shown: Night = { at: planned.at, asked: planned.asked, shown: courier.take(), zone: bookZone(seed), own };
      const faults = compareReading(shown, seen, sync.code);
      seen.push(shown);
      book.see(seen);
      for (const [kind, text] of own
        ? [['orders', ordersCsv(own)] as const, ['tariff', pricesCsv(own)] as const]
        : []) {
        if (kind === 'tariff' && own!.prices.length === 0) continue;
        const name = books.write(`${kind}-${index}.csv`, text);
        await books.comesToGrief(planned.at, 'import', kind, name);
        await books.must(planned.at, [0], 'import', kind, name);
      }

      const now = daysAfter(planned.at, 0.01);
      const months = monthsBetween(monthAfter(FIRST_MONTH, -1), planned.at.toISOString().slice(0, 7));
      const check = async (...options: string[]) => {
        const range = `${months[0]}..${months.at(-1)}`;
        const { code, stdout, stderr } = await books.run(now, 'check', range, '--json', ...options);
        if (!stdout.startsWith('{')) throw new Error(`check printed no JSON (exit ${code}): ${stderr}`);
        return { code, answer: JSON.parse(stdout) as CheckAnswer };
      };
      verdict = judge(seen, now, verdict);
      const news = await check('--new');
      const { code, answer } = await check();
      faults.push(...compareVerdict(withDrift(verdict, book), months, answer, code));
      faults.push(...compareNews(before, answer, news.answer));
      before = answer;
      const morning = { run: (...line: string[]) => books.run(now, ...line), now, verdict, book, months };
      for (const act of planned.acts) if (faults.length === 0) faults.push(...(await closes.act(act, morning)));
      if (planned.acts.length > 0 && faults.length === 0) {
        const after = await check();
        faults.push(...compareVerdict(withDrift(verdict, book), months, after.answer, after.code));
        before = after.answer;
      }
      if (!closes.isEmpty && faults.length === 0) faults.push(...(await closes.look(morning)));
      if (dice.chance(0.25)) await writeStatement(books, now, months.at(-2)!);
      await books.look(now);
      const happened = happening.name === 'nothing' ? '' : ` ${happening.name}`;
      log.say(
        `  night ${index + 1} ${planned.at.toISOString()} ${zone}: sync ${sync.code}, check ${code}, ` +
          `${answer.open.error}/${answer.open.warning}/${answer.open.info} open, ${books.links.length} links to ` +
          `${books.links.at(-1)?.chain.slice(0, 12) ?? 'nothing'}${happened}`,
      );
      faults.push(...books.faults);
      if (faults.length > 0) return { nights, faults };
    }
    return { nights, faults: [] };
  } finally {
    delete process.env.http_proxy;
    await courier.close();
    disk.remove();
  }
}

/** A night's verdict, and what has moved since each close. */
const withDrift = (verdict: Verdict, book: CloseBook): Verdict => ({
  ...verdict,
  shown: [...verdict.shown, ...book.drift()],
});

function syncArguments({ asked, orders, full }: PlannedNight): string[] {
  const period = asked ? [asked.from === asked.to ? asked.from : `${asked.from}..${asked.to}`] : [];
  return ['sync', ...period, ...(orders ? ['--orders'] : []), ...(full ? ['--full'] : []), '--json'];
}

async function writeStatement(books: Books, now: Date, month: string): Promise<void> {
  const argv = ['statement', month, '--out', `${month}.xlsx`];
  await books.comesToGrief(now, ...argv);
  // Refused where the books cannot give one, such as of a month that was never read.
  const { code } = await books.run(now, ...argv);
  if (code !== 0) return;
  const bytes = readFileSync(path.join(books.folder, `${month}.xlsx`));
  if (bytes.subarray(0, 2).toString() !== 'PK' || bytes.indexOf('PK\x05\x06') < 0)
    books.faults.push(`${month}.xlsx is no whole workbook`);
}
