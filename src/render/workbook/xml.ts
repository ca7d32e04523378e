import { fileText } from '../../base/text.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const SPECIAL = /[&<>"]/;

/** Text as XML content or attribute. */
export function xmlText(text: string): string {
  return xmlEntities(fileText(text));
}

/** {@link xmlText} for text that is known to hold no control characters. */
export function xmlEntities(text: string): string {
  return SPECIAL.test(text) ? text.replace(/[&<>"]/g, (c) => ENTITIES[c]!) : text;
}

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

export const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
export const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';
export const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';
export const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

export interface Relationship {
  readonly type: 'officeDocument' | 'worksheet' | 'styles' | 'drawing' | 'image' | 'chart' | 'core-properties';
  readonly target: string;
}

/** A part's list of the parts that it uses; the first is `rId1`. */
export function relationshipsXml(list: readonly Relationship[]): string {
  const entries = list.map(({ type, target }, i) => {
    const kind = type === 'core-properties' ? `${PACKAGE}/relationships/metadata` : `${OFFICE}/relationships`;
    return `<Relationship Id="rId${i + 1}" Type="${kind}/${type}" Target="${target}"/>`;
  });
  return `${XML_HEAD}<Relationships xmlns="${PACKAGE}/relationships">${entries.join('')}</Relationships>`;
}
