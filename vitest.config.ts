import { spawnSync } from 'node:child_process';
import { accessSync, constants, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { NODE_COMPILE_CACHE } from './test/support/compile-cache.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { QuietReporter } from './test/support/quiet-reporter.ts';

const NEEDED_NODE = 26;

// Where the bundled Node was not linked or does not run, npm takes that of the machine. The launcher links it, or says what it lacks.
if (Number(process.versions.node.split('.')[0]) < NEEDED_NODE) {
  const launcher = join(import.meta.dirname, 'bin/finclaw.js');
  const { status } = spawnSync(process.execPath, [launcher, '--version'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status === 0)
    console.error(`The tests need Node ${NEEDED_NODE}, and this is ${process.versions.node}. Run: npm test`); // oxlint-disable-line no-console
  process.exit(1);
}

const IN_MEMORY = '/dev/shm';
const NEEDED_BYTES = 2 ** 30;
const SERVER_FILES = 'test/**/*.server.test.ts';
const GOLDEN_FILES = 'test/golden/**/*.test.ts';
const WORST_FILES = 'test/worst-input/**/*.test.ts';

/**
 * Every test has a database of its own, and each commit waits for the disk. In memory the waits are gone, while
 * a killed process leaves behind just what it would have left there: only a power failure would show the difference.
 */
const temporaryFiles = (): Readonly<Record<string, string>> => {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize < NEEDED_BYTES ? {} : { TMPDIR: IN_MEMORY };
  } catch {
    return {};
  }
};

// The workers load the program as it is started: by Node itself, with what was compiled before.
process.env['NODE_COMPILE_CACHE'] ??= NODE_COMPILE_CACHE;

/** Single modules and flows of the whole app, what it says compared with a record, also with a real database server; the worst input, in little memory; faults that kill it in a process of its own; the operator page in Chromium. */
export default defineConfig({
  test: {
    globalSetup: 'test/support/warm-compile-cache.ts',
    setupFiles: 'test/support/property-seed.ts',
    experimental: { viteModuleRunner: false, nodeLoader: false },
    reporters: new QuietReporter(),
    sequence: { sequencer: LongestFirst },
    // A failing server start must not hide behind a generous default.
    // Only against tests that hang: on a machine that others use too, a test may take ten times as long.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // On a machine that is shared, one of eleven thousand tests may meet a stall. It is tried once more, and named in the last lines.
    retry: process.env['CI'] ? 1 : 0,
    // The default of a second is not enough for processes and servers on such a machine.
    expect: { poll: { timeout: 20_000 } },
    // Flows wait for servers and processes. With one worker more than two cores, no core is idle meanwhile.
    maxWorkers: Math.max(3, availableParallelism()),
    // As the program is started: much of what a test makes is garbage when it ends.
    execArgv: ['--min-semi-space-size=4', '--max-semi-space-size=32'],
    // No test asks the real markets.
    env: { ...temporaryFiles(), FINCLAW_MARKET: 'sample' },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'channels/**/*.ts', 'commands/**/*.ts'],
      reporter: ['text-summary'],
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'main',
          // Nothing here keeps state in a module, and every file stops the app and the servers that it starts. So workers
          // load the SDKs once, and not for every file.
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: ['test/faults/**/!(*.server).test.ts', 'test/browser/**', GOLDEN_FILES, WORST_FILES],
        },
      },
      {
        extends: true,
        test: {
          name: 'golden',
          isolate: false,
          include: [GOLDEN_FILES],
        },
      },
      {
        extends: true,
        test: {
          name: 'worst',
          isolate: false,
          // As much memory as the smallest machine that the documentation names.
          execArgv: ['--min-semi-space-size=4', '--max-semi-space-size=32', '--max-old-space-size=512'],
          include: [WORST_FILES],
        },
      },
      {
        extends: true,
        test: {
          name: 'fault',
          isolate: false,
          // A round keeps a core busy, and one that is starved takes longer than it may.
          maxConcurrency: 3,
          globalSetup: 'test/support/bundle-programs.ts',
          include: ['test/faults/**/*.test.ts'],
          exclude: [SERVER_FILES],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          isolate: false,
          globalSetup: 'test/support/browser-setup.ts',
          // A test visits all pages, and Chromium needs more of a busy machine than the others.
          testTimeout: 180_000,
          include: ['test/browser/**/*.test.ts'],
        },
      },
    ],
  },
});
