import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findPlanted } from '../../src/app/selftest/index.ts';
import { CHECKS } from '../../src/checks/catalogue/index.ts';
import { CHECK_FIXTURES } from '../fixtures/checks.ts';
import { DEFAULT_SETTINGS } from '../helpers/check-settings.ts';
import { expectGolden } from '../helpers/golden.ts';
import { OTHER, withLedger } from '../helpers/ledger.ts';
import { check } from './options.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const codes = CHECKS.map(({ code }) => code);
const fixtures = Object.entries(CHECK_FIXTURES);

interface Said {
  readonly message: string;
  readonly expected: string | null;
  readonly actual: string | null;
}

/** A sentence holds both figures, and ends with what to do. */
function expectSaid(found: readonly Said[]): void {
  expect(found.length).toBeGreaterThan(0);
  for (const { message, expected, actual } of found) {
    expect(message).toMatch(/^[A-Z0-9].*\.$/);
    for (const figure of [expected, actual]) if (figure) expect(message.replaceAll(',', '')).toContain(figure);
  }
}

it.each(CHECKS)('$code says what is planted for it', async (each) => expectSaid(await findPlanted(each)));

describe.each(fixtures)('the fixture of %s', (code, { beside = [], nights = [], custodyDays, ...first }) => {
  it('is found by it, and by no other check', async () => {
    // The last night again, so that every check has two syncs to compare.
    const last = nights.at(-1) ?? first;
    const again = { partial: last.partial ?? [], ...(last.orderBook ? { orderBook: last.orderBook } : {}) };
    await withLedger({ ...first, nights: [...nights, again] }, async (ledger) => {
      const others = first.other ? { name: 'this', others: [OTHER] } : {};
      const settings = { ...DEFAULT_SETTINGS, ...others, custodyDays };
      const { mismatches, skipped } = await check(ledger, { settings });
      // What needs files of the merchant's own side, or a close, is skipped where the fixture brings none.
      expect(skipped.filter(({ why }) => !/remit (import|close)/.test(why))).toEqual([]);
      expect(skipped.map((each) => each.code)).not.toContain(code);
      expect(new Set(mismatches.map((mismatch) => mismatch.code))).toEqual(new Set([code, ...beside]));
      const found = mismatches.filter((mismatch) => mismatch.code === code);
      expectSaid(found);
      expectGolden(`checks/${code}`, found);
    });
  });
});

it('has a golden for each fixture, and no fixture of what is no check', () => {
  const goldens = readdirSync(path.join(ROOT, 'test', 'goldens', 'checks')).map((file) => path.parse(file).name);
  const names = fixtures.map(([code]) => code);
  expect(goldens.sort()).toEqual(names.sort());
  expect(names.filter((name) => !codes.includes(name))).toEqual([]);
});

it('has a file for each check, named after it', () => {
  const files = readdirSync(path.join(ROOT, 'src', 'checks', 'catalogue'));
  expect(codes.filter((code) => !files.includes(`${code}.ts`))).toEqual([]);
});

it('is described to users, in its order: a row that differs is to be pasted into docs/checks.md', () => {
  const rows = CHECKS.map(
    ({ code, severity, title, guide }) =>
      `| \`${code}\` | ${severity} | ${guide.compares ?? title.en} | ${guide.remedy} |`,
  );
  const claims = CHECKS.flatMap(({ code, claim }) => (claim ? [`| \`${code}\` | ${claim.en} |`] : []));
  const page = readFileSync(path.join(ROOT, 'docs', 'checks.md'), 'utf8');
  expect(page.match(/^\| `.*$/gm)).toEqual([...rows, ...claims]);
});
