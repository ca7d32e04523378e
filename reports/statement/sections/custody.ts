import type { Sentence } from '../../../src/base/sentence.ts';
import { custodyFigures } from '../../../src/checks/facts/custody.ts';
import { amountOfUnits } from '../../../src/money/units.ts';
import { type GridRow, hint, type Live, note, type Section } from '../../page.ts';
import type { Statement } from '../model.ts';
import { figureGrid } from './figures.ts';

type Figure = keyof ReturnType<typeof custodyFigures>;

/** The lines, in their order. `isOptional`: left out if it is zero in every currency. */
const LINES: Readonly<Partial<Record<Figure, { look?: GridRow['look']; isOptional?: true }>>> = {
  driver: {},
  company: {},
  unknown: {},
  not_invoiced: { look: 'sum' },
  ready: {},
  paid: {},
  receivable: { look: 'sum' },
  rest: { look: 'step' },
  unexplained: { look: 'step', isOptional: true },
  closing: { look: 'total' },
  uninvoiced: {},
  moved: { isOptional: true },
};

const labelOf = (figure: string): Sentence => ({ id: `custody/${figure}` });

/** The endings of the figures' names in a workbook, for those from which another figure is computed. */
const NAMES: Readonly<Partial<Record<Figure, string>>> = {
  not_invoiced: 'NOT_YET_INVOICED',
  receivable: 'RECEIVABLE',
  closing: 'OWED',
  uninvoiced: 'ON_NO_INVOICE',
};

/**
 * The COD that was not received at the month's end: what is not yet invoiced, and from what is receivable to the
 * balance.
 */
export function custodySection({ custody }: Pick<Statement, 'custody'>, currencies: readonly string[]): Section {
  const title = { id: 'custody/title' };
  if (custody.length === 0) return { title, parts: [note({ id: 'statement/no-money' })] };
  const ties = new Map(custody.map((tie) => [tie.currency, custodyFigures(tie)]));
  const amount = (figure: Figure, currency: string) => amountOfUnits(ties.get(currency)?.[figure] ?? 0n);
  const lines = (Object.keys(LINES) as Figure[])
    .map((figure) => ({
      figure,
      count: null,
      amounts: new Map(currencies.map((currency) => [currency, amount(figure, currency)])),
    }))
    .filter(({ figure, amounts }) => !LINES[figure]!.isOptional || [...amounts.values()].some((sum) => !sum.isZero()));
  const difference = (currency: string, whole: Figure, part: Figure): Live => ({
    formula: `${currency}_${NAMES[whole]}-${currency}_${NAMES[part]}`,
    amounts: [amount(whole, currency), amount(part, currency)],
  });
  const liveOf = (figure: Figure, currency: string): Live | null => {
    const where = [{ column: 'currency', is: currency }];
    // The three lines above: driver, company, unknown; the two lines above: ready, paid.
    if (figure === 'not_invoiced') return { above: 3 };
    if (figure === 'receivable') return { above: 2 };
    if (figure === 'closing') return { of: 'rollForward', sum: ['closing'], where };
    if (figure === 'rest') return difference(currency, 'closing', 'receivable');
    if (figure === 'moved') return difference(currency, 'not_invoiced', 'uninvoiced');
    if (figure === 'uninvoiced') return { of: 'notInvoiced', sum: ['cod'], where };
    const isPlace = ['driver', 'company', 'unknown', 'ready', 'paid'].includes(figure);
    const place = { column: 'where', is: labelOf(figure) };
    return isPlace ? { of: 'custody', sum: ['cod'], where: [...where, place] } : null;
  };
  const grid = figureGrid('', currencies, lines, ({ figure }) => {
    const { look } = LINES[figure as Figure]!;
    return {
      label: labelOf(figure),
      ...(look ? { look } : {}),
      cell: (currency) => {
        const live = liveOf(figure as Figure, currency);
        const name = NAMES[figure as Figure];
        return { ...(live ? { live } : {}), ...(name ? { name: `${currency}_${name}` } : {}) };
      },
    };
  });
  return { title, parts: [grid, hint({ id: 'custody/hint' })] };
}
