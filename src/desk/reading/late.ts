import type { Seen } from '../../app/desk/seen.ts';

/** So many documents make books large: of smaller ones no page keeps anybody waiting. */
const MANY = 1_000;

/** Whether a page of these books may take longer than a person waits without a word. */
export function isLarge({ last }: Pick<Seen, 'last'>): boolean {
  return last >= MANY;
}

export function later(milliseconds: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), milliseconds).unref());
}
