import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { decimal, unitsOfSum } from '../units.ts';
import { type BalanceBook, monthsOf } from './balance.ts';
import type { BalancePlan } from './plan.ts';

interface Rows {
  readonly rows: readonly Readonly<Record<string, string | number | null>>[];
  readonly totals: readonly Readonly<Record<string, string | null>>[];
}

/** Runs a command that must end with one of these codes, and gives back what it printed. */
export type Must = (codes: readonly number[], ...argv: string[]) => Promise<string>;

/** Every surface that the design names, month by month. */
export async function compareSurfaces(
  plan: BalancePlan,
  book: BalanceBook,
  night: number,
  must: Must,
): Promise<string[]> {
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
export async function compareEngines(
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
