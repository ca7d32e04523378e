import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ownBooks } from '../helpers/own-books.ts';
import { serveWorld } from './made/courier.ts';
import { figuresOf } from './made/figures.ts';
import { filesOfNight } from './made/files.ts';
import { type Expected, NIGHTS, PAYER } from './made/model.ts';
import { makeWorld } from './made/world.ts';

/** Set REMIT_WORLD to make it larger: so many orders, with one difference planted for every 66 of them. */
const ORDERS = Number(process.env.REMIT_WORLD ?? 500);
const PLANTS = Math.max(60, Math.round(ORDERS / 66.6));
const SEED = Number(process.env.REMIT_WORLD_SEED ?? 1);

interface Mismatch {
  readonly code: string;
  readonly invoice_number: number | null;
  readonly order_id: string | null;
  readonly reference_id: string | null;
  readonly currency: string | null;
  readonly effect: string | null;
  readonly message: string;
}

interface Bridge {
  readonly period: string;
  readonly currency: string;
  readonly courier: string;
  readonly ours: string;
  readonly unexplained: string;
}

const keyOf = ({ code, about, currency, effect }: Expected) => [code, about, currency ?? '', effect ?? ''].join(' ');

/** What a finding is about, as it was planted. */
function asPlanted({ code, invoice_number, order_id, reference_id, currency, message, effect }: Mismatch): Expected {
  const amount = code.startsWith('receipt-') ? /([\d,]+\.\d\d) USD/.exec(message)![1]!.replaceAll(',', '') : null;
  const about = code === 'duplicate-reference' ? reference_id : (order_id ?? invoice_number ?? reference_id ?? amount);
  return { code, about: String(about), currency, effect };
}

it('finds every difference between the four sides, and no other', { timeout: 120_000 + 20 * ORDERS }, async () => {
  const world = makeWorld(ORDERS, PLANTS, SEED);
  const courier = await serveWorld(world);
  const books = ownBooks();
  books.file('remit.toml', `api_url = "${courier.url}"\n[receipts]\npayers = ["${PAYER}"]\n`);
  const env = { REMIT_API_KEY: courier.key };
  const surroundings = (night: number) => ({ env, now: new Date(`${NIGHTS[night]}T22:30:00Z`) });
  try {
    for (const night of NIGHTS.keys()) {
      courier.goTo(night);
      const period = `2026-08..${['2026-10', '2026-11', '2026-11'][night]}`;
      const synced = await books.remit(['sync', period, '--orders', '--quiet'], surroundings(night));
      expect(synced.code, synced.stderr).toBe(0);
      for (const { kind, name, text } of filesOfNight(world, night)) {
        await books.json(['import', kind, books.file(name, text)], surroundings(night));
      }
    }
  } finally {
    await courier.close();
  }
  const { stdout, stderr } = await books.remit(['check', '--json'], surroundings(2));
  const checked = JSON.parse(stdout) as { mismatches: Mismatch[]; bridge: Bridge[] };
  // What shares a reference was not compared, and its months say so.
  expect(stderr).toMatch(/^(warning: \d{4}-\d\d is incomplete: .* the reference stands on several orders.*\n)*$/);
  const found = checked.mismatches.map((mismatch) => keyOf(asPlanted(mismatch))).sort();
  expect(found).toEqual(world.expected.map(keyOf).sort());
  expect(
    checked.bridge
      .map(({ currency, period, courier: stated, ours }) => `${period} ${currency} courier ${stated} ours ${ours}`)
      .sort(),
  ).toEqual(figuresOf(world).sort());
  expect(new Set(checked.bridge.map(({ unexplained }) => unexplained))).toEqual(new Set(['0.00']));
  await books.verify();
});

it('is made by code that shares nothing with the product', () => {
  const folder = path.join(import.meta.dirname, 'made');
  for (const name of readdirSync(folder)) {
    const imports = [...readFileSync(path.join(folder, name), 'utf8').matchAll(/from '([^']+)'/g)].map(
      ([, from]) => from!,
    );
    expect([name, imports.filter((from) => !/^(node:|\.\/[\w-]+\.ts$)/.test(from))]).toEqual([name, []]);
  }
});
