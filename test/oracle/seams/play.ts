import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';
import { remit } from '../../helpers/cli.ts';
import { type FakeCourier, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { type RunningDesk, startDesk } from '../../helpers/desk.ts';
import { decimal } from '../units.ts';
import { monthsBetween } from '../world/clock.ts';
import { Balances } from './balance.ts';
import { Books } from './books.ts';
import { compareClaims } from './claims.ts';
import { bankFileOf, SHEET_MAP, served, sheetOf, shownOn } from './documents.ts';
import type { Fact } from './facts.ts';
import { comparePapers } from './papers.ts';
import { comparePast } from './past.ts';
import { type Act, agentOf, COURIERS, OF_SHEETS, type Plan, payerOf } from './plan.ts';
import { compareSigned } from './signed.ts';
import { compareClose, compareSurfaces, compareToday } from './surfaces.ts';

/** The books at an instant: which facts were known, and the names that couriers had. */
export interface Instant {
  readonly at: string;
  readonly facts: number;
  readonly months: readonly string[];
}

/** A world in play: its books, the command line in them, and what the oracle knows. */
export class Play {
  readonly plan: Plan;
  readonly facts: Fact[] = [];
  readonly faults: string[] = [];
  readonly instants: Instant[] = [];
  /** The name of each courier today. */
  readonly names = new Map<string, string>(COURIERS.map((courier) => [courier, courier]));
  readonly #folder: string;
  readonly #servers: ReadonlyMap<string, FakeCourier>;
  readonly #env: Record<string, string>;
  readonly #imports = new Map<string, string>();
  readonly #settlements = new Map<string, { readonly id: string; readonly courier: string }>();
  readonly #out = new Set<string>();
  /** Couriers of which it is known who pays for them too. */
  readonly #agents = new Set<string>();
  #now = new Date(0);
  #day = '';

  constructor(plan: Plan, folder: string, servers: ReadonlyMap<string, FakeCourier>, ledger: string | null) {
    this.plan = plan;
    this.#folder = folder;
    this.#servers = servers;
    this.#env = ledger === null ? {} : { REMIT_LEDGER: ledger };
    writeFileSync(path.join(folder, 'key'), KEY, { mode: 0o600 });
  }

  async whole(): Promise<readonly string[]> {
    for (const courier of COURIERS) {
      this.#know({ kind: 'payers', courier, payers: [payerOf(courier)] });
      this.#know({ kind: 'lag', courier, days: this.plan.lags.get(courier)! });
    }
    this.#writeSettings();
    for (const [index, { day, acts }] of this.plan.nights.entries()) {
      this.#day = day;
      this.#now = new Date(`${day}T05:00:00Z`);
      for (const act of acts) {
        await this.#do(act);
        if (this.faults.length > 0) return this.#said(act);
      }
      const isLast = index === this.plan.nights.length - 1;
      if (isLast) await this.#check();
      await compareSurfaces(this, isLast);
      if (isLast) await this.#compareLast();
      if (this.faults.length > 0) return this.#said({ kind: 'sync' });
      this.instants.push({ at: this.#now.toISOString(), facts: this.facts.length, months: this.months() });
    }
    return [];
  }

  async #check(): Promise<void> {
    await this.must([0, 1, 3], 'check');
    this.#know({ kind: 'check' });
  }

  async #compareLast(): Promise<void> {
    await compareToday(this);
    await comparePast(this);
    await compareSigned(this);
    if (this.plan.span.papers) await comparePapers(this);
    if (this.plan.span.claims) await compareClaims(this);
  }

  #said(act: Act): string[] {
    return this.faults.map((fault) => `${this.#day}, after ${act.kind}: ${fault}`);
  }

  /** The months of the books by now. */
  months(): string[] {
    return monthsBetween(this.plan.months[0]!, this.#day.slice(0, 7));
  }

  get balances(): Balances {
    return new Balances(this.facts);
  }

  /** Runs a command that has to end with one of some codes. */
  async must(codes: readonly number[], ...argv: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...argv);
    if (!codes.includes(code))
      throw new Error(`${this.#day}: remit ${argv.join(' ')} ended with ${code}: ${stdout}${stderr}`);
    return stdout;
  }

  /** Runs a command a minute after the one before. */
  async run(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    this.#now = new Date(this.#now.getTime() + 60_000);
    vi.useFakeTimers({ toFake: ['Date'], now: this.#now });
    try {
      return await remit([...argv, '--quiet'], { cwd: this.#folder, now: this.#now, env: this.#env });
    } finally {
      vi.useRealTimers();
    }
  }

  /** The desk over the books, as long as something is asked of it. */
  async atDesk<T>(ask: (desk: RunningDesk) => Promise<T>): Promise<T> {
    const now = this.#now;
    const desk = await startDesk([], { cwd: this.#folder, env: this.#env, now: () => now });
    try {
      await desk.enter();
      return await ask(desk);
    } finally {
      await desk.stop();
    }
  }

  file(name: string, text: string): string {
    writeFileSync(path.join(this.#folder, name), text, { mode: 0o600 });
    return name;
  }

  path(name: string): string {
    return path.join(this.#folder, name);
  }

  #know(fact: Omit<Extract<Fact, { kind: Fact['kind'] }>, 'day'> & Record<string, unknown>): void {
    this.facts.push({ ...fact, day: this.#day } as Fact);
  }

  #writeSettings(): void {
    const tables = COURIERS.filter((courier) => !this.#out.has(courier)).map((courier) => {
      const server = this.#servers.get(courier);
      const where = server ? `api_url = "${server.url}"\napi_key_file = "key"` : 'kind = "files"\nmap = "sheet"';
      const payers = this.#payersOf(courier).join('", "');
      const returns = `returns = "${this.plan.returns.get(courier)}"\n`;
      const lag = `remittance_lag = ${this.plan.lags.get(courier)}`;
      return `[couriers.${this.names.get(courier)}]\n${where}\npayers = ["${payers}"]\n${lag}\n${returns}`;
    });
    this.file('remit.toml', `time_zone = "${this.plan.zone}"\nmax_attempts = 1\n${tables.join('')}${SHEET_MAP}`);
  }

  #payersOf(courier: string): string[] {
    return [payerOf(courier), ...(this.#agents.has(courier) ? [agentOf(courier)] : [])];
  }

  async #do(act: Act): Promise<void> {
    switch (act.kind) {
      case 'sync':
        return this.#sync();
      case 'bank':
        return this.#bank(act);
      case 'sheet':
        return this.#sheet(act);
      case 'undo':
        return this.#undo(act);
      case 'advance':
        return this.#advance(act);
      case 'unmatch':
        return this.#unmatch(act);
      case 'settle':
        return this.#settle(act);
      case 'unsettle':
        return this.#unsettle(act);
      case 'close':
        return this.#close(act);
      case 'reopen':
        return this.#reopen(act);
      case 'claim':
        return this.#claim(act.sent);
      case 'withdraw':
        return this.#withdraw();
      case 'decide':
        return this.#decide(act);
      case 'payers':
        return this.#learnPayer(act.courier);
      case 'rename':
        return this.#rename(act.courier, act.to);
      case 'swap':
        return this.#swap(act);
      case 'out':
        // What the books have nothing of is gone with its table.
        if (!this.#has(act.courier)) return;
        this.#out.add(act.courier);
        return this.#writeSettings();
      case 'back':
        this.#out.delete(act.courier);
        return this.#writeSettings();
    }
  }

  async #sync(): Promise<void> {
    const months = this.months();
    const shown: Fact[] = [];
    for (const [courier, server] of this.#servers) {
      const own = this.plan.invoices.filter((one) => one.courier === courier);
      Object.assign(server.world, served(own, this.#day, this.plan.returns.get(courier)!));
      if (this.#out.has(courier)) continue;
      const invoices = own
        .filter(({ issued }) => issued < this.#day)
        .map((one) => shownOn(one, this.#day, this.plan.zone));
      shown.push({ kind: 'list', courier, invoices, day: this.#day });
    }
    if (shown.length === 0) return;
    await this.must([0], 'sync', `${months[0]}..${months.at(-1)}`, '--orders');
    this.facts.push(...shown);
  }

  async #bank({ file }: Extract<Act, { kind: 'bank' }>): Promise<void> {
    if (new Books(this.facts).holdsFile(file.name)) return;
    const { name: id, lines, currency } = file;
    const [isCash, account] = [file.format === 'cash', `ACCOUNT-${currency}`];
    const whose = isCash ? ['--account', account] : [];
    const name = this.file(...bankFileOf(file));
    const said = JSON.parse(await this.must([0], 'import', 'receipts', name, ...whose, '--json'));
    this.#imports.set(id, String(said.import));
    const [from, to] = isCash ? [lines[0]!.date, lines.at(-1)!.date] : [file.from, file.to];
    const [opening, closing] = file.format === 'camt' ? [file.opening, file.closing] : [null, null];
    const statement = { account, currency, from, to, opening, closing, isCash };
    this.#know({ kind: 'bank', file: id, lines, statement });
  }

  async #sheet({ file, payouts }: Extract<Act, { kind: 'sheet' }>): Promise<void> {
    if (this.#out.has(OF_SHEETS)) return;
    const name = this.file(`${file}.csv`, sheetOf(payouts, this.#day));
    const argv = ['import', 'settlement', name, '--courier', this.names.get(OF_SHEETS)!, '--json'];
    const said = JSON.parse(await this.must([0], ...argv));
    this.#imports.set(file, String(said.import));
    const invoices = payouts.map((one) => shownOn(one, this.#day));
    this.#know({ kind: 'sheet', courier: OF_SHEETS, file, invoices });
  }

  async #undo({ file }: Extract<Act, { kind: 'undo' }>): Promise<void> {
    if (!new Books(this.facts).holdsFile(file)) return;
    const { code, stderr } = await this.run('import', 'undo', this.#imports.get(file)!, '--reason', 'the wrong file');
    // A closed month rests on it.
    const hasClosed = this.months().some((month) => this.balances.isClosed(month));
    if (code !== 0 && hasClosed) return;
    if (code !== 0) throw new Error(`${this.#day}: undo of ${file} ended with ${code}: ${stderr}`);
    this.#know({ kind: 'undo', file });
  }

  async #advance({ how, pick }: Extract<Act, { kind: 'advance' }>): Promise<void> {
    const books = new Books(this.facts);
    const free = books.receipts().filter(({ courier, matched }) => courier !== null && !matched);
    if (free.length === 0) return;
    const { key, courier, currency } = free[pick % free.length]!;
    const open = books
      .invoicesOf(courier!)
      .filter(({ id, currencies }) => currencies.includes(currency) && books.asked(courier!, id, currency) > 0n)
      .map(({ id }) => id);
    if (open.length === 0 || books.left(key) <= 0n) return;
    const invoices = how === 'part' ? open.slice(pick % open.length).slice(0, 2) : [open[pick % open.length]!];
    const agreed = books.asked(courier!, invoices[0]!, currency) - books.left(key);
    if (how === 'rest' && (agreed === 0n || agreed <= -books.left(key))) return;
    const rest = how === 'part' ? ['--part'] : ['--difference', 'other', '--note', 'by phone'];
    const id = await this.#receiptId(key);
    if (id === null) return;
    await this.must(
      [0],
      'match',
      'add',
      id,
      ...(await this.#called(courier!, invoices)),
      ...rest,
      '--courier',
      this.names.get(courier!)!,
    );
    this.#know({ kind: 'pays', receipt: key, invoices, how });
  }

  async #unmatch({ pick }: Extract<Act, { kind: 'unmatch' }>): Promise<void> {
    const matched = new Books(this.facts).receipts().filter((one) => one.matched);
    if (matched.length === 0) return;
    const { key, courier } = matched[pick % matched.length]!;
    const here = ['--courier', this.names.get(courier!)!];
    const id = Number(await this.#receiptId(key));
    if (id === 0) return;
    const { matches } = JSON.parse(await this.must([0], 'match', 'list', ...here, '--json'));
    const own = matches.find((one: { receipts: number[] }) => one.receipts.includes(id));
    // A match of several receipts ends for all of them: the oracle takes one away.
    if (own.receipts.length > 1) return;
    await this.must([0], 'match', 'remove', String(own.id), '--reason', 'not for this one', ...here);
    this.#know({ kind: 'unmatch', receipt: key });
  }

  /** How commands call invoices. */
  async #called(courier: string, ids: readonly string[]): Promise<string[]> {
    if (courier !== OF_SHEETS || this.plan.span.payoutNumbers) return [...ids];
    const numbers: string[] = [];
    for (const id of ids) {
      const argv = ['show', 'invoice', id, '--courier', this.names.get(courier)!, '--json'];
      numbers.push(String(JSON.parse(await this.must([0, 1, 3], ...argv)).number));
    }
    return numbers;
  }

  /** The number by which the books know a line. */
  async #receiptId(key: string): Promise<string | null> {
    const line = this.plan.nights
      .flatMap(({ acts }) => acts)
      .flatMap((act) => (act.kind === 'bank' ? act.file.lines : []))
      .find((one) => one.key === key)!;
    const printed = await this.must([0, 1, 3], 'report', 'receipts', line.date.slice(0, 7), '--format', 'json');
    const own = (JSON.parse(printed).rows as Record<string, string>[]).filter(
      (row) => row.date === line.date && row.currency === line.currency && row.amount === decimal(line.amount),
    );
    const said = own.find((row) => JSON.stringify(row).includes(line.names.join(', ')));
    if (said === undefined && !this.plan.span.everyMonth) return null;
    if (said === undefined) throw new Error(`${this.#day}: no receipt ${key} in ${printed}`);
    return String(said.receipt);
  }

  async #settle({ pick, all, as }: Extract<Act, { kind: 'settle' }>): Promise<void> {
    const books = new Books(this.facts);
    const open = COURIERS.flatMap((courier) =>
      books
        .invoicesOf(courier)
        .flatMap(({ id, currencies }) =>
          currencies.map((currency) => ({ courier, id, currency, open: books.open(courier, id, currency) })),
        ),
    ).filter((one) => one.open > 0n);
    if (open.length === 0) return;
    const { courier, id, currency, open: due } = open[pick % open.length]!;
    const step = currency === 'USD' ? 50_000n : 50_000_000_000n;
    const amount = all ? due : (due / 2n / step) * step;
    if (amount === 0n) return;
    const own = ['--courier', this.names.get(courier)!, '--currency', currency, '--as', as, '--note', 'agreed by mail'];
    const said = JSON.parse(
      await this.must(
        [0],
        'settle',
        ...(await this.#called(courier, [id])),
        '--amount',
        decimal(amount),
        ...own,
        '--yes',
        '--json',
      ),
    ) as { settled: { id: number; open: string }[] };
    if (said.settled[0]!.open !== decimal(due - amount))
      this.faults.push(`settle says that ${said.settled[0]!.open} of ${id} is open, not ${decimal(due - amount)}`);
    const name = `S${this.#settlements.size + 1}`;
    this.#settlements.set(name, { id: String(said.settled[0]!.id), courier });
    this.#know({ kind: 'settle', id: name, courier, invoice: id, currency, amount });
  }

  async #unsettle({ pick }: Extract<Act, { kind: 'unsettle' }>): Promise<void> {
    const books = new Books(this.facts);
    const held = [...this.#settlements].filter(([name]) => books.isSettled(name));
    if (held.length === 0) return;
    const [name, { id, courier }] = held[pick % held.length]!;
    await this.must([0], 'settle', 'undo', id, '--reason', 'taken back', '--courier', this.names.get(courier)!);
    this.#know({ kind: 'unsettle', id: name });
  }

  #has(courier: string): boolean {
    const books = new Books(this.facts);
    return books.invoicesOf(courier).length > 0 || books.receipts().some((one) => one.courier === courier);
  }

  /** Now and then a claim is sent: no figure changes by it. */
  async #claim(isSent: boolean): Promise<void> {
    await this.#check();
    if (this.plan.span.claims) await compareClaims(this);
    if (!isSent) return;
    const months = this.months();
    for (const name of this.names.values()) {
      const argv = ['dispute', `${months[0]}..${months.at(-1)}`, '--courier', name, '--out', this.path(`${name}.txt`)];
      await this.must([0], ...argv, '--yes');
    }
  }

  async #withdraw(): Promise<void> {
    const [month] = this.months();
    const { code, stderr } = await this.run('dispute', 'withdraw', '--month', month!, '--note', 'asked too early');
    if (code > 2) this.faults.push(`dispute withdraw ended with ${code}: ${stderr}`);
  }

  /** What a person decides about a finding changes no balance. */
  async #decide({ pick, how }: Extract<Act, { kind: 'decide' }>): Promise<void> {
    const { mismatches } = JSON.parse(await this.must([0], 'mismatch', 'list', '--json'));
    const open = mismatches.filter((one: { status: string }) => one.status === 'open');
    if (open.length === 0) return;
    const { id, courier } = open[pick % open.length];
    const { code, stderr } = await this.run('mismatch', how, id, '--courier', courier, '--note', 'seen');
    // What was settled of its invoice since the last check is refused until the next one.
    if (code !== 0 && !(how === 'resolve' && stderr.includes('is open now'))) {
      this.faults.push(`mismatch ${how} ended with ${code}: ${stderr}`);
    }
  }

  async #learnPayer(courier: string): Promise<void> {
    if (this.#out.has(courier) || this.#agents.has(courier)) return;
    this.#agents.add(courier);
    this.#writeSettings();
    await this.must([0], 'match');
    this.#know({ kind: 'payers', courier, payers: this.#payersOf(courier) });
  }

  async #close({ month }: Extract<Act, { kind: 'close' }>): Promise<void> {
    const { months } = this.plan;
    if (this.balances.isClosed(month)) return;
    if (month !== months[0] && !this.balances.isClosed(months[months.indexOf(month) - 1]!)) return;
    const first = month === months[0] ? ['--first'] : [];
    const argv = ['close', month, '--by', 'Auditor', ...first, '--with-open', 'as it is', '--json'];
    const said = JSON.parse(await this.must([0], ...argv));
    compareClose(this, said, month);
    this.#know({ kind: 'close', month });
  }

  async #reopen({ month }: Extract<Act, { kind: 'reopen' }>): Promise<void> {
    const { months } = this.plan;
    const next = months[months.indexOf(month) + 1];
    if (!this.balances.isClosed(month) || (next !== undefined && this.balances.isClosed(next))) return;
    await this.must([0], 'reopen', month, '--by', 'Auditor', '--reason', 'once more');
    this.#know({ kind: 'reopen', month });
  }

  async #rename(courier: string, to: string): Promise<void> {
    await this.must([0], 'courier', 'rename', this.names.get(courier)!, to);
    this.names.set(courier, to);
    this.#writeSettings();
  }

  async #swap({ one, other }: Extract<Act, { kind: 'swap' }>): Promise<void> {
    const [first, second] = [this.names.get(one)!, this.names.get(other)!];
    await this.must([0], 'courier', 'rename', first, 'for-a-moment');
    await this.must([0], 'courier', 'rename', second, first);
    await this.must([0], 'courier', 'rename', 'for-a-moment', second);
    this.names.set(one, second);
    this.names.set(other, first);
    this.#writeSettings();
  }
}

/** Plays a world with the real program, and compares its figures with the oracle's; the first differences, or none. */
export async function playSeams(plan: Plan, ledger: string | null = null): Promise<readonly string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-seams-'));
  const servers = new Map<string, FakeCourier>();
  for (const courier of COURIERS) {
    if (courier !== OF_SHEETS) servers.set(courier, await startFakeCourier({ organisation: `Zahra at ${courier}` }));
  }
  const play = new Play(plan, folder, servers, ledger);
  try {
    return await play.whole();
  } catch (error) {
    return [(error as Error).message];
  } finally {
    await Promise.all([...servers.values()].map((server) => server.close()));
    rmSync(folder, { recursive: true, force: true });
  }
}
