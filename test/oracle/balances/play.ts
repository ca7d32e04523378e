import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';
import { remit } from '../../helpers/cli.ts';
import { decimal } from '../units.ts';
import { API_KEY, startWorldServer } from '../world/server.ts';
import { emptyState } from '../world/state.ts';
import { BalanceBook, monthsOf } from './balance.ts';
import { bankFiles, show } from './documents.ts';
import type { BalancePlan } from './plan.ts';
import { compareEngines, compareSurfaces } from './surfaces.ts';

export const hasHledger = spawnSync('hledger', ['--version']).status === 0;

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
      faults.push(...(await compareSurfaces(plan, book, night, must)));
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

/** Runs the program as if it were that time, whichever clock it looks at. */
async function runAt(cwd: string, now: Date, argv: readonly string[]) {
  vi.useFakeTimers({ toFake: ['Date'], now });
  try {
    return await remit([...argv, '--quiet'], { cwd, now, env: { REMIT_API_KEY: API_KEY } });
  } finally {
    vi.useRealTimers();
  }
}
