/** Who may do what, as the contract says it: it shares no code with the product. Money is in 1/10,000 of a unit. */

export type Outcome =
  /** It is done. */
  | 'done'
  /** It is kept, and changes nothing until a second person approves it. */
  | 'waits'
  /** The books do not allow it, whoever asks. */
  | 'refused'
  /** This person or program may not ask for it. */
  | 'denied';

/** Somebody at the command line, whose user of the database is known on a server; at a team's desk; or a program with a token. */
export type Actor =
  | { readonly at: 'line'; readonly name: string; readonly user: string | null }
  | { readonly at: 'desk'; readonly name: string }
  | { readonly at: 'program'; readonly token: string };

export interface Policy {
  readonly limits: Readonly<Record<string, bigint>>;
  readonly close: boolean;
  readonly imports: boolean;
}

export interface Token {
  readonly name: string;
  readonly role: 'clerk' | 'reader';
  readonly maker: string;
  isRevoked: boolean;
}

export type Act =
  | { readonly what: 'settle'; readonly invoice: string; readonly kind: string; readonly amount: bigint }
  | { readonly what: 'difference'; readonly invoice: string; readonly kind: string; readonly receipt: number }
  | { readonly what: 'rate'; readonly invoice: string; readonly receipt: number; readonly rate: bigint }
  | { readonly what: 'close' }
  | { readonly what: 'import'; readonly courier: string; readonly currency: string; readonly amount: bigint };

interface Invoice {
  open: bigint;
  /** What people took off it without a receipt, or by a rate beyond the imported one. */
  taken: bigint;
}

interface Settled {
  readonly invoice: string;
  readonly amount: bigint;
  isUndone: boolean;
}

interface Receipt {
  readonly courier: string;
  readonly currency: string;
  left: bigint;
}

interface Proposal {
  readonly act: Act | { readonly what: 'policy'; readonly old: Policy; readonly asked: Policy };
  readonly names: readonly string[];
  readonly user: string | null;
  /** The open amount that it was made on. */
  readonly open: bigint | null;
  /** How much had been decided by then. */
  readonly made: number;
  status: 'waiting' | 'approved' | 'refused';
}

/** LBP for a dollar. */
const RATE = 90_000n;

export class Model {
  policy: Policy;
  clerks: readonly string[];
  readonly readers: readonly string[];
  readonly invoices = new Map<string, Invoice>();
  readonly receipts = new Map<number, Receipt>();
  readonly tokens = new Map<string, Token>();
  readonly proposals = new Map<number, Proposal>();
  /** By courier and number: each courier's are numbered for themselves. */
  readonly settled = new Map<string, Settled>();
  /** What was decided: a proposal of a close rests on all of it. */
  decided = 0;

  constructor(policy: Policy, people: { readonly clerks: readonly string[]; readonly readers: readonly string[] }) {
    this.policy = policy;
    this.clerks = people.clerks;
    this.readers = people.readers;
  }

  /** What becomes of a decision that somebody asks for; what it does is done to the model. */
  ask(actor: Actor, act: Act): Outcome {
    if (!this.#mayDecide(actor)) return 'denied';
    if (!this.#isPossible(act)) return 'refused';
    if (this.#needsSecond(act)) return 'waits';
    this.#do(act);
    return 'done';
  }

  /** A proposal that was made, under the id that it got. */
  propose(id: number, actor: Actor, act: Act): void {
    const open = 'invoice' in act ? this.invoices.get(act.invoice)!.open : null;
    const names = this.#namesOf(actor);
    const user = actor.at === 'line' ? actor.user : null;
    this.proposals.set(id, { act, names, user, open, made: this.decided, status: 'waiting' });
  }

  /** What becomes of an approval; null where the contract leaves it open. */
  approve(actor: Actor, id: number): Outcome | null {
    if (actor.at === 'program' || !this.#mayDecide(actor)) return 'denied';
    const proposal = this.proposals.get(id)!;
    if (proposal.status !== 'waiting' || this.#isSame(proposal, actor)) return 'refused';
    const { act, open, made } = proposal;
    if (act.what === 'close' && made !== this.decided) return null;
    if (act.what === 'policy') {
      if (!isEqual(act.old, this.policy)) return 'refused';
      this.policy = act.asked;
    } else {
      if (!this.#isPossible(act)) return 'refused';
      if ('invoice' in act && this.invoices.get(act.invoice)!.open !== open) return 'refused';
      this.#do(act);
    }
    proposal.status = 'approved';
    return 'done';
  }

  /** Anybody who decides may refuse a proposal, who made it too. */
  refuse(actor: Actor, id: number): Outcome {
    if (actor.at === 'program' || !this.#mayDecide(actor)) return 'denied';
    const proposal = this.proposals.get(id)!;
    if (proposal.status !== 'waiting') return 'refused';
    proposal.status = 'refused';
    return 'done';
  }

  undo(actor: Actor, id: string): Outcome {
    if (!this.#mayDecide(actor)) return 'denied';
    const settled = this.settled.get(id)!;
    if (settled.isUndone) return 'refused';
    settled.isUndone = true;
    const invoice = this.invoices.get(settled.invoice)!;
    invoice.open += settled.amount;
    invoice.taken -= settled.amount;
    this.decided += 1;
    return 'done';
  }

  /**
   * A command sees what remit.toml asks for: the tighter of each value holds at once.
   *
   * @returns the proposal of what is looser; null where nothing is, or it was proposed before
   */
  see(asked: Policy): { readonly old: Policy; readonly asked: Policy } | null {
    const limits = { ...asked.limits };
    for (const [code, most] of Object.entries(this.policy.limits)) {
      const other = limits[code];
      if (other === undefined || other > most) limits[code] = most;
    }
    const { close, imports } = this.policy;
    this.policy = { limits, close: close || asked.close, imports: imports || asked.imports };
    if (isEqual(this.policy, asked)) return null;
    const old = this.policy;
    const isKnown = [...this.proposals.values()].some(
      ({ act, status }) =>
        act.what === 'policy' && status !== 'approved' && isEqual(act.old, old) && isEqual(act.asked, asked),
    );
    return isKnown ? null : { old, asked };
  }

  proposePolicy(
    id: number,
    names: readonly string[],
    user: string | null,
    change: { old: Policy; asked: Policy },
  ): void {
    const act = { what: 'policy', ...change } as const;
    this.proposals.set(id, { act, names, user, open: null, made: this.decided, status: 'waiting' });
  }

  #mayDecide(actor: Actor): boolean {
    if (actor.at === 'line') return true;
    if (actor.at === 'desk') return this.clerks.includes(actor.name);
    const token = this.tokens.get(actor.token)!;
    return !token.isRevoked && token.role === 'clerk';
  }

  /** A token is its maker. */
  #namesOf(actor: Actor): string[] {
    const name = actor.at === 'program' ? actor.token : actor.name;
    const makers = [...this.tokens.values()].filter((token) => isSameName(token.name, name));
    return [name, ...makers.map(({ maker }) => maker)];
  }

  #isSame({ names, user }: Proposal, actor: Actor): boolean {
    if (actor.at === 'line' && actor.user !== null && actor.user === user) return true;
    return names.some((one) => this.#namesOf(actor).some((other) => isSameName(one, other)));
  }

  #isPossible(act: Act): boolean {
    if (act.what === 'close' || act.what === 'import') return true;
    const { open } = this.invoices.get(act.invoice)!;
    if (act.what === 'settle') return act.amount > 0n && act.amount <= open;
    const receipt = this.receipts.get(act.receipt);
    if (!receipt || receipt.left === 0n) return false;
    // A receipt of more than is open leaves a difference the other way.
    return act.what === 'difference' ? open !== receipt.left : open > paidBy(receipt, act.rate);
  }

  #needsSecond(act: Act): boolean {
    if (act.what === 'close') return this.policy.close;
    if (act.what === 'import') return this.policy.imports;
    const taken = this.#takenBy(act);
    const limit = this.policy.limits[act.invoice.split(' ')[1]!];
    const sum = this.invoices.get(act.invoice)!.taken + taken;
    return taken !== 0n && limit !== undefined && (sum < 0n ? -sum : sum) > limit;
  }

  /** What it takes off the invoice beyond what came in. */
  #takenBy(act: Extract<Act, { readonly invoice: string }>): bigint {
    if (act.what === 'settle') return act.amount;
    const receipt = this.receipts.get(act.receipt)!;
    if (act.what === 'difference') return this.invoices.get(act.invoice)!.open - receipt.left;
    const beyond = paidBy(receipt, act.rate) - paidBy(receipt, RATE);
    return beyond > 0n ? beyond : 0n;
  }

  #do(act: Act): void {
    this.decided += 1;
    if (act.what === 'close') return;
    if (act.what === 'import') {
      const id = Math.max(0, ...this.receipts.keys()) + 1;
      this.receipts.set(id, { courier: act.courier, currency: act.currency, left: act.amount });
      return;
    }
    const invoice = this.invoices.get(act.invoice)!;
    invoice.taken += this.#takenBy(act);
    if (act.what === 'settle') {
      this.#unnamed = { invoice: act.invoice, amount: act.amount, isUndone: false };
      invoice.open -= act.amount;
      return;
    }
    const receipt = this.receipts.get(act.receipt)!;
    invoice.open = act.what === 'difference' ? 0n : invoice.open - paidBy(receipt, act.rate);
    receipt.left = 0n;
  }

  #unnamed: Settled | null = null;
  /** The settlement that was made last gets its id. */
  name(id: string): void {
    if (this.#unnamed) this.settled.set(id, this.#unnamed);
    this.#unnamed = null;
  }
}

function paidBy(receipt: Receipt, rate: bigint): bigint {
  return receipt.left / rate;
}

function isSameName(one: string, other: string): boolean {
  const plain = (name: string) => name.normalize('NFKC').replaceAll('\u200d', '').trim().toLowerCase();
  return plain(one) === plain(other);
}

function isEqual(one: Policy, other: Policy): boolean {
  const text = ({ limits, close, imports }: Policy) =>
    JSON.stringify([
      Object.entries(limits)
        .map(([code, most]) => `${code} ${most}`)
        .sort(),
      close,
      imports,
    ]);
  return text(one) === text(other);
}
