import { type Operation, type OperationName, operations } from '../../courier/index.ts';
import { UsageError } from '../../errors.ts';

const NAMES = Object.keys(operations) as OperationName[];

/**
 * The operation of a name, which may be written `createOrder` or `create-order`.
 *
 * @throws UsageError naming the operations that come close
 */
export function findOperation(text: string): Operation {
  const wanted = plain(text);
  const name = NAMES.find((candidate) => plain(candidate) === wanted);
  if (name !== undefined) return operations[name];
  const close = NAMES.map((candidate) => ({ candidate, distance: distance(plain(candidate), wanted) }))
    .filter(({ candidate, distance }) => distance <= 3 || plain(candidate).includes(wanted))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3);
  const guess = close.length > 0 ? `Did you mean ${close.map(({ candidate }) => candidate).join(' or ')}? ` : '';
  throw new UsageError(
    `The API has no operation ${JSON.stringify(text.slice(0, 60))}`,
    `${guess}\`remit api\` lists all ${NAMES.length}.`,
  );
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** How many letters must be put in, taken out or changed to make one word of the other (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, changed));
    }
    row = next;
  }
  return row[b.length] as number;
}
