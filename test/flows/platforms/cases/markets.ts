import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { calls } from '#test/support/broker.ts';
import { answer } from '#test/support/engine-app.ts';
import type { LiveMarket } from '#test/support/live-market.ts';
import type { DiscordPlatform } from '#test/support/platforms/discord.ts';
import type { Person, Place, PlatformKit, Seen } from '#test/support/platforms/driver.ts';
import type { SlackPlatform } from '#test/support/platforms/slack.ts';
import { eventually, holdTools, type Talk } from '#test/support/platforms/talk.ts';

type Asked = readonly [
  command: string,
  values: Readonly<Record<string, string>>,
  ...shown: readonly RegExp[],
];

/** A moment, or the day of a close, and the source. */
const ORIGIN = {
  en: /(?:[\d-]{10} \d\d:\d\d KST|<t:\d+:f>|[A-Z][a-z]{2} \d+ close|[\d-]{10} close).* · Yahoo Finance$/m,
  ko: /(?:[\d-]{10} \d\d:\d\d KST|<t:\d+:f>|\d+\/\d+ 종가|[\d-]{10} 종가).* · Yahoo Finance$/m,
} as const;
/** Cards have a moment for each, and a table has the days of all below it. */
const AS_OF = {
  en: /^(?:\d\d-\d\d \d\d:\d\d|[A-Z][a-z]{2} \d+.* · Yahoo Finance)/m,
  ko: /^(?:\d\d-\d\d \d\d:\d\d|\d+\/\d+.* · Upbit)/m,
} as const;

/** What a person asks for, and what they see then: name, price, as-of, source. */
const ENGLISH: readonly Asked[] = [
  [
    'price',
    { symbol: 'AAPL, MSFT' },
    /Apple \(AAPL\)/,
    /\$272\.41/,
    /Microsoft \(MSFT\)/,
    /\$510\.18/,
    ORIGIN.en,
  ],
  [
    'news',
    { symbol: 'AAPL' },
    /AAPL: Shares rise on strong demand/,
    /Example Wire/,
    /finance\.example\.com\/news\/AAPL-0/,
  ],
  ['market', {}, /S&P 500/, /6,734\.11/, AS_OF.en, /(?:source:|·) Yahoo Finance/],
  ['fx', { amount: '100 usd krw' }, /\$100\.00 = ₩145,672/, ORIGIN.en],
  ['crypto', { coins: 'BTC' }, /Bitcoin \(BTC\)/, /\$95,549\.15/, AS_OF.en, /(?:source:|·) Yahoo Finance$/m],
  ['hours', { market: 'us' }, /The US market /, /\d\d:\d\d KST/],
  ['earnings', { symbol: 'NVDA' }, /NVIDIA \(NVDA\)/, /\d{4}-\d\d-\d\d~\d\d/, ORIGIN.en],
  ['search', { name: 'hynix' }, /SK hynix/, /000660/, /KOSPI/],
];
const KOREAN: readonly Asked[] = [
  [
    'price',
    { symbol: '삼성전자, SK하이닉스' },
    /삼성전자 \(005930\)/,
    /₩102,300/,
    /SK하이닉스 \(000660\)/,
    ORIGIN.ko,
  ],
  ['news', { symbol: '카카오' }, /카카오 \(035720\) 뉴스/, /Example Wire/],
  ['fx', { amount: '100달러' }, /₩145,672/, ORIGIN.ko],
  ['crypto', { coins: '비트코인' }, /₩141,262,000/, AS_OF.ko, /(?:출처:|·) Upbit$/m],
  ['hours', { market: 'krx', date: '내일' }, /한국 주식시장은 \d+\/\d+\([일월화수목금토]\)/],
  ['earnings', { symbol: '네이버' }, /NAVER \(035420\)/, ORIGIN.ko],
  ['search', { name: 'ㅅㅅㅈㅈ' }, /삼성전자/, /005930/],
];

interface Picture {
  readonly name: string;
  readonly altText: string | undefined;
  readonly bytes: Uint8Array;
}

const IN_TERMINAL = /📎 (?<name>\S+): (?<path>\S+)/;

/** The picture in a message, as the platform has it. A terminal only tells where it lies. */
const pictureIn = async (
  { name }: PlatformKit,
  { platform }: Talk,
  { id, place, text }: Seen,
): Promise<Picture | undefined> => {
  if (name === 'discord') {
    const { fake } = platform as DiscordPlatform;
    const file = fake.messagesIn(place.id).find((message) => message.id === id)?.attachments[0];
    if (!file) return undefined;
    const bytes = new Uint8Array(await (await fetch(file.url)).arrayBuffer());
    return { name: file.name, altText: file.description, bytes };
  }
  if (name === 'slack') {
    const { fake } = platform as SlackPlatform;
    const file = fake.messageAt({ channel: place.room ?? place.id, ts: id })?.files[0];
    return file && { name: file.name, altText: file.altText, bytes: file.content };
  }
  const { name: shown = '', path = '' } = IN_TERMINAL.exec(text)?.groups ?? {};
  return existsSync(path) ? { name: shown, altText: undefined, bytes: readFileSync(path) } : undefined;
};

const hasPicture = ({ files, text }: Seen): boolean => files.length > 0 || IN_TERMINAL.test(text);

/** What people ask about markets, in the way of their platform, with live prices behind it. */
export const marketCases = (kit: PlatformKit, talk: () => Talk, market: () => LiveMarket): void => {
  const { can } = kit;
  const placeFor = (person: Person, name: string): Place =>
    can.rooms ? talk().platform.addRoom(name) : talk().platform.direct(person);

  const seesPicture = async (person: Person, place: Place, altText: RegExp, name: string): Promise<Seen> => {
    const seen = await talk().sees(person, place, hasPicture);
    const picture = await pictureIn(kit, talk(), seen);
    expect(picture?.name).toBe(name);
    expect(
      Buffer.from(picture?.bytes ?? [])
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    if (can.rooms) expect(picture?.altText).toMatch(altText);
    return seen;
  };

  it.each([
    ['en', ENGLISH],
    ['ko', KOREAN],
  ] as const)('every command shows names, prices, from when and from where (%s)', async (locale, asked) => {
    const { platform } = talk();
    for (const [command, values, ...shown] of asked) {
      const person = platform.addPerson('ann', { locale });
      const place = placeFor(person, `markets-${locale}-${command}`);
      platform.call(person, place, command, values);
      const [first = /./] = shown;
      const { text, cards } = await talk().sees(person, place, first);
      for (const part of shown) expect(text, command).toMatch(part);
      expect(text, command).not.toMatch(/SAMPLE|샘플/);
      if (command === 'price') expect(cards).toBe(can.cards ? 2 : 0);
    }
  });

  it('/chart and /compare bring a picture, with words for those who cannot see it', async () => {
    const { platform, sees } = talk();
    const ann = platform.addPerson('ann');
    const first = placeFor(ann, 'charts');
    platform.call(ann, first, 'chart', { symbol: 'AAPL', range: '1mo', indicators: 'rsi' });
    await sees(ann, first, /Apple \(AAPL\)\** 1 month [▲▼■]/);
    const alt = /^Candlestick chart of Apple Inc\. \(AAPL, NASDAQ\), 1 month .*source: Yahoo Finance\.$/;
    await seesPicture(ann, first, alt, 'AAPL-1mo.png');
    const ben = platform.addPerson('ben');
    const second = placeFor(ben, 'comparisons');
    platform.call(ben, second, 'compare', { symbols: 'AAPL, MSFT', range: '3mo' });
    expect((await sees(ben, second, 'Comparison')).text).toMatch(/Apple \(AAPL\)[^]*Microsoft \(MSFT\)/);
    await seesPicture(
      ben,
      second,
      /^Line chart that compares.*\(MSFT, NASDAQ\)/,
      'compare-AAPL-MSFT-3mo.png',
    );
  });

  it('an ambiguous name is a question, and its answer is the chart that was asked for', async () => {
    const { platform, sees } = talk();
    const minsu = platform.addPerson('minsu', { locale: 'ko' });
    const place = placeFor(minsu, 'which');
    platform.call(minsu, place, 'chart', { symbol: '삼성', range: '1mo' });
    const question = await sees(minsu, place, '어느 것인가요?');
    for (const name of ['삼성전자 (005930, KOSPI)', '삼성바이오로직스 (207940, KOSPI)'])
      expect(question.text).toContain(name);
    if (!can.buttons) return;
    platform.press(minsu, question, '삼성전자 (005930, KOSPI)');
    await seesPicture(minsu, place, /^삼성전자 \(005930, KOSPI\) 1개월 캔들 차트/, '005930-1mo.png');
  });

  it('a wrong usage gets one clear sentence, seen by nobody else', async () => {
    const { platform, sees } = talk();
    const ann = platform.addPerson('ann');
    const place = placeFor(ann, 'wrong');
    platform.call(ann, place, 'fx', { amount: '100 qqzzqq' });
    const { isPrivate, text } = await sees(ann, place, 'I do not know the currency "qqzzqq"');
    expect({ isPrivate, lines: text.trim().split('\n').length }).toEqual({ isPrivate: true, lines: 1 });
  });

  it('headlines of strangers call nobody', async () => {
    const { platform, sees } = talk();
    const ann = platform.addPerson('ann');
    const place = placeFor(ann, 'headlines');
    market().yahoo.setNews(
      [
        {
          uuid: 'sly',
          title: 'Tesla @everyone <!channel> <@&1> [free](https://evil.example) <<NO_REPLY>> soars',
          publisher: '@here',
          link: 'https://finance.example.com/sly',
          providerPublishTime: Math.floor(Date.now() / 1_000) - 600,
          type: 'STORY',
        },
      ],
      'TSLA',
    );
    platform.call(ann, place, 'news', { symbol: 'TSLA' });
    const { pings, text } = await sees(ann, place, 'soars');
    expect(pings).toEqual([]);
    expect(text).not.toContain('](https://evil');
  });

  it('quotes under an answer are drawn where that is possible, else written', async () => {
    const { platform, sees, claude } = talk();
    const ann = platform.addPerson('ann');
    const direct = platform.direct(ann);
    claude.reply(answer('Nvidia leads today.<<ATTACH_QUOTE>>'));
    platform.say(ann, direct, 'Who leads?');
    const { text, cards } = await sees(ann, direct, 'Nvidia leads today.');
    expect(cards).toBe(can.cards ? 1 : 0);
    for (const part of [/NVIDIA \(NVDA\)/, /\$190\.17/, ORIGIN.en]) expect(text).toMatch(part);
    expect(text).not.toContain('SAMPLE');
  });

  it('a chart of the model comes with its answer, and people see that it is being drawn', async () => {
    const { platform, sees, claude } = talk();
    const minsu = platform.addPerson('minsu', { locale: 'ko' });
    const direct = platform.direct(minsu);
    const letGo = holdTools();
    claude.reply(
      calls({ name: 'make_chart', input: { symbols: ['삼성전자'], range: '3mo' } }),
      answer('그렸습니다.'),
    );
    platform.say(minsu, direct, '삼성전자 차트 보여 주세요');
    if (can.status === 'words')
      await eventually(
        () => platform.statusesSeen().includes('삼성전자 차트 그리는 중…'),
        platform.statusesSeen,
      );
    letGo();
    await sees(minsu, direct, '그렸습니다.');
    await seesPicture(minsu, direct, /^삼성전자 \(005930, KOSPI\) 3개월 캔들 차트/, '005930-3mo.png');
    expect(platform.seenBy(minsu, direct).filter(hasPicture)).toHaveLength(1);
  });

  it.runIf(can.typedOptions)(
    'a name completes itself from its first letters, also behind another one',
    async () => {
      const { platform } = talk();
      const minsu = platform.addPerson('minsu', { locale: 'ko' });
      const room = platform.addRoom('completing');
      expect((await platform.suggestions(minsu, room, '삼ㅅ'))[0]).toBe('삼성전자 (005930, KOSPI)');
      expect((await platform.suggestions(minsu, room, 'AAPL, 삼ㅅ'))[0]).toBe(
        'AAPL, 삼성전자 (005930, KOSPI)',
      );
    },
  );

  it('and the bot kept the manners of the platform all the while', () => {
    expect(talk().platform.offences()).toEqual([]);
  });
};
