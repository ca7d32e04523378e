import { Command } from '@commander-js/extra-typings';
import type { ListedCourier } from '../../../app/courier-books.ts';
import { cleanText } from '../../../base/text.ts';
import { example, ledgerOption, type Start } from '../../command.ts';
import { timestampText } from '../../lines/parts.ts';
import type { Session, SettingInput } from '../../session.ts';

export const declare = (start: Start) =>
  new Command('list')
    .summary('the couriers, their accounts and last syncs')
    .description('Lists the couriers of the books.')
    .addOption(ledgerOption())
    .addHelpText('after', example('remit courier list', 'remit courier list --json'))
    .action((options) => start('courier list', options, list));

export async function list(session: Session, input: SettingInput): Promise<number> {
  const { listCouriers } = await import('../../../app/courier-books.ts');
  const couriers = await listCouriers(await session.books(input));
  if (session.json) session.resultJson({ couriers });
  else session.result(couriers.map(line).join('\n'));
  return 0;
}

function line({ name, kind, account, last_sync, in_settings, returns, returns_basis }: ListedCourier): string {
  const how = kind === 'files' ? 'settlement sheets' : 'API';
  const synced =
    kind === 'files'
      ? null
      : last_sync === null
        ? 'no sync was complete yet'
        : `last complete sync ${timestampText(last_sync)}`;
  const counting = returns === null ? null : `returns ${returns} (${returns_basis})`;
  const parts = [name, how, account === null ? null : cleanText(account, 80), synced, counting];
  return [...parts.filter((part) => part !== null), ...(in_settings ? [] : ['no longer in the settings'])].join('  ');
}
