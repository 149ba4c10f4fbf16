import { kindOf } from '#test/support/fact-kind.ts';
import { describe, expect, it } from 'vitest';
import type { Instrument } from '#src/kernel/market/finance.ts';
import {
  asId,
  type ChannelId,
  type OwnerId,
  type PortfolioId,
  type TransactionId,
  type UserId,
} from '#src/kernel/ids.ts';
import type { NewTransaction, PortfolioRecord, Transaction } from '#src/kernel/market/ledger.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import type { AnalyseRequest } from '#src/features/portfolio/requests.ts';
import { type Requester, requesterOfCall } from '#src/kernel/people/requester.ts';
import type { ValueRequest } from '#src/markets/charts/portfolio-picture.ts';
import type { Fundamentals, History } from '#src/markets/sources/source.ts';
import { analyseAnswer, type AnalyseDeps } from '#src/features/portfolio/analysis/analyse.ts';
import { historyOf, marketOf, symbols, weekdays, weekend } from '#test/features/analysis-support.ts';
import { APPLE, BITCOIN, HYNIX, KOSPI, SAMSUNG } from '#test/support/instruments.ts';
import { toolContextOf } from '#test/support/tool-context.ts';
import { cash, trade } from './ledger-entries.ts';

const signal = new AbortController().signal;
const DOLLAR: Instrument = {
  symbol: 'USDKRW=X',
  ticker: 'USD/KRW',
  name: { ko: '달러/원', en: 'US dollar / won' },
  exchange: 'FX',
  assetClass: 'fx',
  currency: 'KRW',
  priceDecimals: 2,
};

const requester: Requester = requesterOfCall(toolContextOf({ locale: 'en' }), 'call');
const stranger: Requester = {
  ...requester,
  userId: asId<UserId>('stranger'),
  channelId: asId<ChannelId>('slack'),
};

const portfolio: PortfolioRecord = {
  id: asId<PortfolioId>('p1'),
  ownerId: asId<OwnerId>('console:me'),
  name: 'main',
  baseCurrency: 'KRW',
  costMethod: 'average',
  allowsShort: false,
  isDefault: true,
  createdAt: Temporal.Instant.from('2024-01-01T00:00:00Z'),
};

const recorded = (entries: readonly NewTransaction[], isReversed = false): readonly Transaction[] =>
  entries.map((entry, index) => ({
    ...entry,
    id: asId<TransactionId>(`t${index}`),
    portfolioId: portfolio.id,
    number: index + 1,
    recordedAt: portfolio.createdAt,
    isReversed,
  }));

const DAYS = 250;
/** Up two days, down one, so that it grows. */
const returns = Array.from({ length: DAYS - 1 }, (_, index) => (index % 3 === 2 ? -0.02 : 0.012));
const closesFrom = (first: number, scale: number): readonly number[] => {
  let close = first;
  return [first, ...returns.map((value) => (close *= 1 + value * scale))];
};
const samsung = historyOf(SAMSUNG, closesFrom(50_000, 1));
const kospi = historyOf(KOSPI, closesFrom(2_000, 0.5));
const apple = historyOf(APPLE, closesFrom(200, -1));
const dollar = historyOf(DOLLAR, Array<number>(DAYS).fill(1_400));

const sectorOf = (instrument: Instrument, sector: string): Fundamentals => ({
  instrument,
  figures: [{ metric: 'sector', value: sector, unit: 'text' }],
  asOf: samsung.asOf,
  source: 'Yahoo Finance',
  isSample: false,
});

interface Given {
  readonly histories?: readonly History[];
  readonly charts?: NonNullable<AnalyseDeps['charts']>;
  readonly riskFreePercent?: number;
  readonly allowsShort?: boolean;
}

const setUp = (
  entries: readonly Transaction[],
  { histories = [samsung, kospi, apple, dollar], allowsShort = false, ...rest }: Given = {},
) =>
  analyseAnswer({
    market: {
      ...marketOf(histories),
      getDays: async () => ({ status: 'unavailable', reason: 'down' }),
      getQuotes: async () => [],
      getFundamentals: async (instrument) =>
        instrument.symbol === SAMSUNG.symbol
          ? { status: 'ok', value: sectorOf(instrument, 'Technology') }
          : { status: 'unavailable', reason: 'down' },
    },
    symbols,
    owners: { ownerOf: async ({ channelId, userId }) => asId<OwnerId>(`${channelId}:${userId}`) },
    store: {
      list: async (ownerId) => (ownerId === portfolio.ownerId ? [{ ...portfolio, allowsShort }] : []),
      transactions: async (ownerId, id) =>
        ownerId === portfolio.ownerId && id === portfolio.id ? entries : [],
      dismissed: async () => [],
    },
    corporateActions: {
      since: async () => ({ status: 'unavailable' }),
      during: async () => ({ status: 'unavailable' }),
      lookAgain: async () => ({ status: 'unavailable' }),
    },
    clock: weekend,
    logger: { warn: () => undefined },
    ...rest,
  });

const request: AnalyseRequest = { range: '1y', isDrawn: false };
const old = recorded([trade('buy', SAMSUNG, '2020-01-02', 10, 30_000)]);

describe('the analysis of a portfolio', () => {
  it('shows return, risk and structure with period, source and time, and returns the same facts', async () => {
    const { content, facts, found } = await setUp(old, { riskFreePercent: 3 })(request, requester, signal);
    const factOf = (kind: string) => facts.find((fact) => kindOf(fact) === kind);
    const growth = returns.reduce((all, value) => all * (1 + value), 1) - 1;
    expect(found).toBe(1);
    expect(content).toContain('**Portfolio main · 1 year**');
    expect(content).toContain('2025-12-01 – 2026-11-13');
    expect(factOf('timeWeightedReturn 1y')).toEqual({
      entity: 'portfolio:main',
      metric: 'timeWeightedReturn',
      period: '1y',
      value: (growth * 100).toFixed(2),
      unit: '%',
      asOf: '2026-11-13T06:30:00Z',
      source: 'Yahoo Finance',
      isSample: false,
    });
    expect(content).toContain(`TWR: +${(growth * 100).toFixed(2)}%`);
    // The deviation of 166 days at 1.2 % and 83 at -2 %, and the fifth of a hundred worst days.
    expect(factOf('volatility 1y')?.value).toBe('23.99');
    expect(factOf('valueAtRiskPercent(95)')?.value).toBe('2.00');
    expect(factOf('maxDrawdown 1y')?.value).toBe('-2.00');
    expect(content).toMatch(
      /Deepest fall: -2\.00% \(\d{4}-\d\d-\d\d → \d{4}-\d\d-\d\d, recovered \d{4}-\d\d-\d\d\)/,
    );
    expect(content).toMatch(/Beta: 2\.00 · correlation 1\.00/);
    expect(content).toContain('(risk-free 3.00%)');
    expect(content).toContain('By sector: Technology 100.0%');
    expect(content).toContain('(005930) 100.0%');
    expect(content).toContain('as of 2026-11-13 15:30 KST · source: Yahoo Finance');
    const last = samsung.bars.at(-1)?.close.times(10);
    expect(factOf('totalValue')?.value).toBe(last?.toDecimalPlaces(8).toFixed());
    // From 2025-12-01 on: 347 days of a year with 365.
    expect(factOf('moneyWeightedReturn 1y')?.value).toBe(
      (((1 + growth) ** (365 / 347) - 1) * 100).toFixed(2),
    );
  });

  it('measures beta and correlation between days that both have', async () => {
    // New York trades on 31 December; the last close of Seoul is of the 30th. From 2 January on, Apple moves twice as much.
    const moves = Array.from({ length: 24 }, (_, index) => (index % 3 === 2 ? -0.02 : 0.01));
    const closesAfter = (first: number, times: number): readonly number[] => {
      let close = first;
      return [first, ...moves.map((move) => (close *= 1 + move * times))];
    };
    const ytd = { range: 'ytd' } as const;
    const histories = [
      historyOf(APPLE, closesAfter(110, 2), { ...ytd, baseClose: 100 }),
      historyOf(KOSPI, closesAfter(1_800, 1), { ...ytd, baseClose: 2_000 }),
      historyOf(DOLLAR, Array<number>(25).fill(1_400), { ...ytd, baseClose: 1_400 }),
    ];
    const entries = recorded([trade('buy', APPLE, '2020-01-02', 10, 100, { rate: 1_100 })]);
    const { content } = await setUp(entries, { histories })({ ...request, range: 'ytd' }, requester, signal);
    expect(content).toContain('Beta: 2.00 · correlation 1.00');
  });

  it('says where there is not enough data, and how much is needed', async () => {
    const young = recorded([trade('buy', SAMSUNG, weekdays(6)[0]?.toString() ?? '', 10, 80_000)]);
    const { content, facts, found } = await setUp(young)(request, requester, signal);
    expect(found).toBe(1);
    expect(content).toContain('\nMore figures come after 20 trading days; so far there are 6.\n');
    expect(content).not.toMatch(/Volatility|Sharpe|VaR|XIRR/u);
    const metrics = facts.map(({ metric }) => metric);
    for (const metric of ['twr1y', 'volatility1y']) expect(metrics).not.toContain(metric);
  });

  it('lists currencies, sectors and correlated pairs, and names the holdings left out (Korean)', async () => {
    const entries = recorded([
      cash('deposit', '2020-01-01', 10_000_000),
      cash('deposit', '2020-01-01', 9_000, { currency: 'USD', rate: 1_150 }),
      trade('buy', SAMSUNG, '2020-01-02', 10, 30_000),
      trade('buy', APPLE, '2020-01-02', 10, 100, { rate: 1_100 }),
      trade('buy', HYNIX, '2020-01-02', 1, 100_000),
      trade('buy', BITCOIN, '2020-01-02', 1, 7_000, { rate: 1_150 }),
    ]);
    const histories = [samsung, { ...apple, isSample: true }, kospi, dollar];
    const answer = setUp(entries, { histories });
    const { content, facts } = await answer(request, { ...requester, locale: 'ko' }, signal);
    expect(content).toContain(
      '⚠️ 과거 시세가 없어 순입금액을 포함한 모든 수치에서 제외했어요: SK하이닉스 (000660), 비트코인 (BTC)',
    );
    expect(content).toMatch(/통화별: (?:KRW|USD) \d+\.\d% · (?:KRW|USD) \d+\.\d%/);
    expect(content).toMatch(
      /업종별: (?:기술 \d+\.\d% · 업종 정보 없음|업종 정보 없음 \d+\.\d% · 기술) \d+\.\d%/,
    );
    expect(content).toContain('함께 움직임: 애플·삼성전자 -1.00');
    expect(facts.every(({ isSample }) => isSample)).toBe(true);
    const shares = facts.filter(({ metric }) => metric === 'currencyShare');
    expect(shares.reduce((sum, { value }) => sum + Number(value), 0)).toBeCloseTo(100, 1);
  });

  it('draws the value over time on request, and answers even if drawing fails', async () => {
    const asked: ValueRequest[] = [];
    const media: MediaAttachment = {
      kind: 'image',
      mimeType: 'image/png',
      name: 'v.png',
      url: 'file:///v.png',
    };
    const charts: NonNullable<AnalyseDeps['charts']> = {
      valueOverTime: async (picture) => {
        asked.push(picture);
        return media;
      },
    };
    const drawn = await setUp(old, { charts })({ ...request, isDrawn: true }, requester, signal);
    expect(drawn.media).toEqual([media]);
    expect(drawn.choices).toEqual([
      { label: '3M', command: '/portfolio analysis 3mo', effect: 'replaces' },
      { label: '6M', command: '/portfolio analysis 6mo', effect: 'replaces' },
      { label: 'YTD', command: '/portfolio analysis ytd', effect: 'replaces' },
      { label: '1Y', command: '/portfolio analysis 1y', effect: 'replaces', isCurrent: true },
      { label: '2Y', command: '/portfolio analysis 2y', effect: 'replaces' },
      { label: 'Dark', command: '/portfolio analysis 1y dark', effect: 'replaces' },
    ]);
    expect(asked[0]?.points).toHaveLength(DAYS);
    expect(asked[0]?.points.at(-1)).toMatchObject({ contributed: 300_000 });
    // The dates, because the data may be shorter than the range.
    const dates = [asked[0]?.points[0], asked[0]?.points.at(-1)].map((point) => point?.date.toString());
    expect(asked[0]?.subtitle).toContain(dates.join(' – '));
    expect(asked[0]?.theme).toBeUndefined();
    expect((await setUp(old, { charts })(request, requester, signal)).choices).toBeUndefined();
    expect(asked).toHaveLength(1);

    const broken = setUp(old, { charts: { valueOverTime: () => Promise.reject(new Error('no canvas')) } });
    const failed = await broken({ ...request, isDrawn: true }, requester, signal);
    expect(failed).toMatchObject({ found: 1 });
    expect(failed.content).toContain('The picture could not be drawn this time.');
    expect(failed.media).toBeUndefined();
  });

  it('answers in one sentence without a portfolio, entries, holdings in the range or prices', async () => {
    const answer = setUp(old);
    const foreign = await answer({ ...request, portfolio: 'main' }, stranger, signal);
    expect(foreign).toMatchObject({ found: 0, facts: [] });
    expect(foreign.content).not.toMatch(/Samsung|005930|₩/);

    const empty = await setUp(recorded([trade('buy', SAMSUNG, '2020-01-02', 1, 1)], true))(
      request,
      requester,
      signal,
    );
    expect(empty).toMatchObject({
      found: 0,
      content: expect.stringContaining('Nothing is recorded in main yet'),
    });

    const sold = recorded([
      trade('buy', SAMSUNG, '2020-01-02', 1, 100),
      trade('sell', SAMSUNG, '2020-02-03', 1, 200),
    ]);
    const past = await setUp(sold)(request, requester, signal);
    expect(past).toMatchObject({ found: 0, content: expect.stringContaining('choose a longer one') });

    const unpriced = await setUp(old, { histories: [kospi] })(request, requester, signal);
    expect(unpriced).toMatchObject({ found: 0, content: expect.stringContaining('Samsung Electronics') });
    const aborted = AbortSignal.abort(new Error('stopped'));
    await expect(answer(request, requester, aborted)).rejects.toThrow('stopped');
  });

  it('shows no return for a losing short sale, says why, and shows the index over the same days', async () => {
    const short = recorded([trade('sell', SAMSUNG, weekdays(50)[0]?.toString() ?? '', 10, 70_000)]);
    const { content, facts } = await setUp(short, { allowsShort: true })(request, requester, signal);
    const [from, to] = [kospi.bars.at(-50)?.close, kospi.bars.at(-1)?.close];
    const change = to
      ?.dividedBy(from ?? 1)
      .minus(1)
      .times(100)
      .toFixed(2);
    for (const figure of ['TWR', 'XIRR a year'])
      expect(content).toContain(`${figure}: no meaningful figure: the portfolio was worth less than zero`);
    expect(content).toContain('there is no capital to measure a return on. To see returns, record the cash');
    expect(facts.filter(({ metric }) => /WeightedReturn/u.test(metric))).toEqual([]);
    expect(content).toContain(`KOSPI Composite: +${change}%`);
    const late = await setUp(short, {
      allowsShort: true,
      histories: [samsung, historyOf(KOSPI, [2_000, 2_010])],
    })(request, requester, signal);
    expect(late.content).toContain('KOSPI Composite: no data of the index for all of these days');
  });

  it('uses the requested benchmark, and says if it has no data', async () => {
    const { content } = await setUp(old, { histories: [samsung] })(
      { ...request, benchmark: 'sp500' },
      requester,
      signal,
    );
    expect(content).toMatch(/No data of .+ right now: there is no beta/);
    expect(content).not.toContain('Beta to');
  });
});
