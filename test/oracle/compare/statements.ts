import type { AnswerBridge, CheckAnswer } from './answer.ts';

type Run = (...argv: string[]) => Promise<{ code: number; stdout: string; stderr: string }>;

/** What a statement prints of one currency. */
type Figures = Pick<AnswerBridge, 'currency' | 'courier' | 'ours' | 'unexplained' | 'short'>;

interface Printed {
  readonly status: 'draft' | 'closed';
  readonly figures: readonly Figures[];
}

/**
 * Why a statement may not be written: there is none of a month that was never read, and no sum of amounts that are
 * absurd together.
 */
const MAY_REFUSE = ['was never synced', 'add up to more than the ledger can hold exactly'];

/**
 * The statement of each month is written, so that its controls hold, and of an open one its bridge is the check's,
 * which is compared with the oracle's.
 */
export async function compareStatements(run: Run, months: readonly string[], answer: CheckAnswer): Promise<string[]> {
  const faults: string[] = [];
  for (const month of months) {
    const { code, stdout, stderr } = await run('statement', month, '--out', `${month}.xlsx`, '--json');
    if (code !== 0) {
      if (!MAY_REFUSE.some((words) => stderr.includes(words)))
        faults.push(`statement ${month} ended with ${code}: ${stderr}`);
      continue;
    }
    const { status, figures } = JSON.parse(stdout) as Printed;
    if (status === 'closed') continue;
    for (const line of figures) {
      const bridge = answer.bridge.find(({ period, currency }) => period === month && currency === line.currency);
      for (const figure of ['courier', 'ours', 'unexplained', 'short'] as const) {
        const must = bridge ? bridge[figure] : figure === 'ours' || figure === 'unexplained' ? null : '0.00';
        if (line[figure] !== must)
          faults.push(`statement ${month} ${line.currency}: ${figure} is ${line[figure]}, must be ${must}`);
      }
    }
  }
  return faults;
}
