import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FakeDiscord } from '#test/fakes/discord/api.ts';
import { entriesOf } from '#test/fakes/discord/history.ts';
import type { FakeChannel, SeenMessage } from '#test/fakes/discord/seen.ts';
import { startFakeDiscord } from '#test/fakes/discord/server.ts';
import { bundledProgram } from '#test/support/bundled-programs.ts';
import { type PostgresServer, startPostgres } from '#test/support/database.ts';
import { BotProcess } from '../bot-process.ts';

const PROGRAM = bundledProgram('platform-bot-process');
const SHARDS = 4;

let postgres: PostgresServer;
let databaseUrl: string;
let fake: FakeDiscord;
let rooms: readonly FakeChannel[];
let regular: ReturnType<FakeDiscord['addUser']> | undefined;
const dataDir = mkdtempSync(join(tmpdir(), 'finclaw-fault-'));
const bots: BotProcess[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  databaseUrl = await postgres.createDatabase();
  fake = await startFakeDiscord({ shards: SHARDS });
  rooms = Array.from({ length: SHARDS }, (_, shard) =>
    fake.addChannel(fake.addGuild({ name: `on ${shard}`, shard }), { name: 'stocks' }),
  );
});
afterAll(async () => {
  for (const bot of bots) bot.end('SIGKILL');
  await Promise.all(bots.map(({ exited }) => exited));
  await Promise.all([fake.close(), postgres.stop()]);
  rmSync(dataDir, { recursive: true, force: true });
});

const start = async (role: 'gateway' | 'worker'): Promise<BotProcess> => {
  const bot = new BotProcess(PROGRAM, {
    FINCLAW_DATA_DIR: dataDir,
    FINCLAW_ROLE: role,
    FINCLAW_MARKET: 'sample',
    DATABASE_URL: databaseUrl,
    DISCORD_BOT_TOKEN: fake.token,
    DISCORD_API_URL: fake.apiUrl,
    SLACK_BOT_TOKEN: '',
    ANTHROPIC_API_KEY: '',
    OPENAI_API_KEY: '',
    LOG_LEVEL: 'info',
  });
  bots.push(bot);
  await bot.start();
  return bot;
};

const query = async (text: string): Promise<readonly Record<string, unknown>[]> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(text);
  await client.end();
  return rows;
};

const holders = async (): Promise<readonly string[]> => {
  const rows = await query('select process_id, count(*)::int as shards from received_shards group by 1');
  return rows.map(({ shards }) => String(shards)).toSorted();
};

/**
 * A new person, who is below the rate limit, asks the same in every server, and one whom the bot knows directly: it cannot
 * read what a stranger wrote while nobody received the shard. Waits until all are answered.
 */
const askEverywhere = async (symbol: string, during: () => void = () => undefined): Promise<void> => {
  const answers = (): number =>
    fake.posted().filter(({ content, embeds }) => JSON.stringify([content, embeds]).includes(symbol)).length;
  const person = fake.addUser({ name: `asks for ${symbol}` });
  for (const room of rooms) fake.say(person, room, `${fake.mention()} /price ${symbol}`);
  fake.sayDirect((regular ??= fake.addUser({ name: 'regular' })), `/price ${symbol}`);
  during();
  await fake.until(() => answers() >= SHARDS + 1, { timeoutMs: 60_000, what: `answers on ${symbol}` });
};

const isWelcome = ({ content }: SeenMessage): boolean => content.includes('Three things to try:');

it(
  'gateways share four shards: one is killed, one joins, one hangs and goes on',
  { timeout: 180_000 },
  async () => {
    const [first] = await Promise.all([start('gateway'), start('worker')]);
    await fake.until(() => fake.gateway.shards.length === SHARDS, { timeoutMs: 20_000, what: 'four shards' });
    await start('gateway');
    await expect.poll(holders, { timeout: 30_000 }).toEqual(['2', '2']);
    await askEverywhere('AAPL');

    const identified = entriesOf(fake.history, 'identified').length;
    await askEverywhere('MSFT', () => first?.end('SIGKILL'));
    await fake.until(() => fake.gateway.shards.length === SHARDS, { timeoutMs: 30_000, what: 'all shards' });
    expect(entriesOf(fake.history, 'identified').length).toBe(identified + 2);

    const third = await start('gateway');
    await expect.poll(holders, { timeout: 30_000 }).toEqual(['2', '2']);
    await askEverywhere('NVDA');
    expect(fake.gateway.shards).toEqual([0, 1, 2, 3]);

    third.end('SIGSTOP');
    await askEverywhere('TSLA');
    expect(await holders()).toEqual(['4']);
    third.end('SIGCONT');
    await expect.poll(holders, { timeout: 30_000 }).toEqual(['2', '2']);
    await askEverywhere('AMZN');

    const asked = ['AAPL', 'MSFT', 'NVDA', 'TSLA', 'AMZN'].length * (SHARDS + 1);
    expect(await query('select id from inbox')).toHaveLength(asked);
    expect(fake.posted().filter((message) => !isWelcome(message))).toHaveLength(asked);
    const welcomed = fake
      .posted()
      .filter(isWelcome)
      .map(({ channelId }) => channelId);
    expect(rooms.map(({ id }) => welcomed.filter((channelId) => channelId === id).length)).toEqual([
      1, 1, 1, 1,
    ]);
    expect(entriesOf(fake.history, 'identifyRefused')).toEqual([]);
  },
);
