import { once } from 'node:events';
import { CHANNELS } from '#channels/index.ts';
import { flushCompileCache } from 'node:module';
import { createApp } from '#src/app.ts';
import { loadConfig } from '#src/platform/config/config.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import { connectTo } from './platform/channel.ts';

/**
 * The whole program in a process of its own, to be killed, on the platform at PLATFORM_PORT. It loads all its
 * code and then waits for a word of its parent, so that the next one can stand by while this one runs.
 */
const { PLATFORM_PORT, MAX_MESSAGE_LENGTH, LOG_LEVEL } = process.env;

process.on('disconnect', () => process.exit(1));
// A killed process would not write its compile cache, so it writes it now and then for the next one.
flushCompileCache();
setInterval(flushCompileCache, 1_000).unref();
process.send?.('loaded');
await once(process, 'message');

const app = await createApp(loadConfig(process.env, process.cwd(), CHANNELS), {
  version: '0.0.0-test',
  platforms: CHANNELS,
  clock: systemClock,
  logger: createLogger({
    level: LOG_LEVEL === 'debug' ? 'debug' : 'error',
    pretty: false,
    secrets: [],
    write: (line) => void process.stderr.write(line),
  }),
  channels: [connectTo(Number(PLATFORM_PORT), Number(MAX_MESSAGE_LENGTH))],
});
process.on('SIGTERM', () => void app.stop().then(() => process.exit(0)));
await app.start();
process.send?.('ready');
