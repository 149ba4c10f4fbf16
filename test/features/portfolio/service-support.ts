import type { PortfolioService } from '#src/features/portfolio/service.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import { type Requester, requesterOfMessage } from '#src/kernel/people/requester.ts';
import { portfolio } from '#src/features/portfolio/index.ts';
import type { CorporateAction } from '#src/kernel/market/corporate-action.ts';
import type { CommandResult } from '#src/kernel/chat/command.ts';
import type { Instrument, Quote } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { asId, type UserId } from '#src/kernel/ids.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { AllocationRequest } from '#src/markets/charts/portfolio-picture.ts';
import type { Bar, DaySpan, History, Market } from '#src/markets/sources/source.ts';
import { analyseAnswer } from '#src/features/portfolio/analysis/analyse.ts';
import { actionsAnswer } from '#src/features/portfolio/corporate-actions/actions-answer.ts';
import { createCorporateActions } from '#src/features/portfolio/corporate-actions/corporate-actions.ts';
import { epochDay, isWeekday } from '#src/markets/performance/epoch-day.ts';
import {
  configureAnswer,
  createAnswer,
  listAnswer,
  removeAnswer,
} from '#src/features/portfolio/portfolios/manage-portfolios.ts';
import { ratedPortfolios } from '#src/features/portfolio/rates/rated-portfolios.ts';
import { exportAnswer } from '#src/features/portfolio/import/export.ts';
import { historyAnswer } from '#src/features/portfolio/record/history.ts';
import { openAnswer } from '#src/features/portfolio/service.ts';
import { planOrTransfer, recordOrTransfer } from '#src/features/portfolio/record/transfer.ts';
import { rebalanceAnswer, targetAnswer } from '#src/features/portfolio/rebalance/rebalance.ts';
import { summaryAnswer } from '#src/features/portfolio/summary/summary.ts';
import { taxAnswer } from '#src/features/portfolio/tax/tax.ts';
import { undoAnswer, undoPlanAnswer } from '#src/features/portfolio/record/undo.ts';
import { createCommandRegistry } from '#src/chat/commands/command-registry.ts';
import { createCorporateActionStore } from '#src/features/portfolio/store/corporate-actions.ts';
import { createDailyRateStore } from '#src/features/portfolio/store/daily-rates.ts';
import type { WriteExport } from '#src/platform/storage/export-file.ts';
import { createOwnerStore } from '#src/people/store/owners.ts';
import { createPortfolioStore } from '#src/features/portfolio/store/store.ts';
import { msgContext } from '#test/support/context.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { symbols } from '#test/support/sample-market.ts';

interface Price {
  readonly price: string;
  readonly previousClose?: string;
  readonly sessionState?: Quote['sessionState'];
}

/** A market whose prices and daily closes the test sets. */
export const handMadeMarket = () => {
  const prices = new Map<string, Price>();
  const closes = new Map<string, Readonly<Record<string, string>>>();
  const asked: string[] = [];
  const asOf = Temporal.Instant.from('2026-11-13T06:30:00Z');
  const quoteOf = (
    instrument: Instrument,
    { price, previousClose, sessionState = 'open' }: Price,
  ): Quote => ({
    instrument,
    price: new Decimal(price),
    ...(previousClose !== undefined && { previousClose: new Decimal(previousClose) }),
    asOf,
    source: 'hand',
    isSample: false,
    sessionState,
    isStale: false,
  });
  const actions = new Map<string, readonly CorporateAction[]>();
  /** Listed closes stand until the next one, on weekdays up to now. */
  const dailyBars = (symbol: string, { first, last }: DaySpan): readonly Bar[] => {
    const listed = Object.entries(closes.get(symbol) ?? {}).map(
      ([day, close]) => [epochDay(Temporal.PlainDate.from(day)), new Decimal(close)] as const,
    );
    const bars: Bar[] = [];
    const today = epochDay(asOf.toZonedDateTimeISO('Europe/London').toPlainDate());
    for (let day = epochDay(first); day <= Math.min(epochDay(last), today); day += 1) {
      const value = listed.findLast(([since]) => since <= day)?.[1];
      if (!value || !isWeekday(day)) continue;
      const at = Temporal.Instant.fromEpochMilliseconds(day * 86_400_000);
      bars.push({ at, open: value, high: value, low: value, close: value, volume: new Decimal(0) });
    }
    return bars;
  };
  const market: Pick<Market, 'getQuotes' | 'getHistory' | 'getDays'> = {
    getDays: async (instrument, span) => {
      asked.push(`${instrument.symbol} ${span.last.year}`);
      const bars = dailyBars(instrument.symbol, span);
      if (!closes.has(instrument.symbol)) return { status: 'unavailable', reason: 'no-data' };
      const isIn = ({ date }: CorporateAction): boolean =>
        Temporal.PlainDate.compare(date, span.first) >= 0 && Temporal.PlainDate.compare(date, span.last) <= 0;
      const events = (actions.get(instrument.symbol) ?? []).filter(isIn);
      const value = { instrument, timeZone: 'Europe/London', bars, actions: events, asOf, source: 'hand' };
      return { status: 'ok', value: { ...value, isSample: false } };
    },
    getQuotes: async (instruments) =>
      instruments.map((instrument) => {
        const price = prices.get(instrument.symbol);
        return price
          ? { status: 'ok', quote: quoteOf(instrument, price) }
          : { status: 'unavailable', instrument, reason: 'no-data' };
      }),
    getHistory: async (instrument, range) => {
      asked.push(`${instrument.symbol} ${range}`);
      const days = Object.entries(closes.get(instrument.symbol) ?? {});
      if (days.length === 0) return { status: 'unavailable', reason: 'no-data' };
      const value: History = {
        instrument,
        range,
        interval: range === 'max' ? '1mo' : range === '5y' ? '1wk' : '1d',
        timeZone: 'Europe/London',
        bars: days.map(([day, close]) => {
          const value = new Decimal(close);
          const at = Temporal.PlainDate.from(day).toZonedDateTime('Europe/London').toInstant();
          return { at, open: value, high: value, low: value, close: value, volume: new Decimal(0) };
        }),
        asOf,
        source: 'hand',
        isSample: false,
      };
      return { status: 'ok', value };
    },
  };
  return { market, prices, closes, actions, asked };
};

const unused = async (): Promise<MarketAnswer> => ({ content: 'x', facts: [], found: 1 });

const contextOf = (who: string, locale: Locale, overrides: Partial<TurnContext> = {}): TurnContext =>
  msgContext({ senderId: asId<UserId>(who), locale, ...overrides });

const requesterOf = (who: string, locale: Locale = 'ko'): Requester =>
  requesterOfMessage(contextOf(who, locale));

/** Everything that belongs to portfolios, on a database of this test alone; people talk to it by commands. */
export const openPortfolios = async (startsAt = '2026-11-13T06:30:00Z') => {
  const clock = new ManualClock(startsAt);
  const { storage } = await sqliteStorage();
  const made = handMadeMarket();
  const drawn: AllocationRequest[] = [];
  let isDrawingBroken = false;
  const owners = createOwnerStore(storage, clock);
  const dailyRates = createDailyRateStore(storage, clock);
  const rates = { market: made.market, symbols, clock, dailyRates };
  const store = ratedPortfolios(createPortfolioStore(storage, clock), rates);
  const charts = {
    allocation: async (request: AllocationRequest) => {
      drawn.push(request);
      if (isDrawingBroken) throw new Error('no canvas');
      return { kind: 'image', mimeType: 'image/png', name: 'a.png', url: 'a.png', altText: 'parts' } as const;
    },
  };
  const corporateActions = createCorporateActions({
    market: made.market,
    store: createCorporateActionStore(storage),
    clock,
    logger: { warn: () => undefined },
  });
  const deps = { ...rates, owners, store, corporateActions, charts };
  const files: string[] = [];
  const writeExport: WriteExport = async (_file, content) => {
    files.push(typeof content === 'string' ? content : content.join(''));
    return 'file:///export.csv';
  };
  const service: PortfolioService = {
    summary: summaryAnswer(deps),
    open: openAnswer(deps),
    record: recordOrTransfer(deps),
    plan: planOrTransfer(deps),
    history: historyAnswer(deps),
    undo: undoAnswer(deps),
    planUndo: undoPlanAnswer(deps),
    list: listAnswer(deps),
    create: createAnswer(deps),
    configure: configureAnswer(deps),
    actions: actionsAnswer(deps),
    remove: removeAnswer(deps),
    analyse: analyseAnswer({
      ...deps,
      market: {
        ...made.market,
        getFundamentals: async () => ({ status: 'unavailable', reason: 'down' }),
      },
      charts: { valueOverTime: async () => Promise.reject(new Error('no canvas')) },
      logger: { warn: () => undefined },
    }),
    preview: unused,
    confirmImport: unused,
    export: exportAnswer({ ...deps, writeExport }),
    tax: taxAnswer({ ...deps, writeExport }),
    rebalance: rebalanceAnswer(deps),
    target: targetAnswer(deps),
  };
  const registry = createCommandRegistry([portfolio.command.create({ portfolio: service, symbols })]);
  /** Types a command, in Korean unless it says otherwise. */
  const say = async (
    body: string,
    { who = 'mina', locale = 'ko', ...overrides }: Partial<TurnContext> & { readonly who?: string } = {},
  ): Promise<CommandResult> => {
    const found = registry.commandIn(body);
    if (found?.kind !== 'known') throw new Error(`${body} is no command`);
    const ctx = contextOf(who, locale, { rawBody: body, ...overrides });
    return registry.execute(found.parsed, ctx, new AbortController().signal);
  };
  const ledgerOf = async (who: string, name?: string) => {
    const ownerId = await owners.ownerOf(requesterOf(who));
    const all = await store.list(ownerId);
    const picked = name === undefined ? all[0] : all.find((each) => each.name === name);
    return picked ? store.transactions(ownerId, picked.id) : [];
  };
  return {
    ...made,
    /** The contents of written files. */
    files,
    clock,
    service,
    deps,
    store,
    owners,
    say,
    requesterOf,
    ledgerOf,
    drawn,
    breakDrawing: () => {
      isDrawingBroken = true;
    },
  };
};

/** It is a Friday afternoon in Seoul, 2026-11-13; on Monday the 16th nobody has traded yet. */
export const openOnFriday = async () => {
  const all = await openPortfolios();
  all.closes.set('USDKRW=X', { '2026-11-02': '1400' });
  all.prices.set('AAPL', { price: '300' });
  all.prices.set('005930.KS', { price: '70000' });
  all.prices.set('BTC-USD', { price: '100000' });
  all.closes.set('AAPL', { '2026-11-05': '280', '2026-11-06': '290', '2026-11-10': '295' });
  const plan = async (request: Partial<RecordRequest>, locale: 'ko' | 'en' = 'en') => {
    const whole = { kind: 'buy', name: 'AAPL', quantity: '1', price: '300', ...request } as const;
    const requester = { ...all.requesterOf('mina', locale), timeZone: 'Asia/Seoul' };
    const planned = await all.service.plan(whole, requester, new AbortController().signal);
    return planned.status === 'ready' ? planned.text : `refused: ${planned.answer.content}`;
  };
  const seoul = { locale: 'en', timeZone: 'Asia/Seoul' } as const;
  return {
    ...all,
    plan,
    say: (body: string) => all.say(body, seoul),
    sayKo: (body: string) => all.say(body),
  };
};
