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

/**
 * Somebody at the command line, whose user of the database is known on a server; at a team's desk; or a program with a
 * token.
 */
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
  | { readonly what: 'resolve'; readonly finding: string; readonly settle: boolean }
  /** What is typed into a statement and taken back. */
  | { readonly what: 'resolution'; readonly finding: string }
  | { readonly what: 'write-off'; readonly finding: string }
  | { readonly what: 'close' }
  | { readonly what: 'import'; readonly courier: string; readonly currency: string; readonly amount: bigint };

/** What takes money off an invoice, or gives it up. */
type Taking = Exclude<Act, { readonly what: 'close' | 'import' }>;

/** An invoice in one currency is named `10001 USD`. */
export interface Invoice {
  readonly courier: string;
  open: bigint;
}

export interface Receipt {
  readonly courier: string;
  readonly currency: string;
  left: bigint;
}

export interface Finding {
  readonly invoice: string;
  /** What its invoice is short; null where it says no such thing. */
  amount: bigint | null;
  /** Whether that is a part of the net that the invoice states, of which alone something is open. */
  readonly isOfNet: boolean;
  readonly isClaimed: boolean;
  status: 'open' | 'acknowledged' | 'resolved';
  /** How often people decided about it. */
  decided: number;
}

/** What was decided about an invoice, in force until it is undone. */
export interface Taken {
  readonly act: Taking;
  readonly invoice: string;
  /** What was given up without a receipt. */
  readonly given: bigint;
  /** What is open no more. */
  readonly off: bigint;
  /** What the receipt paid with it. */
  readonly paid: bigint;
  /** The number of the settlement or match, of its courier's; null where nothing came off. */
  readonly number: number | null;
  isUndone: boolean;
}

export interface Proposal {
  readonly act: Act | { readonly what: 'policy'; readonly old: Policy; readonly asked: Policy };
  readonly names: readonly string[];
  readonly user: string | null;
  /** What it was to do. */
  readonly does: string;
  /** Nobody was named when remit.toml was seen: the first person who approves it asks for it, and another approves. */
  readonly isUnnamed?: true;
  status: 'waiting' | 'approved' | 'refused';
}

/** LBP for a dollar. */
const RATE = 90_000n;

export class Model {
  policy: Policy = { limits: {}, close: false, imports: false };
  clerks: readonly string[];
  readonly invoices = new Map<string, Invoice>();
  readonly receipts = new Map<number, Receipt>();
  readonly findings = new Map<string, Finding>();
  readonly tokens = new Map<string, Token>();
  readonly proposals = new Map<number, Proposal>();
  readonly taken: Taken[] = [];
  /** The last number of each courier's settlements and matches. */
  readonly numbers = new Map<string, number>();

  constructor(clerks: readonly string[]) {
    this.clerks = clerks;
  }

  /** What becomes of a decision that somebody asks for; what it does is done to the model. */
  ask(actor: Actor, act: Act): Outcome {
    if (!this.#mayDecide(actor)) return 'denied';
    if (!this.#isPossible(act) || this.#isOvertaken(act)) return 'refused';
    if (this.#needsSecond(act)) return 'waits';
    this.#do(act);
    return 'done';
  }

  /** A proposal that was made, under the id that it got. */
  propose(id: number, actor: Actor, act: Act): void {
    const user = actor.at === 'line' ? actor.user : null;
    const does = this.#describe(act);
    this.proposals.set(id, { act, names: this.#namesOf(actor), user, does, status: 'waiting' });
  }

  approve(actor: Actor, id: number): Outcome {
    if (actor.at === 'program' || !this.#mayDecide(actor)) return 'denied';
    const proposal = this.proposals.get(id)!;
    if (proposal.status !== 'waiting' || this.#isSame(proposal, actor)) return 'refused';
    const { act, does } = proposal;
    if (act.what === 'policy') {
      if (!isEqual(act.old, this.policy)) return 'refused';
      const areTwoUsers = proposal.user !== null && actor.at === 'line' && actor.user !== null;
      if (proposal.isUnnamed && !areTwoUsers) {
        proposal.status = 'refused';
        return 'waits';
      }
      this.policy = act.asked;
    } else {
      if (!this.#isPossible(act) || this.#describe(act) !== does) return 'refused';
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

  /** Anybody who decides may undo what anybody decided. */
  undo(actor: Actor, taken: Taken): Outcome {
    if (!this.#mayDecide(actor)) return 'denied';
    if (taken.isUndone) return 'refused';
    taken.isUndone = true;
    this.invoices.get(taken.invoice)!.open += taken.off;
    const { act } = taken;
    if ('receipt' in act) this.receipts.get(act.receipt)!.left += taken.paid;
    if ('finding' in act) this.#move(act.finding, 'open');
    return 'done';
  }

  /** To say that one knows of it gives nothing up. */
  acknowledge(actor: Actor, id: string): Outcome {
    if (!this.#mayDecide(actor)) return 'denied';
    if (this.findings.get(id)!.status !== 'open') return 'refused';
    this.#move(id, 'acknowledged');
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

  /** The proposal of a policy by a command that names nobody, run as this user. */
  proposeUnnamed(id: number, name: string, user: string | null, change: { old: Policy; asked: Policy }): void {
    const act = { what: 'policy', ...change } as const;
    this.proposals.set(id, { act, names: [name], user, does: '', isUnnamed: true, status: 'waiting' });
  }

  /** Who approved such a proposal first proposes it. */
  proposeAgain(id: number, actor: Actor, { act }: Proposal): void {
    const user = actor.at === 'line' ? actor.user : null;
    this.proposals.set(id, { act, names: this.#namesOf(actor), user, does: '', status: 'waiting' });
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
    if ('finding' in act) {
      const { status, isClaimed, invoice, amount, isOfNet } = this.findings.get(act.finding)!;
      if (status === 'resolved' || (act.what === 'write-off' && !isClaimed)) return false;
      // No more is given up than is open.
      return !isOfNet || this.#effectOf(act).off > 0n || (amount ?? 0n) <= this.invoices.get(invoice)!.open;
    }
    const { open } = this.invoices.get(act.invoice)!;
    if (act.what === 'settle') return act.amount > 0n && act.amount <= open;
    const receipt = this.receipts.get(act.receipt);
    if (!receipt || receipt.left === 0n) return false;
    // A receipt of more than is open leaves a difference the other way.
    return act.what === 'difference' ? open !== receipt.left : open > receipt.left / act.rate;
  }

  /** A newer decision than the statement's is left. */
  #isOvertaken(act: Act): boolean {
    return act.what === 'resolution' && this.findings.get(act.finding)!.decided > 0;
  }

  /** What is owed to us and what we owe count apart, and whatever is given up of an invoice counts together. */
  #needsSecond(act: Act): boolean {
    if (act.what === 'close') return this.policy.close;
    if (act.what === 'import') return this.policy.imports;
    const { invoice, given } = this.#effectOf(act);
    const limit = this.policy.limits[invoice.split(' ')[1]!];
    if (given === 0n || limit === undefined) return false;
    const sum = this.givenOf(invoice, given > 0n) + given;
    return (sum < 0n ? -sum : sum) > limit;
  }

  givenOf(invoice: string, isToUs = true): bigint {
    return this.taken
      .filter((one) => !one.isUndone && one.invoice === invoice && one.given > 0n === isToUs)
      .reduce((sum, { given }) => sum + given, 0n);
  }

  #effectOf(act: Taking): Pick<Taken, 'invoice' | 'given' | 'off' | 'paid'> {
    if ('finding' in act) {
      const { invoice, amount, isOfNet } = this.findings.get(act.finding)!;
      const { open } = this.invoices.get(invoice)!;
      const isOff = act.what === 'write-off' || (act.what === 'resolve' && act.settle);
      const off = isOff && isOfNet && open > 0n ? least(amount ?? open, open) : 0n;
      return { invoice, given: off > 0n ? off : (amount ?? 0n), off, paid: 0n };
    }
    const { invoice } = act;
    if (act.what === 'settle') return { invoice, given: act.amount, off: act.amount, paid: 0n };
    const { left } = this.receipts.get(act.receipt)!;
    const { open } = this.invoices.get(invoice)!;
    if (act.what === 'difference') return { invoice, given: open - left, off: open, paid: left };
    const beyond = left / act.rate - left / RATE;
    return { invoice, given: beyond > 0n ? beyond : 0n, off: left / act.rate, paid: left };
  }

  /** What it does, and the open amount that it is made on. */
  #describe(act: Act): string {
    if (act.what === 'close' || act.what === 'import' || !this.#isPossible(act)) return '';
    const { invoice, given, off, paid } = this.#effectOf(act);
    const about = 'finding' in act ? this.findings.get(act.finding)!.status : '';
    const isOfOpen = 'finding' in act && given !== 0n && this.findings.get(act.finding)!.isOfNet;
    return [given, off, paid, off === 0n && !isOfOpen ? '' : this.invoices.get(invoice)!.open, about].join(' ');
  }

  #do(act: Act): void {
    if (act.what === 'close') return;
    if (act.what === 'import') {
      const id = Math.max(0, ...this.receipts.keys()) + 1;
      this.receipts.set(id, { courier: act.courier, currency: act.currency, left: act.amount });
      return;
    }
    const effect = this.#effectOf(act);
    const invoice = this.invoices.get(effect.invoice)!;
    const number = 'finding' in act && effect.off === 0n ? null : this.numbers.get(invoice.courier)! + 1;
    if (number !== null) this.numbers.set(invoice.courier, number);
    this.taken.push({ act, ...effect, number, isUndone: false });
    invoice.open -= effect.off;
    if ('receipt' in act) this.receipts.get(act.receipt)!.left = 0n;
    if ('finding' in act) this.#move(act.finding, 'resolved');
  }

  #move(id: string, status: Finding['status']): void {
    const finding = this.findings.get(id)!;
    finding.status = status;
    finding.decided += 1;
  }
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
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
