import { dayAfter, daysBetween } from './days.ts';
import type { Fact, Line, ShownInvoice, Statement } from './facts.ts';
import { holdsAll } from './held.ts';

/** Days after an invoice in which an amount alone says that a receipt is for it. */
const MATCH_DAYS = 21;
const LAG_DAYS = 5;
const DECIDED: readonly Fact['kind'][] = ['settle', 'unsettle', 'pays', 'unmatch', 'reopen'];

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

interface OpenInvoice {
  readonly id: string;
  readonly issued: string;
  readonly asked: bigint;
  /** A receipt has paid some of it. */
  readonly isBegun: boolean;
}

/** One receipt that pays invoices, or several that pay one. */
interface Way {
  readonly receipts: readonly string[];
  readonly invoices: readonly string[];
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
 * The books after some facts, written from the design alone: what each invoice asks for, what came in for it, and what
 * is left of either.
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
      // What a person decided is matched with what is left only when the books are looked at again.
      if (!DECIDED.includes(fact.kind)) this.#match(at);
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

  /**
   * What invoices were made less by after they were first shown: a company says that it changes none, so it is asked
   * for.
   */
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

  /** The rules in their order, over all receipts of a courier and currency, from the first again whenever one books. */
  #match(at: number): void {
    const kinds = new Map<string, [courier: string, currency: string]>();
    for (const { line, courier } of this.#lines.values()) {
      if (courier) kinds.set(keyOf(courier.name, line.currency), [courier.name, line.currency]);
    }
    for (const [courier, currency] of kinds.values()) {
      let books: boolean;
      do {
        const unclear = new Set<string>();
        const free = () => this.#freeOf(courier, currency).filter(({ key }) => !unclear.has(key));
        const rules: (() => Way[])[] = [
          () => free().flatMap((line) => this.#named(courier, line, true)),
          () => clearOf(this.#byAmount(courier, free(), alone), unclear),
          () => clearOf(this.#byAmount(courier, free(), together), unclear),
          () => clearOf(this.#partsOf(courier, currency, free()), unclear),
          () => free().flatMap((line) => this.#named(courier, line, false)),
        ];
        books = rules.some((rule) => {
          const ways = rule();
          for (const way of ways) this.#allocate(courier, currency, way, at);
          return ways.length > 0;
        });
      } while (books);
    }
  }

  /** Receipts of which something is left that rules may give away, by date. */
  #freeOf(courier: string, currency: string): Line[] {
    return [...this.#lines.values()]
      .filter((one) => one.courier?.name === courier && one.line.currency === currency)
      .map(({ line }) => line)
      .filter(({ key }) => this.left(key) > 0n && !this.#taken.has(key))
      .sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0));
  }

  #openOf(courier: string, currency: string): OpenInvoice[] {
    return [...this.#invoices.values()]
      .filter((one) => one.courier === courier && one.owed.has(currency))
      .map(({ id, issued }) => {
        const isBegun = this.#allocations.some((one) => isOfInvoice(one, { courier, invoice: id, currency }));
        return { id, issued, asked: this.asked(courier, id, currency), isBegun };
      })
      .filter(({ asked }) => asked !== 0n);
  }

  /** A receipt that names an invoice pays it: as a first rule what it asks for, as a last one whatever it asks for. */
  #named(courier: string, { key, currency, names }: Line, isExact: boolean): Way[] {
    const [name, ...others] = names;
    if (name === undefined || others.length > 0) return [];
    if (!this.#invoices.get(keyOf(courier, name))?.owed.has(currency)) return [];
    if (isExact && this.asked(courier, name, currency) !== this.left(key)) return [];
    return [{ receipts: [key], invoices: [name] }];
  }

  /** Where a receipt names an invoice, a set that holds it and others is a second way besides the name. */
  #byAmount(courier: string, receipts: readonly Line[], setsOf: typeof alone): Way[] {
    return receipts.flatMap((line) => {
      const open = this.#openOf(courier, line.currency).filter(({ issued }) => issued <= line.date);
      const [name] = line.names;
      const sets = setsOf(open, line, this.left(line.key)).filter(
        (set) => name === undefined || set.every(({ id, isBegun }) => id === name || !isBegun),
      );
      const fits = sets.filter((set) => name === undefined || set.some(({ id }) => id === name));
      const ways = fits.map((set) => ({ receipts: [line.key], invoices: set.map(({ id }) => id) }));
      return name === undefined || ways.length === 0 ? ways : [...ways, { receipts: [line.key], invoices: [name] }];
    });
  }

  /** Two to twelve receipts that together are what one invoice asks for. */
  #partsOf(courier: string, currency: string, receipts: readonly Line[]): Way[] {
    return this.#openOf(courier, currency).flatMap(({ id, issued, asked }) => {
      const parts = receipts.filter(({ date, names: [name] }) =>
        name === undefined ? issued <= date && daysBetween(issued, date) <= MATCH_DAYS : name === id,
      );
      return setsThatSum(parts, asked, ({ key }) => this.left(key))
        .filter(({ length }) => length <= 12)
        .map((set) => ({ receipts: set.map(({ key }) => key), invoices: [id] }));
    });
  }

  #allocate(courier: string, currency: string, { receipts, invoices }: Way, at: number): void {
    for (const receipt of receipts) {
      for (const invoice of invoices) {
        const amount = invoices.length > 1 ? this.asked(courier, invoice, currency) : this.left(receipt);
        this.#allocations.push({ receipt, courier, invoice, currency, amount, agreed: 0n, known: at });
      }
    }
  }

  /**
   * Receipts settle an invoice where one is matched with it, or where files of an account into which its courier pays
   * hold its window.
   */
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

/** An invoice that was issued lately and asks for just this amount; a name says more than an amount. */
function alone(open: readonly OpenInvoice[], { date, names }: Line, amount: bigint): OpenInvoice[][] {
  if (names.length > 0) return [];
  return open
    .filter(({ issued, asked }) => asked === amount && daysBetween(issued, date) <= MATCH_DAYS)
    .map((invoice) => [invoice]);
}

/** Invoices, whenever they were issued, that together ask for this amount; what was paid too much is taken off. */
function together(open: readonly OpenInvoice[], _: Line, amount: bigint): OpenInvoice[][] {
  return setsThatSum(open, amount, ({ asked }) => asked);
}

/** Sets of two or more. */
function setsThatSum<T>(all: readonly T[], amount: bigint, amountOf: (one: T) => bigint): T[][] {
  const sets: T[][] = [];
  for (let mask = 1; mask < 1 << all.length; mask += 1) {
    const chosen = all.filter((_, index) => (mask >> index) & 1);
    if (chosen.length > 1 && chosen.reduce((sum, one) => sum + amountOf(one), 0n) === amount) sets.push(chosen);
  }
  return sets;
}

/**
 * The ways that nothing contradicts: of receipts with one and the same way the first takes it. Receipts with several
 * ways, and those that would pay the same invoice in different ways, are unclear.
 */
function clearOf(ways: readonly Way[], unclear: Set<string>): Way[] {
  const clear: Way[] = [];
  for (const way of ways) {
    const others = ways.filter((one) => one !== way);
    const isOnly = way.receipts.every((key) => !others.some(({ receipts }) => receipts.includes(key)));
    const rivals = others.filter(
      ({ receipts, invoices }) =>
        invoices.some((id) => way.invoices.includes(id)) &&
        (receipts.length > 1 || way.receipts.length > 1 || invoices.join() !== way.invoices.join()),
    );
    const hasRival = rivals.some((rival) => rival.receipts.length > 1 || isAlone(rival, ways));
    if (!isOnly || hasRival) for (const key of way.receipts) unclear.add(key);
    else if (!clear.some(({ invoices }) => invoices.join() === way.invoices.join())) clear.push(way);
  }
  return clear;
}

function isAlone({ receipts }: Way, ways: readonly Way[]): boolean {
  return ways.filter((one) => one.receipts.includes(receipts[0]!)).length === 1;
}
