import { createConsoleChannel } from '#channels/console/adapter.ts';
import { type App, createApp } from './app.ts';
import { loadConfig } from './config/config.ts';
import { loadDotEnv } from './config/dot-env.ts';
import { FinClawError } from './core/errors.ts';
import { systemClock } from './infra/clock.ts';
import { createLogger } from './infra/logger.ts';
import packageJson from '../package.json' with { type: 'json' };

const run = async (): Promise<void> => {
  loadDotEnv();
  const config = loadConfig(process.env, process.cwd());
  const logger = createLogger({
    // On a terminal, the log would stand between question and answer: only what matters is shown.
    level: config.logLevel ?? 'warn',
    pretty: process.stderr.isTTY,
    secrets: config.secrets,
    write: (line) => void process.stderr.write(line),
  });
  for (const name of config.unusedVariables) {
    logger.warn(`${name} is set, but this version does not use it yet`);
  }

  const language = process.env['LC_ALL'] || process.env['LC_MESSAGES'] || process.env['LANG'];
  const terminal = createConsoleChannel({
    input: process.stdin,
    output: process.stdout,
    hasColour: process.stdout.isTTY && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
    locale: config.locale !== 'auto' ? config.locale : language?.startsWith('ko') ? 'ko' : undefined,
    version: packageJson.version,
    clock: systemClock,
    logger,
  });
  let app: App | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void (app ? app.stop() : process.exit(0)));
  }
  const { version } = packageJson;
  app = await createApp(config, { version, channels: [terminal], clock: systemClock, logger });
  await app.start();
  logger.info('ready', { startMs: Math.round(performance.now()) });
  await app.stopped;
  process.exit(0);
};

try {
  await run();
} catch (error) {
  // What an operator can mend is said in a sentence; only our own bugs show where they happened.
  const text = error instanceof FinClawError && error.isOperational ? error.message : error;
  console.error(text); // oxlint-disable-line no-console
  process.exit(1);
}
