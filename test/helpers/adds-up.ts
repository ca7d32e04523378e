/**
 * Reads the numbers off a page, a sheet or a text as they are printed, and adds them up as a reader would: by what a
 * line is called, in English or Arabic. It knows nothing of how remit computes; each fault is a sentence, and none
 * means that all of it adds up.
 */
import { figureText, type Printed, type PrintedRow, printedPage, printedSheets, unitsOf } from './printed.ts';

/** What lines are called. */
const NAMED = {
  opening: /^(Opening balance|الرصيد الافتتاحي)/,
  closing: /^(Closing|الرصيد الختامي)/,
  receivedSince: /^(Less received of it since|Received of it since|Received since|يُطرح: قُبض منه|المقبوض بعد ذلك)/,
  settledSince: /^(Less settled of it since|Settled since|يُطرح: سُوّي منه|المسوّى بعد ذلك)/,
  restatedSince: /^(Restated or allocated since|عُدّل أو خُصّص بعد ذلك)/,
  openToday: /^(Open of it today|Open today|المفتوح منه اليوم|المفتوح اليوم)/,
  courier: /^(The courier’s figure|Courier’s figure|رقم شركة التوصيل)/,
  ours: /^(Our figure|رقمنا)/,
  difference: /^(Difference: courier’s less ours|الفرق: رقم الشركة ناقص رقمنا)/,
  explained: /^(Explained|المفسَّر)/,
  unexplained: /^(Unexplained|دون تفسير)/,
  notCompared: /^(Not compared|لم يُقارن)/,
  short: /^(Short \(−\) or ahead|النقص \(−\) أو الزيادة)/,
  cod: /^(COD collected|المحصَّل عند الاستلام)$/,
  fees: /^(Delivery fees|رسوم التوصيل)$/,
  netOtherwise: /^(Stated otherwise in the net|ذُكر في الصافي غير ذلك)/,
  netDue: /^(Net due|الصافي المستحق)/,
  due: /^(Due|المستحق)$/,
  received: /^(of which received|Received$|منه مقبوض|المقبوض$)/,
  differences: /^(of which agreed|Agreed differences|منه فروق|فروق متفق عليها|الفروق المتفق)/,
  paidOnWord: /^(of which marked paid|Marked paid, unseen|منه ما تذكر|مذكور مدفوعًا)/,
  outstanding: /^(of which outstanding|Outstanding|منه غير مسدَّد|غير المسدَّد)/,
  open: /^(Open|المفتوح)$/,
  before: /^(Then|حينها)$/,
  now: /^(Now|الآن)$/,
  change: /^(Change|التغيّر)$/,
  debit: /^(Debit|مدين)$/,
  credit: /^(Credit|دائن)$/,
  currency: /^(Currency|العملة)$/,
  whose: /^(Courier|شركة التوصيل|الشركة)$/,
} as const;
type Name = keyof typeof NAMED;

/** `USD: you are short 7.00; open at the month’s end 25.00` */
const RESULT = /\b([A-Z]{3}): (you are short|you are ahead|ينقصك|لك زيادة قدرها)\s+([\d,]+\.\d+)/g;
const OPEN_AT_END = /\b([A-Z]{3}): [^\n]*?(?:open at the month’s end|المفتوح في آخر الشهر)\s+(-?[\d,]+\.\d+)/g;

/** The faults of files that were printed, by what their names end in. */
export async function printedFaults(printed: ReadonlyMap<string, Buffer>): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, bytes] of printed) {
    const own = name.endsWith('.xlsx') ? await workbookFaults(bytes) : readFaults(name, bytes.toString());
    faults.push(...own.map((fault) => `${name}: ${fault}`));
  }
  return faults;
}

function readFaults(name: string, text: string): string[] {
  return name.endsWith('.html') ? htmlFaults(text) : textFaults(text);
}

/** The faults of an HTML page, whichever it is: one that is printed, a report, the dashboard, a page of the desk. */
function htmlFaults(html: string): string[] {
  return faultsOf(printedPage(html));
}

/** The faults of a workbook: of each of its sheets. */
async function workbookFaults(bytes: Uint8Array): Promise<string[]> {
  return (await printedSheets(bytes)).flatMap(({ name, page }) => faultsOf(page).map((fault) => `${name}: ${fault}`));
}

/**
 * `2026-10: you are short 7.00 USD`, the bridge of a month and currency with its steps below, and what a night has by
 * month.
 */
const TEXT = {
  courier: /^(\S+):$/,
  result: /^(\d{4}-\d\d): you are (.*)$/,
  side: /(short|ahead) ([\d,.]+) ([A-Z]{3})/g,
  bridge: /^bridge (\d{4}-\d\d) ([A-Z]{3}): courier ([-\d,.]+), (?:ours ([-\d,.]+), unexplained ([-\d,.]+)$)?/,
  step: /^ {2}([-\d,.]+) {2}(.*)$/,
  night: /^all that is not resolved: you are (.*)$/,
  part: /^ {2}(?:\S+ )?\d{4}-\d\d: ((?:short|ahead) .*)$/,
};

/** The faults of what `check` and `night` print. */
function textFaults(text: string): string[] {
  const faults: string[] = [];
  const claims = new Claims('text', faults);
  const lines = text.split('\n');
  let whose = '';
  const printed = new Map<string, bigint>();
  const added = new Map<string, bigint>();
  lines.forEach((line, at) => {
    whose = TEXT.courier.exec(line)?.[1] ?? whose;
    const result = TEXT.result.exec(line);
    if (result)
      for (const [currency, sum] of sidesOf(result[2]!)) printed.set(`${whose} ${result[1]} ${currency}`, sum);
    const night = TEXT.night.exec(line);
    if (night) nightFaults(sidesOf(night[1]!), lines.slice(at + 1), claims);
    const [found, month, currency, courier, ours, unexplained] = TEXT.bridge.exec(line) ?? [];
    if (found === undefined) return;
    const sums = stepSums(lines.slice(at + 1));
    const key = `${whose} ${month} ${currency}`;
    added.set(key, sums.steps + sums.outside + sums.resolved);
    if (ours === undefined) return;
    const left = unitsOf(courier!)! - sums.steps - sums.notCompared - unitsOf(unexplained!)!;
    claims.of(key).equal('the courier’s figure less the steps', left, unitsOf(ours)!);
  });
  for (const key of new Set([...printed.keys(), ...added.keys()])) {
    claims.of(key).equal('short or ahead', added.get(key) ?? 0n, printed.get(key) ?? 0n);
  }
  return faults;
}

function stepSums(below: readonly string[]) {
  const sums = { steps: 0n, notCompared: 0n, outside: 0n, resolved: 0n };
  for (const line of below) {
    const [, figure, what] = TEXT.step.exec(line) ?? [];
    if (figure === undefined) break;
    const kind = /outside the invoices/.test(what!) ? 'outside' : /^resolved by/.test(what!) ? 'resolved' : 'steps';
    sums[/^not-compared/.test(what!) ? 'notCompared' : kind] += unitsOf(figure)!;
  }
  return sums;
}

/** A night says what all months come to; by month where they are several. */
function nightFaults(whole: ReadonlyMap<string, bigint>, below: readonly string[], claims: Claims): void {
  const parts = new Map<string, bigint>();
  for (const line of below) {
    const part = TEXT.part.exec(line);
    if (!part) break;
    for (const [currency, amount] of sidesOf(part[1]!)) parts.set(currency, (parts.get(currency) ?? 0n) + amount);
  }
  if (parts.size === 0) return;
  for (const currency of new Set([...whole.keys(), ...parts.keys()])) {
    claims.of(currency).equal('the months', parts.get(currency) ?? 0n, whole.get(currency) ?? 0n);
  }
}

/** `short 7.00 USD, ahead 3.00 EUR`, negative where short. */
function sidesOf(text: string): Map<string, bigint> {
  return new Map(
    [...text.matchAll(TEXT.side)].map(([, side, figure, currency]) => {
      const amount = unitsOf(figure!)!;
      return [currency!, side === 'short' ? -amount : amount];
    }),
  );
}

function faultsOf({ tables, text }: Printed): string[] {
  const faults: string[] = [];
  /** The last steps and the last result that the page shows, by currency. */
  const steps = new Map<string, bigint>();
  const short = new Map<string, bigint>();
  const closings = new Map<string, bigint>();
  for (const table of tables) {
    const claims = new Claims(table.title, faults);
    recordFaults(table.heads, table.rows, claims);
    totalFaults(table.heads, table.rows, table.totals, claims);
    for (const [place, currency] of table.currencies) {
      const column = new Column(table.rows, place);
      const within = claims.of(currency);
      balanceFaults(column, within);
      const closing = column.of('closing');
      if (closing !== null && column.of('opening') !== null) closings.set(currency, closing);
      dueFaults(column, within);
      const sum = bridgeFaults(column, within);
      if (sum !== null) steps.set(currency, sum);
      const total = column.of('short');
      if (total === null) continue;
      short.set(currency, total);
      within.equal('the lines above short or ahead', column.sumBut(['short']), total);
      const carried = column.of('courier') === null ? column.of('explained') : null;
      if (carried !== null && steps.has(currency))
        within.equal('the steps of the bridge', steps.get(currency)!, carried);
    }
  }
  const claims = new Claims('the result', faults);
  for (const [, currency, side, figure] of text.matchAll(RESULT)) {
    const amount = unitsOf(figure!)!;
    const isShort = side === 'you are short' || side === 'ينقصك';
    const line = short.get(currency!);
    if (line === undefined) faults.push(`the result: no line says how ${currency} comes to ${figure}`);
    else claims.of(currency!).equal('short or ahead', line, isShort ? -amount : amount);
  }
  for (const [, currency, figure] of text.matchAll(OPEN_AT_END)) {
    claims.of(currency!).equal('open at the month’s end', closings.get(currency!) ?? 0n, unitsOf(figure!)!);
  }
  return faults;
}

function balanceFaults(column: Column, claims: Claims): void {
  const [opening, closing, today] = (['opening', 'closing', 'openToday'] as const).map((name) => column.of(name));
  if (opening == null || closing == null) return;
  claims.equal('the lines from opening to closing', column.between('opening', 'closing'), closing);
  if (today == null) return;
  claims.equal(
    'what came since the closing',
    sinceClosing((name) => column.of(name), closing),
    today,
  );
}

function sinceClosing(of: (name: Name) => bigint | null, closing: bigint): bigint {
  return closing - (of('receivedSince') ?? 0n) - (of('settledSince') ?? 0n) + (of('restatedSince') ?? 0n);
}

const PARTS = ['received', 'differences', 'paidOnWord', 'outstanding'] as const;

function dueFaults(column: Column, claims: Claims): void {
  const [cod, fees, net] = (['cod', 'fees', 'netDue'] as const).map((name) => column.of(name));
  if (cod == null || fees == null || net == null) return;
  claims.equal('COD less fees', cod - fees + (column.of('netOtherwise') ?? 0n), net);
  if (column.of('outstanding') === null) return;
  claims.equal('what came of the net', sum(PARTS.map((name) => column.of(name) ?? 0n)), net);
}

/** @returns what the steps come to; null where the column has no bridge */
function bridgeFaults(column: Column, claims: Claims): bigint | null {
  const [courier, ours] = [column.of('courier'), column.of('ours')];
  if (courier === null) return null;
  const steps = column.sumBut(['courier', 'ours', 'difference', 'explained', 'unexplained', 'notCompared']);
  const explained = column.of('explained');
  if (explained !== null) claims.equal('the steps', steps, explained);
  if (ours === null) return steps;
  const difference = column.of('difference');
  if (difference !== null) claims.equal('courier less ours', courier - ours, difference);
  const left = courier - steps - (column.of('notCompared') ?? 0n) - (column.of('unexplained') ?? 0n);
  claims.equal('the courier’s figure less the steps', left, ours);
  return steps;
}

/** What each row of a table of records says adds up within it. */
function recordFaults(heads: readonly string[], rows: readonly PrintedRow[], claims: Claims): void {
  for (const row of rows) {
    const of = (name: Name) => row.figures[placeOf(heads, name)] ?? null;
    const has = (...names: Name[]) => names.every((name) => of(name) !== null);
    const within = claims.of(row.label);
    if (has('opening', 'closing')) {
      const [from, to] = [placeOf(heads, 'opening'), placeOf(heads, 'closing')];
      within.equal('from opening to closing', sum(row.figures.slice(from, to).map((one) => one ?? 0n)), of('closing')!);
    }
    if (has('openToday', 'open')) {
      within.equal('what came since', sinceClosing(of, of('open')!), of('openToday')!);
    }
    if (has('netDue', 'received', 'differences', 'open')) {
      within.equal('what is open', of('netDue')! - of('received')! - of('differences')!, of('open')!);
    }
    if (has('due', 'received', 'outstanding')) {
      within.equal('what came of what is due', sum(PARTS.map((name) => of(name) ?? 0n)), of('due')!);
    }
    if (has('netDue', ...PARTS))
      within.equal('what came of the net', sum(PARTS.map((name) => of(name)!)), of('netDue')!);
    if (has('before', 'now', 'change')) within.equal('now less then', of('now')! - of('before')!, of('change')!);
  }
}

/** The totals below a table, by currency and courier, against its rows. */
function totalFaults(
  heads: readonly string[],
  rows: readonly PrintedRow[],
  totals: readonly PrintedRow[],
  claims: Claims,
): void {
  const keys = [placeOf(heads, 'currency'), placeOf(heads, 'whose')].filter((place) => place >= 0);
  for (const total of totals) {
    const own = rows.filter((row) =>
      keys.every(
        (place) => total.cells[place] === '' || isTotal(total.cells[place]!) || row.cells[place] === total.cells[place],
      ),
    );
    total.figures.forEach((figure, place) => {
      if (figure === null || place === 0) return;
      const within = claims.of(`${total.cells[keys[0] ?? 0]} ${heads[place]}`);
      within.equal('the rows', sum(own.map((row) => row.figures[place] ?? 0n)), figure);
    });
    const [debit, credit] = [placeOf(heads, 'debit'), placeOf(heads, 'credit')];
    if (debit < 0 || credit < 0) continue;
    claims.of('debit and credit').equal('both sides', total.figures[debit] ?? 0n, total.figures[credit] ?? 0n);
  }
}

const isTotal = (cell: string) => /^(Total|المجموع)$/.test(cell);

function placeOf(heads: readonly string[], name: Name): number {
  return heads.findIndex((head) => NAMED[name].test(head));
}

/** The figures of one column, by what their lines are called. */
class Column {
  readonly #lines: readonly { readonly label: string; readonly figure: bigint | null }[];

  constructor(rows: readonly PrintedRow[], place: number) {
    this.#lines = rows.map(({ label, figures }) => ({ label, figure: figures[place] ?? null }));
  }

  /** The figure of a line; null where there is none. */
  of(name: Name): bigint | null {
    return this.#lines.find(({ label }) => NAMED[name].test(label))?.figure ?? null;
  }

  /** The lines from one to the one before another. */
  between(from: Name, to: Name): bigint {
    const place = (name: Name) => this.#lines.findIndex(({ label }) => NAMED[name].test(label));
    return sum(this.#lines.slice(place(from), place(to)).map(({ figure }) => figure ?? 0n));
  }

  /** All lines but some. */
  sumBut(names: readonly Name[]): bigint {
    return sum(
      this.#lines
        .filter(({ label }) => !names.some((name) => NAMED[name].test(label)))
        .map(({ figure }) => figure ?? 0n),
    );
  }
}

/** What is said of one part of a page, and the faults that were found. */
class Claims {
  readonly #where: string;
  readonly #faults: string[];

  constructor(where: string, faults: string[]) {
    this.#where = where;
    this.#faults = faults;
  }

  of(part: string): Claims {
    return new Claims(`${this.#where} · ${part}`, this.#faults);
  }

  equal(what: string, added: bigint, printed: bigint): void {
    if (added !== printed)
      this.#faults.push(`${this.#where}: ${what}: ${figureText(added)}, printed as ${figureText(printed)}`);
  }
}

const sum = (units: readonly bigint[]) => units.reduce((total, one) => total + one, 0n);
