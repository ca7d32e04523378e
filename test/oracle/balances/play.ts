import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';
import { remit } from '../../helpers/cli.ts';
import { named, readWorkbook } from '../../helpers/workbook.ts';
import { decimal } from '../units.ts';
import { API_KEY, startWorldServer } from '../world/server.ts';
import { emptyState } from '../world/state.ts';
import { BalanceBook, isListed, monthsOf } from './balance.ts';
import { type ClosedStatements, compareClosedStatements, keepStatement } from './closed.ts';
import { compareCustody } from './custody.ts';
import { bankFiles, show } from './documents.ts';
import { amountOf, compareEngines, inBaseAt } from './engines.ts';
import { type BalancePlan, RATES } from './plan.ts';
import { compareSurfaces, type Must, type Rows } from './surfaces.ts';

/**
 * Plays a world with the real program and compares each surface with the oracle, after each night; the first
 * differences, or none.
 */
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
  const statements: ClosedStatements = new Map();
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
        await keepStatement(statements, folder, period, must);
      }
      const isLast = night === plan.nights.length - 1;
      const isWhole = isLast || night === plan.seed % plan.nights.length;
      faults.push(...(await compareSurfaces(plan, book, night, must, isWhole)));
      if (isWhole) faults.push(...(await compareCustody(plan, book, night, must)));
      if (isLast) faults.push(...(await compareStatement(folder, plan, book, night, must)));
      if (isLast) faults.push(...(await compareClosedStatements(statements, folder, must)));
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

/** Runs the program as if it were that time, whichever clock it looks at. */
async function runAt(cwd: string, now: Date, argv: readonly string[]) {
  vi.useFakeTimers({ toFake: ['Date'], now });
  try {
    return await remit([...argv, '--quiet'], { cwd, now, env: { REMIT_API_KEY: API_KEY } });
  } finally {
    vi.useRealTimers();
  }
}
