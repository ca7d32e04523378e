import { fileText } from '../../text.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text from anywhere as text of a page or an attribute: never a tag, never a script, nothing that turns a line round. */
export function escaped(text: string): string {
  return fileText(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
