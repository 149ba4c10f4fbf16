import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import { describe, expect, it } from 'vitest';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import type { MarketQueries } from '#src/features/open/market-queries.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { quotesAnswer } from '#src/features/quotes/quotes.ts';
import { lastCloseBefore, sessionOf } from '#src/markets/calendar/calendar.ts';
import { createMarket } from '#src/markets/sources/market.ts';
import { createSampleSource } from '#src/markets/sources/sample/source.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { createAttachQuotes } from '#src/chat/delivery/attach-quotes.ts';
import { fact, NEVER_ABORTED } from '#test/chat/pipeline/support.ts';
import { msgContext, recordingLogger } from '#test/support/context.ts';
import { cpuMs } from '#test/support/cpu-time.ts';
import { everyRow } from '#test/support/every-row.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const symbols = createSymbolSearch();
const about = (entity: string, metric: MetricId = 'price'): Fact => ({ ...fact(true), entity, metric });

/** Remembers what was asked; answers in a word a symbol unless the test says otherwise. */
const setUp = (answer?: MarketQueries['quotes']) => {
  const clock = new ManualClock();
  const { logger, records } = recordingLogger();
  const asked: string[][] = [];
  const quotes: MarketQueries['quotes'] = async (queries, ...rest) => {
    asked.push([...queries]);
    if (answer) return answer(queries, ...rest);
    return {
      content: `quotes of ${queries.join(' ')}`,
      facts: queries.map((query) => about(query)),
      found: 1,
    };
  };
  const attachQuotes = createAttachQuotes({ markets: { quotes }, symbols, clock, logger });
  const attach = (
    text: string,
    facts: readonly Fact[] = [],
    ctx: Partial<TurnContext> = {},
    signal = NEVER_ABORTED,
  ) => attachQuotes(text, facts, msgContext(ctx), signal);
  return { clock, records, asked, attach };
};

describe('createAttachQuotes', () => {
  everyRow<[string, readonly string[]]>([
    ['AAPL rose, TSLA fell.', ['AAPL', 'TSLA']],
    ['**AAPL**, (TSLA) and `MSFT`; AAPL again', ['AAPL', 'TSLA', 'MSFT']],
    ['$TSLA to the moon', ['TSLA']],
    ['$KO, but not ok', ['KO']],
    ['삼성전자(005930)', ['005930.KS']],
    ['005930.KS', ['005930.KS']],
    ['BTC-USD fell', ['BTC-USD']],
    ['Apple and Tesla rose.', ['AAPL', 'TSLA']],
    ["Apple's margin", ['AAPL']],
    ['Samsung Electronics and SK hynix', ['005930.KS', '000660.KS']],
    ['삼성전자는 올랐고 애플이 내렸습니다.', ['005930.KS', 'AAPL']],
    ['네이버와 카카오의 비교', ['035420.KS', '035720.KS']],
    ['삼전은 어떨까요', ['005930.KS']],
    ['Google and Nvidia rose, while Palantir and Meta fell.', ['GOOGL', 'NVDA', 'PLTR', 'META']],
    ['Eli Lilly, Visa and Bank of America', ['LLY', 'V', 'BAC']],
    ['Warren Buffett of Berkshire Hathaway', ['BRK-B']],
    ['달러 환율은 올랐습니다.', ['USDKRW=X']],
    ['애플 (AAPL, NASDAQ), 삼성전자 (005930, KOSPI)', ['AAPL', '005930.KS']],
    ['GM and KO rose; F and T fell.', ['GM', 'KO']],
  ])('asks for what %j names', async (text, wanted) => {
    const { attach, asked } = setUp();
    await attach(text);
    expect(asked).toEqual([wanted]);
  });

  everyRow([
    'RSI 14 is 61, SMA 20 and EMA 12 rise, ATR and ADX fall. PBR 1.2, PEG 2. HBM, OLED and ASIC demand; WTI and LNG; FANG',
    '목표가 타겟 상향',
    'Target the 200-day line first. Block the noise. Match the pattern. Grab the chance.',
    'ARR grew, BEP is near, SL at 90.',
    'Nothing is named here.',
    'an apple a day, and a tesla coil',
    'AAPLE, NVID and XYZQ',
    'the code 202611 and 1005930',
    'The Bank of Korea and Meta-analysis',
    'Samsung alone, and Hyundai',
    '현대 그룹',
    '',
    'Target prices are up. All in all, Next year looks good, Now as ever.',
    'Here Are The Key Points: On The Other Hand, You Can Open An Account.',
    'Powell kept rates while Trump spoke about China, Korea and Washington.',
    'The PER is 30, EPS 6.1 USD, RSI 55, MA and EMA rise; CEO pay, AI, EV and IT. Open 9 AM to 4 PM ET.',
    'Stocks, Bonds, Real Estate, Gold and Cash',
    '기업 실적이 좋은 대상을 고르고, 남성과 여성 모두 하나씩 살펴봅니다.',
    '나무가 자라듯이 우리 경제가 성장합니다. 현대 사회와 미래, 전방 산업, 선진국과 진도',
    '한국은행은 금리를 동결했고 미국 시장은 300 달러, 원화는 약세입니다.',
  ])('asks for nothing where only %j is said', async (text) => {
    const { attach, asked } = setUp();
    expect(await attach(text, [], { rawBody: 'Hello' })).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('takes a word in capitals for a code only where it is no other word, or where a dollar sign says so', async () => {
    const { attach, asked } = setUp();
    await attach('AI is what everybody talks about.');
    expect(asked).toEqual([]);
    await attach('$AI is what everybody talks about.');
    expect(asked).toEqual([['AI']]);
  });

  it('asks for five at most', async () => {
    const { attach, asked } = setUp();
    await attach('AAPL TSLA MSFT KO META NVDA NFLX');
    expect(asked).toEqual([['AAPL', 'TSLA', 'MSFT', 'KO', 'META']]);
  });

  it('asks also for what the facts are about, behind what is named', async () => {
    const { attach, asked } = setUp();
    await attach('TSLA fell.', [
      about('AAPL', 'volume'),
      about('Tesla', 'volume'),
      about('카카오', 'volume'),
      about('nothing known', 'volume'),
      about('AAPL', 'dayLow'),
    ]);
    expect(asked).toEqual([['TSLA', 'AAPL']]);
  });

  it('does not quote again what was quoted in this turn', async () => {
    const { attach, asked } = setUp();
    await attach('AAPL rose, TSLA fell.', [about('AAPL')]);
    expect(await attach('AAPL rose.', [about('AAPL')])).toBeUndefined();
    expect(asked).toEqual([['TSLA']]);
  });

  it('quotes for an answer without words what was looked up, or what was asked about', async () => {
    const { attach, asked } = setUp();
    expect((await attach('', [about('AAPL')], { rawBody: 'TSLA?' }))?.text).toBe(
      `${commandTexts('en').quotes()}\n\nquotes of TSLA AAPL`,
    );
    await attach('  ', [], { rawBody: '삼성전자 시세' });
    expect(asked).toEqual([['TSLA', 'AAPL'], ['005930.KS']]);
  });

  it.each(['en', 'ko'] as const)(
    'puts the quotes under the answer, and their facts to its facts (%s)',
    async (locale) => {
      const { attach } = setUp();
      const own = about('AAPL', 'volume');
      expect(await attach('TSLA fell.', [own], { locale })).toEqual({
        text: `TSLA fell.\n\n${commandTexts(locale).quotes()}\n\nquotes of TSLA AAPL`,
        facts: [own, about('TSLA'), about('AAPL')],
      });
    },
  );

  it('leaves the answer as it is where no quote is to be had', async () => {
    const { attach } = setUp(async () => ({ content: 'no price', facts: [], found: 0 }));
    expect(await attach('AAPL')).toBeUndefined();
  });

  it('leaves the answer as it is when the quotes fail, and logs why', async () => {
    const { attach, records, clock } = setUp(async () => {
      throw new Error('the market is down');
    });
    expect(await attach('AAPL')).toBeUndefined();
    expect(records()).toMatchObject([{ level: 'warn', error: { message: 'the market is down' } }]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('waits three seconds and no longer, and tells the source that time is up', async () => {
    const signals: AbortSignal[] = [];
    const { attach, clock, records } = setUp((_queries, _reader, signal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    let isDone = false;
    const attached = attach('AAPL').finally(() => {
      isDone = true;
    });
    await clock.advance(2_999);
    expect(isDone).toBe(false);
    await clock.advance(1);
    expect(await attached).toBeUndefined();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(records()).toHaveLength(1);
  });

  it('throws why the run was ended', async () => {
    const controller = new AbortController();
    const { attach, clock, records } = setUp(() => new Promise(() => undefined));
    const reason = new Error('stopped');
    const rejected = expect(attach('AAPL', [], {}, controller.signal)).rejects.toBe(reason);
    controller.abort(reason);
    await clock.advance(0);
    await rejected;
    expect(records()).toEqual([]);
  });

  it('brings real quotes, whose facts say that they are samples', async () => {
    const { logger } = recordingLogger();
    const market = createMarket({
      sources: [createSampleSource(new ManualClock())],
      calendar: { sessionOf, lastCloseBefore },
      clock: new ManualClock(),
      logger,
    });
    const { attach } = setUp(quotesAnswer({ market, symbols }));
    const attached = await attach('애플이 올랐습니다.', [], { locale: 'ko' });
    expect(attached?.text).toContain('애플 (AAPL)');
    expect(attached?.facts.some(({ isSample, metric }) => isSample && metric === 'price')).toBe(true);
  });

  it('takes no time over a long answer', async () => {
    const { attach } = setUp();
    const startedMs = cpuMs();
    await attach('Some Name Like Words 그리고 한국어 단어는 '.repeat(2_000));
    expect(cpuMs() - startedMs).toBeLessThan(3_000);
  });
});
