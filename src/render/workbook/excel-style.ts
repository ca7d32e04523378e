import type { Borders, Style as ExcelStyle, FillPattern, Font } from 'exceljs';
import type { Style } from './model.ts';

const RULE = 'FF7F7F7F';
const HAIR = 'FFD9D9D9';

const known = new WeakMap<Style, Partial<ExcelStyle>>();

/** The library's form of a style: one object for each style, which lets it find the style again at once. */
export function excelStyle(style: Style): Partial<ExcelStyle> {
  let translated = known.get(style);
  if (!translated) {
    translated = translate(style);
    known.set(style, translated);
  }
  return translated;
}

/**
 * The part of a style that a condition may change: letters' colour, weight and stroke, and the ground. In a conditional format, unlike
 * in a cell, the colour of a solid fill is its background.
 */
export function conditionStyle({ bold, strike, colour, fill }: Style): Partial<ExcelStyle> {
  return {
    font: {
      ...(bold ? { bold } : {}),
      ...(strike ? { strike } : {}),
      ...(colour ? { color: { argb: `FF${colour}` } } : {}),
    },
    ...(fill ? { fill: { type: 'pattern', pattern: 'solid', bgColor: { argb: `FF${fill}` } } } : {}),
  };
}

function translate(style: Style): Partial<ExcelStyle> {
  const font: Partial<Font> = { name: 'Calibri', family: 2, size: style.size ?? 10 };
  if (style.bold) font.bold = true;
  if (style.italic) font.italic = true;
  if (style.strike) font.strike = true;
  if (style.colour) font.color = { argb: `FF${style.colour}` };
  const fill: FillPattern | undefined = style.fill
    ? { type: 'pattern', pattern: 'solid', fgColor: { argb: `FF${style.fill}` } }
    : undefined;
  const border = borderOf(style.rule);
  return {
    font,
    ...(style.format ? { numFmt: style.format } : {}),
    ...(fill ? { fill } : {}),
    ...(border ? { border } : {}),
    alignment: {
      vertical: style.vertical ?? 'top',
      ...(style.align ? { horizontal: style.align } : {}),
      ...(style.wrap ? { wrapText: true } : {}),
      ...(style.indent ? { indent: style.indent } : {}),
    },
  };
}

function borderOf(rule: Style['rule']): Partial<Borders> | undefined {
  switch (rule) {
    case 'above':
      return { top: { style: 'thin', color: { argb: RULE } } };
    case 'below':
      return { bottom: { style: 'thin', color: { argb: RULE } } };
    case 'total':
      return { top: { style: 'thin', color: { argb: RULE } }, bottom: { style: 'double', color: { argb: RULE } } };
    case 'hair':
      return { bottom: { style: 'hair', color: { argb: HAIR } } };
    default:
      return undefined;
  }
}
