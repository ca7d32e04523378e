import { fileText } from '../../text.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as XML content or attribute. */
export function xmlText(text: string): string {
  return xmlEntities(fileText(text));
}

/** {@link xmlText} for text that is known to hold no control characters. */
export function xmlEntities(text: string): string {
  return text.replace(/[&<>"]/g, (c) => ENTITIES[c]!);
}

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

export const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';
export const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';

export interface Relationship {
  readonly type: 'drawing' | 'image' | 'chart';
  readonly target: string;
}

/** A part's list of the parts that it uses; the first is `rId1`. */
export function relationships(list: readonly Relationship[]): string {
  const entries = list.map(
    ({ type, target }, i) =>
      `<Relationship Id="rId${i + 1}" Type="${OFFICE}/relationships/${type}" Target="${target}"/>`,
  );
  return `${XML_HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${entries.join('')}</Relationships>`;
}
