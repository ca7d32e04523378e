/** Plays random sequences with the books, and asks the model what must become of each step. */
import { userInfo } from 'node:os';
import type { Dice } from '../../oracle/world/dice.ts';
import { type Base, type Place, writeToml } from './books.ts';
import {
  type Act,
  type Actor,
  type Finding,
  Model,
  type Outcome,
  type Policy,
  type Proposal,
  type Taken,
} from './model.ts';
import { type Answer, courierOf, type Order, textOf, unitsOf, Ways } from './ways.ts';

const UNIT = 10_000n;
const PEOPLE = ['rana', 'karim', 'lina'];
const NAMES = [...PEOPLE, 'Rana', 'ＫARIM', 'the auditor'];
const READERS = ['auditor'];
const KINDS = ['write-off', 'bank-charge', 'fx', 'other'];
const DIFFERENCES = ['bank-charge', 'other'];
const RATES = [90_000n, 100_000n, 45_000n, 30_000n];

/** A step of which something else became than the contract says. */
export interface Wrong {
  readonly sequence: number;
  readonly step: string;
  readonly expected: string;
  readonly got: string;
  /** All that was done in the sequence. */
  readonly told: readonly string[];
}

/** What `mismatch list` says of a finding. */
interface Listed {
  readonly id: string;
  readonly effect: string | null;
  readonly status: Finding['status'];
}

export interface Played {
  /** How often each outcome came up, by kind of step and by whom: `settle line waits`. */
  readonly steps: ReadonlyMap<string, number>;
  readonly sequences: number;
  /** Null where all became what the model says: the sequences end with the first that did not. */
  readonly wrong: Wrong | null;
}

/** Plays sequences in the same books, one after the other. */
export async function play(base: Base, place: Place, dice: Dice, sequences: number): Promise<Played> {
  const player = new Player(base, place, dice);
  try {
    await player.begin();
    for (let at = 0; at < sequences && player.wrong === null; at += 1) await player.playOne(at, at === sequences - 1);
  } finally {
    await player.end();
  }
  return player;
}

class Player implements Played {
  readonly steps = new Map<string, number>();
  sequences = 0;
  wrong: Wrong | null = null;
  readonly #base: Base;
  readonly #place: Place;
  readonly #dice: Dice;
  readonly #model = new Model(PEOPLE);
  readonly #ways: Ways;
  /** What undoes a decision of the desk, as its answer says. */
  readonly #undoes = new Map<Taken, string>();
  #asked: Policy = this.#model.policy;
  /** What the sequence decides about. */
  #invoices: readonly string[] = [];
  #findings: readonly string[] = [];
  #receipts: readonly number[] = [];
  #taken: readonly Taken[] = [];

  constructor(base: Base, place: Place, dice: Dice) {
    this.#base = base;
    this.#place = place;
    this.#dice = dice;
    this.#ways = new Ways(base, place);
  }

  async begin(): Promise<void> {
    const { invoices, receipts, findings, numbers } = this.#model;
    for (const [invoice, open] of await this.#open()) invoices.set(invoice, { courier: courierOf(invoice), open });
    for (const { id, courier, currency, amount } of this.#base.receipts) {
      receipts.set(id, { courier, currency, left: unitsOf(amount) });
    }
    for (const { id, code, invoice_number, currency, effect, isClaimed } of this.#base.found) {
      findings.set(id, {
        invoice: `${invoice_number} ${currency}`,
        amount: effect === null ? null : -unitsOf(effect),
        isOfNet: code !== 'invoice-cod-total',
        isClaimed,
        status: isClaimed ? 'acknowledged' : 'open',
        decided: 0,
      });
    }
    for (const [courier, count] of Object.entries(this.#base.matches)) numbers.set(courier, count);
    this.#write();
    await this.#ways.open();
  }

  end(): Promise<void> {
    return this.#ways.close();
  }

  /**
   * A sequence about an invoice. At its end the open amounts are those of the model, and after the last one the
   * findings.
   */
  async playOne(sequence: number, isLast: boolean): Promise<void> {
    this.#ways.told = [];
    const { invoices, findings, taken } = this.#model;
    const number = (sequence % 2 === 0 ? 10_001 : 20_001) + Math.floor(sequence / 2);
    this.#invoices = [...invoices.keys()].filter((one) => one.startsWith(`${number} `));
    this.#findings = [...findings.keys()].filter((id) => this.#invoices.includes(findings.get(id)!.invoice));
    const before = taken.length;
    try {
      if (sequence === 0 || this.#dice.chance(0.4)) await this.#changePolicy();
      for (let left = this.#dice.int(6, 7); left > 0 && this.wrong === null; left -= 1) {
        const late = this.#base.receipts.flatMap((one) => (one.invoice === number ? one.id : []));
        const imported = [...this.#model.receipts.keys()].filter((id) => id > this.#base.receipts.at(-1)!.id);
        this.#receipts = [...late, ...imported.slice(-2)];
        this.#taken = taken.slice(before);
        await this.#step();
      }
      if (this.wrong === null) await this.#compareOpen();
      if (this.wrong === null && isLast) await this.#compareFindings();
    } catch (error) {
      this.#fail(`an error: ${error}`, 'an answer', 'none');
    }
    if (this.wrong !== null) this.wrong = { ...this.wrong, sequence };
    this.sequences += 1;
  }

  #step(): Promise<void> {
    const ways: [weight: number, () => Promise<void>][] = [
      [60, () => this.#decide(this.#someSettlement())],
      [14, () => this.#decide(this.#someMatch('difference'))],
      [14, () => this.#decide(this.#someMatch('rate'))],
      [28, () => this.#decide({ what: 'resolve', finding: this.#someFinding(), settle: this.#dice.chance(0.6) })],
      [16, () => this.#decide({ what: 'write-off', finding: this.#someFinding(true) })],
      [3, () => this.#decide({ what: 'resolution', finding: this.#someFinding() }, true)],
      [3, () => this.#decide(this.#someImport(), true)],
      [3, () => this.#decide({ what: 'close' }, true)],
      [8, () => this.#acknowledge()],
      [40, () => this.#verdict('approve')],
      [6, () => this.#verdict('refuse')],
      [24, () => this.#undo()],
      [4, () => this.#changePolicy()],
      [4, () => this.#changeRoles()],
      [5, () => this.#changeTokens()],
    ];
    const sum = ways.reduce((before, [weight]) => before + weight, 0);
    let at = this.#dice.int(1, sum);
    const chosen = ways.find(([weight]) => {
      at -= weight;
      return at <= 0;
    })!;
    return chosen[1]();
  }

  async #compareOpen(): Promise<void> {
    const open = await this.#open();
    for (const [invoice, { open: expected }] of this.#model.invoices) {
      const got = open.get(invoice) ?? 0n;
      if (got !== expected) return this.#fail(`what is open of ${invoice}`, textOf(expected), textOf(got));
    }
  }

  async #compareFindings(): Promise<void> {
    const listed = new Map((await this.#listed()).map(({ id, status }) => [id, status]));
    for (const [id, { status: expected }] of this.#model.findings) {
      const got = listed.get(id) ?? 'none';
      if (got !== expected) return this.#fail(`mismatch ${id}`, expected, got);
    }
  }

  /** What is open of each invoice. */
  async #open(): Promise<Map<string, bigint>> {
    type Report = { rows: { number: number | null; currency: string; open: string }[] };
    const { rows } = await this.#ways.read<Report>(['report', 'open-items']);
    const invoices = rows.filter(({ number }) => number !== null);
    return new Map(invoices.map(({ number, currency, open }) => [`${number} ${currency}`, unitsOf(open)]));
  }

  async #decide(act: Act | null, isOnLine = false): Promise<void> {
    if (act === null) return;
    const actor = this.#someActor(isOnLine);
    const expected = this.#model.ask(actor, act);
    const answer = await this.#ways.ask(actor, act);
    this.#note(act.what, actor, expected, answer.outcome, describe(act));
    if (this.wrong !== null) return;
    if (answer.outcome === 'waits') this.#model.propose(answer.id!, actor, act);
    if (answer.outcome !== 'done') return;
    await this.#follow(act, answer);
    await this.#checked(actor);
  }

  async #verdict(verb: 'approve' | 'refuse'): Promise<void> {
    const waiting = [...this.#model.proposals].filter(([, { status }]) => status === 'waiting');
    const all = this.#dice.chance(0.9) ? waiting.slice(-3) : [...this.#model.proposals];
    if (all.length === 0) return;
    const [id, proposal] = this.#dice.pick(all);
    await this.#judge(verb, id, this.#dice.chance(0.5) ? this.#someLike(proposal) : this.#someActor());
  }

  /** @returns the proposal that was made instead; null where none was */
  async #judge(verb: 'approve' | 'refuse', id: number, actor: Actor): Promise<number | null> {
    const proposal = this.#model.proposals.get(id)!;
    const { act } = proposal;
    const expected = verb === 'approve' ? this.#model.approve(actor, id) : this.#model.refuse(actor, id);
    const line = ['approvals', verb, String(id)];
    const answer = await this.#ways.order(actor, { line, address: `/approvals/${id}/${verb}`, body: {} });
    this.#note(verb, actor, expected, answer.outcome, `${id}: ${act.what}`);
    if (this.wrong !== null || verb === 'refuse') return null;
    if (answer.outcome === 'waits') this.#model.proposeAgain(answer.id!, actor, proposal);
    if (answer.outcome !== 'done') return answer.id ?? null;
    if (act.what === 'policy') await this.#see();
    else await this.#follow(act, answer);
    await this.#checked(actor);
    return null;
  }

  /** What comes after a decision that was done. */
  async #follow(act: Act, { settled = [], undo }: Answer): Promise<void> {
    // A close in force would keep others from being proposed.
    if (act.what === 'close') await this.#ways.read(['reopen', '2026-09', '--reason', 'x', '--by', 'rana']);
    const taken = this.#model.taken.at(-1)!;
    if (settled.length > 0 && settled[0]!.id !== taken.number) {
      this.#fail('the number of a settlement', String(taken.number), String(settled[0]!.id));
    }
    if (taken?.act === act && undo) this.#undoes.set(taken, undo.address);
  }

  async #acknowledge(): Promise<void> {
    const [finding, actor] = [this.#someFinding(), this.#someActor()];
    const expected = this.#model.acknowledge(actor, finding);
    const line = ['mismatch', 'ack', finding];
    const { outcome } = await this.#ways.order(actor, { line, address: '/mismatches/ack', body: { ids: [finding] } });
    this.#note('ack', actor, expected, outcome, finding);
  }

  async #undo(): Promise<void> {
    // Of a finding the last decision alone is undone.
    const all = this.#taken.filter(({ act }, at) =>
      this.#taken
        .slice(at + 1)
        .every(({ act: later }) => !('finding' in act && 'finding' in later) || act.finding !== later.finding),
    );
    if (all.length === 0) return;
    const inForce = all.filter(({ isUndone }) => !isUndone);
    const taken = this.#dice.pick(inForce.length > 0 && this.#dice.chance(0.85) ? inForce : all);
    const ways = this.#undoings(taken);
    if (ways.length === 0) return;
    const [what, order] = this.#dice.pick(ways);
    const actor = this.#someActor(order.address === undefined);
    const expected = this.#model.undo(actor, taken);
    const { outcome } = await this.#ways.order(actor, order);
    this.#note(what, actor, expected, outcome, describe(taken.act));
    if (outcome === 'done') await this.#checked(actor);
  }

  /** The desk checks the books after a decision, and what was found is another then: who may decide about it is not. */
  async #checked({ at }: Actor): Promise<void> {
    if (at === 'line' || this.wrong !== null) return;
    for (const { id, effect, status } of await this.#listed()) {
      const finding = this.#model.findings.get(id);
      if (finding === undefined) continue;
      finding.amount = effect === null ? null : -unitsOf(effect);
      finding.status = status;
    }
  }

  async #listed(): Promise<readonly Listed[]> {
    return (await this.#ways.read<{ mismatches: Listed[] }>(['mismatch', 'list', '--status', 'all'])).mismatches;
  }

  #undoings(taken: Taken): [what: string, order: Order][] {
    const { act, number, given, isUndone, invoice } = taken;
    const reason = { reason: 'x' };
    const line = (...argv: string[]) => [...argv, '--reason', 'x', '--courier', courierOf(invoice)];
    const address = this.#undoes.get(taken)?.replace('/api/v1', '');
    const atDesk = address ? { address, body: reason } : {};
    const ways: [string, Order][] = [];
    if ('receipt' in act) ways.push(['match remove', { line: line('match', 'remove', String(number)), ...atDesk }]);
    if (number !== null && act.what !== 'rate') {
      ways.push(['settle undo', { line: line('settle', 'undo', String(number)), ...atDesk }]);
    }
    if (!('finding' in act)) return ways;
    const { finding: id } = act;
    // One that nothing was given up of is in no list.
    if (given !== 0n) {
      const order = { line: line('settle', 'undo', id), address: `/settlements/${id}/undo`, body: reason };
      ways.push(['settle undo', order]);
    }
    if (!isUndone) {
      const body = { ids: [id], note: 'x' };
      const order = { line: ['mismatch', 'reopen', id, '--note', 'x'], address: '/mismatches/reopen', body };
      ways.push(['mismatch reopen', order]);
    }
    return ways;
  }

  async #changePolicy(): Promise<void> {
    this.#asked = this.#somePolicy();
    this.#write();
    const id = await this.#see();
    const actor = { at: 'line', name: 'lina', user: this.#place.users.at(-1)! } as const;
    if (id === null || !this.#dice.chance(0.8)) return;
    const asked = await this.#judge('approve', id, actor);
    if (asked !== null && this.#dice.chance(0.8)) await this.#judge('approve', asked, { ...actor, name: 'omar' });
  }

  async #changeRoles(): Promise<void> {
    this.#model.clerks = PEOPLE.filter(() => this.#dice.chance(0.75));
    this.#write();
  }

  async #changeTokens(): Promise<void> {
    const inForce = [...this.#model.tokens.values()].filter(({ isRevoked }) => !isRevoked);
    if (inForce.length > 2 || (inForce.length > 0 && this.#dice.chance(0.3))) {
      const token = this.#dice.pick(inForce);
      token.isRevoked = true;
      await this.#ways.read(['serve', 'token', 'revoke', token.name]);
      this.#ways.told.push(`token ${token.name} is revoked`);
      return;
    }
    const name = `ERP ${this.#model.tokens.size + 1}`;
    const role = this.#dice.chance(0.75) ? 'clerk' : 'reader';
    const maker = this.#dice.pick(PEOPLE);
    const argv = ['serve', 'token', '--role', role, '--name', name, '--by', maker];
    this.#ways.secrets.set(name, (await this.#ways.read<{ token: string }>(argv)).token);
    this.#model.tokens.set(name, { name, role, maker, isRevoked: false });
    this.#ways.told.push(`${maker} makes token ${name}, ${role}`);
  }

  /** Writes remit.toml, which the next command sees. */
  #write(): void {
    const { clerks } = this.#model;
    writeToml(this.#place.folder, this.#base, { approvals: tomlOf(this.#asked), clerks, readers: READERS });
    this.#ways.told.push(`remit.toml: clerks ${clerks.join(', ')}; ${tomlOf(this.#asked).replaceAll('\n', ' ')}`);
  }

  /** @returns the proposal of a looser policy; null where none was made */
  async #see(): Promise<number | null> {
    const [user = null] = this.#place.users;
    const change = this.#model.see(this.#asked);
    type Listed = { approvals: { id: number; what: string }[] };
    const { approvals } = await this.#ways.read<Listed>(['approvals', 'list', '--all'], user);
    const made = approvals.filter(({ id, what }) => what === 'policy' && !this.#model.proposals.has(id));
    const actor = { at: 'line', name: userInfo().username, user } as const;
    this.#note('policy', actor, change ? 'waits' : 'done', made.length > 0 ? 'waits' : 'done', 'remit.toml is seen');
    if (!change || made.length !== 1) return null;
    this.#model.proposeUnnamed(made[0]!.id, actor.name, user, change);
    return made[0]!.id;
  }

  #somePolicy(): Policy {
    const dice = this.#dice;
    const limits: Record<string, bigint> = {};
    if (dice.chance(0.9)) limits.USD = BigInt(dice.pick([5, 20, 40])) * UNIT;
    if (dice.chance(0.8)) limits.LBP = BigInt(dice.pick([100_000, 2_000_000])) * UNIT;
    return { limits, close: dice.chance(0.5), imports: dice.chance(0.5) };
  }

  #someActor(isOnLine = false): Actor {
    const dice = this.#dice;
    const tokens = [...this.#model.tokens.values()].slice(-4);
    if (!isOnLine && tokens.length > 0 && dice.chance(0.35)) return { at: 'program', token: dice.pick(tokens).name };
    if (!isOnLine && dice.chance(0.5)) {
      return { at: 'desk', name: dice.pick([...PEOPLE, ...PEOPLE, ...READERS, 'mallory']) };
    }
    return { at: 'line', name: dice.pick(NAMES), user: dice.pick(this.#place.users) };
  }

  /** Somebody who may be the one who proposed it: under a name of theirs, or as the same user of the database. */
  #someLike({ names, user }: Proposal): Actor {
    const dice = this.#dice;
    const name = dice.pick(names);
    if (user !== null && dice.chance(0.4)) return { at: 'line', name: dice.pick(NAMES), user };
    if (PEOPLE.includes(name) && dice.chance(0.4)) return { at: 'desk', name };
    return { at: 'line', name, user: dice.pick(this.#place.users) };
  }

  #someSettlement(): Act {
    const dice = this.#dice;
    // Slices of one invoice come up often.
    const begun = this.#invoices.filter(
      (one) => this.#model.givenOf(one) > 0n && this.#model.invoices.get(one)!.open > 0n,
    );
    const invoice = dice.pick(begun.length > 0 && dice.chance(0.7) ? begun : this.#invoices);
    const { open } = this.#model.invoices.get(invoice)!;
    const isDollars = invoice.endsWith('USD');
    const step = isDollars ? UNIT / 100n : 1_000n * UNIT;
    const limit = this.#model.policy.limits[isDollars ? 'USD' : 'LBP'];
    const left = limit === undefined ? open : limit - this.#model.givenOf(invoice);
    // What one person may take off, if it is no more than what is open.
    const most = left < open ? left : open;
    const small = BigInt(dice.int(1, 30)) * step;
    const amount = dice.pick([most, most - small, most + step, left + step, open, open + step]);
    return { what: 'settle', invoice, kind: dice.pick(KINDS), amount: amount > 0n ? amount : step };
  }

  #someMatch(what: 'difference' | 'rate'): Act | null {
    const dice = this.#dice;
    const fits = this.#receipts.filter(
      (id) => what === 'difference' || this.#model.receipts.get(id)!.currency === 'LBP',
    );
    if (fits.length === 0) return null;
    const receipt = dice.pick(fits);
    const { courier, currency } = this.#model.receipts.get(receipt)!;
    const wanted = what === 'rate' ? 'USD' : currency;
    const invoice = this.#invoices.find((one) => courierOf(one) === courier && one.endsWith(wanted));
    if (invoice === undefined) return null;
    if (what === 'rate') return { what, invoice, receipt, rate: dice.pick(RATES) };
    return { what, invoice, receipt, kind: dice.pick(DIFFERENCES) };
  }

  #someFinding(isClaimed = false): string {
    const claimed = this.#findings.filter((id) => this.#model.findings.get(id)!.isClaimed);
    return this.#dice.pick(isClaimed && this.#dice.chance(0.9) ? claimed : this.#findings);
  }

  #someImport(): Act {
    const [courier, currency] = [this.#dice.pick(['swift', 'cedar']), this.#dice.pick(['USD', 'LBP'])];
    const amount = currency === 'LBP' ? 900_000n * UNIT : BigInt(this.#dice.int(5, 30)) * UNIT + 1n;
    return { what: 'import', courier, currency, amount };
  }

  #note(what: string, actor: Actor, expected: Outcome, got: Outcome, about: string): void {
    const step = `${what} ${actor.at} ${got}`;
    this.steps.set(step, (this.steps.get(step) ?? 0) + 1);
    this.#ways.told.push(`${nameOf(actor)}: ${what} ${about}: ${got}`);
    if (expected !== got) this.#fail(`${nameOf(actor)}: ${what} ${about}`, expected, got);
  }

  #fail(step: string, expected: string, got: string): void {
    this.wrong ??= { sequence: 0, step, expected, got, told: this.#ways.told };
  }
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
