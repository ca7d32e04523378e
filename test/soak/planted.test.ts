import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BUGS } from '../../soak/planted/bugs.ts';

it('each mistake that the simulator must find has its place in the source, once', () => {
  expect(BUGS.length).toBeGreaterThanOrEqual(20);
  const places = BUGS.map(({ name, file, from }) => [name, readFileSync(`${file}.ts`, 'utf8').split(from).length - 1]);
  expect(places.filter(([, count]) => count !== 1)).toEqual([]);
});
