import { defineConfig } from 'vitest/config';
import quick, { SLOW } from './vitest.config.ts';

/**
 * What `npm test` proves on a few random examples, on many: the tests below read these numbers. Set one yourself for
 * more.
 */
const NUMBERS = {
  REMIT_API_RUNS: '150',
  REMIT_BALANCE_WORLDS: '4',
  REMIT_BRIDGES: '20',
  REMIT_BUDGET_WORLDS: '4',
  REMIT_CLAIM_WORLDS: '8',
  REMIT_CLOSED_RUNS: '15',
  REMIT_COURIER_WORLDS: '5',
  REMIT_DECISION_KILLS: '6',
  REMIT_DEMO_DAYS: '3',
  REMIT_ENGINE_RUNS: '10',
  REMIT_FUZZ: '30',
  REMIT_FUZZ_RUNS: '15',
  REMIT_JOURNAL_WORLDS: '3',
  REMIT_ORACLE_WORLDS: '6',
  REMIT_PDF_VARIANTS: '5',
  REMIT_POLICY_RUNS: '30',
  REMIT_PROPERTY_RUNS: '1000',
  REMIT_RECEIPT_RUNS: '6',
  REMIT_RECEIVED_RUNS: '20',
  REMIT_RETURN_WORLDS: '2',
  REMIT_SEAM_WORLDS: '3',
  REMIT_TAMPERINGS: '40',
  REMIT_WEBHOOK_KILLS: '4',
  REMIT_WORLD: '2000',
};

const env = Object.fromEntries(Object.entries(NUMBERS).map(([name, number]) => [name, process.env[name] ?? number]));

const long = { ...quick.test, testTimeout: 300_000, env: { ...quick.test?.env, ...env } };

export default defineConfig({
  test: {
    maxWorkers: '100%',
    projects: [
      // They run in `npm test`, or would if they were quicker: with files that share what they import.
      {
        test: {
          ...long,
          name: 'slow',
          include: [
            ...SLOW,
            'test/app/{receipts,verify}.test.ts',
            'test/imports/formats/fuzz.test.ts',
            'test/matching/properties.test.ts',
            'test/imports/overlap/overlap.test.ts',
            'test/checks/{bridge,own-book-alone}.test.ts',
            'test/oracle/worlds.test.ts',
            'test/render/journal/engines.test.ts',
            'test/reports/month-end.test.ts',
            'test/sandbox/service/fuzz.test.ts',
            'test/statement/orders.test.ts',
          ],
          exclude: ['**/node_modules/**'],
        },
      },
      // Each a process of its own: some measure its memory, or end it.
      {
        test: {
          ...long,
          name: 'long',
          include: ['test/long/**/*.test.ts'],
          exclude: ['**/node_modules/**'],
          isolate: true,
        },
      },
    ],
  },
});
