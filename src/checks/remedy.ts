import type { Sentence } from '../base/sentence.ts';

/** What is lacking (`why`), and the commands that bring it, any one of them; none if only time does. */
export interface Lacking<S extends Sentence = Sentence> {
  readonly why: S;
  readonly commands: readonly string[];
}

export type RemedySentence = { id: 'with-remedy'; why: Sentence; commands: readonly string[] };

/** One sentence that says what is lacking and which command brings it. */
export function withRemedy({ why, commands }: Lacking): Sentence {
  if (commands.length === 0) return why;
  return { id: 'with-remedy', why, commands } satisfies RemedySentence;
}
