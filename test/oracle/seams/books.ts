import { dayAfter, daysBetween } from './days.ts';
import type { Fact, Line, ShownInvoice, Statement } from './facts.ts';
import { holdsAll } from './held.ts';

/** Days after an invoice in which an amount alone says that a receipt is for it. */
const MATCH_DAYS = 21;
const LAG_DAYS = 5;

/** What changes an invoice's balance, or what is unallocated (`invoice` null, negative where money came in). */
export interface Movement {
  readonly courier: string;
  readonly invoice: string | null;
  readonly receipt?: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly day: string;
  /** The fact that made it known, by its place. */
  readonly known: number;
  /** New settings made it known, no new evidence. */
  readonly bySettings?: boolean;
}

interface HeldInvoice {
  readonly courier: string;
  readonly id: string;
  readonly issued: string;
  readonly stated: Movement[];
  readonly owed: Map<string, bigint>;
  paid: boolean;
  readonly flags: Movement[];
}

/** A part of a receipt that an invoice got. */
interface Allocation {
  readonly receipt: string;
  readonly courier: string;
  readonly invoice: string;
  readonly currency: string;
  readonly amount: bigint;
  /** What was agreed on beside it, on the day of the decision. */
  readonly agreed: bigint;
  readonly known: number;
}

interface Settled {
  readonly id: string;
  readonly courier: string;
  readonly invoice: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly known: number;
}

interface HeldLine {
  readonly line: Line;
  readonly files: Set<string>;
  readonly known: number;
  /** The courier that it is from, and since which fact that is known. */
  courier: { readonly name: string; readonly known: number } | null;
}

interface OfInvoice {
  readonly courier: string;
  readonly invoice: string | null;
  readonly currency: string;
}

const isOfInvoice = (one: OfInvoice, other: OfInvoice) =>
  one.courier === other.courier && one.invoice === other.invoice && one.currency === other.currency;

const keyOf = (courier: string, id: string) => `${courier} ${id}`;

/**
 * The books after some facts, written from the design alone: what each invoice asks for, what came in for it, and what is left of either.
 */
export class Books {
  readonly #facts: readonly Fact[];
  readonly #invoices = new Map<string, HeldInvoice>();
  readonly #sheets = new Map<string, { courier: string; invoices: readonly ShownInvoice[] }>();
  readonly #lines = new Map<string, HeldLine>();
  readonly #statements = new Map<string, Statement>();
  readonly #payers = new Map<string, readonly string[]>();
  readonly #lags = new Map<string, number>();
  /** Receipts that a person took from an invoice: no rule gives them back to it. */
  readonly #taken = new Set<string>();
  #allocations: Allocation[] = [];
  #settled: Settled[] = [];

  constructor(facts: readonly Fact[]) {
    this.#facts = facts;
    for (const [at, fact] of facts.entries()) {
      this.#take(fact, at);
      this.#recognise(at);
      this.#match(at);
    }
  }

  /** All that moved, as known after the facts. */
  movements(): Movement[] {
    const movements: Movement[] = [];
    for (const invoice of this.#invoices.values()) {
      movements.push(...invoice.stated);
      for (const flag of invoice.flags) {
        if (this.#isByReceipts(invoice, flag.currency)) continue;
        // What was taken off it before, and still is, the flag has not paid.
        const before = this.#settled.filter((one) => isOfInvoice(one, flag) && one.known < flag.known);
        const settled = before.reduce((sum, { amount }) => sum + amount, 0n);
        movements.push({ ...flag, amount: flag.amount + settled });
      }
    }
    for (const { line, courier, known } of this.#lines.values()) {
      if (courier === null) continue;
      const { date: day, currency, amount, key: receipt } = line;
      const since = Math.max(known, courier.known);
      const bySettings = this.#facts[since]!.kind === 'payers';
      const own = { courier: courier.name, invoice: null, receipt, currency, amount: -amount };
      movements.push({ ...own, day, known: since, bySettings });
    }
    for (const { receipt, courier, invoice, currency, amount, agreed, known } of this.#allocations) {
      const { issued } = this.#invoices.get(keyOf(courier, invoice))!;
      const { date } = this.#lines.get(receipt)!.line;
      const day = date < issued ? issued : date;
      movements.push(
        { courier, invoice: null, receipt, currency, amount, day, known },
        { courier, invoice, currency, amount: -amount, day, known },
      );
      if (agreed !== 0n)
        movements.push({ courier, invoice, currency, amount: -agreed, day: this.#facts[known]!.day, known });
    }
    for (const { courier, invoice, currency, amount, known } of this.#settled) {
      movements.push({ courier, invoice, currency, amount: -amount, day: this.#facts[known]!.day, known });
    }
    return movements;
  }

  /** What invoices were made less by after they were first shown: a company says that it changes none, so it is asked for. */
  takenBack(courier: string, currency: string): bigint {
    return [...this.#invoices.values()]
      .filter((one) => one.courier === courier)
      .flatMap(({ stated }) => stated.filter(({ known }) => known !== stated[0]!.known))
      .filter((one) => one.currency === currency && one.amount < 0n)
      .reduce((sum, { amount }) => sum - amount, 0n);
  }

  /** What is open of an invoice, all that is known counted. */
  open(courier: string, invoice: string, currency: string): bigint {
    return this.movements()
      .filter((one) => isOfInvoice(one, { courier, invoice, currency }))
      .reduce((sum, { amount }) => sum + amount, 0n);
  }

  /** What receipts would have to bring, whatever the Paid flag says. */
  asked(courier: string, invoice: string, currency: string): bigint {
    const owed = this.#invoices.get(keyOf(courier, invoice))?.owed.get(currency) ?? 0n;
    const isOwn = (one: OfInvoice) => isOfInvoice(one, { courier, invoice, currency });
    const got = this.#allocations.filter(isOwn).reduce((sum, { amount, agreed }) => sum + amount + agreed, 0n);
    return owed - got - this.#settled.filter(isOwn).reduce((sum, { amount }) => sum + amount, 0n);
  }

  /** What no invoice got of a receipt. */
  left(receipt: string): bigint {
    const got = this.#allocations.filter((one) => one.receipt === receipt);
    return (this.#lines.get(receipt)?.line.amount ?? 0n) - got.reduce((sum, { amount }) => sum + amount, 0n);
  }

  courierOf(receipt: string): string | null {
    return this.#lines.get(receipt)?.courier?.name ?? null;
  }

  invoicesOf(courier: string): { id: string; issued: string; currencies: string[] }[] {
    return [...this.#invoices.values()]
      .filter((one) => one.courier === courier)
      .map(({ id, issued, owed }) => ({ id, issued, currencies: [...owed.keys()] }));
  }

  /** Receipts in force, and whether an invoice got any of each. */
  receipts(): { key: string; courier: string | null; currency: string; matched: boolean }[] {
    return [...this.#lines.values()].map(({ line: { key, currency }, courier }) => ({
      key,
      currency,
      courier: courier?.name ?? null,
      matched: this.#allocations.some((one) => one.receipt === key),
    }));
  }

  isSettled(id: string): boolean {
    return this.#settled.some((one) => one.id === id);
  }

  /** Whether a file is in force. */
  holdsFile(file: string): boolean {
    return this.#statements.has(file) || this.#sheets.has(file);
  }

  #take(fact: Fact, at: number): void {
    switch (fact.kind) {
      case 'list':
        for (const shown of fact.invoices) this.#show(fact.courier, shown, at);
        for (const held of this.#invoices.values()) {
          if (held.courier !== fact.courier || fact.invoices.some(({ id }) => id === held.id)) continue;
          for (const currency of held.owed.keys()) this.#owe(held, currency, 0n, at);
        }
        break;
      case 'sheet':
        this.#sheets.set(fact.file, fact);
        for (const shown of fact.invoices) this.#show(fact.courier, shown, at);
        break;
      case 'bank':
        this.#statements.set(fact.file, fact.statement);
        for (const line of fact.lines) {
          const held = this.#lines.get(line.key);
          if (held) held.files.add(fact.file);
          else this.#lines.set(line.key, { line, files: new Set([fact.file]), known: at, courier: null });
        }
        break;
      case 'undo':
        this.#undo(fact.file);
        break;
      case 'pays':
        this.#pay(fact.receipt, fact.invoices, fact.how, at);
        break;
      case 'unmatch':
        this.#allocations = this.#allocations.filter((one) => one.receipt !== fact.receipt);
        this.#taken.add(fact.receipt);
        break;
      case 'settle':
        this.#settled.push({ ...fact, known: at });
        break;
      case 'unsettle':
        this.#settled = this.#settled.filter(({ id }) => id !== fact.id);
        break;
      case 'payers':
        this.#payers.set(fact.courier, fact.payers);
        break;
      case 'lag':
        this.#lags.set(fact.courier, fact.days);
        break;
    }
  }

  #show(courier: string, { id, issued, nets, paid, paidOn }: ShownInvoice, at: number): void {
    const key = keyOf(courier, id);
    const held: HeldInvoice = this.#invoices.get(key) ?? {
      courier,
      id,
      issued,
      stated: [],
      owed: new Map(),
      paid: false,
      flags: [],
    };
    this.#invoices.set(key, held);
    for (const currency of new Set([...nets.keys(), ...held.owed.keys()])) {
      this.#owe(held, currency, nets.get(currency) ?? 0n, at);
    }
    if (!paid || held.paid) return;
    held.paid = true;
    const seen = this.#facts[at]!.day;
    const day = paidOn ?? (seen < issued ? issued : seen);
    for (const [currency, owed] of held.owed)
      held.flags.push({ courier, invoice: id, currency, amount: -owed, day, known: at });
  }

  /** What an invoice asks for counts from its day on; what changes it, from the day that showed the change. */
  #owe(held: HeldInvoice, currency: string, owes: bigint, at: number): void {
    const { courier, id: invoice, issued, owed, stated } = held;
    const [seen, before] = [this.#facts[at]!.day, owed.get(currency)];
    const isFirst = stated.every(({ known }) => known === at);
    owed.set(currency, owes);
    if (owes === (before ?? 0n)) return;
    const day = isFirst || seen < issued ? issued : seen;
    stated.push({ courier, invoice, currency, amount: owes - (before ?? 0n), day, known: at });
  }

  /** The books are as if the file had never come, but for what was matched since. */
  #undo(file: string): void {
    this.#statements.delete(file);
    for (const [key, { files }] of this.#lines) {
      files.delete(file);
      if (files.size > 0) continue;
      this.#lines.delete(key);
      this.#taken.delete(key);
      this.#allocations = this.#allocations.filter(({ receipt }) => receipt !== key);
    }
  }

  #pay(receipt: string, invoices: readonly string[], how: 'rest' | 'part', at: number): void {
    const { line, courier } = this.#lines.get(receipt)!;
    const { currency } = line;
    const own = invoices
      .map((id) => this.#invoices.get(keyOf(courier!.name, id))!)
      .sort((a, b) => (a.issued < b.issued ? -1 : 1));
    for (const { courier: name, id: invoice } of own) {
      const [left, asked] = [this.left(receipt), this.asked(name, invoice, currency)];
      const amount = how === 'part' && asked < left ? asked : left;
      if (amount <= 0n) continue;
      const agreed = how === 'part' ? 0n : asked - amount;
      this.#allocations.push({ receipt, courier: name, invoice, currency, amount, agreed, known: at });
    }
  }

  /** A line is the courier's whose payers its text names, else the one of which it names an invoice. */
  #recognise(at: number): void {
    for (const held of this.#lines.values()) {
      const { payer, names } = held.line;
      const paying = [...this.#payers].filter(([, payers]) => payers.includes(payer)).map(([name]) => name);
      const naming = [...this.#invoices.values()].filter(({ id }) => names.includes(id)).map(({ courier }) => courier);
      const [name, ...others] = new Set(paying.length > 0 ? paying : naming);
      const is = name !== undefined && others.length === 0 ? name : null;
      if (is !== (held.courier?.name ?? null)) held.courier = is === null ? null : { name: is, known: at };
    }
  }

  #match(at: number): void {
    for (const { line, courier } of this.#lines.values()) {
      const { key: receipt, currency, amount, names } = line;
      const left = this.left(receipt);
      if (courier === null || amount <= 0n || left === 0n || this.#taken.has(receipt)) continue;
      const pay = (invoice: string, part: bigint) =>
        this.#allocations.push({
          receipt,
          courier: courier.name,
          invoice,
          currency,
          amount: part,
          agreed: 0n,
          known: at,
        });
      if (names.length === 1) {
        const named = this.#invoices.get(keyOf(courier.name, names[0]!));
        if (named?.owed.has(currency)) pay(named.id, left);
        continue;
      }
      if (names.length > 1 || left !== amount) continue;
      const ways = this.#setsOf(courier.name, line);
      if (ways.length === 1) for (const id of ways[0]!) pay(id, this.asked(courier.name, id, currency));
    }
  }

  /** Sets of invoices that an amount pays exactly: one alone that was issued lately, else several, whenever they were, and what was paid too much taken off. */
  #setsOf(courier: string, { date, currency, amount }: Line): string[][] {
    const open = [...this.#invoices.values()]
      .filter((one) => one.courier === courier && one.owed.has(currency) && one.issued <= date)
      .map(({ id, issued }) => ({ id, issued, asked: this.asked(courier, id, currency) }))
      .filter(({ asked }) => asked !== 0n);
    const one = open.filter(({ issued, asked }) => asked === amount && daysBetween(issued, date) <= MATCH_DAYS);
    if (one.length > 0) return one.map(({ id }) => [id]);
    const sets: string[][] = [];
    for (let mask = 1; mask < 1 << open.length; mask += 1) {
      const chosen = open.filter((_, index) => (mask >> index) & 1);
      if (chosen.length > 1 && chosen.reduce((sum, { asked }) => sum + asked, 0n) === amount)
        sets.push(chosen.map(({ id }) => id));
    }
    return sets;
  }

  /** Receipts settle an invoice where one is matched with it, or where files of an account into which its courier pays hold its window. */
  #isByReceipts({ courier, id, issued }: HeldInvoice, currency: string): boolean {
    if (this.#allocations.some((one) => isOfInvoice(one, { courier, invoice: id, currency }))) return true;
    const until = dayAfter(issued, this.#lags.get(courier) ?? LAG_DAYS);
    return [...this.#payingAccounts(courier, currency)].some((account) =>
      holdsAll(
        [...this.#statements.values()].filter((one) => one.account === account && one.currency === currency),
        issued,
        until,
      ),
    );
  }

  #payingAccounts(courier: string, currency: string): Set<string> {
    const lines = [...this.#lines.values()].filter(
      (one) => one.courier?.name === courier && one.line.currency === currency,
    );
    return new Set(lines.map(({ line }) => line.account));
  }
}
