import type { Start } from '../../command.ts';
import { decisionNamed, decisionsOf } from '../../decisions.ts';
import { declare as list } from './list.ts';

export const declare = (start: Start) => {
  const command = decisionNamed('settle', start);
  for (const child of [list(start), ...decisionsOf('settle', start)]) command.addCommand(child);
  return command;
};
