import { Command } from '@commander-js/extra-typings';
import type { Examined } from '../../app/doctor/index.ts';
import { cleanLines } from '../../base/text.ts';
import { apiUrlOption, example, ledgerOption, printAnswer, type Start } from '../command.ts';
import type { Session, SettingInput } from '../session.ts';

export const declare = (start: Start) =>
  new Command('doctor')
    .summary('find out what is wrong')
    .description('Looks at settings, key, connection, clock, disk and ledger; one line each, with the remedy.')
    .addOption(apiUrlOption())
    .addOption(ledgerOption())
    .addHelpText(...example('remit doctor'))
    .action((options) => start('doctor', options, doctor));

/** Exits with 0 if all is well, else with 1. */
export async function doctor(session: Session, input: SettingInput): Promise<number> {
  const { examine } = await import('../../app/doctor/index.ts');
  const lines = await examine(() => session.books(input));
  const ok = lines.every((line) => line.ok);
  const checks = lines.map(({ message, remedy, ...rest }) => {
    return { ...rest, message: session.mask(message), remedy: remedy && session.mask(remedy) };
  });
  await printAnswer(session, { ok, checks }, () => lines.map((line) => session.mask(textOf(line))));
  return ok ? 0 : 1;
}

function textOf({ ok, name, message, remedy }: Examined): string {
  const text = `${ok ? '✓' : '✗'} ${name.padEnd(11)}${message}`;
  return cleanLines(remedy === null ? text : `${text}\n  → ${remedy}`, 4_000);
}
