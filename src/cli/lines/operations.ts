import type { OperationRow } from '../../app/api/call.ts';
import { wrapText } from '../../base/wrap.ts';

const WIDTH = 100;

/** All operations with what each takes, for people: a line for the operation, a line for its parameters. */
export function operationLines(rows: readonly OperationRow[]): string[] {
  return rows.flatMap(({ operation, method, path, summary, parameters }) => {
    const head = `${operation.padEnd(23)} ${method.padEnd(5)} ${path}`;
    const keys = parameters.map(({ key, type, required }) => `${key}${required ? '' : '?'}=${type}`);
    return [head, `    ${summary}`, ...(keys.length === 0 ? [] : wrapText(keys.join(' '), '    ', WIDTH))];
  });
}
