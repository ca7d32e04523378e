import { configDefaults, defineConfig } from 'vitest/config';

/** What takes longest and meets what other tests meet: with the long tests, so that `npm test` ends in five minutes. */
export const SLOW = [
  'test/checks/paid-in-another-currency.test.ts',
  'test/cli/{as-of,bad-input,couriers,drill-down,journal-files,json-shapes,months,not-compared,one-verb,policy,previews}.test.ts',
  'test/cli/{quiet-errors,readme,rebuild,settings-record,time-zone,upgrade,waiting-imports}.test.ts',
  'test/cli/close/{close,closed-sheets,rate-cards}.test.ts',
  'test/cli/commands/{dispute,dispute-once,dispute-owed,dispute-receipts,fleet,night,resolutions,selftest,statement-many}.test.ts',
  'test/cli/import/{accounts,four-sides,gaps,ids,pdf}.test.ts',
  'test/cli/match/{explain,properties}.test.ts',
  'test/cli/postgres/bad-input.test.ts',
  'test/cli/settlement/{headers,matched-again,own-numbers,prices,seams}.test.ts',
  'test/conformance/fuzz.test.ts',
  'test/desk/{couriers,decisions,door,once,quiet-files,reading,renamed,saved-maps,seen-first}.test.ts',
  'test/imports/formats/pdf-{hostile,layouts}.test.ts',
  'test/ledger/postgres/dialect.test.ts',
  'test/ledger/queries/{deliveries,reader}.test.ts',
  'test/oracle/{balances,closes,returns,seams}.test.ts',
  'test/programs/{books,docs}.test.ts',
  'test/render/pages.test.ts',
  'test/reports/{custody,received}.test.ts',
  'test/reports/journal/closes.test.ts',
  'test/sandbox/webhooks.test.ts',
  'test/sandbox/world/books.test.ts',
  'test/statement/{adds-up,every-figure,office,page,since}.test.ts',
  'test/sync/{budget,budget-nights,couriers-at-once,interrupted,sync}.test.ts',
  'test/webhooks/{budget,listen}.test.ts',
  'test/world/world.test.ts',
];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/long/**', ...SLOW],
    setupFiles: ['test/helpers/properties.ts'],
    globalSetup: ['test/helpers/build.ts', 'test/helpers/postgres-setup.ts'],
    // By itself vitest leaves one processor idle: of two, half.
    maxWorkers: '100%',
    // Files share what they import: no test changes a module, and to load the product again for each file takes a
    // quarter of the time.
    isolate: false,
    // Many times what any test takes alone: a busy machine fails none.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    env: { TZ: 'Pacific/Auckland', NO_COLOR: '1' },
  },
});
