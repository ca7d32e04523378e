import { readFileSync } from 'node:fs';
import { named, readWorkbook } from '../../helpers/workbook.ts';
import { decimal } from '../units.ts';
import { COURIERS, CURRENCIES } from './plan.ts';
import type { Play } from './play.ts';
import { amountOf } from './surfaces.ts';

interface Printed {
  readonly figures: readonly Readonly<Record<string, string>>[];
}

/** The statement of a month: its figures, its workbook's Summary and the page that one signs. */
export async function compareSigned(play: Play): Promise<void> {
  const ended = play.months().slice(0, -1);
  const month = ended[play.plan.seed % ended.length]!;
  const closing = play.balances.closing(month);
  const check = JSON.parse(await play.must([0, 1, 3], 'check', month, '--json'));
  for (const courier of COURIERS) {
    const name = play.names.get(courier)!;
    const [file, page] = [`${courier}.xlsx`, `${courier}.html`];
    const argv = ['statement', month, '--courier', name];
    const { code, stdout, stderr } = await play.run(...argv, '--out', play.path(file), '--json');
    if (code !== 0) {
      const first = [...play.balances.begins()].filter(([key]) => key.startsWith(courier)).map(([, begun]) => begun);
      if (first.some((begun) => begun <= month))
        play.faults.push(`${month} ${courier}: no statement: ${stdout}${stderr}`);
      continue;
    }
    const { figures } = JSON.parse(stdout) as Printed;
    const isShown = courier === COURIERS[play.plan.seed % COURIERS.length];
    if (isShown) await play.must([0], ...argv, '--format', 'html', '--out', play.path(page));
    const workbook = await readWorkbook(readFileSync(play.path(file)));
    const shown = isShown ? closingsOf(readFileSync(play.path(page), 'utf8')) : null;
    for (const currency of CURRENCIES) {
      const due = closing.get(`${courier} ${currency}`) ?? 0n;
      const same = (what: string, said: bigint) => {
        if (said !== due)
          play.faults.push(
            `${month} ${courier} ${currency}: ${what} closes with ${decimal(said)}, not ${decimal(due)}`,
          );
      };
      const line = figures.find((one) => one.currency === currency);
      if (!line && !play.plan.span.everyMonth) continue;
      same('the statement', amountOf(line?.closing));
      const cell = workbook.names.has(`${currency}_CLOSING`) ? named(workbook, `${currency}_CLOSING`)?.value : '0';
      same('the Summary', amountOf(cell));
      if (shown) same('the page', amountOf(shown.get(currency)));
      const bridge = check.bridge.find(
        (one: Record<string, string>) => one.courier_name === name && one.currency === currency && one.period === month,
      );
      const isClosed = play.balances.isClosed(month);
      if (bridge && line && !isClosed && bridge.short !== line.short)
        play.faults.push(
          `${month} ${courier} ${currency}: short by ${bridge.short} in check, ${line.short} in the statement`,
        );
    }
  }
}

/** Closing balances of the page that one signs, by currency. */
function closingsOf(html: string): Map<string, string> {
  const [page = ''] = html.split('<section class="sheet1">');
  const figures = [
    ...(/<th[^>]*>Closing at .*?<\/tr>/s.exec(page)?.[0] ?? '').matchAll(/<td class="figure">([^<]*)</g),
  ];
  const heads = [...(/<thead>.*?<\/thead>/s.exec(page)?.[0] ?? '').matchAll(/>([A-Z]{3})</g)].map(([, head]) => head!);
  return new Map(heads.map((head, at) => [head, figures[at]![1]!.replaceAll(',', '').replace('−', '-')]));
}
