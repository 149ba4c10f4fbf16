import { defineConfig } from 'vitest/config';

/** Units of one module; flows of the whole app, and faults in the middle of them; suites that start a real server. */
export default defineConfig({
  test: {
    // A failing server start must not hide behind a generous default.
    testTimeout: 15_000,
    hookTimeout: 60_000,
    // Of two cores, the default would leave one idle.
    maxWorkers: '100%',
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'channels/**/*.ts', 'commands/**/*.ts'],
      reporter: ['text-summary'],
      thresholds: { statements: 90, branches: 85 },
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // Nothing here keeps state in a module: sharing them saves loading the SDKs a hundred times.
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: ['test/flows/**', 'test/faults/**', 'test/**/*.server.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'flow',
          include: ['test/flows/**/*.test.ts', 'test/faults/**/*.test.ts'],
          exclude: ['test/**/*.server.test.ts'],
        },
      },
      { extends: true, test: { name: 'server', include: ['test/**/*.server.test.ts'] } },
    ],
  },
});
