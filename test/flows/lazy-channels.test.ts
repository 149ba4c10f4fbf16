import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { NODE_COMPILE_CACHE } from '#test/support/compile-cache.ts';
import { temporaryDir } from '#test/support/database.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Opens the channels in a process of its own, and says which libraries of platforms that has loaded. */
const SCRIPT = `
  import { createRequire } from 'node:module';
  import { CHANNELS } from '#channels/index.ts';
  import { loadConfig } from '#src/platform/config/config.ts';
  import { systemClock } from '#src/platform/concurrency/clock.ts';
  import { createLogger } from '#src/platform/logging/logger.ts';
  import { openChannels } from '#src/wiring/channels.ts';
  const logger = createLogger({ level: 'error', pretty: false, secrets: [], write: () => undefined });
  const config = loadConfig(process.env, process.env.FINCLAW_DATA_DIR, CHANNELS);
  const channels = await openChannels(CHANNELS, config, { version: '1', env: {}, clock: systemClock, logger });
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  const libraries = ['discord.js', '@slack/bolt'].filter((name) =>
    loaded.some((path) => path.includes('/node_modules/' + name + '/')),
  );
  console.log(JSON.stringify([channels.map(({ id }) => id), libraries]));
  process.exit(0);
`;

const opened = async (tokens: NodeJS.ProcessEnv): Promise<unknown> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE, FINCLAW_DATA_DIR: temporaryDir(), ...tokens },
  });
  return JSON.parse(stdout);
};

it('a platform that is not configured is not loaded, and without any there is the terminal', async () => {
  const discord = { DISCORD_BOT_TOKEN: 'a.b.c' };
  const slack = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' };
  const [none, one, other] = await Promise.all([opened({}), opened(discord), opened(slack)]);
  expect(none).toEqual([['console'], []]);
  expect(one).toEqual([['discord'], ['discord.js']]);
  expect(other).toEqual([['slack'], ['@slack/bolt']]);
});
