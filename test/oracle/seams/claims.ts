import { decimal } from '../units.ts';
import { Books } from './books.ts';
import { COURIERS, CURRENCIES } from './plan.ts';
import type { Play } from './play.ts';
import { amountOf } from './surfaces.ts';

interface Claim {
  readonly lines: readonly { readonly section: string; readonly currency: string | null; readonly claimed: string }[];
  readonly totals: readonly Readonly<Record<'currency' | 'owed_to_us' | 'owed_by_us' | 'net', string>>[];
}

/** No claim asks for more than what is owed, with what invoices were made less by, and its lines come to its totals. */
export async function compareClaims(play: Play): Promise<void> {
  const months = play.months();
  const owed = play.balances.today();
  const books = new Books(play.facts);
  for (const courier of COURIERS) {
    const argv = ['dispute', `${months[0]}..${months.at(-1)}`, '--courier', play.names.get(courier)!, '--again'];
    const { code, stdout, stderr } = await play.run(...argv, '--dry-run', '--json');
    if (stdout === '') {
      play.faults.push(`the claim on ${courier} ended with ${code}: ${stderr}`);
      continue;
    }
    const { lines, totals } = JSON.parse(stdout) as Claim;
    for (const currency of CURRENCIES) {
      const total = totals.find((one) => one.currency === currency);
      const [toUs, byUs, net] = [total?.owed_to_us, total?.owed_by_us, total?.net].map(amountOf) as [
        bigint,
        bigint,
        bigint,
      ];
      const sumOf = (section: string) =>
        lines
          .filter((line) => line.section === section && line.currency === currency)
          .reduce((sum, { claimed }) => sum + amountOf(claimed), 0n);
      const where = `the claim on ${courier}, ${currency}:`;
      if (sumOf('owed-to-us') !== toUs)
        play.faults.push(`${where} lines of ${decimal(sumOf('owed-to-us'))} under ${decimal(toUs)}`);
      if (sumOf('owed-by-us') !== byUs)
        play.faults.push(`${where} lines of ${decimal(sumOf('owed-by-us'))} owed by us under ${decimal(byUs)}`);
      if (sumOf('confirm') !== 0n) play.faults.push(`${where} ${decimal(sumOf('confirm'))} to confirm`);
      if (toUs - byUs !== net)
        play.faults.push(`${where} a net of ${decimal(net)} of ${decimal(toUs)} and ${decimal(byUs)}`);
      const due = (owed.get(`${courier} ${currency}`) ?? 0n) + books.takenBack(courier, currency);
      if (net > 0n && net > due) play.faults.push(`${where} asks for ${decimal(net)} of ${decimal(due)}`);
    }
  }
}
