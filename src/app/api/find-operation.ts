import { type Operation, type OperationName, operations } from '../../courier/index.ts';
import { editDistance } from '../../edit-distance.ts';
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
  const close = NAMES.map((candidate) => ({ candidate, distance: editDistance(plain(candidate), wanted) }))
    .filter(({ candidate, distance }) => distance <= 3 || plain(candidate).includes(wanted))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3);
  const guess = close.length > 0 ? `Did you mean ${close.map(({ candidate }) => candidate).join(' or ')}? ` : '';
  throw new UsageError(
    `the API has no operation ${JSON.stringify(text.slice(0, 60))}`,
    `${guess}\`remit api\` lists all ${NAMES.length}.`,
  );
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}
