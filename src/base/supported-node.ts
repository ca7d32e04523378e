// Nodes that are too old read this file too: it imports nothing, and its newest syntax is `??`, which Node 14 has.

/** The versions of Node.js that remit runs on, as `engines` in package.json has them (a test keeps the two equal). */
export const SUPPORTED_NODE = '^20.18.1 || ^22.14 || >=24';

/** {@link SUPPORTED_NODE} for people. */
export const SUPPORTED_IN_WORDS = '20 (from 20.18.1), 22 (from 22.14), and 24 and later';

export function isSupportedNode(version: string): boolean {
  const have = numbers(version);
  return SUPPORTED_NODE.split(' || ').some((range) => {
    const least = numbers(range);
    const isMajorRight = range.startsWith('^') ? have[0] === least[0] : true;
    return isMajorRight && compare(have, least) >= 0;
  });
}

function numbers(text: string): number[] {
  return text
    .replace(/^\D+|-.*$/g, '')
    .split('.')
    .map(Number);
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < 3; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
