/** Whether a text can be the name of a courier: lower-case letters, digits and hyphens, at most 40, a letter first. */
export function isCourierName(text: string): boolean {
  return /^[a-z][a-z0-9-]{0,39}$/.test(text);
}
