export { add, compare, isZero, negate, subtract } from './arithmetic.ts';
export { type Count, CountSum, countOf, formatCount, minus, plus } from './counts.ts';
export { parseCurrency } from './currency.ts';
export { ExactDecimal } from './decimal.ts';
export {
  eachOrderField,
  MONEY_FIELDS,
  type MoneyField,
  ORDER_MONEY_FIELDS,
  type OrderMoneyField,
  ROW_SUM_FIELDS,
  type RowSumField,
} from './fields.ts';
export { formatAmount, formatGrouped, formatMoney } from './format.ts';
export { isPlainDecimal, type Money, money, parseAmount, zero } from './money.ts';
export { Totals } from './totals.ts';
export { addUnits, amountOfUnits, formatUnits, parseUnits, type Units } from './units.ts';
