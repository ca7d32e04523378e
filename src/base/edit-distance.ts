/** The number of letters to insert, delete or replace to turn one word into the other (Levenshtein). */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, changed));
    }
    row = next;
  }
  return row[b.length]!;
}

/** The known words that a mistyped one most likely means, the nearest first, at most three; none if no word is near. */
export function nearestWords(typed: string, known: Iterable<string>): string[] {
  const plain = (word: string) => word.toLowerCase().replaceAll('_', '-');
  const word = plain(typed);
  const furthest = Math.max(word.length < 4 ? 1 : 2, Math.floor(word.length / 3));
  return [...new Set(known)]
    .map((candidate) => ({ candidate, distance: editDistance(word, plain(candidate)) }))
    .filter(({ distance }) => distance <= furthest)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** `Did you mean ageing?`; null if no known word is near. */
export function didYouMean(typed: string, known: Iterable<string>): string | null {
  const nearest = nearestWords(typed, known);
  return nearest.length === 0 ? null : askWhich(nearest);
}

/** `Did you mean #253, #553 or #613?` @param words at least one */
export function askWhich(words: readonly string[]): string {
  const last = words.at(-1)!;
  return `Did you mean ${words.length === 1 ? last : `${words.slice(0, -1).join(', ')} or ${last}`}?`;
}
