import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { type DiscordPlatform, discordKit } from '#test/support/platforms/discord.ts';
import type { Person, Place, Platform } from '#test/support/platforms/driver.ts';
import { slackKit, type SlackPlatform } from '#test/support/platforms/slack.ts';
import { eventually, startTalk } from '#test/support/platforms/talk.ts';
import { expectRecorded, withoutIds } from './record.ts';

/** One of each kind of answer: each is asked by somebody else, in their direct chat. */
const LINES = [
  '/price AAPL',
  '/price AAPL, 삼성전자, BTC',
  '/시세 삼성',
  '/chart AAPL 1y rsi',
  '/compare AAPL MSFT',
  '/market',
  '/crypto BTC ETH krw',
  '/fx 100달러 원',
  '/news AAPL 3',
  '/earnings NVDA',
  '/hours us',
  '/search samsung',
  '/portfolio',
  '/portfolio add AAPL 10 190.5 2026-01-05',
  '/포트폴리오 매수 삼성전자 10주 71,000원 2026-03-02',
  '/alert AAPL > 300',
  '/alerts',
  '/watch AAPL BTC',
  '/briefing',
  '/help',
  '/help price',
  '/model',
  '/queue',
  '/settings',
  '/nonsense',
  'How do you do?',
  'A table:\n\n| a | b |\n| --- | --: |\n| 1 | 2 |\n\n```\ncode\n```\n- one\n- **two** & <three>',
] as const;

const PATIENCE_MS = 120_000;
const NOW = Temporal.Instant.from('2026-11-16T01:00:00Z');
const PLATFORM_IDS = [
  /\b\d{17,20}\b/gu,
  /\b\d{10}\.\d{6}\b/gu,
  /\b[CDFUTB][A-Z\d]{8,10}\b/gu,
  /127\.0\.0\.1:\d+/gu,
];

/** What the platform itself keeps of a message of the bot. */
const messageOf = {
  discord: (platform: Platform, { id }: Person, place: Place): readonly object[] => {
    const { fake } = platform as DiscordPlatform;
    return fake
      .visibleTo(id, place.id)
      .filter(({ author }) => author.isBot)
      .map(({ content, embeds, components, attachments, allowedMentions, flags, replyTo }) => ({
        content,
        embeds,
        components,
        attachments: attachments.map(({ name, description, contentType }) => ({
          name,
          description,
          contentType,
        })),
        allowedMentions,
        flags,
        isReply: replyTo !== undefined,
      }));
  },
  slack: (platform: Platform, _person: Person, place: Place): readonly object[] => {
    const { fake } = platform as SlackPlatform;
    return fake
      .botMessagesIn(place.id)
      .map(({ text, blocks, attachments, metadata, files, flags, threadTs }) => ({
        text,
        blocks,
        attachments,
        metadata,
        files: files.map(({ name }) => name),
        flags,
        isInThread: threadTs !== undefined,
      }));
  },
} as const;

it.for([
  { name: 'discord', kit: discordKit },
  { name: 'slack', kit: slackKit },
] as const)('$name gets the recorded messages', { timeout: 180_000 }, async ({ name, kit }) => {
  const { platform, count, close } = await startTalk(kit, {
    clock: { ...systemClock, now: () => NOW },
    env: { FINCLAW_RATE_LIMIT: '0' },
  });
  onTestFinished(close);
  const messages = messageOf[name];
  const asked = LINES.map((line, index) => {
    const person = platform.addPerson(`person ${index}`);
    const place = platform.direct(person);
    platform.say(person, place, line);
    return { line, person, place };
  });
  await eventually(
    () => count('pipeline:complete') >= LINES.length,
    () => count('pipeline:complete'),
    PATIENCE_MS,
  );
  const answered = ({ person, place }: (typeof asked)[number]): boolean =>
    messages(platform, person, place).length > 0;
  await eventually(
    () => asked.every(answered),
    () => asked.filter((each) => !answered(each)).map(({ line }) => line),
    PATIENCE_MS,
  );
  const recorded = asked.map(({ line, person, place }) => {
    const got = messages(platform, person, place);
    return `› ${line}\n${got.map((message) => JSON.stringify(message, null, 1)).join('\n')}`;
  });
  expect(platform.offences()).toEqual([]);
  await expectRecorded(`platforms/${name}`, withoutIds(recorded.join('\n\n'), PLATFORM_IDS));
});
