import { claimWord } from '../../../reports/mismatches.ts';
import type { Statement } from '../../../reports/statement/index.ts';
import { ExactDecimal, formatAmount } from '../../money/index.ts';
import type { SheetCell } from '../workbook/model.ts';
import { AMOUNT, COUNT, HEAD, HEAD_RIGHT, HINT, LINE, LINK, SECTION } from './looks.ts';
import type { Page } from './page.ts';
import type { StatementTables } from './tables.ts';

const LABELS = {
  error: 'Errors: the money is wrong',
  warning: 'Warnings: need an eye',
  info: 'Worth knowing',
} as const;

/** How many mismatches are not resolved and what they come to: live over the Mismatches sheet, so that working through it shows; below, what was claimed and given up. */
export function addMismatches(
  page: Page,
  statement: Statement,
  currencies: readonly string[],
  { mismatches }: StatementTables,
): void {
  page.band(page.say('Mismatches'), SECTION, 20);
  page.add([
    { value: page.say('Not resolved'), style: HEAD },
    { value: page.say('Open'), style: HEAD_RIGHT },
    { value: page.say('Acknowledged'), style: HEAD_RIGHT },
    ...currencies.map((currency) => ({ value: page.say('Effect {currency}', { currency }), style: HEAD_RIGHT })),
    { value: page.say('Where'), style: HEAD_RIGHT },
  ]);
  for (const { severity, effect } of statement.mismatches) {
    const ofSeverity = { column: 'severity', is: page.say(severity) };
    const { statuses } = page.language;
    const count = (status: 'open' | 'acknowledged') =>
      mismatches.count([ofSeverity, { column: 'status', is: statuses[status] }], COUNT);
    const effects = currencies.map((currency): SheetCell => {
      const where = [
        ofSeverity,
        { column: 'currency', is: currency },
        { column: 'status', not: page.language.statuses.resolved },
      ];
      return mismatches.sum('effect', where, formatAmount(effect.get(currency) ?? new ExactDecimal(0)), AMOUNT);
    });
    const open = { ...count('open'), ...(severity === 'error' ? { name: 'ERRORS_OPEN' } : {}) };
    const link = mismatches.linkTo([ofSeverity, { column: 'status', not: page.language.statuses.resolved }], LINK);
    page.add([{ value: page.say(LABELS[severity]), style: LINE }, open, count('acknowledged'), ...effects, link]);
  }
  if (statement.writtenOff) {
    const { effect } = statement.writtenOff;
    const begins = page.language.tell(claimWord('written-off'));
    const given = { column: 'claim', begins };
    const effects = currencies.map((currency): SheetCell => {
      const sum = formatAmount(effect.get(currency) ?? new ExactDecimal(0));
      return mismatches.sum('effect', [given, { column: 'currency', is: currency }], sum, AMOUNT);
    });
    page.add([
      { value: page.say('Claimed and written off: resolved, in no sum above'), style: LINE },
      mismatches.count([given], COUNT),
      null,
      ...effects,
      mismatches.linkTo([given], LINK),
    ]);
  }
  page.paragraph(
    [],
    page.say('Effect: on what the merchant should receive; negative is money that the merchant is short.'),
    HINT,
  );
  page.gap();
}
