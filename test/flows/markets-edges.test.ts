import { describe, expect, it } from 'vitest';
import { quoteTexts } from '#src/markets/answers/quote-texts.ts';
import { chartTexts } from '#src/markets/charts/texts.ts';
import { analysisTexts } from '#src/markets/series/texts.ts';
import { hoursTexts } from '#src/markets/calendar/hours-texts.ts';
import { marketTexts } from '#src/markets/answers/market-texts.ts';
import { symbolTexts } from '#src/features/search/texts.ts';
import { type EngineApp, startEngineApp } from '#test/support/engine-app.ts';
import { startLiveMarket } from '#test/support/live-market.ts';
import { WatchedClock } from '#test/support/watched-clock.ts';

const start = async (): Promise<EngineApp> => {
  const clock = new WatchedClock();
  const { env } = await startLiveMarket(clock);
  return startEngineApp({ clock, env });
};

/** What is no question yet, and the one sentence that it gets. */
const MISUSED: readonly (readonly [line: string, sentence: string])[] = [
  ['/price', quoteTexts('en').usage()],
  ['/시세', quoteTexts('ko').usage()],
  [`/price ${'AAPL,'.repeat(11)}`, quoteTexts('en').tooMany({ limit: 10 })],
  ['/price qqzzqq', quoteTexts('en').symbolUnknown({ query: 'qqzzqq' })],
  ['/chart', chartTexts('en').usage()],
  ['/차트', chartTexts('ko').usage()],
  [`/chart ${'AAPL,'.repeat(7)}`, chartTexts('en').tooMany({ limit: 6 })],
  ['/compare AAPL', analysisTexts('en').compareUsage()],
  ['/비교 삼성전자', analysisTexts('ko').compareUsage()],
  ['/compare AAPL 애플', analysisTexts('ko').compareSame()],
  ['/news qqzzqq', quoteTexts('en').symbolUnknown({ query: 'qqzzqq' })],
  ['/fx 100 qqzzqq', hoursTexts('en').fx.unknownCurrency({ typed: 'qqzzqq' })],
  ['/fx -1 usd krw', hoursTexts('en').fx.badAmount({ typed: '-1 usd krw' })],
  ['/fx 1e999 usd krw', hoursTexts('en').fx.badAmount({ typed: '1e999 usd krw' })],
  ['/환율 100달러 달러', hoursTexts('ko').fx.same({ name: '미국 달러' })],
  ['/hours qqzzqq', hoursTexts('en').unknownMarket({ typed: 'qqzzqq' })],
  ['/hours krx 2026-13-45', hoursTexts('en').badDate({ typed: '2026-13-45' })],
  ['/crypto AAPL', marketTexts('en').overview.notCoins({ names: 'Apple Inc. (AAPL, NASDAQ)' })],
  ['/실적 비트코인', marketTexts('ko').earnings.notCompanies({ names: '비트코인 (BTC, Crypto)' })],
  ['/search', symbolTexts('en').usage()],
  ['/검색 qqzzqq', symbolTexts('ko').nothing({ query: 'qqzzqq' })],
];

const COMMANDS = [
  'price',
  'chart',
  'compare',
  'news',
  'market',
  'fx',
  'crypto',
  'hours',
  'earnings',
  'search',
];

/** What nobody should type, and somebody will. */
const ODD: Readonly<Record<string, string>> = {
  nothing: '   ,,,   ',
  'a page in one word': '가나다'.repeat(1_000),
  'hundreds of words': 'x '.repeat(900),
  'a long list': Array.from({ length: 60 }, (_, index) => `QQ${index}Z`).join(','),
  emoji: '🚀🚀🚀 👨‍👩‍👧‍👦',
  'from right to left': '\u202eqzzq\u202c \u200fשלום مرحبا',
  'marks on marks': 'e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301'.repeat(60),
  'what code takes for something': 'NaNN __proto__ constructor toString {"symbol":"x"}',
  'markup and mentions': '<@123> @everyone <!channel> `x` **y** ||z||',
  'a path': '../../etc/passwd %00 \\x00 ; drop table inbox',
  'wrong types': '-1 0.5.5 9999-99-99 1e999',
};

describe('a question about markets', () => {
  it('that is none yet gets one clear sentence, for the asker alone', async () => {
    const app = await start();
    const said: (readonly string[])[] = [];
    for (const [line] of MISUSED) said.push([line, ...(await app.ask('ann', line))]);
    expect(said).toEqual(MISUSED);
    expect(app.channel.sent.filter(({ payload }) => payload.media || !payload.ephemeral)).toEqual([]);
  });

  it('that makes no sense is answered once, in a message that the platform takes, by every command', async () => {
    const app = await start();
    for (const command of COMMANDS) {
      for (const [what, odd] of Object.entries(ODD)) {
        const said = await app.ask('ann', `/${command} ${odd}`);
        const about = `/${command} with ${what}: ${said.join(' | ').slice(0, 300)}`;
        expect(said, about).toHaveLength(1);
        expect(said[0], about).toMatch(/\S/);
        expect(said[0], about).not.toMatch(/\((?:error|오류) [0-9a-f]{8}\)|\[object|\bundefined\b|\u202e/);
      }
    }
    expect(app.channel.attempts).toHaveLength(app.channel.sent.length);
    expect(app.log.filter((line) => /"level":"error"/.test(line))).toEqual([]);
  });
});
