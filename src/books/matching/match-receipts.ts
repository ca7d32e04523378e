import { compareText } from '../day.ts';
import { CurrencyBooks } from './books-of-currency.ts';
import type { Ambiguity, MatchInput, MatchOutcome } from './model.ts';
import type { Rule, Stuck } from './rule.ts';
import { equalRule } from './rule-equal.ts';
import { namedRule } from './rule-named.ts';
import { namedPartRule } from './rule-named-part.ts';
import { setsRule } from './rule-sets.ts';
import { severalReceiptsRule } from './rule-several.ts';
import { takenBackRule } from './rule-taken-back.ts';

/**
 * Allocates what was received to what invoices ask for, currency by currency.
 *
 * The rules are tried in their order, each over all receipts; after every rule that books something they begin again,
 * because what was ambiguous may have become clear. So the outcome is a state in which no rule has anything left to
 * book, and a second run over it changes nothing. It depends on dates, amounts, texts and numbers alone, never on the
 * order of rows. A receipt with more than one way in the first rule that finds any stays whole.
 */
export function matchReceipts(input: MatchInput): MatchOutcome {
  const currencies = new Set([...input.receipts, ...input.invoices].map(({ currency }) => currency));
  const outcomes = [...currencies]
    .sort(compareText)
    .map((currency) => matchCurrency(new CurrencyBooks(currency, input)));
  return {
    matches: outcomes.flatMap(({ matches }) => matches),
    ambiguous: outcomes.flatMap(({ ambiguous }) => ambiguous),
    unmatched: {
      receipts: outcomes.flatMap(({ unmatched }) => unmatched.receipts),
      invoices: outcomes.flatMap(({ unmatched }) => unmatched.invoices),
    },
  };
}

function matchCurrency(books: CurrencyBooks): MatchOutcome {
  const rules: readonly Rule[] = [
    namedRule,
    equalRule,
    setsRule(),
    severalReceiptsRule(),
    takenBackRule,
    namedPartRule,
  ];
  let stuck: Stuck;
  do stuck = new Map();
  while (rules.some((rule) => rule(books, stuck)));
  const ambiguous: Ambiguity[] = [...books.receipts].flatMap((receipt) => stuck.get(receipt) ?? []);
  return {
    matches: books.matches,
    ambiguous,
    unmatched: {
      receipts: books.receipts.filter((receipt) => receipt.left !== 0n && !stuck.has(receipt)).map(({ id }) => id),
      invoices: books.invoices
        .filter(({ touched, outstanding }) => !touched && outstanding !== 0n)
        .map(({ number }) => ({ number, currency: books.currency })),
    },
  };
}
