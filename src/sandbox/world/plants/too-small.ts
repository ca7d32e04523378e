import { UsageError } from '../../../base/errors.ts';

/** @throws UsageError: a world has no room for all that is to be planted in it */
export function tooSmall(): never {
  throw new UsageError(
    'the world is too small to hold every mismatch that --plant adds',
    'Give it more --orders or more --months; 100 orders over two months are enough.',
  );
}
