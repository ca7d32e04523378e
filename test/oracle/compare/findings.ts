import type { Expected } from '../judge/finding.ts';
import { plainReference } from '../judge/orders.ts';
import type { Mismatch } from './answer.ts';

const FIELDS = [
  'severity',
  'period',
  'invoice_number',
  'order_id',
  'currency',
  'field',
  'expected',
  'actual',
  'difference',
  'unit',
  'effect',
  'amount',
] as const;

const KEY = ['invoice_number', 'order_id', 'currency', 'field'] as const;

/** Every difference between the findings that must be there and those that are, a line each. */
export function compareFindings(expected: readonly Expected[], found: readonly Mismatch[]): string[] {
  const left = new Set(found);
  const missed: Expected[] = [];
  const claim = (wanted: Expected): void => {
    const hit = [...left].find((mismatch) => fits(wanted, mismatch));
    if (hit) left.delete(hit);
    else missed.push(wanted);
  };
  // The most particular first, so that an open one does not take what another needs.
  const ones = expected.filter(({ times }) => times === 'one');
  for (const wanted of [...ones].sort((a, b) => Object.keys(b).length - Object.keys(a).length)) claim(wanted);
  for (const wanted of expected) {
    if (wanted.times === 'one') continue;
    const hits = [...left].filter((mismatch) => fits(wanted, mismatch));
    const taken = found.some((mismatch) => fits(wanted, mismatch));
    for (const hit of hits) left.delete(hit);
    if (wanted.times === 'some' && !taken) missed.push(wanted);
  }
  return [
    ...missed.map((wanted) => explain(wanted, left)),
    ...[...left].map((wrong) => `not expected: ${show(wrong)}`),
  ];
}

function fits(wanted: Expected, found: Mismatch): boolean {
  if (wanted.code !== found.code) return false;
  if (wanted.reference !== undefined && wanted.reference !== plainReference(found.reference_id ?? '')) return false;
  return FIELDS.every((field) => wanted[field] === undefined || wanted[field] === found[field]);
}

/** A missed finding, beside the one that was probably meant. */
function explain(wanted: Expected, left: Set<Mismatch>): string {
  const near = [...left].find(
    (found) =>
      found.code === wanted.code && KEY.every((key) => wanted[key] === undefined || wanted[key] === found[key]),
  );
  if (!near) return `missed: ${JSON.stringify(wanted)}`;
  left.delete(near);
  const wrong = FIELDS.filter((field) => wanted[field] !== undefined && wanted[field] !== near[field]);
  const said = wrong.map((field) => `${field} is ${near[field]}, must be ${wanted[field]}`).join('; ');
  return `differs: ${said}; wanted ${JSON.stringify(wanted)}; found ${show(near)}`;
}

function show(mismatch: Mismatch): string {
  const { id: _id, reference_id: _reference, ...rest } = mismatch;
  return JSON.stringify(rest);
}
