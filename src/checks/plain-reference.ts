/** A shop's reference as people read it: case, Unicode form and kinds of white space aside. Empty where there is nothing to read. */
export function plainReference(reference: string): string {
  return reference.normalize('NFKC').toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim();
}
