import { CHANNELS } from '#channels/index.ts';
import { createApp } from './app.ts';
import { buildFields, readBuild } from './platform/build.ts';
import { loadConfig } from './platform/config/config.ts';
import { loadDotEnv } from './platform/config/environment.ts';
import { operationalMessage } from './kernel/errors.ts';
import { systemClock } from './platform/concurrency/clock.ts';
import type { App } from './wiring/lifecycle.ts';
import { openChannels } from './wiring/channels.ts';
import { openLog } from './wiring/log.ts';

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
  const build = readBuild();
  const clock = systemClock;
  const channels = await openChannels(CHANNELS, config, {
    version: build.version,
    env: process.env,
    clock,
    logger,
    ...(printsLog && { printsLog }),
  });
  app = await createApp(config, {
    ...build,
    platforms: CHANNELS,
    channels,
    clock,
    logger,
    ...(log && { log }),
  });
  const isReady = await app.start();
  if (isReady) logger.info('ready', { ...buildFields(build), startMs: Math.round(performance.now()) });
  const exitCode = await app.stopped;
  logger.flush();
  process.exit(exitCode);
};

try {
  await run();
} catch (error) {
  // An error that an operator can fix is one sentence; only bugs of ours show a stack trace.
  console.error(operationalMessage(error) ?? error); // oxlint-disable-line no-console
  process.exit(1);
}
