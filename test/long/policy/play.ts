/** Plays a random sequence with the books, and asks the model what must become of each step. */
import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import type { Outcome as Printed } from '../../helpers/cli.ts';
import { type RunningDesk, startDesk } from '../../helpers/desk.ts';
import type { Dice } from '../../oracle/world/dice.ts';
import { BANK_HEAD, type Base, bankLine, NOW, ORIGIN, type Place, RECEIPTS, run, SECRET, writeToml } from './books.ts';
import { type Act, type Actor, Model, type Outcome, type Policy } from './model.ts';

const UNIT = 10_000n;
const PEOPLE = ['rana', 'karim', 'lina'];
const NAMES = [...PEOPLE, 'Rana', 'ＫARIM', 'the auditor'];
const READERS = ['auditor'];
const KINDS = ['write-off', 'bank-charge', 'fx', 'other'];
const DIFFERENCES = ['bank-charge', 'other'];
const RATES = [90_000n, 100_000n, 45_000n, 30_000n];
const NONE: Policy = { limits: {}, close: false, imports: false };

/** A step of which something else became than the contract says. */
export interface Wrong {
  readonly step: string;
  readonly expected: Outcome;
  readonly got: Outcome;
}

export interface Played {
  readonly steps: Readonly<Record<Outcome, number>>;
  readonly wrong: readonly Wrong[];
  readonly told: readonly string[];
}

interface Settled {
  readonly id: number;
  readonly invoice_number: number;
}

/** What the books answered. */
interface Answer {
  readonly outcome: Outcome;
  readonly json: {
    readonly id?: number;
    readonly settled?: readonly Settled[];
    readonly result?: unknown;
    readonly undo?: { readonly address: string };
  };
}

export async function play(base: Base, place: Place, dice: Dice, length: number): Promise<Played> {
  const player = new Player(base, place, dice);
  try {
    await player.begin();
    for (let step = 0; step < length; step += 1) await player.step();
    await player.compare();
  } finally {
    await player.end();
  }
  return player;
}

class Player implements Played {
  readonly steps: Record<Outcome, number> = { done: 0, waits: 0, refused: 0, denied: 0 };
  readonly wrong: Wrong[] = [];
  readonly told: string[] = [];
  readonly #base: Base;
  readonly #place: Place;
  readonly #dice: Dice;
  readonly #secrets = new Map<string, string>();
  /** What undoes a settlement of the desk, as its answer says. */
  readonly #undoes = new Map<string, string>();
  #model = new Model(NONE, { clerks: PEOPLE, readers: READERS });
  #asked: Policy = NONE;
  #desk: RunningDesk | null = null;
  #sent = 0;

  constructor(base: Base, place: Place, dice: Dice) {
    this.#base = base;
    this.#place = place;
    this.#dice = dice;
  }

  async begin(): Promise<void> {
    for (const [number, currency, open] of await this.#open()) {
      this.#model.invoices.set(`${number} ${currency}`, { open: unitsOf(open), taken: 0n });
    }
    for (const [at, [courier, currency, amount]] of RECEIPTS.entries()) {
      this.#model.receipts.set(at + 1, { courier, currency, left: unitsOf(amount) });
    }
    this.#asked = this.#somePolicy();
    await this.#write();
    const argv = ['--public-origin', ORIGIN, '--auth-header', 'X-User', '--proxy-secret-file', 'secret'];
    this.#desk = await startDesk(argv, { cwd: this.#place.folder, env: this.#place.env, now: () => NOW });
  }

  async end(): Promise<void> {
    await this.#desk?.stop();
    await this.#place.end();
  }

  step(): Promise<void> {
    const dice = this.#dice;
    const ways: [weight: number, () => Promise<void>][] = [
      [30, () => this.#decide(this.#someSettlement())],
      [8, () => this.#decide(this.#someMatch('difference'))],
      [8, () => this.#decide(this.#someMatch('rate'))],
      [6, () => this.#decide(this.#someImport(), true)],
      [3, () => this.#decide({ what: 'close' }, true)],
      [24, () => this.#verdict('approve')],
      [4, () => this.#verdict('refuse')],
      [6, () => this.#undo()],
      [7, () => this.#changePolicy()],
      [3, () => this.#changeRoles()],
      [4, () => this.#changeTokens()],
    ];
    let at = dice.int(
      1,
      ways.reduce((sum, [weight]) => sum + weight, 0),
    );
    const chosen = ways.find(([weight]) => {
      at -= weight;
      return at <= 0;
    })!;
    return chosen[1]();
  }

  /** The open amounts are those of the model. */
  async compare(): Promise<void> {
    const held = new Map(
      (await this.#open()).map(([number, currency, open]) => [`${number} ${currency}`, unitsOf(open)]),
    );
    for (const [invoice, { open }] of this.#model.invoices) {
      const got = held.get(invoice) ?? 0n;
      if (got === open) continue;
      this.wrong.push({
        step: `${invoice}: ${textOf(open)} is open, not ${textOf(got)}`,
        expected: 'done',
        got: 'refused',
      });
    }
  }

  async #open(): Promise<[number: number, currency: string, open: string][]> {
    const { stdout } = await run(this.#place.folder, ['report', 'open-items', '--json'], this.#place.env);
    const { rows } = JSON.parse(stdout) as { rows: { number: number | null; currency: string; open: string }[] };
    return rows.flatMap(({ number, currency, open }) => (number === null ? [] : [[number, currency, open]]));
  }

  async #decide(act: Act | null, isOnLine = false): Promise<void> {
    if (act === null) return;
    const actor = this.#someActor(isOnLine);
    const expected = this.#model.ask(actor, act);
    const { outcome, json } = await this.#send(actor, act);
    this.#note(`${nameOf(actor)} ${describe(act)}`, expected, outcome);
    if (outcome === 'done' && json.settled) this.#name(json.settled[0]!, json.undo?.address);
    if (outcome === 'waits') this.#model.propose(json.id!, actor, act);
    if (outcome === 'done' && act.what === 'close') await this.#reopen();
  }

  async #verdict(verb: 'approve' | 'refuse'): Promise<void> {
    const waiting = [...this.#model.proposals].filter(([, { status }]) => status === 'waiting');
    const all = this.#dice.chance(0.9) ? waiting : [...this.#model.proposals];
    if (all.length === 0) return;
    const [id, { act }] = this.#dice.pick(all);
    const actor = this.#someActor();
    const expected = verb === 'approve' ? this.#model.approve(actor, id) : this.#model.refuse(actor, id);
    const { outcome, json } = await this.#order(actor, {
      line: ['approvals', verb, String(id)],
      address: `/approvals/${id}/${verb}`,
      body: {},
    });
    if (expected === null) {
      this.told.push(`${nameOf(actor)} ${verb}s ${id}, a close that may have changed: ${outcome}`);
      if (outcome === 'done') this.#model.proposals.get(id)!.status = 'approved';
    } else this.#note(`${nameOf(actor)} ${verb}s ${id} (${act.what})`, expected, outcome);
    if (outcome !== 'done' || verb === 'refuse') return;
    const { settled } = (json.result ?? {}) as { settled?: readonly Settled[] };
    if (settled) this.#name(settled[0]!);
    if (act.what === 'close') await this.#reopen();
    if (act.what === 'policy') await this.#see();
  }

  async #undo(): Promise<void> {
    const all = [...this.#model.settled.keys()];
    if (all.length === 0) return;
    const id = this.#dice.pick(all);
    const address = this.#undoes.get(id);
    const actor = this.#someActor(address === undefined);
    const expected = this.#model.undo(actor, id);
    const [courier = '', number = ''] = id.split(' ');
    const { outcome } = await this.#order(actor, {
      line: ['settle', 'undo', number, '--courier', courier, '--reason', 'x'],
      address: address?.replace('/api/v1', '') ?? '',
      body: { reason: 'x' },
    });
    this.#note(`${nameOf(actor)} undoes settlement ${id}`, expected, outcome);
  }

  #name({ id, invoice_number }: Settled, undo?: string): void {
    const key = `${invoice_number < 20_000 ? 'swift' : 'cedar'} ${id}`;
    this.#model.name(key);
    if (undo !== undefined) this.#undoes.set(key, undo);
  }

  /** A close in force would keep the month's invoices from what the model lets happen. */
  async #reopen(): Promise<void> {
    const argv = ['reopen', '2026-10', '--reason', 'x', '--by', 'rana', '--json'];
    const { code, stderr } = await run(this.#place.folder, argv, this.#place.env);
    if (code !== 0) throw new Error(stderr);
  }

  #changePolicy(): Promise<void> {
    this.#asked = this.#somePolicy();
    return this.#write();
  }

  #changeRoles(): Promise<void> {
    this.#model.clerks = PEOPLE.filter(() => this.#dice.chance(0.75));
    return this.#write();
  }

  async #changeTokens(): Promise<void> {
    const inForce = [...this.#model.tokens.values()].filter(({ isRevoked }) => !isRevoked);
    if (inForce.length > 2 || (inForce.length > 0 && this.#dice.chance(0.3))) {
      const token = this.#dice.pick(inForce);
      token.isRevoked = true;
      await this.#mustRun(['serve', 'token', 'revoke', token.name]);
      this.told.push(`token ${token.name} is revoked`);
      return;
    }
    const name = `ERP ${this.#model.tokens.size + 1}`;
    const role = this.#dice.chance(0.75) ? 'clerk' : 'reader';
    const maker = this.#dice.pick(PEOPLE);
    const made = await this.#mustRun(['serve', 'token', '--role', role, '--name', name, '--by', maker]);
    this.#secrets.set(name, (JSON.parse(made.stdout) as { token: string }).token);
    this.#model.tokens.set(name, { name, role, maker, isRevoked: false });
    this.told.push(`${maker} makes token ${name}, ${role}`);
  }

  async #mustRun(argv: readonly string[]): Promise<Printed> {
    const printed = await run(this.#place.folder, [...argv, '--json'], this.#place.env);
    if (printed.code !== 0) throw new Error(`${argv.join(' ')}: ${printed.stderr}`);
    return printed;
  }

  /** Writes remit.toml, which the next command sees. */
  async #write(): Promise<void> {
    const { clerks } = this.#model;
    writeToml(this.#place.folder, this.#base, { approvals: tomlOf(this.#asked), clerks, readers: READERS });
    this.told.push(`remit.toml: clerks ${clerks.join(', ')}; ${tomlOf(this.#asked).replaceAll('\n', ' ')}`);
    await this.#see();
  }

  async #see(): Promise<void> {
    const [user = null] = this.#place.users;
    const change = this.#model.see(this.#asked);
    const argv = ['approvals', 'list', '--all', '--json'];
    const { stdout, stderr } = await run(this.#place.folder, argv, this.#place.envOf(user));
    if (stdout === '') throw new Error(stderr);
    const { approvals } = JSON.parse(stdout) as { approvals: { id: number; what: string }[] };
    const made = approvals.filter(({ id, what }) => what === 'policy' && !this.#model.proposals.has(id));
    this.#note('remit.toml is seen', change ? 'waits' : 'done', made.length > 0 ? 'waits' : 'done');
    if (change && made.length === 1) this.#model.proposePolicy(made[0]!.id, [userInfo().username], user, change);
  }

  #somePolicy(): Policy {
    const dice = this.#dice;
    const limits: Record<string, bigint> = {};
    if (dice.chance(0.8)) limits.USD = BigInt(dice.pick([5, 20, 40])) * UNIT;
    if (dice.chance(0.5)) limits.LBP = BigInt(dice.pick([100_000, 2_000_000])) * UNIT;
    return { limits, close: dice.chance(0.5), imports: dice.chance(0.5) };
  }

  #someActor(isOnLine = false): Actor {
    const dice = this.#dice;
    const tokens = [...this.#model.tokens.keys()];
    if (!isOnLine && tokens.length > 0 && dice.chance(0.25)) return { at: 'program', token: dice.pick(tokens) };
    if (!isOnLine && dice.chance(0.5)) return { at: 'desk', name: dice.pick([...PEOPLE, ...READERS, 'mallory']) };
    return { at: 'line', name: dice.pick(NAMES), user: dice.pick(this.#place.users) };
  }

  #someSettlement(): Act {
    const dice = this.#dice;
    const all = [...this.#model.invoices];
    // Slices of one invoice come up often.
    const begun = all.filter(([, { taken, open }]) => taken > 0n && open > 0n);
    const [invoice] = dice.pick(begun.length > 0 && dice.chance(0.5) ? begun : all);
    const { open, taken } = this.#model.invoices.get(invoice)!;
    const isDollars = invoice.endsWith('USD');
    const step = isDollars ? UNIT / 100n : 1_000n * UNIT;
    const limit = this.#model.policy.limits[isDollars ? 'USD' : 'LBP'];
    const left = limit === undefined ? open : limit - taken;
    const small = BigInt(dice.int(1, 30)) * step * (isDollars ? 50n : 10n);
    const amount = dice.pick([left, left + step, small, small, open, open + step]);
    return { what: 'settle', invoice, kind: dice.pick(KINDS), amount: amount > 0n ? amount : step };
  }

  #someMatch(what: 'difference' | 'rate'): Act | null {
    const dice = this.#dice;
    const fits = [...this.#model.receipts].filter(([, { currency }]) => what === 'difference' || currency === 'LBP');
    if (fits.length === 0) return null;
    const [receipt, { courier, currency }] = dice.pick(fits);
    const wanted = what === 'rate' ? 'USD' : currency;
    const first = courier === 'swift' ? '1' : '2';
    const invoices = [...this.#model.invoices.keys()].filter((one) => one.startsWith(first) && one.endsWith(wanted));
    const invoice = dice.pick(invoices);
    if (what === 'rate') return { what, invoice, receipt, rate: dice.pick(RATES) };
    return { what, invoice, receipt, kind: dice.pick(DIFFERENCES) };
  }

  #someImport(): Act {
    const [courier, currency] = [this.#dice.pick(['swift', 'cedar']), this.#dice.pick(['USD', 'LBP'])];
    const amount = currency === 'LBP' ? 900_000n * UNIT : BigInt(this.#dice.int(5, 30)) * UNIT + 1n;
    return { what: 'import', courier, currency, amount };
  }

  #send(actor: Actor, act: Act): Promise<Answer> {
    if (act.what === 'close') {
      return this.#order(actor, { line: ['close', '2026-10', '--first', '--with-open', 'agreed'] });
    }
    if (act.what === 'import') {
      this.#sent += 1;
      const line = bankLine(100 + this.#sent, act.courier, act.currency, textOf(act.amount));
      writeFileSync(path.join(this.#place.folder, `bank-${this.#sent}.csv`), BANK_HEAD + line);
      return this.#order(actor, { line: ['import', 'receipts', `bank-${this.#sent}.csv`] });
    }
    const [number = '', currency = ''] = act.invoice.split(' ');
    const invoices = [Number(number)];
    if (act.what === 'settle') {
      const amount = textOf(act.amount);
      return this.#order(actor, {
        line: ['settle', number, '--as', act.kind, '--currency', currency, '--amount', amount, '--note', 'x'],
        address: '/settlements',
        body: { invoices, as: act.kind, currency, amount, note: 'x' },
      });
    }
    const isAtRate = act.what === 'rate';
    return this.#order(actor, {
      line: [
        ...['match', 'add', String(act.receipt), number, '--note', 'x'],
        ...(isAtRate ? ['--rate', String(act.rate), '--part'] : ['--difference', act.kind]),
      ],
      address: '/matches',
      body: {
        ...{ receipt: act.receipt, invoices, note: 'x' },
        ...(isAtRate ? { rate: String(act.rate), part: true } : { difference: act.kind }),
      },
    });
  }

  async #order(
    actor: Actor,
    { line, address, body }: { line: readonly string[]; address?: string; body?: object },
  ): Promise<Answer> {
    if (actor.at === 'line') {
      const argv = [...line, '--by', actor.name, '--json'];
      const { code, stdout, stderr } = await run(this.#place.folder, argv, this.#place.envOf(actor.user));
      if (code === 2) {
        this.told.push(stderr);
        return { outcome: 'refused', json: {} };
      }
      if (code !== 0) throw new Error(`${argv.join(' ')}: ${code} ${stderr}${stdout}`);
      const json = stdout === '' ? {} : JSON.parse(stdout);
      return { outcome: json.waiting ? 'waits' : 'done', json };
    }
    this.#sent += 1;
    const own = { host: 'desk.example.com', 'x-remit-proxy-secret': SECRET, 'content-type': 'application/json' };
    const who: Record<string, string> =
      actor.at === 'desk'
        ? { 'x-user': actor.name, origin: ORIGIN, 'sec-fetch-site': 'same-origin' }
        : { authorization: `Bearer ${this.#secrets.get(actor.token)}`, 'idempotency-key': `k${this.#sent}` };
    const sent = { method: 'POST', headers: { ...own, ...who }, body: JSON.stringify(body) } as const;
    const { status, text } = await this.#desk!.send(`/api/v1${address}`, sent);
    if (status === 401 || status === 403) return { outcome: 'denied', json: {} };
    if (status === 409 || status === 422) {
      this.told.push(text);
      return { outcome: 'refused', json: {} };
    }
    if (status !== 200) throw new Error(`${address}: ${status} ${text}`);
    const json = JSON.parse(text);
    return { outcome: json.waiting ? 'waits' : 'done', json };
  }

  #note(step: string, expected: Outcome, got: Outcome): void {
    this.steps[got] += 1;
    this.told.push(`${step}: ${got}`);
    if (expected !== got) this.wrong.push({ step, expected, got });
  }
}

function unitsOf(text: string): bigint {
  const [whole = '', part = ''] = text.split('.');
  return BigInt(whole + part.padEnd(4, '0'));
}

function textOf(units: bigint): string {
  return `${units / UNIT}.${String(units % UNIT).padStart(4, '0')}`;
}

function tomlOf({ limits, close, imports }: Policy): string {
  const most = Object.entries(limits).map(([code, amount]) => `${code} = "${textOf(amount)}"`);
  return [
    '[approvals]',
    `write_off_above = { ${most.join(', ')} }`,
    ...(close ? ['close = true'] : []),
    ...(imports ? ['imports = true'] : []),
    '',
  ].join('\n');
}

function nameOf(actor: Actor): string {
  if (actor.at === 'program') return actor.token;
  return `${actor.name}${actor.at === 'line' && actor.user !== null ? ` as ${actor.user}` : ''} at the ${actor.at}`;
}

function describe(act: Act): string {
  return JSON.stringify(act, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}
