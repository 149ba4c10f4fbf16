import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { commandDefinitions } from '#commands/index.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { displayWidth } from '#src/platform/text/display-width.ts';
import { PHONE_COLUMNS } from '#src/platform/text/text-table.ts';
import type { SeenMessage } from '#test/fakes/discord/seen.ts';
import { createLeapingClock } from '#test/support/leaping-clock.ts';
import { type DiscordPlatform, discordKit } from '#test/support/platforms/discord.ts';
import type { Person, PlatformKit, Seen } from '#test/support/platforms/driver.ts';
import { slackKit, type SlackPlatform } from '#test/support/platforms/slack.ts';
import { eventually, startTalk, type Talk } from '#test/support/platforms/talk.ts';

/** Something of the person's own, so that there is something to show. */
const OWN: Readonly<Record<Locale, readonly string[]>> = {
  ko: [
    '/portfolio 입금 2000만원 2026-11-02',
    '/portfolio 매수 삼성전자 10주 71,000원 2026-11-02',
    '/portfolio 매수 AAPL 5주 200달러 2026-11-03',
    '/alert 삼성전자 20만원 이상',
    '/alert AAPL rsi < 30',
    '/watch 삼성전자 AAPL BTC',
  ],
  en: [
    '/portfolio deposit 20000 USD 2026-11-02',
    '/portfolio add AAPL 10 200 2026-11-02',
    '/portfolio add 005930 5 71000 2026-11-03',
    '/alert AAPL > 400',
    '/alert TSLA -3%',
    '/watch AAPL TSLA BTC',
  ],
};

/** A command that others depend on, or a line that nobody types. */
const LEFT_OUT = /^\/(?:stop|reset|privacy|link|keys|pair|approve|deny)\b|[[\]<>]|\bID\b/u;

const exampleLines = (locale: Locale): readonly string[] => [
  ...new Set(
    commandDefinitions
      .flatMap(({ usage, examples }) => [usage[locale], ...(examples?.[locale] ?? []).map(([line]) => line)])
      .filter((line) => !LEFT_OUT.test(line)),
  ),
];

/** Nothing is written any more. */
const QUIET_MS = 500;

const hasCard = ({ cards }: Seen): boolean => cards > 0;

const SLACK_HASTE = 50;

const startPerson = async (kit: PlatformKit, locale: Locale) => {
  const env = { FINCLAW_LOCALE: locale, FINCLAW_RATE_LIMIT: '0' };
  const clock = createLeapingClock(kit.name === 'slack' ? SLACK_HASTE : 1);
  const talk = await startTalk(kit, { env, clock });
  const ann = talk.platform.addPerson('ann', { locale });
  const seen = (): readonly Seen[] => talk.platform.seenBy(ann, talk.platform.direct(ann));
  /** The first answer of this kind. The picture of the answer before may come late. */
  const ask = async (line: string, isIt: (answer: Seen) => boolean = () => true): Promise<Seen> => {
    const before = new Set(seen().map(({ id }) => id));
    talk.platform.say(ann, talk.platform.direct(ann), line);
    return eventually(
      () => seen().find((answer) => !before.has(answer.id) && isIt(answer)),
      () => line,
    );
  };
  for (const line of OWN[locale]) await ask(line);
  return { talk, ann, ask };
};

type Reader = Awaited<ReturnType<typeof startPerson>>;
const onDiscord = new Map<Locale, Promise<Reader>>();
/** One for all cases in a language. */
const readerOnDiscord = (locale: Locale): Promise<Reader> => {
  const reader = onDiscord.get(locale) ?? startPerson(discordKit, locale);
  onDiscord.set(locale, reader);
  return reader;
};
afterAll(async () => {
  for (const reader of onDiscord.values()) await (await reader).talk.close();
});

const messagesOf = ({ platform }: Talk, ann: Person): readonly SeenMessage[] => {
  const { fake } = platform as DiscordPlatform;
  return fake.messagesIn(platform.direct(ann).id).filter(({ author }) => author.id === fake.bot.id);
};

/** All texts of a message that Discord reads as Markdown. */
const markdownOf = ({ content, embeds }: SeenMessage): readonly string[] => [
  content,
  ...embeds.flatMap(({ description, fields }) => [
    typeof description === 'string' ? description : '',
    ...((fields ?? []) as readonly { readonly value: string }[]).map(({ value }) => value),
  ]),
];

const codeLines = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^(?:```|~~~+)[^\n]*\n(.*?)^(?:```|~~~+)/gmsu)].flatMap(([, code = '']) =>
    code.split('\n'),
  );

interface Shown {
  readonly line: string;
  readonly title: RegExp;
  /** Each stands in the message once. */
  readonly once: readonly RegExp[];
  readonly all: readonly RegExp[];
}

const SHOWN: Readonly<Record<Locale, readonly Shown[]>> = {
  ko: [
    {
      line: '/price 삼성전자',
      title: /^삼성전자 \(005930\)$/,
      once: [/₩[\d,]+ [▲▼] /g],
      all: [/52주/, / · 샘플/],
    },
    {
      line: '/market',
      title: /^시장 현황$/,
      once: [/[🔴🔵] \*?코스피/gu],
      all: [/[▲▼] [+-][\d.]+ /, /샘플/],
    },
    {
      line: '/compare 삼성전자 AAPL',
      // While Seoul trades and New York does not, the time that both cover is shorter.
      title: /^비교 · (?:1년|[-0-9]+ – [-0-9]+)$/,
      once: [/005930 – AAPL: -?[\d.]+/g],
      all: [/삼성전자 \(005930\)/, /최대 낙폭 -[\d.]+%/, /상관계수/, / · 샘플/],
    },
    {
      line: '/watch',
      title: /^내 관심 종목 \(3종목\)$/,
      once: [/[🔴🔵] \*?삼성전자/gu],
      all: [/출처: 샘플/],
    },
    {
      line: '/portfolio',
      title: /^포트폴리오 기본$/,
      once: [/총 평가금액 ₩/g],
      all: [/× ₩71,000 → /, /샘플/],
    },
    { line: '/alerts', title: /^🔔 내 알림/, once: [/^\[?₩200,000 이상/gm], all: [/ID [a-z0-9]{6}/] },
  ],
  en: [
    {
      line: '/price AAPL',
      title: /^Apple \(AAPL\)$/,
      once: [/\$[\d,.]+ [▲▼] /g],
      all: [/52 weeks/, / · sample/],
    },
    { line: '/market', title: /^Markets at a glance$/, once: [/[🟢🔴] \*?KOSPI/gu], all: [/source: sample/] },
    {
      line: '/compare AAPL MSFT',
      title: /^Comparison · 1 year$/,
      once: [/AAPL – MSFT: -?[\d.]+/g],
      all: [/Apple \(AAPL\)/, /Drawdown -[\d.]+%/, /Correlation/, / · sample/],
    },
    {
      line: '/watch',
      title: /^Your watchlist \(3 names\)$/,
      once: [/[🟢🔴] \*?Apple/gu],
      all: [/source: sample/],
    },
    {
      line: '/portfolio',
      title: /^Portfolio main$/,
      once: [/Total value \$/g],
      all: [/× \$200\.00 → /, /sample data/],
    },
    {
      line: '/alerts',
      title: /^🔔 Your alerts/,
      once: [/^\[?at \$400\.00 or above/gm],
      all: [/ID [a-z0-9]{6}/],
    },
  ],
};

const check = (text: string, { line, once, all }: Shown): void => {
  for (const part of once) expect(text.match(part) ?? [], `${line}: ${text}`).toHaveLength(1);
  for (const part of all) expect(text, line).toMatch(part);
};

describe.each(['ko', 'en'] as const)('a card for a reader in %s', (locale) => {
  it('is an embed on Discord, behind a line for the notification', async () => {
    const { talk, ann, ask } = await readerOnDiscord(locale);
    for (const shown of SHOWN[locale]) {
      const answer = await ask(shown.line, hasCard);
      const message = messagesOf(talk, ann).find(({ id }) => id === answer.id);
      expect(message?.embeds[0]?.['title'], shown.line).toMatch(shown.title);
      const [first = ''] = message?.content.split('\n') ?? [];
      expect(first, shown.line).toContain(String(message?.embeds[0]?.['title']));
      expect(first.length, shown.line).toBeLessThan(200);
      check(answer.text, shown);
    }
    expect(talk.platform.offences()).toEqual([]);
  });

  it('is made of blocks on Slack, and its notification begins with the answer', async () => {
    const { talk, ask } = await startPerson(slackKit, locale);
    onTestFinished(talk.close);
    const { fake } = talk.platform as SlackPlatform;
    for (const shown of SHOWN[locale]) {
      const { id, place, text } = await ask(shown.line, hasCard);
      const message = fake.messageAt({ channel: place.room ?? place.id, ts: id });
      const [first = ''] = message?.text.split('\n') ?? [];
      expect(first.split(/: | — /u)[0], shown.line).toMatch(
        new RegExp(shown.title.source.replace('$', ''), 'u'),
      );
      expect(first, shown.line).not.toMatch(/[*`]/u);
      check(text, shown);
    }
    expect(talk.platform.offences()).toEqual([]);
  });
});

describe.each(['ko', 'en'] as const)('on a phone, in %s', (locale) => {
  it('no command answers with a line of code that wraps on Discord', async () => {
    const { talk, ann, ask } = await readerOnDiscord(locale);
    const lines = exampleLines(locale);
    expect(lines.length).toBeGreaterThan(40);
    for (const line of lines) await ask(line);
    for (let count = 0; count < messagesOf(talk, ann).length;) {
      count = messagesOf(talk, ann).length;
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    }
    const code = messagesOf(talk, ann).flatMap(markdownOf).flatMap(codeLines);
    expect(code.filter((line) => displayWidth(line) > PHONE_COLUMNS)).toEqual([]);
    expect(talk.platform.offences()).toEqual([]);
  });
});
