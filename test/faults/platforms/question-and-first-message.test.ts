import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AnthropicBody, blocksOf } from '#test/fakes/anthropic/body.ts';
import { type FakeAnthropic, startFakeAnthropic } from '#test/fakes/anthropic/server.ts';
import type { FakeDiscord } from '#test/fakes/discord/api.ts';
import { startFakeDiscord } from '#test/fakes/discord/server.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import type { FakeSlack, SeenMessage } from '#test/fakes/slack/api.ts';
import { startFakeSlack } from '#test/fakes/slack/server.ts';
import { bundledProgram } from '#test/support/bundled-programs.ts';
import { copyDatabaseTo } from '#test/support/database.ts';
import { eventually } from '#test/support/platforms/talk.ts';
import { BotProcess } from '../bot-process.ts';

const PROGRAM = bundledProgram('platform-bot-process');
const MESSAGES = '/channels/:channel/messages';
const FOR_EVER_MS = 600_000;
/** A bot that has taken nothing by then waits for Discord. */
const LONG_ENOUGH_MS = 5_000;

const isQuestion = ({ blocks }: SeenMessage): boolean => blocks.some(({ type }) => type === 'actions');

const GREETING: FakeReply = { kind: 'answer', text: 'Good to meet you.' };
const isKilled = Promise.withResolvers<void>();

/** Looks at the clock where it is asked for the time, which needs an approval. */
const replyTo = ({ messages }: AnthropicBody): FakeReply => {
  const last = blocksOf(messages.at(-1)?.content ?? '');
  if (last.some(({ type }) => type === 'tool_result')) return { kind: 'answer', text: 'It is noon.' };
  const words = JSON.stringify(last);
  // The process that is killed must not have answered before.
  // oxlint-disable-next-line unicorn/no-thenable -- the shared word for it; nobody awaits a reply
  if (words.includes('I am Lee')) return { kind: 'hold', until: isKilled.promise, then: GREETING };
  return words.includes('What time')
    ? { kind: 'answer', toolCalls: [{ name: 'get_datetime', input: {} }] }
    : GREETING;
};

let claude: FakeAnthropic;
let discord: FakeDiscord;
let slack: FakeSlack;
let dataDir: string;
const bots: BotProcess[] = [];
let onQuestionInSlack: () => void = () => undefined;
let onLookUpInSlack: (() => void) | undefined;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'finclaw-fault-'));
  await copyDatabaseTo(dataDir);
  writeFileSync(
    join(dataDir, 'finclaw.config.json'),
    JSON.stringify({
      welcome: false,
      // The first message of the bot is then the question.
      live: { mode: 'status' },
      feedback: { mode: 'off' },
      tools: { rules: [{ pattern: 'get_datetime', verdict: 'require-approval' }] },
    }),
  );
  claude = await startFakeAnthropic();
  claude.otherwise(replyTo);
  discord = await startFakeDiscord();
  slack = await startFakeSlack({
    redeliverAfterMs: [500, 500],
    whileDisconnected: 'keep',
    onMoment: ({ name, method, channel = '', ts = '' }) => {
      if (onLookUpInSlack && name === 'request' && method === 'users.info') {
        onLookUpInSlack();
        return 'drop';
      }
      const posted = name === 'posted' ? slack.messageAt({ channel, ts }) : undefined;
      if (!posted || !isQuestion(posted)) return undefined;
      onQuestionInSlack();
      return 'drop';
    },
  });
});

afterAll(async () => {
  for (const bot of bots) bot.end('SIGKILL');
  await Promise.all(bots.map(({ exited }) => exited));
  await Promise.all([claude.close(), discord.close(), slack.close()]);
  rmSync(dataDir, { recursive: true, force: true });
});

const load = (): BotProcess => {
  const bot = new BotProcess(PROGRAM, {
    FINCLAW_DATA_DIR: dataDir,
    FINCLAW_CONFIG: join(dataDir, 'finclaw.config.json'),
    ANTHROPIC_API_KEY: 'geheim-claude-eins-1111',
    ANTHROPIC_BASE_URL: claude.url,
    OPENAI_API_KEY: '',
    DATABASE_URL: '',
    FINCLAW_HTTP_PORT: '',
    FINCLAW_MODEL: 'sonnet',
    FINCLAW_FALLBACKS: 'none',
    DISCORD_BOT_TOKEN: discord.token,
    DISCORD_API_URL: discord.apiUrl,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
  });
  bots.push(bot);
  return bot;
};

/** Questions are taken up in the order in which they were asked: Slack's was the last. */
const hasTakenUpQuestions = (): boolean =>
  slack.history.some(
    ({ type, ...entry }) => type === 'request' && JSON.stringify(entry).includes('all_metadata'),
  ) || slack.botMessagesIn(slack.directOf(slack.alice.id).id).length > 1;

const untilConnected = (): Promise<unknown> =>
  eventually(() => discord.gateway.isReady && slack.sockets.open.length > 0);

it('kill -9 right after a question was posted and while a first direct message is taken in: one question with live buttons, and an answer', async () => {
  const [kim, lee] = [discord.addUser({ name: 'kim' }), discord.addUser({ name: 'lee' })];
  const [kims, lees] = [discord.directChannel(kim), discord.directChannel(lee)];
  const alices = slack.directOf(slack.alice.id).id;
  const bob = slack.addUser({ name: 'bob' }).id;
  const bobs = slack.directOf(bob).id;
  const said = () => discord.messagesIn(kims.id).filter(({ author }) => author.isBot);
  const saidInSlack = () => slack.botMessagesIn(alices);
  const [first, second] = [load(), load()];

  await first.start();
  await untilConnected();
  discord.faults.slowDown(1, FOR_EVER_MS, { method: 'POST', route: MESSAGES, channelId: kims.id });
  discord.say(kim, kims, 'What time is it?');
  await eventually(() => said().length === 1);
  onQuestionInSlack = () => first.end('SIGKILL');
  slack.sayDirect(slack.alice.id, 'What time is it?');
  await first.exited;
  expect([said().length, saidInSlack().length]).toEqual([1, 1]);

  // What was missed is read before live messages are taken, and Discord is slow to say where.
  discord.faults.clear();
  discord.faults.slowDown(5, FOR_EVER_MS, { route: '/users/@me/channels' });
  const third = load();
  await second.start();
  await untilConnected();
  discord.say(lee, lees, 'Hello, I am Lee');
  const isTaken = eventually(() =>
    discord.history.some((entry) => entry.type === 'request' && entry.channelId === lees.id),
  );
  await Promise.race([isTaken, sleep(LONG_ENOUGH_MS)]);
  onLookUpInSlack = () => second.end('SIGKILL');
  slack.sayDirect(bob, 'Hello, I am Bob');
  await second.exited;
  isKilled.resolve();
  onLookUpInSlack = undefined;
  const answers = discord.messagesIn(lees.id).filter(({ author }) => author.isBot);
  expect([answers.length, slack.botMessagesIn(bobs).length]).toEqual([0, 0]);

  discord.faults.clear();
  await third.start();
  await eventually(() =>
    discord.messagesIn(lees.id).some(({ content }) => content.startsWith('Good to meet you.')),
  );
  await eventually(() =>
    slack.botMessagesIn(bobs).some(({ rendered }) => rendered.startsWith('Good to meet you.')),
  );
  await eventually(hasTakenUpQuestions);
  expect([said().length, saidInSlack().length]).toEqual([1, 1]);
  const [question] = said();
  const [inSlack] = saidInSlack();
  if (!question || !inSlack) throw new Error('There is no question');
  discord.press(kim, question, question.buttons[0]?.customId ?? '');
  slack.press(slack.alice.id, inSlack, 'finclaw_approve');
  await eventually(() => said().at(-1)?.content.startsWith('It is noon.'));
  await eventually(() => saidInSlack().at(-1)?.rendered.startsWith('It is noon.'));
  expect(said().flatMap(({ buttons }) => buttons)).toEqual([]);
  expect(saidInSlack().filter(isQuestion)).toEqual([]);
}, 60_000);
