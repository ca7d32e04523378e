export { add, readSum, requireRange, SumRangeError, subtract } from './add.ts';
export { parseCurrency } from './currency.ts';
export { ExactDecimal, isPlainDecimal, parseAmount } from './decimal.ts';
export {
  eachField,
  eachRowSum,
  FIELD_NAMES,
  MONEY_FIELDS,
  type MoneyField,
  NET_FIELDS,
  type NetField,
  ORDER_MONEY_FIELDS,
  type OrderMoneyField,
  PRICE_FIGURES,
  type PriceFigure,
  ROW_SUM_FIELDS,
  type RowSumField,
  withFields,
} from './fields.ts';
export { formatAmount, formatGrouped, formatMoney } from './format.ts';
export { type Money, money } from './money.ts';
export {
  countedOfRow,
  type HeaderUnits,
  headerUnder,
  isWorthKnown,
  netOfRow,
  netUnder,
  type RowUnits,
  type RowWorth,
  returnWorth,
  STANDARD_WORTH,
  worthOf,
} from './returns.ts';
export { smallestCoin } from './smallest-coin.ts';
export { Totals } from './totals.ts';
export { amountOfUnits, formatUnits, MAX_AMOUNT, MAX_UNITS, parseUnits, type Units } from './units.ts';
