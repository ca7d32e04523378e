import type { Statement } from '../../../reports/statement/index.ts';
import type { CurrencyProof, ProofStep } from '../../../reports/statement/proof.ts';
import { ExactDecimal, formatAmount } from '../../money/index.ts';
import type { Phrase } from '../language/index.ts';
import { amountCell, derivedCell } from '../workbook/amounts.ts';
import type { SheetCell } from '../workbook/model.ts';
import { columnLetters } from '../workbook/names.ts';
import {
  AMOUNT,
  BAD_FIGURE,
  COUNT,
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
import { stepInWords } from './step-words.ts';
import type { StatementTables } from './tables.ts';

const ZERO = new ExactDecimal(0);

/** The bridge, per currency: the courier's figure, every step, ours, and what is left over; below it the money outside the invoices. */
export function addProof(
  page: Page,
  statement: Statement,
  currencies: readonly string[],
  tables: StatementTables,
): void {
  const proofs = currencies.map((currency) => statement.proof.find((one) => one.currency === currency));
  const of = { page, currencies, proofs, tables };
  page.band(page.say("The bridge: from the courier's figure to ours"), SECTION, 20);
  page.add(headOf(page, 'What is due, computed twice', currencies));
  addFigures(of);
  page.gap();
  page.band(page.say("Money outside the month's invoices"), SECTION, 20);
  page.add(headOf(page, 'Never netted with the steps above', currencies));
  addSteps(of, 'outside', 'Nothing was found outside the invoices.');
  page.add([
    { value: page.say('Short (−) or ahead: steps and outside, unresolved'), style: TOTAL },
    ...currencies.map((currency, i) => shortCell(page, currency, proofs[i], tables)),
  ]);
  page.condition(1, Math.max(1, currencies.length), '<>0', BAD_FIGURE);
  page.paragraph(
    [],
    page.say(
      'An effect is negative where the merchant is short. Steps count all that the data shows, whatever was decided about it; the last line leaves out what is resolved, and follows the Mismatches sheet.',
    ),
    HINT,
  );
  page.gap();
}

interface Columns {
  readonly page: Page;
  readonly currencies: readonly string[];
  readonly proofs: readonly (CurrencyProof | undefined)[];
  readonly tables: StatementTables;
}

function headOf(page: Page, label: Phrase, currencies: readonly string[]): SheetCell[] {
  return [
    { value: page.say(label), style: HEAD },
    ...currencies.map((currency) => ({ value: currency, style: HEAD_RIGHT })),
    { value: page.say('Found'), style: HEAD_RIGHT },
  ];
}

function addFigures({ page, currencies, proofs, tables }: Columns): void {
  const each = (make: (proof: CurrencyProof | undefined, currency: string, column: number) => SheetCell) =>
    currencies.map((currency, i) => make(proofs[i], currency, i + 1));
  // Without any record of ours there is nothing to prove, which is not the same as nothing left over.
  const none: SheetCell = { value: page.say('no own record'), style: HEAD_RIGHT };
  const text = (amount: ExactDecimal | null | undefined) => formatAmount(amount ?? ZERO);
  page.add([
    { value: page.say("Courier's figure: the net of its invoices"), style: LINE },
    ...each((proof, currency) => ({
      ...derivedCell(text(proof?.courier), [], `${currency}_NET_DUE`, AMOUNT),
      name: `${currency}_COURIER`,
    })),
  ]);
  page.add([
    { value: page.say('Our figure: COD less fee, order by order'), style: LINE },
    ...each((proof, currency) =>
      proof?.ours === null
        ? none
        : { ...tables.orders.ours(currency, text(proof?.ours), AMOUNT), name: `${currency}_OURS` },
    ),
  ]);
  page.add([
    { value: page.say("Difference: courier's less ours"), style: SUBTOTAL },
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
  const steps = addSteps({ page, currencies, proofs, tables }, 'steps', 'No step lies between the two figures.');
  const last = page.row;
  page.add([
    { value: page.say('Explained: the steps together'), style: SUBTOTAL },
    ...each((proof, currency, column) => {
      const letters = columnLetters(column);
      const amounts = (proof?.steps ?? []).map(({ effect }) => text(effect));
      const cell =
        steps === 0
          ? amountCell('0.00', SUBTOTAL_AMOUNT)
          : derivedCell(text(proof?.explained), amounts, `SUM(${letters}${first}:${letters}${last})`, SUBTOTAL_AMOUNT);
      return { ...cell, name: `${currency}_EXPLAINED` };
    }),
  ]);
  page.add([
    { value: page.say('Unexplained'), style: TOTAL },
    ...each((proof, currency) => {
      if (proof?.ours === null) return none;
      const inputs = [text(proof?.difference), text(proof?.explained)];
      const formula = `${currency}_DIFFERENCE-${currency}_EXPLAINED`;
      return {
        ...derivedCell(text(proof?.unexplained), inputs, formula, TOTAL_AMOUNT),
        name: `${currency}_UNEXPLAINED`,
      };
    }),
  ]);
  currencies.forEach((_, i) => {
    const amount = proofs[i]?.unexplained;
    if (proofs[i]?.ours === null || amount === undefined) return;
    page.condition(i + 1, i + 1, '<>0', BAD_FIGURE);
    page.condition(i + 1, i + 1, '=0', GOOD_FIGURE);
  });
}

/** A line a code, with its effect per currency and how many were found. @returns how many lines */
function addSteps({ page, currencies, proofs, tables }: Columns, which: 'steps' | 'outside', nothing: Phrase): number {
  const codes = codesOf(proofs.flatMap((proof) => (proof ? [proof[which]] : [])));
  for (const code of codes) {
    const found = proofs.map((proof) => proof?.[which].find((step) => step.code === code));
    const effects = currencies.map((currency, i): SheetCell => {
      const effect = formatAmount(found[i]?.effect ?? ZERO);
      const where = [
        { column: 'code', is: code },
        { column: 'currency', is: currency },
      ];
      return tables.mismatches.sum('effect', where, effect, AMOUNT);
    });
    const count = found.reduce((sum, step) => sum + (step?.count ?? 0), 0);
    page.add([
      { value: stepInWords(code, page.language), style: INDENTED },
      ...effects,
      tables.mismatches.countOf([{ column: 'code', is: code }], count, COUNT),
    ]);
  }
  if (codes.length === 0) page.paragraph([], page.say(nothing), HINT);
  return codes.length;
}

/** The codes of several currencies' steps in one order that each of them keeps. */
function codesOf(lists: readonly (readonly ProofStep[])[]): string[] {
  const codes: string[] = [];
  for (const list of lists) {
    let at = 0;
    for (const { code } of list) {
      const known = codes.indexOf(code);
      if (known === -1) codes.splice(at, 0, code);
      at = (known === -1 ? at : known) + 1;
    }
  }
  return codes;
}

function shortCell(
  page: Page,
  currency: string,
  proof: CurrencyProof | undefined,
  { mismatches }: StatementTables,
): SheetCell {
  const where = [
    { column: 'currency', is: currency },
    { column: 'status', not: page.language.statuses.resolved },
  ];
  const cell = mismatches.sum('effect', where, formatAmount(proof?.short ?? ZERO), TOTAL_AMOUNT, { withRest: true });
  return { ...cell, name: `${currency}_SHORT` };
}
