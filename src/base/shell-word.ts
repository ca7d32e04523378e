/** A path or name as one word of a command that a person may copy: in quotes where a shell would take it apart. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(text) ? text : `"${text}"`;
}
