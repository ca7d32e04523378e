import { configDefaults, defineConfig } from 'vitest/config';

/** What takes longest and meets what other tests meet: with the long tests, so that `npm test` ends in five minutes. */
export const SLOW = [
  'test/cli/{as-of,couriers,journal-files,months,not-compared,one-verb,rebuild,settings-record,time-zone,upgrade,waiting-imports}.test.ts',
  'test/cli/commands/{dispute-owed,resolutions,selftest}.test.ts',
  'test/cli/import/{accounts,gaps}.test.ts',
  'test/cli/settlement/own-numbers.test.ts',
  'test/cli/import/pdf.test.ts',
  'test/desk/{once,renamed,seen-first}.test.ts',
  'test/imports/formats/pdf-{hostile,layouts}.test.ts',
  'test/ledger/postgres/dialect.test.ts',
  'test/statement/office.test.ts',
  'test/sync/{budget-nights,couriers-at-once}.test.ts',
  'test/webhooks/{budget,listen}.test.ts',
];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/long/**', ...SLOW],
    setupFiles: ['test/helpers/properties.ts'],
    globalSetup: ['test/helpers/build.ts', 'test/helpers/postgres-setup.ts'],
    // By itself vitest leaves one processor idle: of two, half.
    maxWorkers: '100%',
    // Files share what they import: no test changes a module, and to load the product again for each file takes a quarter of the time.
    isolate: false,
    // Many times what any test takes alone: a busy machine fails none.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    env: { TZ: 'Pacific/Auckland', NO_COLOR: '1' },
  },
});
