import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';
import { remit } from '../../helpers/cli.ts';
import { named, readWorkbook } from '../../helpers/workbook.ts';
import { decimal } from '../units.ts';
import type { OrderDocument, Pair, ServerState } from '../world/documents.ts';
import { API_KEY, startWorldServer } from '../world/server.ts';
import { emptyState, listIn, rowOf } from '../world/state.ts';
import { BalanceBook, filedDays, isListed, monthsOf, netsShown, recordedCods } from './balance.ts';
import { amountOf, compareEngines, inBaseAt } from './engines.ts';
import { type BalancePlan, type PlannedReceipt, RATES } from './plan.ts';

interface Rows {
  readonly rows: readonly Readonly<Record<string, string | number | null>>[];
  readonly totals: readonly Readonly<Record<string, string | null>>[];
}

/** Plays a world with the real program and compares each surface with the oracle, after each night; the first differences, or none. */
export async function playBalances(
  plan: BalancePlan,
  options: { readonly engines: boolean },
): Promise<readonly string[]> {
  const state = emptyState();
  const server = await startWorldServer(state, { shape: 'flat', pageSize: 50 });
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-balances-'));
  writeFileSync(
    path.join(folder, 'remit.toml'),
    `api_url = "${server.url}"\nmax_attempts = 1\n[receipts]\npayers = ["EXAMPLE COURIER"]\n${plan.inBase ? '[accounting]\nbase_currency = "USD"\nrevalue = true\n' : ''}`,
  );
  writeFileSync(path.join(folder, 'rates.csv'), ratesFile());
  const book = new BalanceBook(plan);
  const ids = new Map<(typeof plan.settlements)[number], string>();
  try {
    for (const [night, day] of plan.nights.entries()) {
      show(state, plan, day);
      const now = new Date(`${day}T03:00:00Z`);
      const run = (...argv: string[]) => runAt(folder, now, argv);
      const must = async (codes: readonly number[], ...argv: string[]) => {
        const { code, stdout, stderr } = await run(...argv);
        if (!codes.includes(code)) throw new Error(`remit ${argv.join(' ')} ended with ${code}: ${stdout}${stderr}`);
        return stdout;
      };
      const months = monthsOf(plan, night);
      await must([0], 'sync', `${months[0]}..${months.at(-1)}`, '--orders');
      for (const [currency, file] of bankFiles(plan, night)) {
        writeFileSync(path.join(folder, `${currency}-${night}.ofx`), file);
        await must([0], 'import', 'receipts', `${currency}-${night}.ofx`);
      }
      if (night === 0 && plan.inBase) await must([0], 'import', 'rates', 'rates.csv');
      await must([0, 1, 3], 'check');
      const faults: string[] = [];
      for (const match of plan.matches)
        if (match.night === night) await matchByHand(match, { plan, book, night, must });
      for (const settlement of plan.settlements) {
        const { number, currency, as, all } = settlement;
        if (settlement.undoneOn === night && ids.has(settlement)) {
          await must([0], 'settle', 'undo', ids.get(settlement)!, '--reason', 'taken back');
          const held = book.settled.find(
            (one) => one.number === number && one.currency === currency && one.night === settlement.night,
          );
          held!.undoneOn = night;
        }
        if (settlement.night !== night) continue;
        const open = book.openToday(number, currency, night);
        const amount = all ? open : (open / 2n / 100n) * 100n;
        const isKnown = plan.invoices.some(
          (one) => one.number === number && book.firstSeen(one) >= 0 && book.firstSeen(one) <= night,
        );
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
        if (!isKnown || amount <= 0n) continue;
        const twice = book.settled.some(
          (one) => one.number === number && one.currency === currency && one.night === night,
        );
        if (twice) continue;
        const tooMuch = await run(...argv, '--amount', decimal(open + 2_500n));
        if (tooMuch.code !== 2)
          faults.push(`settling more than is open of ${number} ended with ${tooMuch.code}, not 2`);
        const { settled } = JSON.parse(await must([0], ...argv, '--amount', decimal(amount))) as {
          settled: { id: string; open: string }[];
        };
        ids.set(settlement, String(settled[0]!.id));
        book.settled.push({ number, currency, amount, night, undoneOn: null });
        if (settled[0]!.open !== decimal(open - amount))
          faults.push(`settle says that ${settled[0]!.open} is open of ${number}, not ${decimal(open - amount)}`);
      }
      for (const { period } of plan.closes.filter((close) => close.night === night)) {
        const first = book.closed.length === 0 ? ['--first'] : [];
        const said = await must([0], 'close', period, '--by', 'Auditor', ...first, '--with-open', 'as it is', '--json');
        book.closed.push({ period, night });
        faults.push(...compareClose(JSON.parse(said), period, book, night));
      }
      const isLast = night === plan.nights.length - 1;
      const isWhole = isLast || night === plan.seed % plan.nights.length;
      faults.push(...(await compare(plan, book, night, { must, isWhole })));
      if (isLast) faults.push(...(await compareStatement(folder, plan, book, night, must)));
      if (isLast) faults.push(...(await compareAsOf(plan, book, must)));
      if (isLast && plan.inBase) faults.push(...(await compareBase(plan, book, night, must)));
      if (isLast && options.engines) faults.push(...(await compareEngines(folder, plan, book, { night, must })));
      if (faults.length > 0) return faults.map((fault) => `night ${night} (${day}): ${fault}`);
    }
    return [];
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Must = (codes: readonly number[], ...argv: string[]) => Promise<string>;

/** Every surface that the design names, month by month. @param isWhole with those that take longest */
async function compare(
  plan: BalancePlan,
  book: BalanceBook,
  night: number,
  { must, isWhole }: { must: Must; isWhole: boolean },
): Promise<string[]> {
  const faults: string[] = [];
  const months = monthsOf(plan, night);
  const same = (what: string, said: bigint, due: bigint) => {
    if (said !== due) faults.push(`${what} is ${decimal(said)}, not ${decimal(due)}`);
  };
  const read = async (...argv: string[]) =>
    JSON.parse(await must([0, 1, 3], 'report', ...argv, '--format', 'json')) as Rows;
  const rolled = await read('roll-forward', `${months[0]}..${months.at(-1)}`);
  const totals = await read('totals', `${months[0]}..${months.at(-1)}`);
  for (const month of months) {
    for (const currency of plan.bank.keys()) {
      const own = totals.rows.find((row) => row.period === month && row.currency === currency);
      const what = `${month} ${currency}: outstanding of totals`;
      same(what, amountOf(own?.outstanding), book.openOfMonth(month, currency, night));
    }
  }
  for (const [index, month] of months.entries()) {
    const closing = book.closing(month, night);
    const currencies = new Set([...closing.keys(), ...plan.bank.keys()]);
    const [openItems, ageing] = isWhole ? [await read('open-items', month), await read('ageing', month)] : [];
    const items = book.items(month, night);
    for (const currency of currencies) {
      const due = closing.get(currency) ?? 0n;
      const line = rolled.rows.find((row) => row.period === month && row.currency === currency);
      same(`${month} ${currency}: roll-forward's closing`, amountOf(line?.closing), due);
      const next = rolled.rows.find((row) => row.period === months[index + 1] && row.currency === currency);
      if (index + 1 < months.length)
        same(`${months[index + 1]} ${currency}: roll-forward's opening`, amountOf(next?.opening), due);
      if (!openItems || !ageing) continue;
      for (const [name, report] of [
        ['open-items', openItems],
        ['ageing', ageing],
      ] as const) {
        const rows = report.rows.filter((row) => row.currency === currency);
        same(
          `${month} ${currency}: the rows of ${name}`,
          rows.reduce((sum, row) => sum + amountOf(row.open), 0n),
          due,
        );
        same(
          `${month} ${currency}: the total of ${name}`,
          amountOf(report.totals.find((row) => row.currency === currency)?.open),
          due,
        );
      }
      for (const { number } of plan.invoices) {
        const rows = openItems.rows.filter(
          (row) => row.kind === 'invoice' && row.number === number && row.currency === currency,
        );
        const where = `${month} ${currency}: open of ${number}`;
        same(
          where,
          rows.reduce((sum, row) => sum + amountOf(row.open), 0n),
          items.get(`${number} ${currency}`) ?? 0n,
        );
        for (const row of rows)
          same(`${where} today`, amountOf(row.open_today), book.openToday(number, currency, night));
      }
      const advances = openItems.rows.filter((row) => row.kind === 'unallocated' && row.currency === currency);
      same(
        `${month} ${currency}: unallocated`,
        advances.reduce((sum, row) => sum + amountOf(row.open), 0n),
        items.get(`unallocated ${currency}`) ?? 0n,
      );
    }
    if (isWhole && month < months.at(-1)!) faults.push(...(await compareDashboard(must, month, book, night)));
  }
  return faults;
}

/** Matches an advance with an invoice that still asks for something else. */
async function matchByHand(
  { receipt: id, number }: BalancePlan['matches'][number],
  { plan, book, night, must }: { plan: BalancePlan; book: BalanceBook; night: number; must: Must },
): Promise<void> {
  const { currency, amount, date } = plan.receipts.find((one) => one.id === id)!;
  const invoice = plan.invoices.find((one) => one.number === number)!;
  const first = book.firstSeen(invoice);
  if (first < 0 || first > night || !isListed(invoice, plan.nights[night]!)) return;
  const agreed = book.asked(number, currency, night) - amount;
  if (!invoice.nets.has(currency) || agreed <= -amount || agreed === 0n) return;
  const { rows } = JSON.parse(await must([0], 'report', 'receipts', date.slice(0, 7), '--format', 'json')) as Rows;
  const own = rows.find((row) => row.date === date && row.currency === currency && row.amount === decimal(amount));
  const argv = ['match', 'add', String(own!.receipt), String(number), '--difference', 'other', '--note', 'by phone'];
  await must([0], ...argv);
  book.matched.push({ receipt: id, number, currency, agreed, night });
}

interface PrintedClose {
  readonly figures: { readonly roll_forward: readonly Readonly<Record<string, string>>[] };
}

function compareClose({ figures }: PrintedClose, period: string, book: BalanceBook, night: number): string[] {
  return [...book.closing(period, night)].flatMap(([currency, due]) => {
    const said = amountOf(figures.roll_forward.find((line) => line.currency === currency)?.closing);
    return said === due ? [] : [`close ${period} ${currency}: it closes with ${decimal(said)}, not ${decimal(due)}`];
  });
}

/** The Summary of a month's workbook, and the page that one signs. */
async function compareStatement(folder: string, plan: BalancePlan, book: BalanceBook, night: number, must: Must) {
  const ended = monthsOf(plan, night).slice(0, -1);
  const month = ended[plan.seed % ended.length]!;
  await must([0], 'statement', month, '--out', path.join(folder, 'month.xlsx'));
  await must([0], 'statement', month, '--format', 'html', '--out', path.join(folder, 'month.html'));
  const workbook = await readWorkbook(readFileSync(path.join(folder, 'month.xlsx')));
  const [page = ''] = readFileSync(path.join(folder, 'month.html'), 'utf8').split('<section class="sheet1">');
  const shown = [...(/<th[^>]*>Closing at .*?<\/tr>/s.exec(page)?.[0] ?? '').matchAll(/<td class="figure">([^<]*)</g)];
  const heads = [...(/<thead>.*?<\/thead>/s.exec(page)?.[0] ?? '').matchAll(/>([A-Z]{3})</g)].map(([, head]) => head);
  const faults: string[] = [];
  for (const [currency, due] of book.closing(month, night)) {
    const cell = workbook.names.has(`${currency}_CLOSING`) ? named(workbook, `${currency}_CLOSING`)?.value : '0';
    if (Number(cell) !== Number(decimal(due)))
      faults.push(`${month} ${currency}: the Summary closes with ${cell}, not ${decimal(due)}`);
    const said = shown[heads.indexOf(currency)]?.[1]?.replaceAll(',', '').replace('−', '-');
    if (said === undefined ? due !== 0n : amountOf(said) !== due)
      faults.push(`${month} ${currency}: the page closes with ${said}, not ${decimal(due)}`);
  }
  return faults;
}

/** What was known in the afternoon of an earlier night is what was shown then. */
async function compareAsOf(plan: BalancePlan, book: BalanceBook, must: Must): Promise<string[]> {
  const night = plan.seed % (plan.nights.length - 1);
  const at = `${plan.nights[night]}T16:00:00Z`;
  const months = monthsOf(plan, night);
  const period = `${months[0]}..${months.at(-1)}`;
  const { rows } = JSON.parse(
    await must([0], 'report', 'roll-forward', period, '--as-of', at, '--format', 'json'),
  ) as Rows;
  return months.flatMap((month) =>
    [...book.closing(month, night)].flatMap(([currency, due]) => {
      const said = amountOf(rows.find((row) => row.period === month && row.currency === currency)?.closing);
      return said === due ? [] : [`${month} ${currency} as of ${at}: closing ${decimal(said)}, not ${decimal(due)}`];
    }),
  );
}

/** In the base currency the receivable is, once revalued, the balance at the rate of the month's last day. */
async function compareBase(plan: BalancePlan, book: BalanceBook, night: number, must: Must): Promise<string[]> {
  const months = monthsOf(plan, night).slice(0, -1);
  const { rows } = JSON.parse(
    await must([0], 'report', 'journal', `${months[0]}..${months.at(-1)}`, '--format', 'json'),
  ) as Rows;
  const faults: string[] = [];
  for (const month of months) {
    for (const [currency, due] of book.closing(month, night)) {
      const own = rows.filter(
        (row) =>
          row.currency === currency &&
          ['Courier receivable', 'Unallocated receipts'].includes(String(row.account)) &&
          String(row.date) <= `${month}-31`,
      );
      const said = own.reduce((sum, row) => sum + amountOf(row.base_debit) - amountOf(row.base_credit), 0n);
      const exact = inBaseAt(month, currency, due);
      // Each of the two accounts is rounded to a cent.
      const apart = said - exact;
      if (apart > 100n || apart < -100n)
        faults.push(`${month} ${currency}: in base the receivable is ${decimal(said)}, not ${decimal(exact)}`);
    }
  }
  return faults;
}

function ratesFile(): string {
  const lines = Object.entries(RATES).flatMap(([from, all]) => all.map(([day, rate]) => `${day},${from},USD,${rate}`));
  return `date,from,to,rate\n${lines.join('\n')}\n`;
}

async function compareDashboard(must: Must, month: string, book: BalanceBook, night: number): Promise<string[]> {
  const { rows } = JSON.parse(await must([0, 1, 3], 'report', 'dashboard', month, '--format', 'json')) as Rows;
  const figureOf = (figure: string, currency: string) =>
    amountOf(
      rows.find((row) => row.section === 'balance' && row.figure === figure && row.currency === currency)?.amount,
    );
  return [...book.closing(month, night)].flatMap(([currency, due]) => {
    const said = figureOf('closing', currency);
    return said === due
      ? []
      : [`${month} ${currency}: the dashboard's closing is ${decimal(said)}, not ${decimal(due)}`];
  });
}

/** Makes the server hold what the courier holds on a day. */
function show(state: ServerState, plan: BalancePlan, day: string): void {
  state.invoices.clear();
  state.months.clear();
  for (const invoice of plan.invoices) {
    const { number, issued, paidFrom } = invoice;
    if (issued >= day) continue;
    const isPaid = paidFrom !== null && day >= paidFrom;
    const nets: Pair[] = [...netsShown(invoice, day)].map(([currency, net]) => [currency, decimal(net)]);
    const recorded: Pair[] = [...recordedCods(invoice, day)].map(([currency, cod]) => [currency, decimal(cod)]);
    const order = orderOf(number, issued, recorded, isPaid);
    state.orders.set(order.order_id, order);
    const header = {
      number,
      status: isPaid ? 'PAID' : 'PENDING_PAYMENT',
      issued_at: `${issued}T10:00:00.000000+03:00`,
      cod: nets,
      delivery_fee: [] as Pair[],
      net_due_to_merchant: nets,
    };
    state.invoices.set(number, {
      detail: { ...header, orders: [{ ...rowOf(order, isPaid), cod: nets }] },
      row: { ...header, status_display: isPaid ? 'Paid' : 'Pending payment', order_count: 1 },
    });
    if (isListed(invoice, day)) listIn(state, issued.slice(0, 7), number);
  }
}

function orderOf(number: number, issued: string, cod: Pair[], isPaid: boolean): OrderDocument {
  const payment_state = isPaid ? 'PAID_TO_MERCHANT' : 'PENDING_PAYMENT_TO_MERCHANT';
  return {
    order_id: `OR${number}`,
    reference_id: `Shop ${number}`,
    workflow: 'STANDARD',
    cod,
    delivery_fee: [],
    delivery_state: 'DELIVERED',
    payment_state,
    merchant_invoice: number,
    statestamps: [{ delivery_state: 'DELIVERED', payment_state, timestamp: `${issued}T08:00:00.000000+03:00` }],
  };
}

/** The bank's files of a night: by currency, for the days since the last one and for lines that were late. */
function* bankFiles(plan: BalancePlan, night: number): Generator<[currency: string, file: string]> {
  for (const currency of plan.bank.keys()) {
    const held = filedDays(plan, currency, night);
    if (held === null) continue;
    const lines = plan.receipts.filter((one) => one.currency === currency && one.imported === night);
    const before = filedDays(plan, currency, night - 1);
    const from = [before?.to ?? held.from, ...lines.map(({ date }) => date)].sort()[0]!;
    yield [currency, ofxOf(currency, from, held.to, lines)];
  }
}

function ofxOf(currency: string, from: string, to: string, lines: readonly PlannedReceipt[]): string {
  const day = (text: string) => text.replaceAll('-', '');
  const entries = lines.map(
    ({ id, date, amount, names }) =>
      `<STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>${day(date)}</DTPOSTED><TRNAMT>${decimal(amount)}</TRNAMT><FITID>${id}</FITID><NAME>EXAMPLE COURIER</NAME><MEMO>${names === null ? 'ADVANCE' : `INV ${names}`}</MEMO></STMTTRN>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?><OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>${currency}</CURDEF><BANKACCTFROM><BANKID>1</BANKID><ACCTID>ACCOUNT-${currency}</ACCTID><ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM><BANKTRANLIST><DTSTART>${day(from)}</DTSTART><DTEND>${day(to)}</DTEND>${entries.join('')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
}

/** Runs the program as if it were that time, whichever clock it looks at. */
async function runAt(cwd: string, now: Date, argv: readonly string[]) {
  vi.useFakeTimers({ toFake: ['Date'], now });
  try {
    return await remit([...argv, '--quiet'], { cwd, now, env: { REMIT_API_KEY: API_KEY } });
  } finally {
    vi.useRealTimers();
  }
}
