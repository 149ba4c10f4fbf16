import { kindOf } from '#test/support/fact-kind.ts';
import { describe, expect, it } from 'vitest';
import type { Instrument, SymbolSearch } from '#src/kernel/market/finance.ts';
import { chartTexts } from '#src/markets/charts/texts.ts';
import { quoteTexts } from '#src/markets/answers/quote-texts.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import { Decimal } from '#src/kernel/money.ts';
import { chartAnswer, type ChartRequest } from '#src/features/charting/chart.ts';
import { historyFacts } from '#src/markets/series/history-summary.ts';
import type { Charts } from '#src/markets/charts/charts.ts';
import { ChartError } from '#src/markets/charts/drawing-process.ts';
import type { History, Market } from '#src/markets/sources/source.ts';
import { APPLE, SAMSUNG } from '#test/support/instruments.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { historyOf } from '../../markets/charts/histories.ts';
import { inFull } from '#test/support/in-full.ts';

const KOREAN = { locale: 'ko', timeZone: 'Asia/Seoul' } as const;
const { signal } = new AbortController();
const clock = new ManualClock('2026-11-14T03:00:00Z');

const symbols: Pick<SymbolSearch, 'resolve'> = {
  resolve: (query) => {
    const found: Readonly<Record<string, Instrument>> = { 삼성전자: SAMSUNG, 애플: APPLE };
    const instrument = found[query];
    if (instrument) return { status: 'found', instrument };
    return query === '삼성'
      ? { status: 'ambiguous', choices: [SAMSUNG, { ...SAMSUNG, symbol: '207940.KS' }] }
      : { status: 'unknown', suggestions: [] };
  },
};

const SAMSUNG_DAYS = historyOf({ '2026-11-11': 100, '2026-11-12': 110, '2026-11-13': 120 });
const APPLE_DAYS = historyOf({ '2026-11-12': 50, '2026-11-13': 45 }, { instrument: APPLE });
const PICTURE: MediaAttachment = {
  kind: 'image',
  mimeType: 'image/png',
  name: 'a.png',
  url: 'file:///a.png',
};

interface SetUp {
  readonly histories?: readonly History[];
  readonly failure?: Error;
  readonly audience?: Audience;
}

/** A market with these histories, and a painter that notes what it was given. */
const setUp = ({ histories = [SAMSUNG_DAYS, APPLE_DAYS], failure, audience = KOREAN }: SetUp = {}) => {
  const asked: string[] = [];
  const drawn: unknown[][] = [];
  const market: Pick<Market, 'getHistory'> = {
    getHistory: async ({ symbol }, range) => {
      asked.push(`${symbol} ${range}`);
      const value = histories.find(({ instrument }) => instrument.symbol === symbol);
      return value ? { status: 'ok', value: { ...value, range } } : { status: 'unavailable', reason: 'down' };
    },
  };
  const paint =
    (kind: string) =>
    async (...given: readonly unknown[]): Promise<MediaAttachment> => {
      drawn.push([kind, ...given.slice(0, 2)]);
      if (failure) throw failure;
      return PICTURE;
    };
  const charts: Pick<Charts, 'candles' | 'comparison'> = {
    candles: paint('candles'),
    comparison: paint('comparison'),
  };
  const answer = chartAnswer({ market, symbols, charts, clock });
  const ask = (request: Partial<ChartRequest>, of = signal) =>
    inFull(answer({ queries: ['삼성전자'], range: '6mo', indicators: [], ...request }, audience, of));
  return { ask, asked, drawn };
};

describe('the answer with a chart', () => {
  it('is candles of one name, with the words and facts of its history', async () => {
    const { ask, asked, drawn } = setUp();
    const answer = await ask({ indicators: ['ma20'], theme: 'dark' });
    expect(answer).toMatchObject({ found: 1, media: [PICTURE] });
    for (const said of [
      '삼성전자 (005930, KOSPI)',
      '₩120',
      '+20.00%',
      '₩121',
      '₩99',
      'Test Exchange',
      '15:30 KST',
    ])
      expect(answer.content).toContain(said);
    const shown = { ...SAMSUNG_DAYS, range: '6mo' } as const;
    expect(answer.facts).toEqual(historyFacts(shown, clock.now()));
    // The longer one is for averages that begin with the first bar.
    expect(asked).toEqual(['005930.KS 6mo', '005930.KS 1y']);
    const options = { theme: 'dark', indicators: ['ma20'], earlier: { ...SAMSUNG_DAYS, range: '1y' } };
    expect(drawn).toEqual([['candles', shown, options]]);
  });

  it.each([
    [{ interval: '1wk' }, '주봉 26개', '26 weekly bars'],
    [{ interval: '1mo' }, '월봉 6개', '6 monthly bars'],
    [{ interval: '1wk', shape: 'line' }, '주별 종가 26개', '26 weekly closes'],
    [{ shape: 'line' }, '일별 종가 182개', '182 daily closes'],
    [{}, '일봉 182개', '182 daily bars'],
  ] as const)('says what is drawn: %o', async (style, korean, english) => {
    const [bar] = SAMSUNG_DAYS.bars;
    if (!bar) throw new Error('The test needs a bar');
    const monday = Temporal.Instant.from('2026-06-01T00:00:00Z');
    // 26 weeks, with their weekends.
    const bars = Array.from({ length: 182 }, (_none, day) => ({
      ...bar,
      at: monday.add({ hours: 24 * day }),
    }));
    const history = { ...SAMSUNG_DAYS, bars };
    expect((await setUp({ histories: [history] }).ask(style)).content).toContain(`(${korean})`);
    const inEnglish = setUp({ histories: [history], audience: { ...KOREAN, locale: 'en' } });
    expect((await inEnglish.ask(style)).content).toContain(`(${english})`);
    const failed = setUp({ histories: [history], failure: new Error('no') });
    expect((await failed.ask(style)).content).toContain('(일봉 182개)');
  });

  it('asks for two years before a long average, and for nothing more where bars differ', async () => {
    const { ask, asked } = setUp();
    await ask({ indicators: ['ma200'] });
    await ask({ range: '5d' });
    expect(asked).toEqual(['005930.KS 6mo', '005930.KS 2y', '005930.KS 5d']);
  });

  it('is lines of several names, measured from their first common day', async () => {
    const { ask, drawn } = setUp();
    const answer = await ask({ queries: ['삼성전자', '애플'], indicators: ['rsi'] });
    expect(drawn.map(([kind]) => kind)).toEqual(['comparison']);
    expect(answer).toMatchObject({ found: 2, media: [PICTURE] });
    expect(answer.content).toContain('**삼성전자 (005930)** ₩120 · +9.09%');
    expect(answer.content).toContain('**애플 (AAPL)** $45.00 · -10.00%');
    expect(answer.content).toContain('첫 공통 거래일(2026-11-12)');
    expect(answer.content).toContain(chartTexts('ko').indicatorsForOne());
    expect(answer.facts).toContainEqual({
      entity: '005930.KS',
      metric: 'changePercent',
      period: '2026-11-12',
      value: '9.09',
      unit: '%',
      asOf: '2026-11-13T06:30:00Z',
      source: 'Test Exchange',
      isSample: false,
    });
  });

  it('is measured from the close before, in words as in the picture, where all have one', async () => {
    const before = [SAMSUNG_DAYS, APPLE_DAYS].map((history) => ({ ...history, baseClose: new Decimal(40) }));
    const { ask } = setUp({ histories: before });
    const answer = await ask({ queries: ['삼성전자', '애플'], range: '1d' });
    expect(answer.content).toContain('1일 · 전일 종가 대비 %');
    expect(answer.content).toContain('**애플 (AAPL)** $45.00 · +12.50%');
    const metrics = answer.facts.filter(({ entity }) => entity === 'AAPL').map(kindOf);
    expect(metrics).toEqual(expect.arrayContaining(['previousClose', 'changePercent 1d']));
    expect(metrics).not.toContain('changePercent 2026-11-12');
    expect((await ask({ range: '1d' })).content).toContain(
      '전일 종가 ₩40 → 종가 ₩120 (2026-11-13) · 등락률 +200.00%',
    );
  });

  it('asks which one was meant, with charts to press', async () => {
    const { ask, drawn } = setUp();
    const one = await ask({ queries: ['삼성'], indicators: ['rsi'] });
    expect(one).toMatchObject({ found: 0, facts: [] });
    expect(one.choices?.map(({ command }) => command)).toEqual([
      '/chart $005930.KS 6mo rsi',
      '/chart $207940.KS 6mo rsi',
    ]);
    expect(drawn).toEqual([]);
    const several = await ask({ queries: ['애플', '삼성'] });
    expect(several.found).toBe(1);
    expect(several.choices?.[1]?.command).toBe('/chart AAPL, $207940.KS 6mo');
    expect(drawn.map(([kind]) => kind)).toEqual(['candles']);
  });

  it('says so where there is no data', async () => {
    const { ask, drawn } = setUp({ histories: [] });
    const name = '삼성전자 (005930, KOSPI)';
    expect(await ask({})).toEqual({
      content: quoteTexts('ko').unavailable.down({ name }),
      facts: [],
      found: 0,
    });
    expect(drawn).toEqual([]);
  });

  it.each([
    { failure: new ChartError('CHART_FAILED', 'no paint'), said: chartTexts('ko').notDrawn() },
    { failure: new ChartError('CHART_BUSY', 'too many'), said: chartTexts('ko').busy() },
    { failure: new Error('the disk is full'), said: chartTexts('ko').notDrawn() },
  ])('gives the words alone when the picture fails: $failure.message', async ({ failure, said }) => {
    const answer = await setUp({ failure }).ask({});
    expect(answer).not.toHaveProperty('media');
    expect(answer.found).toBe(1);
    expect(answer.content).toContain('+20.00%');
    expect(answer.content).toContain(said);
  });

  it('ends with an abort, and names what it cannot draw', async () => {
    const gone = new AbortController();
    gone.abort(new Error('gone'));
    await expect(setUp({ failure: new Error('late') }).ask({}, gone.signal)).rejects.toThrow('gone');
    const { content } = await setUp().ask({ indicators: ['ma20', 'ichimoku'] });
    expect(content).toContain(chartTexts('ko').unknownIndicators({ names: '`ichimoku`' }));
  });

  it('draws as asked, and keeps that on the buttons for other ranges', async () => {
    const { ask, drawn } = setUp();
    const { choices } = await ask({ shape: 'line', interval: '1wk', isLog: true, theme: 'dark' });
    expect(drawn[0]?.[2]).toMatchObject({ shape: 'line', interval: '1wk', isLog: true, theme: 'dark' });
    const commands = choices?.map(({ command }) => command) ?? [];
    expect(commands).toContain('/chart $005930.KS 1y line weekly log dark');
    // Minutes make no weeks.
    expect(commands).toContain('/chart $005930.KS 5d line log dark');
  });

  it('says what the data did not allow', async () => {
    const t = chartTexts('ko');
    const minutes = setUp({ histories: [{ ...SAMSUNG_DAYS, interval: '30m' }] });
    expect((await minutes.ask({ interval: '1wk' })).content).toContain(t.noLongBars({ drawn: '30분봉' }));
    const weeks = setUp({ histories: [{ ...SAMSUNG_DAYS, interval: '1wk' }] });
    expect((await weeks.ask({ interval: '1d' })).content).toContain(t.noDays({ drawn: '주봉' }));
    const zero = setUp({ histories: [historyOf({ '2026-11-12': 0, '2026-11-13': 1 })] });
    expect((await zero.ask({ isLog: true })).content).toContain(t.noLog());
    const both = await setUp().ask({ queries: ['삼성전자', '애플'], interval: '1mo' });
    expect(both.content).toContain(t.stylesForOne());
    const plain = await setUp().ask({ interval: '1wk', isLog: true });
    for (const note of [t.noLongBars({ drawn: '일봉' }), t.noLog(), t.stylesForOne()])
      expect(plain.content).not.toContain(note);
  });
});
