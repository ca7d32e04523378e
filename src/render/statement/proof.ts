import { codesInOrder } from '../../../reports/statement/bridge.ts';
import type { CurrencyProof } from '../../../reports/statement/proof.ts';
import { ExactDecimal, formatAmount } from '../../money/index.ts';
import type { StatementSentence } from '../../words/sentences.ts';
import { amountCell, derivedCell } from '../workbook/amounts.ts';
import { columnLetters } from '../workbook/formulas.ts';
import type { SheetCell } from '../workbook/model.ts';
import type { SaidStatement } from './in-language.ts';
import {
  AMOUNT,
  BAD_FIGURE,
  CODE,
  COUNT,
  DOUBTFUL_FIGURE,
  GOOD_FIGURE,
  HEAD,
  HEAD_RIGHT,
  HINT,
  INDENTED,
  LINE,
  SECTION,
  SUBTOTAL,
  SUBTOTAL_AMOUNT,
  TOTAL,
  TOTAL_AMOUNT,
} from './looks.ts';
import type { Page } from './page.ts';
import { stepInWords } from './step.ts';
import type { StatementTables } from './tables.ts';

const ZERO = new ExactDecimal(0);

/** The bridge, per currency: the courier's figure, ours, every step between them, and what is left over. */
export function addBridge(
  page: Page,
  statement: SaidStatement,
  currencies: readonly string[],
  tables: StatementTables,
): void {
  const proofs = proofsOf(statement, currencies);
  page.band(page.say({ id: 'statement/bridge' }), SECTION, 20);
  page.add(headOf(page, { id: 'statement/computed-twice' }, currencies, statement));
  addFigures({ page, currencies, proofs, tables, effects: effectsOf(statement) });
  if (statement.bridgeSince) {
    page.paragraph([], page.language.say({ id: 'bridge-since-close', moved: statement.bridgeSince }), HINT);
  }
  page.gap();
}

/** The columns of the Mismatches sheet that the bridge sums: those of the close where the month is shown as it was closed. */
function effectsOf({ bridgeSince }: SaidStatement): Columns['effects'] {
  return bridgeSince
    ? { effect: 'effect_at_close', status: 'status_at_close' }
    : { effect: 'effect', status: 'status' };
}

/** The money outside the month's invoices, and what the merchant is short or ahead with it. */
export function addOutside(
  page: Page,
  statement: SaidStatement,
  currencies: readonly string[],
  tables: StatementTables,
): void {
  const proofs = proofsOf(statement, currencies);
  page.band(page.say({ id: 'statement/outside' }), SECTION, 20);
  page.add(headOf(page, { id: 'statement/result-of-month' }, currencies, statement));
  const effects = effectsOf(statement);
  addSteps({ page, currencies, proofs, tables, effects }, 'outside', { id: 'statement/nothing-outside' });
  page.add([
    { value: stepInWords('explained', page.language), style: SUBTOTAL },
    ...currencies.map((currency, i) => {
      const explained = formatAmount(proofs[i]?.explained ?? ZERO);
      return derivedCell(explained, [explained], `${currency}_EXPLAINED`, SUBTOTAL_AMOUNT);
    }),
  ]);
  // It stands where nothing is resolved too: whoever works in the sheet may resolve something.
  page.add([
    { value: stepInWords('resolved', page.language), style: LINE },
    ...currencies.map((currency, i) => resolvedCell({ page, tables, effects }, currency, proofs[i])),
  ]);
  page.add([
    { value: page.say({ id: 'statement/short-or-ahead-unresolved' }), style: TOTAL },
    ...currencies.map((currency, i) => shortCell({ page, tables, effects }, currency, proofs[i])),
  ]);
  page.condition(1, Math.max(1, currencies.length), '<0', BAD_FIGURE);
  page.paragraph([], page.say({ id: 'statement/effects' }), HINT);
  page.gap();
}

function proofsOf({ proof }: SaidStatement, currencies: readonly string[]): (CurrencyProof | undefined)[] {
  return currencies.map((currency) => proof.find((one) => one.currency === currency));
}

interface Columns {
  readonly page: Page;
  readonly currencies: readonly string[];
  readonly proofs: readonly (CurrencyProof | undefined)[];
  readonly tables: StatementTables;
  /** The columns of the Mismatches sheet with each effect, and with what is resolved. */
  readonly effects: { readonly effect: string; readonly status: string };
}

function headOf(
  page: Page,
  label: StatementSentence,
  currencies: readonly string[],
  { tables }: SaidStatement,
): SheetCell[] {
  const code = tables.mismatches.columns.find(({ name }) => name === 'code')?.title ?? '';
  return [
    { value: page.say(label), style: HEAD },
    ...currencies.map((currency) => ({ value: currency, style: HEAD_RIGHT })),
    { value: page.say({ id: 'statement/found' }), style: HEAD_RIGHT },
    { value: code, style: HEAD, span: 2 },
  ];
}

function addFigures({ page, currencies, proofs, tables, effects }: Columns): void {
  const each = (make: (proof: CurrencyProof | undefined, currency: string, column: number) => SheetCell) =>
    currencies.map((currency, i) => make(proofs[i], currency, i + 1));
  // Without any record of ours there is nothing to prove, which is not the same as nothing left over.
  const none: SheetCell = { value: page.say({ id: 'statement/no-own-record' }), style: HEAD_RIGHT };
  const text = (amount: ExactDecimal | null | undefined) => formatAmount(amount ?? ZERO);
  page.add([
    { value: page.say({ id: 'statement/courier-figure-line' }), style: LINE },
    ...each((proof, currency) => ({
      ...derivedCell(text(proof?.courier), [], `${currency}_NET_DUE`, AMOUNT),
      name: `${currency}_COURIER`,
    })),
  ]);
  page.add([
    { value: page.say({ id: 'statement/own-figure-line' }), style: LINE },
    ...each((proof, currency) =>
      proof?.ours === null
        ? none
        : { ...tables.orders.ours(currency, text(proof?.ours), AMOUNT), name: `${currency}_OURS` },
    ),
  ]);
  page.add([
    { value: page.say({ id: 'statement/difference-line' }), style: SUBTOTAL },
    ...each((proof, currency) => {
      if (proof?.ours === null) return none;
      const inputs = [text(proof?.courier), text(proof?.ours)];
      const formula = `${currency}_COURIER-${currency}_OURS`;
      return {
        ...derivedCell(text(proof?.difference), inputs, formula, SUBTOTAL_AMOUNT),
        name: `${currency}_DIFFERENCE`,
      };
    }),
  ]);
  const first = page.row + 1;
  addSteps({ page, currencies, proofs, tables, effects }, 'steps', { id: 'statement/no-step' });
  const last = page.row;
  page.add([
    { value: page.say({ id: 'statement/explained-line' }), style: SUBTOTAL },
    ...each((proof, currency, column) => {
      const letters = columnLetters(column);
      const amounts = (proof?.steps ?? []).map(({ effect }) => text(effect));
      const formula = `SUM(${letters}${first}:${letters}${last})`;
      return {
        ...derivedCell(text(proof?.explained), amounts, formula, SUBTOTAL_AMOUNT),
        name: `${currency}_EXPLAINED`,
      };
    }),
  ]);
  const isWhole = proofs.every((proof) => !proof?.notCompared);
  if (!isWhole) addNotCompared({ page, currencies, proofs });
  page.add([
    { value: page.say({ id: 'statement/unexplained' }), style: TOTAL },
    ...each((proof, currency) => {
      if (proof?.ours === null) return none;
      const inputs = [text(proof?.difference), text(proof?.explained), text(proof?.notCompared?.effect)];
      const formula = `${currency}_DIFFERENCE-${currency}_EXPLAINED${isWhole ? '' : `-${currency}_NOT_COMPARED`}`;
      return {
        ...derivedCell(text(proof?.unexplained), inputs, formula, TOTAL_AMOUNT),
        name: `${currency}_UNEXPLAINED`,
      };
    }),
  ]);
  currencies.forEach((_, i) => {
    const amount = proofs[i]?.unexplained;
    if (proofs[i]?.ours === null || amount === undefined) return;
    page.condition(i + 1, i + 1, '<>0', DOUBTFUL_FIGURE);
    page.condition(i + 1, i + 1, '=0', GOOD_FIGURE);
  });
}

/** What could not be compared is no explanation: a line of its own, and a warning. */
function addNotCompared({ page, currencies, proofs }: Pick<Columns, 'page' | 'currencies' | 'proofs'>): void {
  const lines = proofs.flatMap((proof) => proof?.notCompared ?? []);
  const count = lines.reduce((sum, line) => sum + line.count, 0);
  page.add([
    { value: stepInWords(lines[0]!.code, page.language), style: SUBTOTAL },
    ...currencies.map((currency, i) => ({
      ...amountCell(formatAmount(proofs[i]?.notCompared?.effect ?? ZERO), SUBTOTAL_AMOUNT),
      name: `${currency}_NOT_COMPARED`,
    })),
    { value: count, style: COUNT },
  ]);
  page.condition(1, Math.max(1, currencies.length), '<>0', BAD_FIGURE);
}

/** A line a code, with its effect per currency and how many were found. */
function addSteps(
  { page, currencies, proofs, tables, effects: columns }: Columns,
  which: 'steps' | 'outside',
  nothing: StatementSentence,
): void {
  const codes = codesInOrder(proofs.flatMap((proof) => (proof ? [proof[which]] : [])));
  for (const code of codes) {
    const ofCode = { column: 'code', is: code };
    const found = proofs.map((proof) => proof?.[which].find((step) => step.code === code));
    const effects = currencies.map((currency, i): SheetCell => {
      const effect = formatAmount(found[i]?.effect ?? ZERO);
      const where = [ofCode, { column: 'currency', is: currency }];
      return tables.mismatches.sum(columns.effect, where, effect, AMOUNT);
    });
    const count = found.reduce((sum, step) => sum + (step?.count ?? 0), 0);
    page.add([
      { value: stepInWords(code, page.language), style: INDENTED },
      ...effects,
      // A finding whose effect counts in another month is listed without it.
      tables.mismatches.countOf(count, COUNT, [ofCode], [ofCode, { column: columns.effect, not: '' }]),
      { value: code, style: CODE, span: 2 },
    ]);
  }
  if (codes.length === 0) page.paragraph([], page.say(nothing), HINT);
}

/** What is resolved, with the opposite sign; without a formula where the sheet does not hold the effects that it is made of. */
function resolvedCell(
  { page, tables: { mismatches }, effects }: Pick<Columns, 'page' | 'tables' | 'effects'>,
  currency: string,
  proof: CurrencyProof | undefined,
): SheetCell {
  const where = [
    { column: 'currency', is: currency },
    { column: effects.status, is: page.language.statuses.resolved },
  ];
  const resolved = formatAmount(proof?.resolved ?? ZERO);
  const sum = mismatches.sum(effects.effect, where, formatAmount((proof?.resolved ?? ZERO).negated()), AMOUNT);
  const live = typeof sum.value === 'object' && sum.value && 'formula' in sum.value ? sum.value.formula : undefined;
  const cell = live ? derivedCell(resolved, [resolved], `0-${live}`, AMOUNT) : amountCell(resolved, AMOUNT);
  return { ...cell, name: `${currency}_RESOLVED` };
}

function shortCell(
  { page, tables: { mismatches }, effects }: Pick<Columns, 'page' | 'tables' | 'effects'>,
  currency: string,
  proof: CurrencyProof | undefined,
): SheetCell {
  const where = [
    { column: 'currency', is: currency },
    { column: effects.status, not: page.language.statuses.resolved },
  ];
  const cell = mismatches.sum(effects.effect, where, formatAmount(proof?.short ?? ZERO), TOTAL_AMOUNT, {
    withRest: true,
  });
  return { ...cell, name: `${currency}_SHORT` };
}
