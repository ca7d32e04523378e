import { operations } from '../../courier/index.ts';
import { wrapText } from '../wrap.ts';
import { keysOf } from './fill.ts';
import { describeType } from './read-value.ts';

const WIDTH = 100;

/** All operations with what each takes, for people: a line for the operation, a line for its parameters. */
export function operationLines(): string[] {
  return Object.entries(operations).flatMap(([name, operation]) => {
    const keys = keysOf(operation).map(
      ({ key, schema, required }) => `${key}${required ? '' : '?'}=${describeType(schema)}`,
    );
    const head = `${name.padEnd(23)} ${operation.method.padEnd(5)} /${operation.path}`;
    const takes = keys.length === 0 ? [] : wrapText(keys.join(' '), '    ', WIDTH);
    return [head, `    ${operation.summary}`, ...takes];
  });
}

/** The same for machines: one object an operation. */
export function operationRows(): object[] {
  return Object.entries(operations).map(([name, operation]) => ({
    operation: name,
    method: operation.method,
    path: `/${operation.path}`,
    summary: operation.summary,
    parameters: keysOf(operation).map(({ key, schema, required }) => ({ key, type: describeType(schema), required })),
  }));
}
