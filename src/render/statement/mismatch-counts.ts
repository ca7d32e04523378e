import { ExactDecimal, formatAmount } from '../../money/index.ts';
import type { SheetCell } from '../workbook/model.ts';
import type { SaidStatement } from './in-language.ts';
import { AMOUNT, COUNT, HEAD, HEAD_RIGHT, HINT, LINE, LINK, SECTION } from './looks.ts';
import type { Page } from './page.ts';
import type { StatementTables } from './tables.ts';

/** How many mismatches are not resolved and what they come to: live over the Mismatches sheet, so that working through it shows; below, what was claimed and given up. */
export function addMismatches(
  page: Page,
  statement: SaidStatement,
  currencies: readonly string[],
  { mismatches }: StatementTables,
): void {
  page.band(page.say({ id: 'statement/mismatches' }), SECTION, 20);
  page.add([
    { value: page.say({ id: 'statement/not-resolved' }), style: HEAD },
    { value: page.say({ id: 'statement/open' }), style: HEAD_RIGHT },
    { value: page.say({ id: 'statement/acknowledged' }), style: HEAD_RIGHT },
    ...currencies.map((currency) => ({ value: page.say({ id: 'statement/effect-in', currency }), style: HEAD_RIGHT })),
    { value: page.say({ id: 'statement/where' }), style: HEAD_RIGHT },
  ]);
  for (const { severity, effect } of statement.mismatches) {
    const ofSeverity = { column: 'severity', is: page.say({ id: 'statement/severity', severity }) };
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
    page.add([
      { value: page.say({ id: 'statement/severity-line', severity }), style: LINE },
      open,
      count('acknowledged'),
      ...effects,
      link,
    ]);
  }
  if (statement.writtenOff) {
    const { effect } = statement.writtenOff;
    const begins = page.language.say({ id: 'claim-state', state: 'written-off', answer: null, on: '' }).trim();
    const given = { column: 'claim', begins };
    const effects = currencies.map((currency): SheetCell => {
      const sum = formatAmount(effect.get(currency) ?? new ExactDecimal(0));
      return mismatches.sum('effect', [given, { column: 'currency', is: currency }], sum, AMOUNT);
    });
    page.add([
      { value: page.say({ id: 'statement/written-off' }), style: LINE },
      mismatches.count([given], COUNT),
      null,
      ...effects,
      mismatches.linkTo([given], LINK),
    ]);
  }
  page.paragraph([], page.say({ id: 'statement/effect-hint' }), HINT);
  if (statement.bridgeSince) page.paragraph([], page.language.say({ id: 'mismatches-since-close' }), HINT);
  page.gap();
}
