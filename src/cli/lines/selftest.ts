import type { SelfTest, Tested } from '../../app/selftest/index.ts';
import { counted } from '../../base/counted.ts';
import { VERSION } from '../../base/version.ts';
import { amountText } from '../../render/figures.ts';
import { timestampText } from './timestamp.ts';

const HEADINGS = ['check', 'planted', 'found', 'effect', 'left out, unexplained', ''];

/** The self-test for a person: a line a check, then the result, with time and version for the files. */
export function selfTestLines({ ok, clean, checks }: SelfTest, at: Date): string[] {
  const table = [HEADINGS, ...checks.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...table.map((cells) => cells[column]!.length)));
  const lines = table.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  const failed = checks.filter((tested) => !tested.ok);
  return [
    `remit ${VERSION} self-test, ${timestampText(at.toISOString())}`,
    ...lines,
    clean ? 'clean books: nothing found, nothing unexplained' : 'clean books: NOT clean',
    ...failed.map(faultLine),
    ok
      ? `all ${checks.length} checks find what is planted for them, and nothing else`
      : `NOT as planted: ${clean ? counted(failed.length, 'check') : 'the clean books'}; do not rely on this installation`,
  ];
}

function cellsOf({ code, expected, found, unexplained, ok }: Tested): string[] {
  const steps = unexplained === null ? 'no step' : effectsText(unexplained);
  return [
    code,
    String(expected.findings),
    String(found.findings),
    effectsText(found.effects),
    steps,
    ok ? 'ok' : 'NOT OK',
  ];
}

function effectsText(effects: readonly { readonly currency: string; readonly effect: string }[]): string {
  return effects.map(({ currency, effect }) => `${amountText(effect)} ${currency}`).join(', ') || 'none';
}

/** What was expected, where something else came. */
function faultLine({ code, expected, found, unexplained }: Tested): string {
  const others = found.others.length > 0 ? `; found besides: ${found.others.join(', ')}` : '';
  const left = unexplained === null ? '' : `; left out, unexplained: ${effectsText(unexplained)}`;
  return `${code}: planted ${expected.findings} (${effectsText(expected.effects)}), found ${found.findings} (${effectsText(found.effects)})${others}${left}`;
}
