export { add, compare, isZero, negate, subtract } from './arithmetic.ts';
export { parseCurrency } from './currency.ts';
export { ExactDecimal } from './decimal.ts';
export { MONEY_FIELDS, type MoneyField, ORDER_MONEY_FIELDS, type OrderMoneyField } from './fields.ts';
export { formatAmount, formatGrouped, formatMoney } from './format.ts';
export { isPlainDecimal, type Money, money, parseAmount, zero } from './money.ts';
export { Totals } from './totals.ts';
export { addUnits, amountOfUnits, parseUnits, type Units } from './units.ts';
