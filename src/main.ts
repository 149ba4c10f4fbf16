import packageJson from '../package.json' with { type: 'json' };
import { CHANNELS } from '#channels/index.ts';
import { createApp } from './app.ts';
import { loadConfig } from './platform/config/config.ts';
import { loadDotEnv } from './platform/config/environment.ts';
import { FinClawError } from './kernel/errors.ts';
import { systemClock } from './platform/clock.ts';
import type { App } from './lifecycle.ts';
import { openChannels } from './open-channels.ts';
import { openLog } from './open-log.ts';

const run = async (): Promise<void> => {
  // Files that the program or its plugins create are readable by this user alone.
  process.umask(0o077);
  loadDotEnv();
  const config = loadConfig(process.env, process.cwd(), CHANNELS);
  const { logger, log, printsLog } = openLog(config);
  for (const warning of config.warnings) logger.warn(warning);

  let app: App | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void (app ? app.stop() : process.exit(0)));
  }
  const { version } = packageJson;
  const clock = systemClock;
  const channels = await openChannels(CHANNELS, config, {
    version,
    env: process.env,
    clock,
    logger,
    ...(printsLog && { printsLog }),
  });
  app = await createApp(config, {
    version,
    platforms: CHANNELS,
    channels,
    clock,
    logger,
    ...(log && { log }),
  });
  const isReady = await app.start();
  if (isReady) logger.info('ready', { startMs: Math.round(performance.now()) });
  const exitCode = await app.stopped;
  logger.flush();
  process.exit(exitCode);
};

try {
  await run();
} catch (error) {
  // An error that an operator can fix is one sentence; only bugs of ours show a stack trace.
  const text = error instanceof FinClawError && error.isOperational ? error.message : error;
  console.error(text); // oxlint-disable-line no-console
  process.exit(1);
}
