export { compareFractions, type Fraction, inverse, parseFraction, parseRate, sayFraction } from './fraction.ts';
export { type Exchange, exchangeOf, judgeExchange, type RateFinding } from './implied-rate.ts';
export { type Rate, type RateConflict, RateTable, rateConflicts } from './rate-table.ts';
