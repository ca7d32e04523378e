import type { FileOf } from '../../src/imports/formats/read-bytes.ts';
import type { ImportKind } from '../../src/imports/maps/column-map.ts';

/** What a file books, a text each: days, amounts and currencies, and whose. */
export function bookedLines(file: FileOf[ImportKind]): string[] {
  if ('statements' in file) {
    return file.statements.flatMap(({ account, lines }) =>
      lines.map(({ date, amount, currency }) => [account, date, amount, currency].join(' ')),
    );
  }
  if ('orders' in file) {
    return file.orders.flatMap(({ reference, amounts }) =>
      amounts.map(({ currency, cod }) => [reference, currency, cod].join(' ')),
    );
  }
  if ('settlements' in file) return file.settlements.map((one) => JSON.stringify(one));
  return file.rows.map((row) => JSON.stringify(row));
}

/**
 * The first figure that a file was read to hold and that is not written in it, or the first statement that is said to
 * add up and does not; null where all is as it stands. It reads digits and adds whole numbers by itself.
 */
export function wrongFigure(file: FileOf[ImportKind], bytes: Uint8Array): string | null {
  const written = figuresIn(bytes);
  for (const amount of amountsOf(file)) if (!written.has(digitsOf(amount))) return `${amount} is not in the file`;
  if (!('statements' in file)) return null;
  for (const { account, opening, closing, balanced, lines } of file.statements) {
    if (balanced !== true) continue;
    const sum = lines.reduce((so, { amount }) => so + tenThousandths(amount), tenThousandths(opening!));
    if (sum !== tenThousandths(closing!)) return `${account} is said to add up`;
  }
  return null;
}

function amountsOf(file: FileOf[ImportKind]): string[] {
  if ('statements' in file) return file.statements.flatMap(({ lines }) => lines.map(({ amount }) => amount));
  // What a shop's export asks for may be none of its figures: 0 where all was paid.
  if ('orders' in file)
    return file.orders.flatMap(({ amounts }) => amounts.map(({ cod }) => cod)).filter((cod) => Number(cod) !== 0);
  return [];
}

/** Every run of digits with its separators, as digits: of `1.234,50` both 1234.5 and 1.2345 are taken for written. */
function figuresIn(bytes: Uint8Array): Set<string> {
  const figures = new Set<string>();
  const narrow = Buffer.from(bytes.filter((byte) => byte !== 0)).toString('latin1');
  for (const [run] of narrow.matchAll(/[\d.,'\u00A0 _]*\d[.,]?/g)) {
    for (const part of [run, ...run.split(/[ _]/), ...run.split(',')]) {
      const last = Math.max(part.lastIndexOf('.'), part.lastIndexOf(','));
      const plain = (text: string) => text.replace(/\D/g, '');
      figures.add(digitsOf(plain(part)));
      if (last >= 0) figures.add(digitsOf(`${plain(part.slice(0, last))}.${plain(part.slice(last))}`));
    }
  }
  return figures;
}

/** A decimal's digits with its point, without sign and needless zeros. */
function digitsOf(decimal: string): string {
  const [whole = '', fraction = ''] = decimal.replace(/^[-+]/, '').split('.');
  return `${whole.replace(/^0+/, '') || '0'}.${fraction.replace(/0+$/, '')}`;
}

function tenThousandths(decimal: string): bigint {
  const [whole, fraction = ''] = decimal.replace(/^-/, '').split('.');
  const units = BigInt(`${whole}${fraction.padEnd(4, '0')}`);
  return decimal.startsWith('-') ? -units : units;
}
