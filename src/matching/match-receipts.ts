import { compareText } from '../base/text.ts';
import type { MatchOutcome, MatchRule, MoneyToMatch } from './model.ts';
import { OpenItems } from './open-items.ts';
import { type Ambiguous, isOpen, type Rule } from './rule.ts';
import { equalRule } from './rule-equal.ts';
import { namedPartRule, namedRule } from './rule-named.ts';
import { setsRule } from './rule-sets.ts';
import { severalReceiptsRule } from './rule-several.ts';
import { takenBackRule } from './rule-taken-back.ts';
import type { Tried } from './tried-log.ts';

/**
 * Allocates receipts to outstanding invoices, currency by currency.
 *
 * The rules are tried in order, each over all receipts. Whenever a rule books something, they start again from the
 * first, because an ambiguous receipt may now have only one way left. Nothing is left to book when they end, so that a
 * second run changes nothing.
 * If the first rule that finds a way for a receipt finds several, the receipt is ambiguous, and later rules skip it.
 * The outcome depends on dates, amounts, texts and numbers alone, never on the order of rows.
 *
 * @param tried records what the rules try with one receipt or invoice; null if nobody asks
 */
export function matchReceipts(input: MoneyToMatch, tried: Tried | null = null): MatchOutcome {
  const currencies = new Set([...input.receipts, ...input.invoices].map(({ currency }) => currency));
  const outcomes = [...currencies]
    .sort(compareText)
    .map((currency) => matchCurrency(new OpenItems(currency, input, tried)));
  return {
    matches: outcomes.flatMap(({ matches }) => matches),
    ambiguous: outcomes.flatMap(({ ambiguous }) => ambiguous),
    unmatched: {
      receipts: outcomes.flatMap(({ unmatched }) => unmatched.receipts),
      invoices: outcomes.flatMap(({ unmatched }) => unmatched.invoices),
    },
  };
}

type NamedRules = readonly (readonly [MatchRule, Rule])[];

function matchCurrency(items: OpenItems): MatchOutcome {
  // Each currency has its own `setsRule` and `severalReceiptsRule`, because they keep their last searches.
  const rules: NamedRules = [
    ['named', namedRule],
    ['equal', equalRule],
    ['set', setsRule()],
    ['several-receipts', severalReceiptsRule()],
    ['taken-back', takenBackRule],
    ['named-part', namedPartRule],
  ];
  for (;;) {
    const ambiguous: Ambiguous = new Map();
    items.tried?.beginPass(items.currency);
    if (!tryRules(rules, items, ambiguous)) return outcomeOf(items, ambiguous);
  }
}

/** Tries the rules in order until one books something. @returns whether one did */
function tryRules(rules: NamedRules, items: OpenItems, ambiguous: Ambiguous): boolean {
  const { receipts, invoices } = items;
  return rules.some(([name, rule]) => {
    items.tried?.beginRule(name, { receipts: receipts.filter((receipt) => isOpen(receipt, ambiguous)), invoices });
    return rule(items, ambiguous);
  });
}

function outcomeOf(items: OpenItems, ambiguous: Ambiguous): MatchOutcome {
  return {
    matches: items.matches,
    ambiguous: items.receipts.flatMap((receipt) => ambiguous.get(receipt) ?? []),
    unmatched: {
      receipts: items.receipts.filter((receipt) => receipt.left !== 0n && !ambiguous.has(receipt)).map(({ id }) => id),
      invoices: items.invoices
        .filter(({ wasEverMatched, outstanding }) => !wasEverMatched && outstanding !== 0n)
        .map(({ number }) => ({ number, currency: items.currency })),
    },
  };
}
