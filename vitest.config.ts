import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/helpers/build.ts', 'test/helpers/postgres-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { TZ: 'Pacific/Auckland', NO_COLOR: '1' },
  },
});
