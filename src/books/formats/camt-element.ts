import { quoted } from '../../text.ts';
import { isoDay } from './calendar.ts';
import { readCurrency } from './currency-code.ts';
import { exactAmount } from './exact.ts';
import { FileFault } from './fault.ts';
import type { XmlTag } from './xml.ts';

/** An element with all that it holds. */
export interface Element {
  readonly name: string;
  readonly line: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** Builds one element from the events of a reader; `close` gives it once it is whole. */
export function elementBuilder(
  root: XmlTag,
  rootDepth: number,
): { open(tag: XmlTag, depth: number): void; text(text: string): void; close(depth: number): Element | null } {
  const made = (tag: XmlTag): Element => ({
    name: tag.name,
    line: tag.line,
    attributes: tag.attributes,
    children: [],
    text: '',
  });
  const trail = [made(root)];
  return {
    open(tag) {
      const element = made(tag);
      trail.at(-1)!.children.push(element);
      trail.push(element);
    },
    text(text) {
      trail.at(-1)!.text += text;
    },
    close(depth) {
      if (depth === rootDepth) return trail[0]!;
      trail.pop();
      return null;
    },
  };
}

/** The first child of a name. */
export function child(element: Element | null | undefined, name: string): Element | null {
  return element?.children.find((one) => one.name === name) ?? null;
}

export function children(element: Element | null | undefined, name: string): readonly Element[] {
  return element?.children.filter((one) => one.name === name) ?? [];
}

/** The text of the first child of a name; null where there is none or it is blank. */
export function childText(element: Element | null | undefined, name: string): string | null {
  const text = child(element, name)?.text.trim() ?? '';
  return text === '' ? null : text;
}

/** `Amt` with its currency and the sign of `CdtDbtInd`. @throws FileFault when either is missing or no plain decimal */
export function camtAmount(element: Element): { amount: string; currency: string } {
  const amount = child(element, 'Amt');
  const text = amount?.text.trim() ?? '';
  const place = { line: amount?.line ?? element.line, column: `${element.name}/Amt` };
  const plain = /^\+?(\d{1,40}(?:\.\d{1,20})?|\.\d{1,20})$/.exec(text)?.[1];
  if (plain === undefined) {
    throw new FileFault(`${quoted(text)} is not an amount`, 'The file is damaged: export it again.', place);
  }
  const direction = childText(element, 'CdtDbtInd');
  if (direction !== 'CRDT' && direction !== 'DBIT') {
    throw new FileFault(
      `${quoted(direction ?? '')} says neither CRDT nor DBIT, so that the amount has no direction`,
      'The file is damaged: export it again.',
      { line: element.line, column: `${element.name}/CdtDbtInd` },
    );
  }
  const whole = plain.startsWith('.') ? `0${plain}` : plain;
  return {
    amount: exactAmount(direction === 'DBIT' ? `-${whole}` : whole, place),
    currency: readCurrency(amount?.attributes.Ccy ?? '', { line: place.line, column: `${element.name}/Amt/@Ccy` }),
  };
}

/**
 * `Dt` or `DtTm` of an element, with a prefix for `FrDt`/`ToDt`; the date as written.
 *
 * @returns null where there is none
 * @throws FileFault when it is no day
 */
export function camtDay(element: Element | null, prefix: string): string | null {
  const found = child(element, `${prefix}Dt`) ?? child(element, `${prefix}DtTm`);
  const text = found?.text.trim() ?? '';
  if (text === '') return null;
  const parts = /^(\d{4})-(\d{2})-(\d{2})(?:T[\d:.]+)?(?:Z|[+-]\d{2}:\d{2})?$/.exec(text);
  const day = parts ? isoDay(Number(parts[1]), Number(parts[2]), Number(parts[3])) : null;
  if (day !== null) return day;
  throw new FileFault(`${quoted(text)} is not a date`, 'The file is damaged: export it again.', {
    line: found!.line,
    column: found!.name,
  });
}
