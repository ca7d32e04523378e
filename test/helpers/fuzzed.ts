import { appendFileSync } from 'node:fs';
import { afterAll } from 'vitest';

/** `npm run soak:fuzz` reads here how many inputs there were. */
const COUNTED = process.env.REMIT_FUZZ_COUNT;

/** Counts the made-up inputs of one kind that a test file sent: files, answers or requests. */
export function countInputs(kind: 'files' | 'answers' | 'requests'): (inputs?: number) => void {
  let count = 0;
  afterAll(() => {
    if (COUNTED !== undefined) appendFileSync(COUNTED, `${kind} ${count}\n`);
  });
  return (inputs = 1) => {
    count += inputs;
  };
}
