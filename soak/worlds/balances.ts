import { createHash } from 'node:crypto';
import { BalanceBook, monthsOf } from '../../test/oracle/balances/balance.ts';
import { bankFiles, show } from '../../test/oracle/balances/documents.ts';
import { type BalancePlan, balancePlanOf, type PlannedSettlement } from '../../test/oracle/balances/plan.ts';
import { compareSurfaces } from '../../test/oracle/balances/surfaces.ts';
import { decimal } from '../../test/oracle/units.ts';
import { Dice } from '../../test/oracle/world/dice.ts';
import { emptyState } from '../../test/oracle/world/state.ts';
import { Books } from '../books.ts';
import { readChain } from '../chain.ts';
import { startCourier } from '../courier.ts';
import { Disk } from '../disk.ts';
import { FaultLayer } from '../faults.ts';
import { bookZone, DISK_MEGABYTES, type Played, type Stage, settings, travel } from '../stage.ts';

/** How far apart the nights of a world are, in days. */
const GAPS = [
  [1, 3],
  [2, 9],
  [9, 30],
] as const;

/**
 * A courier that bills, restates, pays and hides, a bank whose files come late, and people who settle and close: what
 * is owed at each month's end must be one figure on every surface, and the oracle's of test/oracle/balances.
 */
export async function playBalances(seed: number, stage: Stage): Promise<Played> {
  const { log, counts } = stage;
  const dice = new Dice(seed ^ 0xba1);
  const plan = balancePlanOf(seed, dice.pick(GAPS));
  const state = emptyState();
  const disk = new Disk(DISK_MEGABYTES);
  const courier = await startCourier(state, { shape: 'flat', pageSize: 50 });
  process.env.http_proxy = courier.proxyUrl;
  let nights = 0;
  try {
    const place = await stage.newPlace(disk);
    const books = new Books(disk, place, stage, seed ^ 0x91ef);
    books.write('remit.toml', settings(place, bookZone(seed), ['[receipts]', 'payers = ["EXAMPLE COURIER"]']));
    const book = new BalanceBook(plan);
    const office = new Office(books, plan, book);
    for (const [night, day] of plan.nights.entries()) {
      if (!stage.hasNight()) break;
      nights += 1;
      counts.add('nights');
      show(state, plan, day);
      const zone = travel(dice);
      /** Some time of the night: the clock also goes back between two commands. */
      const clock = () => new Date(Date.parse(`${day}T03:00:00Z`) + dice.int(0, 418) * 60_000);
      const months = monthsOf(plan, night);
      const sync = ['sync', `${months[0]}..${months.at(-1)}`, '--orders'];
      const [seed, rate] = [dice.seed(), dice.pick([0, 0.1, 0.3])];
      const rounds = [1, 0, 2, 3].map((round) => new FaultLayer(seed + round, round === 3 ? 0 : rate));
      const nextRound = () => courier.behave({ faults: rounds.shift()!, meanwhile: () => {} });
      nextRound();
      await books.comesToGrief(clock(), ...sync);
      let ended = 1;
      while (ended === 1 && rounds.length > 0) {
        nextRound();
        ended = (await books.run(clock(), ...sync)).code;
      }
      courier.take();
      const faults: string[] = ended === 0 ? [] : [`sync ended with ${ended} though nothing failed`];
      for (const [currency, file] of bankFiles(plan, night)) {
        const name = books.write(`${currency}-${night}.ofx`, file);
        await books.comesToGrief(clock(), 'import', 'receipts', name);
        await books.must(clock(), [0], 'import', 'receipts', name);
        if (dice.chance(0.3)) await books.must(clock(), [0], 'import', 'receipts', name);
        const sha256 = createHash('sha256').update(file).digest('hex');
        const { links } = await readChain(place);
        const held = links.filter((link) => link.kind === 'import' && link.sha256 === sha256).length;
        if (held !== 1) faults.push(`the import of ${name} was acknowledged, and is in the chain ${held} times`);
      }
      await books.comesToGrief(clock(), 'match');
      const check = await books.run(clock(), 'check', '--json');
      if (![0, 1, 3].includes(check.code)) faults.push(`check ended with ${check.code}: ${check.stderr}`);
      if (dice.chance(0.3)) faults.push(...(await acknowledge(books, dice, clock())));
      if (dice.chance(0.15)) await jump(books, dice, day);
      for (const settlement of plan.settlements) faults.push(...(await office.settle(settlement, night, clock())));
      for (const { period } of plan.closes.filter((close) => close.night === night))
        await office.close(period, night, clock());
      if (dice.chance(0.2)) {
        nextClean(courier);
        await books.comesToGrief(clock(), 'night', '--quiet');
        await books.must(clock(), [0, 1, 3], 'night', '--quiet');
      }
      const must = (codes: readonly number[], ...argv: string[]) => books.must(clock(), codes, ...argv);
      faults.push(...(await compareSurfaces(plan, book, night, must)));
      if (dice.chance(0.1)) await backUp(books, clock());
      await books.look(clock());
      faults.push(...books.faults);
      log.say(
        `  night ${night + 1} ${day} ${zone}: check ${check.code}, ${book.settled.length} settled, ${book.closed.length} closed, ` +
          `${books.links.length} links to ${books.links.at(-1)?.chain.slice(0, 12)}`,
      );
      if (faults.length > 0) return { nights, faults };
    }
    return { nights, faults: [] };
  } finally {
    delete process.env.http_proxy;
    await courier.close();
    disk.remove();
  }
}

function nextClean(courier: { behave(options: { faults: FaultLayer; meanwhile: () => void }): void }): void {
  courier.behave({ faults: new FaultLayer(0, 0), meanwhile: () => {} });
}

/** What a person acknowledged stays so while its data is the same, and is a link of the chain. */
async function acknowledge(books: Books, dice: Dice, now: Date): Promise<string[]> {
  const found = async () => {
    const stdout = await books.must(now, [0, 1, 3], 'check', '--json');
    return (JSON.parse(stdout) as { mismatches: { id: string; status: string }[] }).mismatches;
  };
  const open = (await found()).filter(({ status }) => status === 'open');
  if (open.length === 0) return [];
  const { id } = dice.pick(open);
  const decisions = () => books.links.filter(({ kind }) => kind === 'decision').length;
  await books.look(now);
  const before = decisions();
  await books.must(now, [0], 'mismatch', 'ack', id, '--by', 'Omar', '--note', 'seen', '--yes');
  await books.look(now);
  const isLinked = decisions() === before + 1;
  const after = (await found()).find((one) => one.id === id)?.status;
  return [
    ...(isLinked ? [] : [`the decision about ${id} was acknowledged, and is no link of the chain`]),
    ...(after === 'acknowledged' ? [] : [`${id} was acknowledged, and is ${after ?? 'gone'}`]),
  ];
}

/** The machine's clock is years off for a while, and nobody does more than read. */
async function jump(books: Books, dice: Dice, day: string): Promise<void> {
  const off = new Date(Date.parse(`${day}T03:00:00Z`) + dice.pick([-900, -40, 40, 3_000]) * 86_400_000);
  for (const argv of [['report', 'totals', '--json'], ['verify'], ['check', '--as-of', day, '--json']])
    await books.must(off, [0, 1, 3], ...argv);
}

/** A copy holds what the ledger holds, link by link. */
async function backUp(books: Books, now: Date): Promise<void> {
  await books.comesToGrief(now, 'backup', 'copy.db', '--force');
  await books.must(now, [0], 'backup', 'copy.db', '--force');
  await books.look(now);
  const copy = await readChain({ file: `${books.folder}/copy.db` });
  books.faults.push(...copy.faults);
  if (copy.links.at(-1)?.chain !== books.links.at(-1)?.chain)
    books.faults.push('the backup ends with another link than the ledger');
}

interface Settled {
  readonly id: string;
  readonly open: string;
}

/** The people who settle and close, one decision at a time, each done once whatever comes between. */
class Office {
  readonly #books: Books;
  readonly #plan: BalancePlan;
  readonly #book: BalanceBook;
  readonly #ids = new Map<PlannedSettlement, string>();

  constructor(books: Books, plan: BalancePlan, book: BalanceBook) {
    this.#books = books;
    this.#plan = plan;
    this.#book = book;
  }

  async settle(settlement: PlannedSettlement, night: number, now: Date): Promise<string[]> {
    const [books, book] = [this.#books, this.#book];
    const { number, currency, as, all } = settlement;
    const own = book.settled.filter((one) => one.number === number && one.currency === currency);
    if (settlement.undoneOn === night && this.#ids.has(settlement)) {
      await books.must(now, [0], 'settle', 'undo', this.#ids.get(settlement)!, '--reason', 'taken back');
      own.find((one) => one.night === settlement.night)!.undoneOn = night;
    }
    if (settlement.night !== night) return [];
    const open = book.openToday(number, currency, night);
    const amount = all ? open : (open / 2n / 100n) * 100n;
    const first = this.#plan.invoices.filter((one) => one.number === number).map((one) => book.firstSeen(one))[0] ?? -1;
    const isKnown = first >= 0 && first <= night;
    if (!isKnown || amount <= 0n || own.some((one) => one.night === night)) return [];
    const argv = [
      'settle',
      String(number),
      '--as',
      as,
      '--currency',
      currency,
      '--note',
      'agreed by mail',
      '--yes',
      '--json',
    ];
    const faults: string[] = [];
    const tooMuch = await books.run(now, ...argv, '--amount', decimal(open + 2_500n));
    if (tooMuch.code !== 2) faults.push(`settling more than is open of ${number} ended with ${tooMuch.code}, not 2`);
    const before = await this.#settlements(now);
    await books.comesToGrief(now, ...argv, '--amount', decimal(amount));
    const done = (await this.#settlements(now)).filter((id) => !before.includes(id));
    if (done.length > 1) faults.push(`one settlement of ${number} was stored ${done.length} times`);
    if (done.length === 0) {
      const stdout = await books.must(now, [0], ...argv, '--amount', decimal(amount));
      const [stored] = (JSON.parse(stdout) as { settled: Settled[] }).settled;
      if (stored!.open !== decimal(open - amount))
        faults.push(`settle says that ${stored!.open} is open of ${number}, not ${decimal(open - amount)}`);
      done.push(String(stored!.id));
    }
    this.#ids.set(settlement, done[0]!);
    book.settled.push({ number, currency, amount, night, undoneOn: null });
    return faults;
  }

  async close(period: string, night: number, now: Date): Promise<void> {
    const first = this.#book.closed.length === 0 ? ['--first'] : [];
    const argv = ['close', period, '--by', 'Auditor', ...first, '--with-open', 'as it is'];
    const closes = () => this.#books.links.filter(({ kind }) => kind === 'close').length;
    await this.#books.look(now);
    const before = closes();
    await this.#books.comesToGrief(now, ...argv);
    await this.#books.look(now);
    if (closes() === before) await this.#books.must(now, [0], ...argv);
    this.#book.closed.push({ period, night });
  }

  async #settlements(now: Date): Promise<string[]> {
    const stdout = await this.#books.must(now, [0], 'settle', 'list', '--json');
    return (JSON.parse(stdout) as { settlements: { id: string | number }[] }).settlements.map(({ id }) => String(id));
  }
}
