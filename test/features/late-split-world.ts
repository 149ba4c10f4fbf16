import type { SourceQuote } from '#src/kernel/market/finance.ts';
import { requesterOfMessage } from '#src/kernel/people/requester.ts';
import { asId, type UserId } from '#src/kernel/ids.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { Decimal } from '#src/kernel/money.ts';
import { createAccountStores } from '#src/features/open/account-stores.ts';
import { createAlertService } from '#src/features/alerts/service.ts';
import { createAlertWatch } from '#src/features/alerts/watching/alert-watch.ts';
import { createBriefingComposer } from '#src/features/briefings/compose-briefing.ts';
import { createCorporateActions } from '#src/features/portfolio/corporate-actions/corporate-actions.ts';
import { actionsAnswer } from '#src/features/portfolio/corporate-actions/actions-answer.ts';
import { recordAnswer } from '#src/features/portfolio/record/record.ts';
import { ratedPortfolios } from '#src/features/portfolio/rates/rated-portfolios.ts';
import { moversOf } from '#src/features/portfolio/summary/movers.ts';
import { summaryAnswer } from '#src/features/portfolio/summary/summary.ts';
import { quotesAnswer } from '#src/features/quotes/quotes.ts';
import { createWatchlistService } from '#src/features/watchlist/service.ts';
import { lastCloseBefore, sessionOf } from '#src/markets/calendar/calendar.ts';
import { createMarket } from '#src/markets/sources/market.ts';
import type { Bar, MarketSource } from '#src/markets/sources/source.ts';
import { ConcurrencyLaneManager } from '#src/platform/concurrency/concurrency-lane.ts';
import { msgContext, recordingLogger } from '#test/support/context.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { symbols } from '#test/support/sample-market.ts';

const HOUR_MS = 3_600_000;
const { signal } = new AbortController();
const zone = 'America/New_York';
/** A Monday. */
const SPLIT_DAY = '2026-11-16';
const OPENING = Temporal.Instant.from('2026-11-16T14:30:00Z');

/** What the source has in new shares although it does not report the split yet. */
export interface Adjusted {
  readonly close: boolean;
  readonly year: boolean;
  readonly bars: boolean;
}

interface LateSplit {
  readonly ratio: number;
  readonly before: number;
  /** `never`: it was no split, however it looks. Below zero: before the opening. */
  readonly hoursLate: number | 'never';
  readonly adjusted: Adjusted;
  /** The price fell during the day. */
  readonly isTraded?: boolean;
}

const sessionOn = (day: Temporal.PlainDate) => ({
  opening: day.toZonedDateTime({ timeZone: zone, plainTime: '09:30' }).toInstant(),
  close: day.toZonedDateTime({ timeZone: zone, plainTime: '16:00' }).toInstant(),
});
const sessions = new Map<string, ReturnType<typeof sessionOn>>();
const session = (day: Temporal.PlainDate): ReturnType<typeof sessionOn> => {
  const known = sessions.get(day.toString()) ?? sessionOn(day);
  sessions.set(day.toString(), known);
  return known;
};
const isBefore = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) < 0;
const range = (low: number, high: number) => ({ low: new Decimal(low), high: new Decimal(high) });

const requesterIn = (locale: Locale) =>
  requesterOfMessage(msgContext({ senderId: asId<UserId>('mina'), locale }));

const directTarget = async () => requesterIn('en').target;

/** Apple splits on that Monday, and the source says so late; everything that people look at stands on it. */
export const openLateSplit = async ({ ratio, before, hoursLate, adjusted, isTraded }: LateSplit) => {
  const clock = new ManualClock('2026-11-13T15:00:00Z');
  const reportedAt = hoursLate === 'never' ? undefined : OPENING.add({ minutes: hoursLate * 60 });
  const after = before / ratio;
  const hasSplit = (at: Temporal.Instant): boolean => !isBefore(at, OPENING);
  const isReported = (): boolean => reportedAt !== undefined && !isBefore(clock.now(), reportedAt);
  /** Of the days before the split. */
  const past = (isEarly: boolean): number =>
    isReported() || (isEarly && hasSplit(clock.now())) ? after : before;
  const lastTrade = (): { readonly day: Temporal.PlainDate; readonly at: Temporal.Instant } => {
    let day = clock.now().toZonedDateTimeISO(zone).toPlainDate();
    for (;;) {
      const { opening, close } = session(day);
      if (day.dayOfWeek <= 5 && !isBefore(clock.now(), opening))
        return { day, at: isBefore(clock.now(), close) ? clock.now() : close };
      day = day.subtract({ days: 1 });
    }
  };
  const quote = (): Omit<SourceQuote, 'instrument'> => {
    const { day, at } = lastTrade();
    const price = hasSplit(at) ? after * 1.01 : before;
    const isFirstDay = day.toString() === SPLIT_DAY;
    const close = hasSplit(at) ? (isFirstDay ? past(adjusted.close) : after) : before;
    const year = hasSplit(at) ? past(adjusted.year) : before;
    return {
      price: new Decimal(price),
      previousClose: new Decimal(close),
      dayRange:
        isTraded && isFirstDay ? range(price * 0.99, before * 0.97) : range(price * 0.99, price * 1.01),
      yearRange: range(year * 0.7, year * 1.2),
      volume: new Decimal(hasSplit(at) ? 1_000 * ratio : 1_000),
      asOf: at,
      source: 'hand',
      isSample: false,
    };
  };
  const barsUpTo = (first: Temporal.PlainDate, last: Temporal.PlainDate): readonly Bar[] => {
    const bars: Bar[] = [];
    const end = lastTrade().day;
    for (let day = first; Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 })) {
      if (day.dayOfWeek > 5 || Temporal.PlainDate.compare(day, end) > 0) continue;
      const isNew = hasSplit(session(day).opening);
      const unit = isNew ? after : past(adjusted.bars);
      const close = new Decimal(unit * (day.day % 2 === 0 ? 0.995 : 1.005));
      bars.push({
        at: session(day).opening,
        open: new Decimal(unit),
        high: close.times(1.01),
        low: close.times(0.99),
        close,
        volume: new Decimal(unit === before ? 1_000 : 1_000 * ratio),
      });
    }
    return bars;
  };
  const today = (): Temporal.PlainDate => clock.now().toZonedDateTimeISO(zone).toPlainDate();
  const origin = () => ({ timeZone: zone, asOf: lastTrade().at, source: 'hand', isSample: false });
  const source: MarketSource = {
    name: 'hand',
    isSample: false,
    supports: ({ symbol }) => symbol === 'AAPL',
    getQuotes: async (wanted) => wanted.map((instrument) => ({ instrument, ...quote() })),
    getHistory: async (instrument, span) => ({
      instrument,
      range: span,
      interval: '1d',
      bars: barsUpTo(today().subtract({ days: 60 }), today()),
      ...origin(),
    }),
    getDays: async (instrument, { first, last }) => {
      return {
        instrument,
        bars: barsUpTo(first, last),
        actions: isReported()
          ? [{ kind: 'split', date: Temporal.PlainDate.from(SPLIT_DAY), ratio: new Decimal(ratio) }]
          : [],
        ...origin(),
      };
    },
  };
  const { storage } = await sqliteStorage();
  const stores = createAccountStores(storage, clock);
  const { logger } = recordingLogger();
  const market = createMarket({ sources: [source], calendar: { sessionOf, lastCloseBefore }, clock, logger });
  const corporateActions = createCorporateActions({ market, store: stores.corporateActions, clock, logger });
  const { owners, dailyRates } = stores;
  const shared = { owners, market, corporateActions, symbols, clock, logger, dailyRates };
  const portfolios = { ...shared, store: ratedPortfolios(stores.portfolios, shared) };
  const charts = { allocation: async () => Promise.reject(new Error('no canvas')) };
  const watch = createAlertWatch({
    ...shared,
    store: stores.alerts,
    lanes: new ConcurrencyLaneManager(clock),
    wake: () => undefined,
    membership: async () => 'member',
    directTarget,
  });
  const alerts = createAlertService({
    ...shared,
    store: stores.alerts,
    directTarget,
    changed: () => undefined,
    maxAlerts: 20,
    inChannels: { perChat: 4, repeatingPerPerson: 2, repeatMinutes: 15 },
  });
  const watchlist = createWatchlistService({ ...shared, store: stores.watchlists });
  const compose = createBriefingComposer({
    ...shared,
    watchlist: stores.watchlists,
    portfolioMovers: moversOf(portfolios),
  });
  const show = async (locale: Locale = 'en') => {
    const requester = requesterIn(locale);
    const ownerId = await owners.ownerOf(requester);
    const order = { ownerId, isPrivate: true, instruments: [], locale, timeZone: 'Asia/Seoul' };
    return {
      price: (await quotesAnswer({ market, symbols })(['AAPL'], requester, signal)).content,
      watch: (await watchlist.show({}, requester, signal)).content,
      portfolio: (await summaryAnswer({ ...portfolios, charts })({ isDrawn: false }, requester, signal))
        .content,
      briefing: (await compose(order, signal)).text,
    };
  };
  const told = async (): Promise<readonly string[]> => {
    const rows = await storage.db.selectFrom('notifications').select('payload').orderBy('due_at').execute();
    return rows.map(({ payload }) => (JSON.parse(payload) as { readonly text: string }).text);
  };
  return {
    clock,
    show,
    told,
    /** Ten shares of the week before, on the list of the watched ones. */
    begin: async (): Promise<void> => {
      await watchlist.add({ names: ['AAPL'] }, requesterIn('en'), signal);
      const bought = { kind: 'buy', name: 'AAPL', quantity: '10', price: String(before), date: '2026-11-05' };
      await recordAnswer(portfolios)({ ...bought, kind: 'buy', currency: 'USD' }, requesterIn('en'), signal);
    },
    recordSplit: () =>
      recordAnswer(portfolios)(
        { kind: 'split', name: 'AAPL', ratio: `${ratio}:1`, date: SPLIT_DAY },
        requesterIn('en'),
        signal,
      ),
    dismiss: () => actionsAnswer(portfolios)({ dismiss: 'AAPL' }, requesterIn('en'), signal),
    setAlert: (text: string) => alerts.set({ text }, requesterIn('en'), signal),
    levels: async (): Promise<readonly string[]> =>
      (await stores.alerts.due(clock.now())).flatMap(({ condition }) =>
        'price' in condition ? [condition.price.toDecimalPlaces(4).toFixed()] : [],
      ),
    /** Time goes on to this many hours after the opening, with a look at the alerts every few minutes of trading. */
    goTo: async (hours: number, stepMinutes = 15): Promise<void> => {
      const end = OPENING.add({ milliseconds: Math.round(hours * HOUR_MS) });
      while (isBefore(clock.now(), end)) {
        const next = clock.now().add({ minutes: stepMinutes });
        const at = isBefore(next, end) ? next : end;
        await clock.advance(at.epochMilliseconds - clock.now().epochMilliseconds);
        await watch.tick();
      }
    },
  };
};
