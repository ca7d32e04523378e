import { Command } from '@commander-js/extra-typings';
import type { SelfTest, Tested } from '../../app/selftest/index.ts';
import { counted } from '../../base/counted.ts';
import { VERSION } from '../../base/version.ts';
import { amountText } from '../../render/figures.ts';
import { example, printAnswer, type Start } from '../command.ts';
import { tableLines, timestampText } from '../lines/labels.ts';
import type { Session } from '../session.ts';

export const declare = (start: Start) =>
  new Command('selftest')
    .summary('prove that every check finds its mismatch')
    .description(
      'Plants a mismatch of every kind in a copy of a clean ledger of its own, one at a time. Each check must find its own and no other may find any; with a check of the bridge left out, exactly its plant must be unexplained. It uses none of your ledgers and needs no settings.',
    )
    .addHelpText(...example('remit selftest', 'remit selftest > statements/2026-10-selftest.txt'))
    .action(() => start('selftest', {}, selftest));

/** Exits with 0 if everything is found as planted, else with 1. */
export async function selftest(session: Session): Promise<number> {
  const { selfTest } = await import('../../app/selftest/index.ts');
  const tested = await selfTest();
  const lines = () => selfTestLines(tested, session.io.now());
  await printAnswer(session, tested, lines, !session.quiet || !tested.ok);
  return tested.ok ? 0 : 1;
}

const HEADINGS = ['check', 'planted', 'found', 'effect', 'left out, unexplained', ''];

/** One line per check, then the result; with time and version, because people keep it with their statements. */
function selfTestLines({ ok, clean, checks }: SelfTest, at: Date): string[] {
  const failed = checks.filter((tested) => !tested.ok);
  return [
    `remit ${VERSION} self-test, ${timestampText(at.toISOString())}`,
    ...tableLines([HEADINGS, ...checks.map(cellsOf)]),
    clean ? 'clean books: nothing found, nothing unexplained' : 'clean books: NOT clean',
    ...failed.map(faultLine),
    ok
      ? `all ${checks.length} checks find what is planted for them, and nothing else`
      : `NOT as planted: ${clean ? counted(failed.length, 'check') : 'the clean books'}; do not rely on this installation`,
  ];
}

function cellsOf({ code, expected, found, unexplained, ok }: Tested): string[] {
  const steps = unexplained === null ? 'no step' : effectsText(unexplained);
  const counts = [expected.findings, found.findings].map(String);
  return [code, ...counts, effectsText(found.effects), steps, ok ? 'ok' : 'NOT OK'];
}

function effectsText(effects: readonly { readonly currency: string; readonly effect: string }[]): string {
  return effects.map(({ currency, effect }) => `${amountText(effect)} ${currency}`).join(', ') || 'none';
}

function faultLine({ code, expected, found, unexplained }: Tested): string {
  const others = found.others.length > 0 ? `; found besides: ${found.others.join(', ')}` : '';
  const leftOut = unexplained === null ? '' : `; left out, unexplained: ${effectsText(unexplained)}`;
  const plantedText = `planted ${expected.findings} (${effectsText(expected.effects)})`;
  const foundText = `found ${found.findings} (${effectsText(found.effects)})`;
  return `${code}: ${plantedText}, ${foundText}${others}${leftOut}`;
}
