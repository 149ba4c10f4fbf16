import { expect, it } from 'vitest';
import type { Instrument, Quote } from '#src/kernel/market/finance.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import { Decimal } from '#src/kernel/money.ts';
import { type Requester, requesterOfMessage } from '#src/kernel/people/requester.ts';
import type { PortfolioService } from '#src/features/portfolio/service.ts';
import { createCorporateActions } from '#src/features/portfolio/corporate-actions/corporate-actions.ts';
import type { Bar, Market } from '#src/markets/sources/source.ts';
import { epochDay } from '#src/markets/performance/epoch-day.ts';
import { ratedPortfolios } from '#src/features/portfolio/rates/rated-portfolios.ts';
import { moversOf } from '#src/features/portfolio/summary/movers.ts';
import { createPortfolioService } from '#src/features/portfolio/service.ts';
import { createAccountStores } from '#src/features/open/account-stores.ts';
import { msgContext, recordingLogger } from '#test/support/context.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { symbols } from '#test/support/sample-market.ts';

type State = 'live' | 'down' | 'sample' | 'unrated' | 'stale';

const { signal } = new AbortController();
const NOW = Temporal.Instant.from('2026-11-13T12:00:00Z');
/** Numbers that are in no live answer, whatever is added to them or multiplied. */
const INVENTED = { AAPL: '77.77', 'USDKRW=X': '9999' } as const;
const LIVE = { AAPL: '210', 'USDKRW=X': '1400' } as const;
/** Rates of a year are stored together: each of these needs a look of its own. The third is a Saturday. */
const DAYS = ['2026-11-02', '2025-11-03', '2024-11-02', '2023-11-06'] as const;

const priceOf = (symbol: string, state: State): string =>
  (state === 'sample' ? INVENTED : LIVE)[symbol === 'AAPL' ? 'AAPL' : 'USDKRW=X'];

const made = new Map<string, readonly Bar[]>();

const barsOf = (symbol: string, first: Temporal.PlainDate, state: State): readonly Bar[] => {
  const key = `${symbol} ${first.toString()} ${state}`;
  const known = made.get(key);
  if (known) return known;
  const bars: Bar[] = [];
  const days = epochDay(NOW.toZonedDateTimeISO('UTC').toPlainDate()) - epochDay(first);
  for (let index = 0; index <= Math.min(days, 110); index += 1) {
    const day = first.add({ days: index });
    if (day.dayOfWeek > 5) continue;
    const close = new Decimal(priceOf(symbol, state)).plus(state === 'live' ? day.day : 0);
    const at = Temporal.Instant.from(`${day.toString()}T00:00:00Z`);
    bars.push({ at, open: close, high: close, low: close, close, volume: new Decimal(0) });
  }
  made.set(key, bars);
  return bars;
};

const origin = (state: State) => ({
  asOf: state === 'stale' ? NOW.subtract({ hours: 3 }) : NOW,
  source: state === 'sample' ? 'made up' : 'Live',
  isSample: state === 'sample',
});

const quoteOf = (instrument: Instrument, state: State): Quote => ({
  instrument,
  price: new Decimal(priceOf(instrument.symbol, state)),
  ...origin(state),
  sessionState: 'open',
  isStale: state === 'stale',
});

/** A market that is live, down, without exchange rates, without charts and with old quotes, or sample data. */
const marketIn = (stateNow: () => State): Market => {
  const unavailable = { status: 'unavailable', reason: 'down' } as const;
  const stateOf = ({ assetClass }: Instrument): State => {
    if (stateNow() !== 'unrated') return stateNow();
    return assetClass === 'fx' ? 'down' : 'live';
  };
  const ask = async <T>(instrument: Instrument, answer: (state: State) => T) => {
    const state = stateOf(instrument);
    if (state === 'down' || state === 'stale') return unavailable;
    return { status: 'ok', value: answer(state) } as const;
  };
  return {
    getQuotes: async (instruments) =>
      instruments.map((instrument) => {
        const state = stateOf(instrument);
        return state === 'down'
          ? { ...unavailable, instrument }
          : { status: 'ok', quote: quoteOf(instrument, state) };
      }),
    getHistory: (instrument, range) =>
      ask(instrument, (state) => {
        const bars = barsOf(instrument.symbol, Temporal.PlainDate.from('2026-08-03'), state);
        return { instrument, range, interval: '1d', timeZone: 'UTC', bars, ...origin(state) };
      }),
    getDays: (instrument, { last }) =>
      ask(instrument, (state) => {
        // Fewer days to store.
        const bars = barsOf(instrument.symbol, last.with({ month: 10, day: 25 }), state);
        return { instrument, timeZone: 'UTC', bars, actions: [], ...origin(state) };
      }),
    lookUp: async () => unavailable,
    getNews: async () => unavailable,
    getFundamentals: async () => unavailable,
    getEarnings: async () => unavailable,
  };
};

const open = async () => {
  const { storage } = await sqliteStorage();
  const clock = new ManualClock(NOW.toString());
  const stores = createAccountStores(storage, clock);
  const { owners, dailyRates } = stores;
  const { logger } = recordingLogger();
  const files: string[] = [];
  let state: State = 'live';
  const market = marketIn(() => state);
  const picture = { kind: 'image', mimeType: 'image/png', name: 'a', url: 'a', altText: 'a' } as const;
  const shared = { owners, market, symbols, clock, logger, dailyRates };
  const actions = () => createCorporateActions({ market, store: stores.corporateActions, clock, logger });
  /** Starts without anything that was only in memory, as after a restart. */
  const start = (): PortfolioService =>
    createPortfolioService({
      ...shared,
      corporateActions: actions(),
      store: ratedPortfolios(stores.portfolios, shared),
      charts: { allocation: async () => picture, valueOverTime: async () => picture },
      writeExport: async (_file, content) => `file ${files.push(String(content))}`,
      readMedia: async () => new Uint8Array(),
      readPicture: async () => ({ status: 'no-model' }),
      riskFreePercent: 0,
    });
  return {
    storage,
    stores,
    clock,
    movers: moversOf({ ...shared, corporateActions: actions(), store: stores.portfolios }),
    files,
    start,
    become: (next: State) => {
      state = next;
    },
  };
};

const requesterOf = (requestId: string): Requester => ({
  ...requesterOfMessage(msgContext({ locale: 'ko', timeZone: 'Asia/Seoul' })),
  requestId,
  isDirect: true,
});

const record = (service: PortfolioService, date: string, requestId: string) =>
  service.record(
    { kind: 'buy', name: 'AAPL', quantity: '10', price: '200', date, isSure: true },
    requesterOf(requestId),
    signal,
  );

const sell = (service: PortfolioService, date = '2026-11-05') =>
  service.record(
    { kind: 'sell', name: 'AAPL', quantity: '2', price: '250', date, isSure: true },
    requesterOf(`sale ${date}`),
    signal,
  );

/** Everything that can be asked of a portfolio. */
const lookAtAll = async (
  service: PortfolioService,
  requester: Requester,
): Promise<readonly MarketAnswer[]> => [
  await service.summary({ isDrawn: false, isDetailed: true }, requester, signal),
  await service.history({ page: 1 }, requester, signal),
  await service.analyse({ range: '3mo', isDrawn: false }, requester, signal),
  await service.tax({ year: '2026', basis: 'kr' }, requester, signal),
  await service.tax({ year: '2026', basis: 'us' }, requester, signal),
  await service.export({}, requester, signal),
];

/** Sample figures: the prices, the rate, and the values of ten shares at $200 or of the two that were sold. */
const isInvented = (text: string): boolean =>
  /77\.77|9,?999|19,?998,?000|7,?776,?222|3,?999,?600|4,?999,?500|999,?900/.test(text);
const isMarked = ({ content, facts }: MarketAnswer): boolean =>
  facts.some(({ isSample }) => isSample) && /SAMPLE|샘플/.test(content);

/** Each of these once, and the market back twice: live, outage, sample data, recovery. */
const orders = (left: readonly State[]): readonly (readonly State[])[] =>
  left.length === 0
    ? [[]]
    : [...new Set(left)].flatMap((first) => {
        const index = left.indexOf(first);
        return orders(left.toSpliced(index, 1)).map((rest) => [first, ...rest]);
      });

/** The answers of a ledger whose entries were all recorded with live data. */
const allLive = async (): Promise<readonly string[]> => {
  const { start } = await open();
  const service = start();
  for (const [index, day] of DAYS.entries()) {
    await record(service, day, `r${index}`);
    if (index === 0) await sell(service);
  }
  const answers = await lookAtAll(service, requesterOf('look'));
  return answers.map(({ content }) => content);
};

/** The mark of a rate that was filled in later is the only difference allowed. */
const withoutOrigin = (text: string): string => text.replaceAll(' · 나중에 채움', '');

it('no invented number survives an outage or sample data, in whatever order they come', async () => {
  const expected = await allLive();
  for (const order of orders(['live', 'down', 'sample', 'live'])) {
    const { start, become, storage, files } = await open();
    let service = start();
    for (const [index, state] of order.entries()) {
      become(state);
      // A bot changes between live and sample data only by a restart.
      service = start();
      const recorded = await record(service, DAYS[index] ?? '', `r${index}`);
      expect(recorded.found, recorded.content).toBe(1);
      if (index === 0) expect((await sell(service)).found).toBe(1);
      const mistake = await record(service, '2026-11-04', `mistake${index}`);
      const undone = await service.undo({}, requesterOf(`undo${index}`), signal);
      const answers = [recorded, mistake, ...(await lookAtAll(service, requesterOf('look')))];
      for (const answer of answers) {
        const what = `${order.join(' → ')}, now ${state}: ${answer.content}`;
        if (isInvented(answer.content)) expect(isMarked(answer), what).toBe(true);
        if (state !== 'sample') expect(answer.content, what).not.toMatch(/SAMPLE|샘플/);
        if (state === 'down' && answer === recorded)
          expect(answer.content).toContain('환율이 들어오면 자동으로 채워요');
      }
      if (isInvented(undone.content)) expect(undone.content).toMatch(/SAMPLE|샘플/);
      // The history always shows the rates, so in sample data it has to be marked.
      if (state === 'sample') expect(answers.some((answer) => isInvented(answer.content))).toBe(true);
    }
    become('live');
    service = start();
    await service.summary({ isDrawn: false, isDetailed: true }, requesterOf('look'), signal);
    const last = await lookAtAll(service, requesterOf('look'));
    const lines = (text = ''): readonly string[] =>
      withoutOrigin(text)
        .split('\n')
        .filter((line) => !line.includes('~~'))
        .map((line) => line.replace(/\*\*#\d+\*\* |기록 \d+건|\d+건/gu, ''));
    for (const [index, answer] of last.entries())
      if (index < last.length - 1)
        expect(lines(answer.content), order.join(' → ')).toEqual(lines(expected[index]));
    for (const file of files.filter(isInvented)) expect(file, order.join(' → ')).toMatch(/샘플/);
    const stored = [
      await storage.db.selectFrom('transactions').selectAll().execute(),
      await storage.db.selectFrom('daily_rates').selectAll().execute(),
    ];
    // Ids are random, and may have any digits.
    const figures = JSON.stringify(stored, (key, value: unknown) => (/id$|^revers/iu.test(key) ? '' : value));
    expect(isInvented(figures), 'the database').toBe(false);
  }
});

it('the rate of a day that goes on is told as provisional, is in no file, and is told again when it is fixed', async () => {
  const { start, become, files, clock } = await open();
  become('sample');
  const recorded = await record(start(), '2026-11-13', 'today');
  // Sample data stays until a restart: whoever runs the bot is told.
  expect(recorded.content).toContain('샘플(SAMPLE) 환율로 계산했어요');
  become('live');
  const service = start();
  const [summary, history, analysis] = await lookAtAll(service, requesterOf('look'));
  for (const answer of [summary, history, analysis])
    expect(answer?.content).toContain('그날 종가까지는 잠정 환율');
  expect(history?.content).toContain('환율 1 USD = ₩1,413 · 그날 종가까지 잠정');
  expect(files.at(-1)).toMatch(/,buy,AAPL,.*,USD,0,0,,,,,,KRW,/);
  await clock.advance(72 * 3_600_000);
  const fixed = await service.summary({ isDrawn: false, isDetailed: true }, requesterOf('later'), signal);
  expect(fixed.content).toContain('빠져 있던 환율을 채웠어요: #1');
  expect(fixed.content).not.toContain('잠정');
});

const stated = ({ facts }: MarketAnswer, metric: string) => facts.find((fact) => fact.metric === metric);

it('while no current rate is available, amounts are converted at the last stored close and say of which day it is', async () => {
  const { start, become, storage } = await open();
  const requester = requesterOf('look');
  let service = start();
  await record(service, '2026-11-02', 'buy');
  await service.record(
    { kind: 'deposit', amount: '1000', currency: 'USD', date: '2026-11-02' },
    requesterOf('in'),
    signal,
  );
  // Settled today: the day has no close yet.
  await sell(service, '2026-11-11');
  become('unrated');
  service = start();
  const rebalance = () => service.rebalance({ text: 'AAPL 100 새 돈 100달러' }, requester, signal);
  const summary = await service.summary({ isDrawn: false, isDetailed: true }, requester, signal);
  const plan = await rebalance();
  const tax = await service.tax({ year: '2026', basis: 'kr' }, requester, signal);
  // 8 × $210 and $1,000 − $2,000 + $500 at the close of 12 November: 1,412.
  expect(stated(summary, 'totalValue')).toMatchObject({ value: '1666160', asOf: '2026-11-12T00:00:00Z' });
  expect(stated(summary, 'exchangeRate')).toMatchObject({
    value: '1412',
    asOf: '2026-11-12T00:00:00Z',
    source: 'Live',
  });
  for (const { content } of [summary, plan]) {
    expect(content).toContain('⚠️ 환율: 1 USD = ₩1,412 · 2026-11-12 종가로 환산');
    expect(content).not.toContain('제외했어요');
  }
  expect(plan.content).toContain('$100.00 = ₩141,200');
  // $500 at 1,412 less two of ten that cost $2,000 at the settlement of 4 November: 1,404.
  expect(stated(tax, 'taxableGain')?.value).toBe('144400');
  expect(tax.content).toContain(
    '⚠️ 환율을 조회하지 못해 앞선 종가로 계산했어요: 2026-11-13 USD (2026-11-12 종가)',
  );

  expect(tax.content).toContain('매도 1건은 결제일이나 환율이 아직 잠정이에요');

  // A rate that was stored months ago says nothing about today.
  await storage.db.deleteFrom('daily_rates').where('day', '>', '2026-10-12').execute();
  const old = await start().summary({ isDrawn: false, isDetailed: true }, requester, signal);
  expect(old.content).toContain('지금 KRW 환율이 없어 합계에서 뺐어요');
  expect((await rebalance()).found).toBe(0);
  // A look at live data stores the last closes for the next outage.
  become('live');
  await start().summary({ isDrawn: false, isDetailed: true }, requester, signal);
  become('unrated');
  expect(
    stated(await start().summary({ isDrawn: false, isDetailed: true }, requester, signal), 'totalValue')
      ?.value,
  ).toBe('1666160');
});

it('old quotes, old rates and splits that were not looked up since are marked in every view', async () => {
  const { start, become, clock, movers, stores } = await open();
  const requester = requesterOf('look');
  const service = start();
  await record(service, '2026-11-02', 'buy');
  await service.summary({ isDrawn: false, isDetailed: true }, requester, signal);
  const views = async () => [
    (await service.summary({ isDrawn: false, isDetailed: true }, requester, signal)).content,
    (await service.rebalance({ text: 'AAPL 100' }, requester, signal)).content,
    await movers(await stores.owners.ownerOf(requester), requester, signal).then((moved) =>
      [moved?.origin, ...(moved?.notes ?? [])].join('\n'),
    ),
  ];
  become('stale');
  for (const text of await views()) {
    expect(text).toMatch(/⚠️ 오래된 시세(?:예요)?: 애플/u);
    expect(text).toContain('환율: 1 USD = ₩1,400 · ⚠️ 오래된 환율 · 기준 2026-11-13 18:00');
  }
  await clock.advance(3 * 24 * 3_600_000);
  for (const text of await views())
    expect(text).toContain('⚠️ 2026-11-13 이후 분할·병합을 확인하지 못했어요');
  expect((await service.actions({}, requester, signal)).content).toContain(
    '지난번 내용이에요: 애플 (AAPL) (2026-11-13)',
  );
  become('live');
  await clock.advance(3_600_000);
  for (const text of await views()) expect(text).not.toMatch(/병합 여부|오래된/u);
});
