/** How decisions are asked for: at the command line, at a team's desk, and by a program's token. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Outcome as Printed } from '../../helpers/cli.ts';
import { type RunningDesk, startDesk } from '../../helpers/desk.ts';
import { BANK_HEAD, type Base, bankLine, NOW, ORIGIN, type Place, run, SECRET, typeResolved } from './books.ts';
import type { Act, Actor, Outcome } from './model.ts';

const UNIT = 10_000n;

interface Settled {
  readonly id: number;
}

/** What the books answered. */
export interface Answer {
  readonly outcome: Outcome;
  readonly id?: number;
  readonly settled?: readonly Settled[];
  readonly undo?: { readonly address: string } | null;
}

export interface Order {
  readonly line: readonly string[];
  /** Absent where the command line alone takes it. */
  readonly address?: string;
  readonly body?: object;
}

/** The ways into the books of a place. */
export class Ways {
  /** The tokens that were made, by name. */
  readonly secrets = new Map<string, string>();
  /** What the books said, in the story of the sequence. */
  told: string[] = [];
  readonly #base: Base;
  readonly #place: Place;
  #desk: RunningDesk | null = null;
  #sent = 0;

  constructor(base: Base, place: Place) {
    this.#base = base;
    this.#place = place;
  }

  async open(): Promise<void> {
    const argv = ['--public-origin', ORIGIN, '--auth-header', 'X-User', '--proxy-secret-file', 'secret'];
    this.#desk = await startDesk(argv, { cwd: this.#place.folder, env: this.#place.env, now: () => NOW });
  }

  async close(): Promise<void> {
    await this.#desk?.stop();
    await this.#place.end();
  }

  /** What a command that has to end well prints. */
  async read<T>(argv: readonly string[], user: string | null = null): Promise<T> {
    const printed = await run(this.#place.folder, [...argv, '--json'], this.#place.envOf(user));
    if (printed.stdout === '' || printed.code !== 0) throw new Error(`${argv.join(' ')}: ${printed.stderr}`);
    return JSON.parse(printed.stdout);
  }

  /** Asks for a decision. */
  async ask(actor: Actor, act: Act): Promise<Answer> {
    switch (act.what) {
      case 'close':
        return this.order(actor, { line: ['close', '2026-09', '--first', '--with-open', 'agreed'] });
      case 'import': {
        this.#sent += 1;
        const line = bankLine('2026-11-07', act.courier, act.currency, textOf(act.amount), `more ${this.#sent}`);
        writeFileSync(path.join(this.#place.folder, 'more.csv'), BANK_HEAD + line);
        return this.order(actor, { line: ['import', 'receipts', 'more.csv'] });
      }
      case 'resolution': {
        this.#sent += 1;
        const mark = this.#markOf(act.finding);
        const file = await typeResolved(this.#place.folder, mark, act.finding, `statement ${this.#sent}`);
        return this.order(actor, { line: ['import', 'resolutions', file] });
      }
      case 'write-off':
        return this.order(actor, {
          line: ['dispute', 'write-off', act.finding, '--reason', 'x'],
          address: '/claims/write-off',
          body: { ids: [act.finding], reason: 'x' },
        });
      case 'resolve':
        return this.order(actor, {
          line: ['mismatch', 'resolve', act.finding, '--note', 'x', ...(act.settle ? ['--settle'] : [])],
          address: '/mismatches/resolve',
          body: { ids: [act.finding], note: 'x', settle: act.settle },
        });
      default:
        return this.order(actor, orderOf(act));
    }
  }

  async order(actor: Actor, { line, address, body }: Order): Promise<Answer> {
    if (actor.at === 'line') {
      const argv = [...line, '--by', actor.name, '--json'];
      return this.#heard(await run(this.#place.folder, argv, this.#place.envOf(actor.user)), argv);
    }
    this.#sent += 1;
    const proxy = { host: 'desk.example.com', 'x-remit-proxy-secret': SECRET, 'content-type': 'application/json' };
    const who: Record<string, string> =
      actor.at === 'desk'
        ? { 'x-user': actor.name, origin: ORIGIN, 'sec-fetch-site': 'same-origin' }
        : { authorization: `Bearer ${this.secrets.get(actor.token)}`, 'idempotency-key': `k${this.#sent}` };
    const sent = { method: 'POST', headers: { ...proxy, ...who }, body: JSON.stringify(body) } as const;
    const { status, text } = await this.#desk!.send(`/api/v1${address}`, sent);
    if (status === 401 || status === 403) return { outcome: 'denied' };
    if (status === 409 || status === 422) {
      this.told.push(text);
      return { outcome: 'refused' };
    }
    if (status !== 200) throw new Error(`${address}: ${status} ${text}`);
    return answerOf(JSON.parse(text));
  }

  #heard({ code, stdout, stderr }: Printed, argv: readonly string[]): Answer {
    if (stderr !== '') this.told.push(stderr.trim());
    if (code === 2) return { outcome: 'refused' };
    if (stdout === '' || code > 2) throw new Error(`${argv.join(' ')}: ${code} ${stderr}`);
    const answer = answerOf(JSON.parse(stdout));
    return code === 1 ? { outcome: 'refused' } : answer;
  }

  #markOf(finding: string): string {
    const { invoice_number } = this.#base.found.find(({ id }) => id === finding)!;
    return this.#base.marks[courierOf(String(invoice_number))]!;
  }
}

/** What a command or the desk says of a decision. */
function answerOf(json: {
  readonly id?: number;
  readonly waiting?: boolean | readonly { readonly id: number }[];
  readonly settled?: readonly Settled[];
  readonly result?: { readonly settled?: readonly Settled[] };
  readonly changed?: number | readonly object[];
  readonly new?: number;
  readonly undo?: { readonly address: string } | null;
}): Answer {
  const { id, waiting, result, settled = result?.settled ?? [], changed, new: lines = 0, undo = null } = json;
  if (waiting === true) return { outcome: 'waits', id: id! };
  if (typeof waiting === 'object' && waiting.length > 0) return { outcome: 'waits', id: waiting[0]!.id };
  // A mismatch or a row that was left as it was.
  const isLeft = (changed === 0 && lines === 0) || (typeof changed === 'object' && changed.length === 0);
  return isLeft ? { outcome: 'refused' } : { outcome: 'done', settled, undo };
}

function orderOf(act: Extract<Act, { readonly what: 'settle' | 'difference' | 'rate' }>): Order {
  const [number = '', currency = ''] = act.invoice.split(' ');
  const invoices = [Number(number)];
  if (act.what === 'settle') {
    const amount = textOf(act.amount);
    return {
      line: ['settle', number, '--as', act.kind, '--currency', currency, '--amount', amount, '--note', 'x'],
      address: '/settlements',
      body: { invoices, as: act.kind, currency, amount, note: 'x' },
    };
  }
  const [flags, fields] =
    act.what === 'rate'
      ? [['--rate', String(act.rate), '--part'], { rate: String(act.rate), part: true }]
      : [['--difference', act.kind], { difference: act.kind }];
  return {
    line: ['match', 'add', String(act.receipt), number, '--note', 'x', ...flags],
    address: '/matches',
    body: { receipt: act.receipt, invoices, note: 'x', ...fields },
  };
}

export function courierOf(invoice: string): string {
  return Number.parseInt(invoice, 10) < 20_000 ? 'swift' : 'cedar';
}

export function unitsOf(text: string): bigint {
  const [whole = '', part = ''] = text.split('.');
  return BigInt(whole + part.padEnd(4, '0'));
}

export function textOf(units: bigint): string {
  return `${units / UNIT}.${String(units % UNIT).padStart(4, '0')}`;
}
