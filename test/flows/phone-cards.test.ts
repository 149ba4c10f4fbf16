import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandDefinitions } from '#commands/index.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { displayWidth } from '#src/platform/display-width.ts';
import { PHONE_COLUMNS } from '#src/platform/text-table.ts';
import { type DiscordPlatform, discordKit } from '#test/support/platforms/discord.ts';
import type { Person, Place } from '#test/support/platforms/driver.ts';
import { type SlackPlatform, slackKit } from '#test/support/platforms/slack.ts';
import { eventually, startTalk, type Talk } from '#test/support/platforms/talk.ts';

/** Something of the person's own, so that there is something to show. */
const OWN: Readonly<Record<Locale, readonly string[]>> = {
  ko: [
    '/portfolio 입금 2000만원 2026-11-02',
    '/portfolio 매수 삼성전자 10주 71,000원 2026-11-02',
    '/portfolio 매수 AAPL 5주 200달러 2026-11-03',
    '/alert 삼성전자 20만원 이상',
    '/alert AAPL rsi < 30',
    '/watch 삼성전자 AAPL BTC 달러',
  ],
  en: [
    '/portfolio deposit 20000 USD 2026-11-02',
    '/portfolio add AAPL 10 200 2026-11-02',
    '/portfolio add 005930 5 71000 2026-11-03',
    '/alert AAPL > 400',
    '/alert TSLA -3%',
    '/watch AAPL TSLA BTC 005930',
  ],
};
const SHOWN = [
  '/price AAPL',
  '/price 삼성전자, TSLA',
  '/market',
  '/crypto',
  '/compare AAPL MSFT',
  '/compare AAPL, MSFT, TSLA, 삼성전자, SK하이닉스',
  '/watch',
  '/portfolio',
  '/alerts',
  '/hours',
];

/** A command that ends the talk, or is not a line that somebody types. */
const LEFT_OUT = /^\/(?:stop|reset|privacy|link|keys|pair|approve|deny)\b|[[\]<>]/u;

const linesOf = (locale: Locale): readonly string[] => [
  ...new Set(
    commandDefinitions
      .flatMap(({ usage, examples }) => [usage[locale], ...(examples?.[locale] ?? []).map(([line]) => line)])
      .filter((line) => !LEFT_OUT.test(line)),
  ),
];

const ask = async (talk: Talk, person: Person, line: string): Promise<void> => {
  const place = talk.platform.direct(person);
  const seen = (): number => talk.platform.seenBy(person, place).length;
  const before = seen();
  talk.platform.say(person, place, line);
  await eventually(
    () => seen() > before,
    () => line,
  );
};

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 400));

describe.each(['ko', 'en'] as const)('preview (%s)', (locale) => {
  let discord: Talk;
  let slack: Talk;
  beforeAll(async () => {
    discord = await startTalk(discordKit);
    slack = await startTalk(slackKit);
  });
  afterAll(async () => {
    await discord.close();
    await slack.close();
  });
  it('prints', async () => {
    for (const talk of [discord, slack]) {
      const ann = talk.platform.addPerson('ann', { locale });
      for (const line of [...OWN[locale], ...SHOWN]) await ask(talk, ann, line);
      await settle();
      const place = talk.platform.direct(ann);
      if (talk === discord) {
        const { fake } = talk.platform as DiscordPlatform;
        for (const m of fake.messagesIn(place.id)) {
          if (m.author.id !== fake.bot.id) console.log('>>> ' + m.content);
          else
            console.log(
              'DISCORD ' + m.content + (m.embeds.length ? '\n' + JSON.stringify(m.embeds, null, 1) : ''),
            );
        }
      } else {
        const { fake } = talk.platform as SlackPlatform;
        for (const m of talk.platform.seenBy(ann, place)) {
          const full = fake.messageAt({ channel: m.place.room ?? m.place.id, ts: m.id });
          console.log(
            'SLACK text: ' + full?.text + '\n--- blocks:\n' + JSON.stringify(full?.blocks, null, 1),
          );
        }
      }
      expect(talk.platform.offences()).toEqual([]);
    }
  });
});
