import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';
import { remit } from '../../helpers/cli.ts';
import { decimal, unitsOfSum } from '../units.ts';
import type { OrderDocument, Pair, ServerState } from '../world/documents.ts';
import { API_KEY, startWorldServer } from '../world/server.ts';
import { emptyState, listIn, rowOf } from '../world/state.ts';
import { BalanceBook, filedDays, isListed, monthsOf, netsShown, recordedCods } from './balance.ts';
import type { BalancePlan, PlannedReceipt } from './plan.ts';

export const hasHledger = spawnSync('hledger', ['--version']).status === 0;

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
    `api_url = "${server.url}"\nmax_attempts = 1\n[receipts]\npayers = ["EXAMPLE COURIER"]\n`,
  );
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
      await must([0, 1, 3], 'check');
      const faults: string[] = [];
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
        await must([0], 'close', period, '--by', 'Auditor', ...first, '--with-open', 'as it is');
        book.closed.push({ period, night });
      }
      faults.push(...(await compare(plan, book, night, must)));
      const isLast = night === plan.nights.length - 1;
      if (isLast && options.engines) faults.push(...(await compareEngines(folder, plan, book, night, must)));
      if (faults.length > 0) return faults.map((fault) => `night ${night} (${day}): ${fault}`);
    }
    return [];
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Must = (codes: readonly number[], ...argv: string[]) => Promise<string>;

/** Every surface that the design names, month by month. */
async function compare(plan: BalancePlan, book: BalanceBook, night: number, must: Must): Promise<string[]> {
  const faults: string[] = [];
  const months = monthsOf(plan, night);
  const same = (what: string, said: bigint, due: bigint) => {
    if (said !== due) faults.push(`${what} is ${decimal(said)}, not ${decimal(due)}`);
  };
  const read = async (...argv: string[]) =>
    JSON.parse(await must([0, 1, 3], 'report', ...argv, '--format', 'json')) as Rows;
  const rolled = await read('roll-forward', `${months[0]}..${months.at(-1)}`);
  for (const [index, month] of months.entries()) {
    const closing = book.closing(month, night);
    const currencies = new Set([...closing.keys(), ...plan.bank.keys()]);
    const openItems = await read('open-items', month);
    const ageing = await read('ageing', month);
    const items = book.items(month, night);
    for (const currency of currencies) {
      const due = closing.get(currency) ?? 0n;
      const line = rolled.rows.find((row) => row.period === month && row.currency === currency);
      same(`${month} ${currency}: roll-forward's closing`, amountOf(line?.closing), due);
      const next = rolled.rows.find((row) => row.period === months[index + 1] && row.currency === currency);
      if (index + 1 < months.length)
        same(`${months[index + 1]} ${currency}: roll-forward's opening`, amountOf(next?.opening), due);
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
    if (month < months.at(-1)!) faults.push(...(await compareDashboard(must, month, book, night)));
  }
  return faults;
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

/** The journal's courier receivable together with unallocated receipts, and its COD in dispute, computed by hledger. */
async function compareEngines(
  folder: string,
  plan: BalancePlan,
  book: BalanceBook,
  night: number,
  must: Must,
): Promise<string[]> {
  const faults: string[] = [];
  const months = monthsOf(plan, night);
  const file = path.join(folder, 'books.journal');
  await must([0], 'report', 'journal', `${months[0]}..${months.at(-1)}`, '--format', 'hledger', '--out', file);
  execFileSync('hledger', ['-f', file, 'check'], { stdio: 'pipe' });
  for (const [index, month] of months.entries()) {
    const end = months[index + 1] ?? '2027-01';
    const shown = execFileSync(
      'hledger',
      [
        '-f',
        file,
        'balance',
        '-e',
        `${end}-01`,
        '--flat',
        '-O',
        'csv',
        '--no-total',
        '--layout=bare',
        'acct:Courier receivable|Unallocated receipts|COD in dispute',
      ],
      { encoding: 'utf8' },
    );
    const sums = { receivable: new Map<string, bigint>(), 'COD in dispute': new Map<string, bigint>() };
    for (const line of shown.trim().split('\n').slice(1)) {
      const [account = '', currency = '', amount = '0'] = [...line.matchAll(/"([^"]*)"/g)].map(([, cell]) => cell!);
      const own = sums[account.endsWith('COD in dispute') ? 'COD in dispute' : 'receivable'];
      own.set(currency, (own.get(currency) ?? 0n) + amountOf(amount.replaceAll(',', '')));
    }
    for (const [name, computed, expected] of [
      ['a receivable', sums.receivable, book.closing(month, night)],
      ['COD in dispute', sums['COD in dispute'], book.inDispute(month, night)],
    ] as const) {
      for (const currency of new Set([...computed.keys(), ...expected.keys()])) {
        const [said, due] = [computed.get(currency) ?? 0n, expected.get(currency) ?? 0n];
        if (said !== due)
          faults.push(`${month} ${currency}: hledger computes ${name} of ${decimal(said)}, not ${decimal(due)}`);
      }
    }
  }
  return faults;
}

function amountOf(text: string | number | null | undefined): bigint {
  const said = String(text ?? '0');
  return said.startsWith('-') ? -unitsOfSum(said.slice(1)) : unitsOfSum(said);
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
