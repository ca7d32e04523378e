import type { Sentence } from '../base/sentence.ts';

/** What is lacking, and the commands that bring it: any one of them; none where only time does. */
export interface Lacking<S extends Sentence = Sentence> {
  readonly why: S;
  readonly commands: readonly string[];
}

export type RemedySentence = { id: 'with-remedy'; why: Sentence; commands: readonly string[] };

/** What is lacking, with its remedy. */
export function withRemedy({ why, commands }: Lacking): Sentence {
  if (commands.length === 0) return why;
  return { id: 'with-remedy', why, commands } satisfies RemedySentence;
}
