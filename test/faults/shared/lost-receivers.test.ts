import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeAnthropic, startFakeAnthropic } from '#test/fakes/anthropic/server.ts';
import type { FakeSlack } from '#test/fakes/slack/api.ts';
import { entriesOf } from '#test/fakes/slack/history.ts';
import { startFakeSlack } from '#test/fakes/slack/server.ts';
import { bundledProgram } from '#test/support/bundled-programs.ts';
import { type PostgresServer, startPostgres } from '#test/support/database.ts';
import { spokenIn } from '#test/support/platforms/talk.ts';
import { BotProcess } from '../bot-process.ts';

const PROGRAM = bundledProgram('platform-bot-process');
/** One round, or as many as prove it. */
const ROUNDS = process.env['FINCLAW_FAULTS'] === 'all' ? 40 : 1;
/** Long enough for the next message to be answered meanwhile. */
const REDELIVER_AFTER_MS = [2_500, 5_000, 10_000];
const LONGEST_MS = { timeoutMs: 60_000 };

let postgres: PostgresServer;
let databaseUrl: string;
let slack: FakeSlack;
let claude: FakeAnthropic;
const dataDir = mkdtempSync(join(tmpdir(), 'finclaw-fault-'));
const bots: BotProcess[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  databaseUrl = await postgres.createDatabase();
  slack = await startFakeSlack({ redeliverAfterMs: REDELIVER_AFTER_MS, whileDisconnected: 'keep' });
  claude = await startFakeAnthropic();
  claude.otherwise((body) => ({ kind: 'answer', text: `to: ${spokenIn(body)}` }));
});
afterAll(async () => {
  for (const bot of bots) bot.end('SIGKILL');
  await Promise.all(bots.map(({ exited }) => exited));
  await Promise.all([slack.close(), claude.close(), postgres.stop()]);
  rmSync(dataDir, { recursive: true, force: true });
});

/** One that has loaded already and begins on a word, as a supervisor would start the next one. */
const standBy = (): BotProcess => {
  const ownDir = join(dataDir, String(bots.length));
  mkdirSync(ownDir);
  const config = join(ownDir, 'test.config.json');
  writeFileSync(
    config,
    JSON.stringify({ timeZone: 'Asia/Seoul', welcome: false, pipeline: { privacyNote: false } }),
  );
  const bot = new BotProcess(PROGRAM, {
    FINCLAW_CONFIG: config,
    FINCLAW_DATA_DIR: ownDir,
    FINCLAW_MARKET: 'sample',
    FINCLAW_RATE_LIMIT: '0',
    FINCLAW_QUEUE_MODE: 'queue',
    FINCLAW_MODEL: 'sonnet',
    FINCLAW_FALLBACKS: 'none',
    ANTHROPIC_API_KEY: 'geheim-claude-eins-1111',
    ANTHROPIC_BASE_URL: claude.url,
    OPENAI_API_KEY: '',
    DATABASE_URL: databaseUrl,
    DISCORD_BOT_TOKEN: '',
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    // A new connection would read what was missed.
    PING_TIMEOUT_MS: '30000',
  });
  bots.push(bot);
  return bot;
};

const connections = (): readonly number[] =>
  entriesOf(slack.history, 'connected').map(({ connection }) => connection);

/** Everybody who receives, by connection. */
const receiving = new Map<number, BotProcess>();
const begin = async (bot: BotProcess): Promise<void> => {
  const known = connections().length;
  await bot.start();
  await slack.until(() => connections().length > known, { ...LONGEST_MS, what: 'a connection' });
  receiving.set(connections().at(-1) ?? 0, bot);
};

const answered = (words: string): boolean =>
  slack.history.some((entry) => JSON.stringify(entry).includes(`to: ${words}`));

it(
  'a message whose receiver died with it is answered before the next one of its conversation',
  { timeout: 60_000 + ROUNDS * 60_000 },
  async () => {
    const [first, second] = [standBy(), standBy()];
    await begin(first);
    await begin(second);
    const room = slack.addChannel({ name: 'stocks' });
    for (let round = 1; round <= ROUNDS; round += 1) {
      const next = round < ROUNDS ? standBy() : undefined;
      const ann = slack.addUser({ name: `ann${round}` });
      slack.changeChannel(room.id, { members: [slack.bot.userId, ann.id] });
      const isDirect = round % 2 === 1;
      const channel = isDirect ? slack.directOf(ann.id).id : room.id;
      const begun = slack.say(channel, ann.id, `begin ${round}`, { mention: !isDirect });
      await slack.until(() => answered(`begin ${round}`), { ...LONGEST_MS, what: `begin ${round}` });
      // The sessions are given back.
      await new Promise((resolve) => setTimeout(resolve, 300));
      const there = isDirect ? {} : { threadTs: begun.ts };

      slack.say(channel, ann.id, `early ${round}`, there);
      const connection = entriesOf(slack.history, 'delivered').at(-1)?.connection ?? 0;
      const receiver = receiving.get(connection);
      receiver?.end('SIGKILL');
      receiving.delete(connection);
      await receiver?.exited;
      // As fast as people write, and as slow as lets Slack nearly bring the first one again.
      await new Promise((resolve) => setTimeout(resolve, (round * 370) % 1_500));
      slack.say(channel, ann.id, `late ${round}`, there);

      await slack.until(() => answered(`early ${round}`) && answered(`late ${round}`), {
        ...LONGEST_MS,
        what: `answers of round ${round}`,
      });
      const asked = claude.history
        .map(({ body }) => spokenIn(body))
        .filter((said) => said.endsWith(` ${round}`));
      expect([...new Set(asked)]).toEqual([`begin ${round}`, `early ${round}`, `late ${round}`]);
      if (next) await begin(next);
    }
  },
);
