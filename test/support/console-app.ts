import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import { createConsoleChannel } from '#channels/console/adapter.ts';
import type { App } from '#src/wiring/lifecycle.ts';
import type { FakeAnthropic } from '#test/fakes/anthropic/server.ts';
import { startAppOn } from './app.ts';
import { recordingLogger } from './context.ts';
import { temporaryDir } from './database.ts';
import { until } from './engine-app.ts';
import { WatchedClock } from './watched-clock.ts';
import { stripMentions } from '#test/support/markup.ts';

interface ConsoleAppOptions {
  readonly claude: FakeAnthropic;
  readonly config?: object;
  readonly env?: NodeJS.ProcessEnv;
  readonly clock?: WatchedClock;
  readonly dataDir?: string;
}

export interface ConsoleApp {
  readonly app: App;
  readonly clock: WatchedClock;
  readonly dataDir: string;
  readonly log: readonly string[];
  readonly type: (line: string) => void;
  /** All that the person has read up to now. */
  readonly screen: () => string;
  /** Waits until it stands on the screen. */
  readonly sees: (text: string) => Promise<void>;
  /** The end of input, and of the program. */
  readonly leave: () => Promise<void>;
}

/** The whole program in a terminal, with Claude behind it. */
export const startConsoleApp = async (options: ConsoleAppOptions): Promise<ConsoleApp> => {
  const { claude, clock = new WatchedClock(), dataDir = temporaryDir(), config = {}, env = {} } = options;
  writeFileSync(join(dataDir, 'test.config.json'), JSON.stringify({ timeZone: 'Asia/Seoul', ...config }));
  const input = new PassThrough();
  const output = new PassThrough();
  let seen = '';
  output.setEncoding('utf8').on('data', (text: string) => (seen += text));
  const channel = createConsoleChannel({
    stripMentions,
    input,
    output,
    hasColour: false,
    locale: undefined,
    version: '0.0.0',
    clock,
    logger: recordingLogger().logger,
  });
  const { app, log } = await startAppOn(channel, {
    dataDir,
    clock,
    env: {
      FINCLAW_CONFIG: 'test.config.json',
      ANTHROPIC_API_KEY: 'a-key-of-this-test',
      ANTHROPIC_BASE_URL: claude.url,
      FINCLAW_MODEL: 'sonnet',
      FINCLAW_FALLBACKS: 'none',
      ...env,
    },
  });
  const leave = async (): Promise<void> => {
    input.end();
    await app.stop();
  };
  onTestFinished(leave);
  return {
    app,
    clock,
    dataDir,
    log,
    type: (line) => void input.write(`${line}\n`),
    screen: () => seen,
    sees: (text) => until(() => seen.includes(text)),
    leave,
  };
};
