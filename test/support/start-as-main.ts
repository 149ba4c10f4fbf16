import { onTestFinished } from 'vitest';
import { CHANNELS } from '#channels/index.ts';
import { createApp } from '#src/app.ts';
import type { App } from '#src/wiring/lifecycle.ts';
import { openChannels } from '#src/wiring/channels.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { loadConfig } from '#src/platform/config/config.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import { TestChannel } from './channel.ts';

/** Starts as `main.ts` does, from settings to messages, with a channel in memory in place of the terminal. */
export const startAsMain = async (env: NodeJS.ProcessEnv, workingDir: string): Promise<App> => {
  const host = {
    version: '0.0.0-test',
    clock: systemClock,
    logger: createLogger({ level: 'error', pretty: false, secrets: [], write: () => undefined }),
  };
  const config = loadConfig({ FINCLAW_MARKET: 'sample', ...env }, workingDir, CHANNELS);
  const channels =
    Object.keys(config.platforms).length === 0
      ? [new TestChannel()]
      : await openChannels(CHANNELS, config, { ...host, env });
  const app = await createApp(config, { ...host, platforms: CHANNELS, channels });
  onTestFinished(app.stop);
  await app.start();
  return app;
};
