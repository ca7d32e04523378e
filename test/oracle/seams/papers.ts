import { existsSync, readFileSync } from 'node:fs';
import { printedFaults } from '../../helpers/adds-up.ts';
import { COURIERS } from './plan.ts';
import type { Play } from './play.ts';

const REPORTS = [
  'dashboard',
  'roll-forward',
  'open-items',
  'ageing',
  'totals',
  'invoices',
  'receipts',
  'fees',
  'journal',
];

/**
 * What shows a total adds up as it is printed: statements, reports and letters of a month, in the language of the seed.
 */
export async function comparePapers(play: Play): Promise<void> {
  const ended = play.months().slice(0, -1);
  const month = ended[(play.plan.seed * 3) % ended.length]!;
  const language = ['--lang', play.plan.seed % 2 === 0 ? 'en' : 'ar'];
  const printed = new Map<string, Buffer>();
  const print = async (name: string, ...argv: string[]) => {
    const { code, stderr } = await play.run(...argv, '--out', play.path(name));
    if (existsSync(play.path(name))) printed.set(name, readFileSync(play.path(name)));
    else if (code > 1) play.faults.push(`${argv.join(' ')} ended with ${code}: ${stderr}`);
  };
  for (const name of REPORTS) await print(`${name}.html`, 'report', name, month, '--format', 'html');
  for (const courier of COURIERS) {
    const own = ['--courier', play.names.get(courier)!];
    await print(`${courier}-month.xlsx`, 'statement', month, ...own, ...language);
    await print(`${courier}-month.html`, 'statement', month, '--format', 'html', ...own, ...language);
    const ending = ['txt', 'html', 'xlsx'][play.plan.seed % 3]!;
    const claim = ['dispute', `${play.months()[0]}..${month}`, ...own, ...language, '--again', '--yes'];
    await print(`${courier}-claim.${ending}`, ...claim);
  }
  play.faults.push(...(await printedFaults(printed)).map((fault) => `${month}, ${fault}`));
}
