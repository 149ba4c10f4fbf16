import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type PostgresServer, startPostgres } from '#test/support/database.ts';
import { openDiscord } from '#test/support/platforms/discord.ts';
import { type Bot, eventually, startBot } from '#test/support/platforms/talk.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const REGISTERED = 'Discord: registered the commands';
const LEFT = 'A newer version runs, so this process leaves a shared task to it';

const has = (bot: Bot, event: string, times: number) => eventually(() => bot.count(event) === times);

it('while processes of two versions run, Discord has the commands of the newer one', async () => {
  const discord = await openDiscord();
  onTestFinished(discord.close);
  const env = { DATABASE_URL: await postgres.createDatabase() };
  const start = async (options: { readonly version: string; readonly config?: object }): Promise<Bot> => {
    const bot = await startBot([discord], { env, ...options });
    onTestFinished(bot.close);
    return bot;
  };
  const names = (): readonly string[] => discord.fake.commands().map(({ name }) => String(name));

  // The newer version has a command more, that of a plugin.
  const old = await start({ version: '0.9.0', config: { plugins: ['./holding.mjs'] } });
  await has(old, REGISTERED, 1);
  const oldNames = names();
  expect(oldNames.length).toBeGreaterThan(30);
  const newer = await start({ version: '0.10.0' });
  await has(newer, REGISTERED, 1);
  const newNames = names();
  expect(newNames.filter((name) => !oldNames.includes(name))).toEqual(['dice']);

  await old.restart();
  await has(old, LEFT, 1);
  expect(names()).toEqual(newNames);
  await newer.restart();
  await old.restart();
  await has(old, LEFT, 2);
  expect(names()).toEqual(newNames);

  await newer.stop();
  await old.restart();
  await has(old, REGISTERED, 2);
  expect(names()).toEqual(oldNames);
});
