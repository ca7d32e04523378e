import { compareText } from '../base/text.ts';
import type { MatchOutcome, MatchRule, MoneyToMatch } from './model.ts';
import { OpenItems } from './open-items.ts';
import type { Rule } from './rule.ts';
import { equalRule, setsRule } from './rule-amounts.ts';
import { namedPartRule, namedRule } from './rule-named.ts';
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

function matchCurrency(items: OpenItems): MatchOutcome {
  // Each currency has its own `setsRule` and `severalReceiptsRule`, because they keep their last searches.
  const rules: readonly (readonly [MatchRule, Rule])[] = [
    ['named', namedRule],
    ['equal', equalRule],
    ['set', setsRule()],
    ['several-receipts', severalReceiptsRule()],
    ['taken-back', takenBackRule],
    ['named-part', namedPartRule],
  ];
  const { receipts, invoices, tried } = items;
  const tryRule = ([name, rule]: readonly [MatchRule, Rule]) => {
    tried?.beginRule(
      name,
      receipts.filter((receipt) => items.isOpen(receipt)),
      invoices,
    );
    return rule(items);
  };
  do {
    items.ambiguous.clear();
    tried?.beginPass(items.currency);
  } while (rules.some(tryRule));
  return {
    matches: items.matches,
    ambiguous: receipts.flatMap((receipt) => items.ambiguous.get(receipt) ?? []),
    unmatched: {
      receipts: receipts.filter((receipt) => items.isOpen(receipt)).map(({ id }) => id),
      invoices: invoices
        .filter(({ wasEverMatched, outstanding }) => !wasEverMatched && outstanding !== 0n)
        .map(({ number }) => ({ number, currency: items.currency })),
    },
  };
}
