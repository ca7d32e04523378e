import type { Column, ColumnType, Row } from '../../reports/model.ts';
import { formatGrouped, parseAmount } from '../money/decimal.ts';

export function isFigure(type: ColumnType): boolean {
  return type === 'money' || type === 'measure' || type === 'count' || type === 'days';
}

/** Whether a cell is an amount of money. A `measure` is one if its row's `unit` is `money`. */
export function isAmount({ type }: Pick<Column, 'type'>, row: Row): boolean {
  return type === 'money' || (type === 'measure' && row.unit === 'money');
}

/** An amount for people, its thousands grouped: `1,234.50`. @param decimal a plain decimal, as the report holds it */
export function amountText(decimal: string): string {
  return formatGrouped(parseAmount(decimal));
}

/** A count for people, its thousands grouped: `1,090`. @param decimal a whole number */
export function countText(decimal: string): string {
  return formatGrouped(parseAmount(decimal)).replace(/\.00$/, '');
}
