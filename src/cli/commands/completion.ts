import { completionScript, type Shell } from '../completion/index.ts';
import { buildProgram } from '../program.ts';
import type { Session } from '../session.ts';

export interface CompletionInput {
  readonly shell: Shell;
}

/** `remit completion SHELL`: prints the script that completes remit's commands and flags there. */
export async function completion(session: Session, { shell }: CompletionInput): Promise<number> {
  session.result(
    completionScript(
      shell,
      buildProgram(async () => {}),
    ),
  );
  return 0;
}
