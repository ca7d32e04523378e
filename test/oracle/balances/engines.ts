import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { decimal, unitsOfSum } from '../units.ts';
import { type BalanceBook, monthsOf } from './balance.ts';
import { type BalancePlan, RATES } from './plan.ts';

export const hasHledger = spawnSync('hledger', ['--version']).status === 0;
/** The Python that beancount is installed for; null where it is not. */
const beancountPython = findPython();

/** Runs a command that must end with one of these codes, and gives back what it printed. */
export type Must = (codes: readonly number[], ...argv: string[]) => Promise<string>;
type Sums = Map<string, bigint>;

/** What an engine computes at a month's end, by currency; of a journal in a base currency all of it in the base. */
interface Computed {
  readonly receivable: Sums;
  readonly disputed: Sums;
}

/**
 * The journal's courier receivable together with unallocated receipts, and its COD in dispute, computed by hledger and
 * by beancount. A journal in a base currency revalues in it, so that both are compared in the base.
 */
export async function compareEngines(
  folder: string,
  plan: BalancePlan,
  book: BalanceBook,
  { night, must }: { night: number; must: Must },
): Promise<string[]> {
  const months = monthsOf(plan, night).slice(0, plan.inBase ? -1 : undefined);
  const write = async (format: string, name: string) => {
    const file = path.join(folder, name);
    await must(
      [0],
      'report',
      'journal',
      `${months[0]}..${months.at(-1)}`,
      '--format',
      format,
      '--opening',
      '--out',
      file,
    );
    return file;
  };
  const ledger = await write('hledger', 'books.journal');
  execFileSync('hledger', ['-f', ledger, 'check'], { stdio: 'pipe' });
  const faults: string[] = [];
  const byBeancount = beancountPython && computeInBeancount(await write('beancount', 'books.beancount'), plan, months);
  for (const [index, month] of months.entries()) {
    const engines = {
      hledger: computeInHledger(ledger, plan, month),
      ...(byBeancount ? { beancount: byBeancount[index]! } : {}),
    };
    for (const [engine, { receivable, disputed }] of Object.entries(engines)) {
      const due = book.closing(month, night);
      faults.push(
        ...apart(`${month}: ${engine} computes a receivable`, receivable, plan.inBase ? inBase(month, due) : due, plan),
      );
      if (plan.inBase) continue;
      faults.push(
        ...apart(`${month}: ${engine} computes COD in dispute`, disputed, book.inDispute(month, night), plan),
      );
    }
  }
  return faults;
}

/** A balance in the base currency at the rate of a month's last day. */
export function inBaseAt(month: string, currency: string, due: bigint): bigint {
  const rate = RATES[currency]?.filter(([from]) => from <= `${month}-31`).at(-1)?.[1] ?? '1';
  const [whole = '', part = ''] = rate.split('.');
  return (due * BigInt(whole + part)) / 10n ** BigInt(part.length);
}

function inBase(month: string, due: ReadonlyMap<string, bigint>): Sums {
  return new Map([['USD', [...due].reduce((sum, [currency, units]) => sum + inBaseAt(month, currency, units), 0n)]]);
}

function apart(what: string, computed: Sums, due: ReadonlyMap<string, bigint>, { inBase }: BalancePlan): string[] {
  // Each account and currency is rounded to a cent of the base.
  const most = inBase ? 400n : 0n;
  return [...new Set([...computed.keys(), ...due.keys()])].flatMap((currency) => {
    const [said, expected] = [computed.get(currency) ?? 0n, due.get(currency) ?? 0n];
    const off = said - expected;
    return off <= most && off >= -most ? [] : [`${what} of ${decimal(said)} ${currency}, not ${decimal(expected)}`];
  });
}

function computeInHledger(file: string, { inBase }: BalancePlan, month: string): Computed {
  const accounts = 'acct:Courier receivable|Unallocated receipts|COD in dispute';
  const flags = ['--flat', '-O', 'csv', '--no-total', '--layout=bare', ...(inBase ? ['-B'] : [])];
  const end = new Date(`${month}-28T00:00:00Z`);
  end.setUTCDate(end.getUTCDate() + 7);
  const until = `${end.toISOString().slice(0, 7)}-01`;
  const shown = execFileSync('hledger', ['-f', file, 'balance', '-e', until, ...flags, accounts], { encoding: 'utf8' });
  return sumsOf(
    shown
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => [...line.matchAll(/"([^"]*)"/g)].map(([, cell]) => cell!.replaceAll(',', ''))),
  );
}

const SCRIPT = `import csv, sys
from decimal import Decimal
from beancount import loader
from beancount.core import convert, data
entries, errors, _ = loader.load_file(sys.argv[1])
assert not errors, errors
out = csv.writer(sys.stdout)
for month in sys.argv[3:]:
    for entry in data.filter_txns(entries):
        if str(entry.date)[:7] > month: continue
        for posting in entry.postings:
            amount = convert.get_weight(posting) if sys.argv[2] == 'base' else posting.units
            out.writerow([month, posting.account, amount.currency, format(amount.number.quantize(Decimal('0.0001')), 'f')])
`;

function computeInBeancount(file: string, { inBase }: BalancePlan, months: readonly string[]): Computed[] {
  execFileSync('bean-check', ['--no-cache', file], { stdio: 'pipe' });
  const script = `${file}.py`;
  writeFileSync(script, SCRIPT);
  const out = `${file}.csv`;
  writeFileSync(out, execFileSync(beancountPython!, [script, file, inBase ? 'base' : 'own', ...months]));
  const lines = readFileSync(out, 'utf8')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  return months.map((month) => sumsOf(lines.filter(([of]) => of === month).map(([, ...line]) => line)));
}

function sumsOf(lines: readonly (readonly string[])[]): Computed {
  const sums: Computed = { receivable: new Map(), disputed: new Map() };
  for (const [account = '', currency = '', amount = '0'] of lines) {
    const name = account.replaceAll(/[ -]/g, '').toLowerCase();
    const isReceivable = name.endsWith('courierreceivable') || name.endsWith('unallocatedreceipts');
    const own = name.endsWith('codindispute') ? sums.disputed : isReceivable ? sums.receivable : null;
    own?.set(currency, (own.get(currency) ?? 0n) + amountOf(amount));
  }
  return sums;
}

/** A decimal with a sign, in ten-thousandths. */
export function amountOf(text: string | number | null | undefined): bigint {
  const said = String(text ?? '0');
  return said.startsWith('-') ? -unitsOfSum(said.slice(1)) : unitsOfSum(said);
}

function findPython(): string | null {
  const { stdout, status } = spawnSync('sh', ['-c', 'head -n 1 "$(command -v bean-check)"'], { encoding: 'utf8' });
  return status === 0 && stdout.startsWith('#!') ? stdout.slice(2).trim() : null;
}
