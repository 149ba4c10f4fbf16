import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { texts } from '#src/core/i18n.ts';
import { type AnthropicBody, blocksOf } from '#test/fakes/anthropic/body.ts';
import { type FakeAnthropic, startFakeAnthropic } from '#test/fakes/anthropic/server.ts';
import type { FakeDiscord } from '#test/fakes/discord/api.ts';
import type { FakeUser } from '#test/fakes/discord/seen.ts';
import { startFakeDiscord } from '#test/fakes/discord/server.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import type { FakeSlack, SeenMessage } from '#test/fakes/slack/api.ts';
import { startFakeSlack } from '#test/fakes/slack/server.ts';
import { eventually } from '#test/support/platforms/talk.ts';
import { BotProcess } from '../bot-process.ts';

const PROGRAM = join(import.meta.dirname, '../../fakes/platform-bot-process.ts');
const FOR_EVER_MS = 600_000;
const { approve } = texts('en').channels;

const isQuestion = ({ blocks }: SeenMessage): boolean => blocks.some(({ type }) => type === 'actions');

/** Looks at the clock where it is asked for the time, which needs an approval. */
const replyTo = ({ messages }: AnthropicBody): FakeReply => {
  const last = blocksOf(messages.at(-1)?.content ?? '');
  if (last.some(({ type }) => type === 'tool_result')) return { kind: 'answer', text: 'It is noon.' };
  return JSON.stringify(last).includes('What time')
    ? { kind: 'answer', toolCalls: [{ name: 'get_datetime', input: {} }] }
    : { kind: 'answer', text: 'Good to meet you.' };
};

let claude: FakeAnthropic;
let discord: FakeDiscord;
let slack: FakeSlack;
let dataDir: string;
const bots: BotProcess[] = [];
let onQuestionInSlack: () => void = () => undefined;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'finclaw-fault-'));
  writeFileSync(
    join(dataDir, 'finclaw.config.json'),
    JSON.stringify({ tools: { rules: [{ pattern: 'get_datetime', verdict: 'require-approval' }] } }),
  );
  claude = await startFakeAnthropic();
  claude.otherwise(replyTo);
  discord = await startFakeDiscord();
  slack = await startFakeSlack({
    onMoment: ({ name, channel = '', ts = '' }) => {
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

it('kill -9 between a post and its record: one question with live buttons on each platform, and a first direct message is kept', async () => {
  const t0 = performance.now();
  const log = (what: string): void => console.log(what, Math.round(performance.now() - t0));
  const kim: FakeUser = discord.addUser({ name: 'kim' });
  const lee: FakeUser = discord.addUser({ name: 'lee' });
  const kims = discord.directChannel(kim).id;
  const lees = discord.directChannel(lee).id;
  const alices = slack.directOf(slack.alice.id).id;
  const asked = () => discord.messagesIn(kims).filter(({ buttons }) => buttons.length > 0);
  const askedInSlack = () => slack.botMessagesIn(alices).filter(isQuestion);

  const first = load();
  await first.start();
  const second = load();
  await eventually(() => discord.gateway.isReady && slack.sockets.open.length > 0);
  log('ready');
  discord.faults.slowDown(1, FOR_EVER_MS, {
    method: 'POST',
    channelId: kims,
    route: '/channels/:channel/messages',
  });
  discord.say(kim, discord.directChannel(kim), 'What time is it?');
  await eventually(() => asked().length === 1);
  log('asked on discord');
  const killed = new Promise<void>((resolve) => {
    onQuestionInSlack = () => {
      first.end('SIGKILL');
      resolve();
    };
  });
  slack.say(alices, slack.alice.id, 'What time is it?');
  await killed;
  await first.exited;
  log('killed');

  discord.faults.clear();
  discord.faults.slowDown(5, FOR_EVER_MS, { route: '/users/@me/channels' });
  const third = load();
  await second.start();
  await eventually(() => discord.gateway.isReady);
  log('second ready');
  discord.say(lee, discord.directChannel(lee), 'Hello, I am Lee');
  await Promise.race([
    eventually(() => claude.history.some(({ body }) => JSON.stringify(body).includes('I am Lee'))),
    new Promise((resolve) => setTimeout(resolve, 1_000)),
  ]);
  second.end('SIGKILL');
  await second.exited;
  log('second killed');
  discord.faults.clear();
  await third.start();
  await eventually(() => discord.gateway.isReady && slack.sockets.open.length > 0);
  log('third ready');
  await eventually(() =>
    discord.messagesIn(lees).some(({ content }) => content.includes('Good to meet you')),
  );
  log('lee answered');
  await third.beat();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(asked()).toHaveLength(1);
  expect(askedInSlack()).toHaveLength(1);
  const [question] = asked();
  const [inSlack] = askedInSlack();
  if (!question || !inSlack) return;
  const press = question.buttons.find(({ label }) => label === approve());
  discord.press(kim, question, press?.customId ?? '');
  slack.press(slack.alice.id, inSlack, 'finclaw_approve');
  await eventually(() => discord.messagesIn(kims).some(({ content }) => content.includes('It is noon')));
  await eventually(() => slack.botMessagesIn(alices).some(({ text }) => text.includes('It is noon')));
  log('answered');
  expect([...asked(), ...askedInSlack()]).toEqual([]);
});
