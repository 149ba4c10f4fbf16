import { once } from 'node:events';
import { CHANNELS } from '#channels/index.ts';
import { flushCompileCache } from 'node:module';
import { createApp } from '#src/app.ts';
import { loadConfig } from '#src/platform/config/config.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import { openChannels } from '#src/wiring/channels.ts';

/**
 * The whole program as `npm start` puts it together, in a process of its own, to be killed, on the platforms that
 * its environment names. It loads all its code and then waits for a word of its parent, so that the next one can
 * stand by while this one runs. It answers every further word: its parent sees that it lives.
 */
const { LOG_LEVEL, PING_TIMEOUT_MS = '300' } = process.env;
/** What a patient platform allows; otherwise a round would mostly wait. */
const QUICK = { identifyPauseMs: 0, pingTimeoutMs: Number(PING_TIMEOUT_MS) };

const clock = systemClock;
const logger = createLogger({
  level: LOG_LEVEL === 'debug' ? 'debug' : LOG_LEVEL === 'info' ? 'info' : 'error',
  pretty: false,
  secrets: [],
  write: (line) => void process.stderr.write(line),
});
const config = loadConfig(process.env, process.cwd(), CHANNELS);
const { discord, slack } = config.platforms;
const platforms = {
  ...(discord ? { discord: { ...discord, ...QUICK } } : {}),
  ...(slack ? { slack: { ...slack, ...QUICK } } : {}),
};
const version = '0.0.0-test';
const channels = await openChannels(
  CHANNELS,
  { ...config, platforms },
  { version, env: process.env, clock, logger },
);

process.on('disconnect', () => process.exit(1));
// A killed process would not write its compile cache, so it writes it now and then for the next one.
flushCompileCache();
setInterval(flushCompileCache, 1_000).unref();
process.send?.('loaded');
await once(process, 'message');
process.on('message', () => void process.send?.('alive'));

const app = await createApp(config, { version, platforms: CHANNELS, clock, logger, channels });
process.on('SIGTERM', () => void app.stop().then(() => process.exit(0)));
await app.start();
