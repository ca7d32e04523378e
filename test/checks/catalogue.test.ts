import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHECKS } from '../../src/checks/index.ts';
import { CHECK_FIXTURES } from '../fixtures/checks.ts';
import { expectGolden } from '../helpers/golden.ts';
import { withLedger } from '../helpers/ledger.ts';
import { check } from './options.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const codes = CHECKS.map(({ code }) => code);

describe.each(codes)('%s', (code) => {
  it('finds what its fixture plants, and no other check finds anything', async () => {
    const { beside = [], nights = [], ...first } = CHECK_FIXTURES[code]!;
    // The last night again, so that every check has two syncs to compare.
    const last = nights.at(-1) ?? first;
    const again = { partial: last.partial ?? [], ...(last.orderBook ? { orderBook: last.orderBook } : {}) };
    await withLedger({ ...first, nights: [...nights, again] }, async (ledger) => {
      const { mismatches, skipped } = await check(ledger);
      // What needs files of the merchant's own side, or a close, is skipped where the fixture brings none.
      expect(skipped.filter(({ why }) => !/remit (import|close)/.test(why))).toEqual([]);
      expect(skipped.map((each) => each.code)).not.toContain(code);
      expect(new Set(mismatches.map((mismatch) => mismatch.code))).toEqual(new Set([code, ...beside]));
      expectGolden(
        `checks/${code}`,
        mismatches.filter((mismatch) => mismatch.code === code),
      );
    });
  });

  it('writes sentences that hold both figures and end with what to do', async () => {
    const golden = readFileSync(path.join(ROOT, 'test', 'goldens', 'checks', `${code}.json`), 'utf8');
    for (const { message, expected, actual } of JSON.parse(golden)) {
      expect(message).toMatch(/^[A-Z0-9].*\.$/);
      for (const figure of [expected, actual]) if (figure) expect(message.replaceAll(',', '')).toContain(figure);
    }
  });
});

it('has a fixture and a golden for each check, and none for another', () => {
  const names = (folder: string) =>
    readdirSync(path.join(ROOT, 'test', folder, 'checks')).map((file) => path.parse(file).name);
  expect(Object.keys(CHECK_FIXTURES).sort()).toEqual([...codes].sort());
  expect(names('goldens').sort()).toEqual([...codes].sort());
});

it('has a file for each check, named after it', () => {
  const files = readdirSync(path.join(ROOT, 'src', 'checks'));
  expect(codes.filter((code) => !files.includes(`${code}.ts`))).toEqual([]);
});

it('is described to users, in its order', () => {
  const described = readFileSync(path.join(ROOT, 'docs', 'checks.md'), 'utf8').matchAll(/^\| `([a-z-]+)` \|/gm);
  expect([...described].map(([, code]) => code)).toEqual(codes);
});
