import { Command } from '@commander-js/extra-typings';
import { cleanText } from '../../../base/text.ts';
import { amountText } from '../../../render/figures.ts';
import { example, type Start } from '../../command.ts';
import { ageText } from '../../lines/night.ts';
import type { Session } from '../../session.ts';
import { fleetProgram } from './program.ts';

export const declare = (start: Start) =>
  new Command('status')
    .summary('a line a merchant: its last good sync, its exit code and why, what is open')
    .description('Shows how each merchant is, by what its last night said; the worst first.')
    .addHelpText('after', example('remit -C fleet fleet status', 'remit -C fleet fleet status --json'))
    .action(() => start('fleet status', {}, status));

async function status(session: Session): Promise<number> {
  const { fleetStatus } = await import('../../../app/fleet/status.ts');
  const merchants = await fleetStatus(fleetProgram(session));
  if (session.json) session.resultJson({ merchants });
  else {
    const now = session.io.now().getTime();
    for (const one of merchants) {
      const { merchant, cell, last_good_sync, exit_code, reason, not_compared, open_errors, short, oldest_open_month } =
        one;
      const age =
        last_good_sync === null
          ? 'no good sync yet'
          : `synced ${ageText(Math.max(0, Math.floor((now - Date.parse(last_good_sync)) / 1_000)))} ago`;
      const parts = [
        `exit code ${exit_code ?? 'none'}`,
        age,
        `${open_errors} open errors`,
        ...short.map(
          ({ currency, amount }) =>
            `${amount.startsWith('-') ? 'short' : 'ahead'} ${amountText(amount.replace('-', ''))} ${currency}`,
        ),
        ...(oldest_open_month === null ? [] : [`open since ${oldest_open_month}`]),
        ...(not_compared.length === 0 ? [] : [`${not_compared.length} not compared`]),
        ...(reason === null ? [] : [reason]),
      ];
      session.result(cleanText(`${merchant} (${cell}): ${parts.join('; ')}`, 2_000));
    }
  }
  return 0;
}
