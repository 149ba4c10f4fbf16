import { onTestFinished } from 'vitest';
import { CHANNELS } from '#channels/index.ts';
import { type AppDeps, createApp } from '#src/app.ts';
import type { App } from '#src/wiring/lifecycle.ts';
import { loadConfig } from '#src/platform/config/config.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { type Clock, systemClock } from '#src/platform/concurrency/clock.ts';
import { createLogger, type FinClawLogger } from '#src/platform/logging/logger.ts';
import { TestChannel } from './channel.ts';
import { copyDatabaseTo, temporaryDir } from './database.ts';

interface TestAppOptions {
  readonly dataDir?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly clock?: Clock;
  readonly web?: AppDeps['web'];
}

interface TestApp<Channel extends ChannelPlugin> {
  readonly app: App;
  readonly channel: Channel;
  readonly dataDir: string;
  readonly log: readonly string[];
}

const collectingLogger = (lines: string[], secrets: readonly string[]): FinClawLogger =>
  createLogger({ level: 'debug', pretty: false, secrets, write: (line) => void lines.push(line) });

/** The whole program on the given channel, started; it is stopped with the test. */
export const startAppOn = async <Channel extends ChannelPlugin>(
  channel: Channel,
  { dataDir = temporaryDir(), env = {}, clock = systemClock, web }: TestAppOptions = {},
): Promise<TestApp<Channel>> => {
  const log: string[] = [];
  const config = loadConfig(
    { FINCLAW_MARKET: 'sample', ...env, FINCLAW_DATA_DIR: dataDir },
    dataDir,
    CHANNELS,
  );
  if (config.databaseUrl === undefined) await copyDatabaseTo(dataDir);
  // The welcome has tests of its own, with a file.
  const isWelcoming = env['FINCLAW_CONFIG'] !== undefined && config.welcome;
  const app = await createApp(
    // A clock that leaps by days would make a backup each time.
    { ...config, welcome: isWelcoming, backup: { ...config.backup, everyHours: 0 } },
    {
      version: '0.0.0-test',
      platforms: CHANNELS,
      channels: [channel],
      clock,
      // As `main.ts` does it.
      logger: collectingLogger(log, config.secrets),
      ...(web && { web }),
    },
  );
  onTestFinished(app.stop);
  await app.start();
  return { app, channel, dataDir, log };
};

export const startTestApp = (options?: TestAppOptions): Promise<TestApp<TestChannel>> =>
  startAppOn(new TestChannel(), options);
