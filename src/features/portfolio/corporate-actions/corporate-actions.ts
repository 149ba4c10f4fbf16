import type {
  CorporateAction,
  CorporateActions,
  CorporateActionsResult,
  KnownClose,
  PriceGap,
} from '#src/kernel/market/corporate-action.ts';
import { errorMessage } from '#src/kernel/errors.ts';
import { type Instrument, isShare } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import { raceAbort, withDeadline } from '#src/platform/concurrency/abort.ts';
import type { Uses } from '#src/platform/services.ts';
import type { ActionFacts, CorporateActionStore, StoredActions } from '../store/corporate-actions.ts';
import type { FeatureUses } from '#src/features/services.ts';
import { lastCloseBefore, sessionOf, timeZoneOf } from '#src/markets/calendar/calendar.ts';
import { closureOn } from '#src/markets/calendar/trading-dates.ts';
import type { Bar, DailyHistory, DaySpan } from '#src/markets/sources/source.ts';
import { differsLikeSplit, mayStillBeSplit } from '#src/markets/sources/split-doubt.ts';
import { barDays, dateOf, epochDay } from '#src/markets/performance/epoch-day.ts';

/** A split may be dated a few days away from the price that shows it. */
const SPLIT_DAYS = 3;

interface Day {
  readonly day: number;
  readonly bar: Bar;
}

/** Adds up dividends of the same day. */
const sumDividends = (actions: readonly CorporateAction[]): readonly CorporateAction[] => {
  const byKey = new Map<string, CorporateAction>();
  for (const action of actions) {
    const key = `${action.kind} ${action.date.toString()}`;
    const same = byKey.get(key);
    const isSum = same?.kind === 'dividend' && action.kind === 'dividend';
    byKey.set(key, isSum ? { ...action, amount: same.amount.plus(action.amount) } : action);
  }
  return [...byKey.values()];
};

const gapsIn = (days: readonly Day[], actions: readonly CorporateAction[]): readonly PriceGap[] => {
  const explained = actions.map(({ date }) => epochDay(date));
  return days.flatMap(({ day, bar }, index) => {
    const before = days[index - 1]?.bar;
    if (!before?.close.greaterThan(0) || !bar.open.greaterThan(0)) return [];
    if (!differsLikeSplit(bar.open, before.close)) return [];
    if (explained.some((other) => Math.abs(other - day) <= SPLIT_DAYS)) return [];
    return [{ date: dateOf(day), previousClose: before.close, open: bar.open }];
  });
};

/** The number of shares after the splits since a day for one before. */
const ratioSince = (actions: readonly CorporateAction[], day: number): Decimal =>
  actions.reduce(
    (ratio, action) =>
      action.kind === 'split' && epochDay(action.date) > day ? ratio.times(action.ratio) : ratio,
    new Decimal(1),
  );

/** The last close. The one known before stays while the source gives it as after a split that it does not report. */
const closeIn = (
  { instrument, actions }: DailyHistory,
  days: readonly Day[],
  known: KnownClose | undefined,
): KnownClose | undefined => {
  const last = days.at(-1);
  if (!last) return known;
  const close = { date: dateOf(last.day), price: last.bar.close.times(ratioSince(actions, last.day)) };
  const day = known && epochDay(known.date);
  const again = days.find((each) => each.day === day);
  if (!known || day === undefined || !again || again === last) return close;
  const isRestated = differsLikeSplit(again.bar.close.times(ratioSince(actions, day)), known.price);
  const jumpedOn = days.find((each) => each.day > day)?.day ?? last.day;
  return isRestated && mayStillBeSplit(instrument, dateOf(jumpedOn), close.date) ? known : close;
};

/** Splits, dividends, price gaps and the last close of an instrument, from its daily bars and events. */
const readActions = (history: DailyHistory, known: KnownClose | undefined): ActionFacts => {
  const dayNumbers = barDays(history);
  const days = history.bars.map((bar, index): Day => ({ bar, day: dayNumbers[index] ?? 0 }));
  const reported = sumDividends(
    history.actions.filter((action) => action.kind !== 'split' || !action.ratio.equals(1)),
  );
  const actions = reported.map((action): CorporateAction => {
    if (action.kind === 'split') return action;
    const before = days.findLast(({ day }) => day < epochDay(action.date));
    return before ? { ...action, priceBefore: before.bar.close } : action;
  });
  return { actions, gaps: gapsIn(days, actions), close: closeIn(history, days, known) };
};

interface CorporateActionDeps extends FeatureUses<'clock' | 'logger.warn' | 'market.getDays'> {
  readonly store: CorporateActionStore;
}

export type KnownActions = Extract<CorporateActionsResult, { readonly status: 'ok' }>;

/** Extends the port, so that one request for daily bars serves both prices and actions. */
export interface CorporateActionFacts extends CorporateActions {
  /** Reads stored facts only. Undefined if a source has to be asked first. */
  readonly known: (instrument: Instrument, first: Temporal.PlainDate) => Promise<KnownActions | undefined>;
  /** Facts of past days, read from the source only once. May include later days. */
  readonly during: (
    instrument: Instrument,
    days: DaySpan,
    signal: AbortSignal,
  ) => Promise<CorporateActionsResult>;
  /** Stores the actions of bars that were fetched for another reason. The bars must reach today. */
  readonly learn: (history: DailyHistory, days: DaySpan) => Promise<void>;
  readonly stop: () => void;
}

const FRESH_HOURS = 6;
/** Nothing takes effect on a day without trading. */
const FRESH_HOURS_WHEN_CLOSED = 72;
/** Facts that could not be refreshed for this long are reported as old. */
const OLD_HOURS = 24;
/** Each refresh reads only recent days; all days are read again at this interval, for corrections. */
const RECENT_DAYS = 60;
const WHOLE_DAYS = 7;
/** Wait after a failure; after a price jump, one minute. */
const RETRY_MINUTES = 10;
const JUMP_SECONDS = 60;
/** Limit for all instruments together, so that quotes do not wait behind facts. */
const FETCHES_PER_MINUTE = 20;
const FETCH_TIMEOUT_MS = 20_000;
const MAX_REMEMBERED = 2_000;

const noFacts = (): Error => new Error('The splits and dividends did not arrive in time');

const isAfter = (a: Temporal.PlainDate, b: Temporal.PlainDate): boolean =>
  Temporal.PlainDate.compare(a, b) > 0;

const from = (stored: StoredActions, first: Temporal.PlainDate): KnownActions => {
  const isIn = ({ date }: { readonly date: Temporal.PlainDate }): boolean => !isAfter(first, date);
  const { actions, gaps, close, source } = stored;
  return {
    status: 'ok',
    actions: actions.filter(isIn),
    gaps: gaps.filter(isIn),
    source,
    ...(close && { close }),
  };
};

const covers = (stored: StoredActions | undefined, first: Temporal.PlainDate): stored is StoredActions =>
  stored !== undefined && !isAfter(stored.first, first);

const earlier = (a: Temporal.PlainDate, b: Temporal.PlainDate): Temporal.PlainDate => (isAfter(a, b) ? b : a);

const hoursBetween = (a: Timestamp, b: Timestamp): number => a.until(b).total('hours');

const splitsOf = (actions: StoredActions['actions'], since: Temporal.PlainDate): string =>
  actions
    .flatMap((action) =>
      action.kind === 'split' && !isAfter(since, action.date)
        ? [`${action.date.toString()} ${action.ratio.toFixed()}`]
        : [],
    )
    .join(' ');

/**
 * Splits and dividends of shares and funds, stored and refreshed from a live source. A refresh outlives its caller.
 */
export const createCorporateActions = (deps: CorporateActionDeps): CorporateActionFacts => {
  const { market, store, clock, logger } = deps;
  const stopped = new AbortController();
  const running = new Map<string, Promise<StoredActions | undefined>>();
  const triedAt = new Map<string, Timestamp>();
  let fetchedAtMs: readonly number[] = [];

  const warn = (message: string, { symbol }: Instrument, error: unknown): void =>
    logger.warn(message, { symbol, error: errorMessage(error) });

  const { isFresh, daysToFetch } = createFreshness(deps);

  /** False if too many fetches ran in the last minute, or this one was tried just now. */
  const mayFetch = (symbol: string, isJump: boolean): boolean => {
    const now = clock.now();
    const seconds = triedAt.get(symbol)?.until(now).total('seconds') ?? Number.POSITIVE_INFINITY;
    if (seconds < (isJump ? JUMP_SECONDS : RETRY_MINUTES * 60)) return false;
    fetchedAtMs = fetchedAtMs.filter((at) => at > now.epochMilliseconds - 60_000);
    if (fetchedAtMs.length >= FETCHES_PER_MINUTE) return false;
    fetchedAtMs = [...fetchedAtMs, now.epochMilliseconds];
    if (triedAt.size >= MAX_REMEMBERED) triedAt.clear();
    triedAt.set(symbol, now);
    return true;
  };

  const keep = async (history: DailyHistory, days: DaySpan): Promise<StoredActions | undefined> => {
    const { symbol } = history.instrument;
    const facts = readActions(history, (await store.read(symbol))?.close);
    await store.replace(symbol, { ...days, source: history.source }, facts, clock.now());
    return store.read(symbol);
  };

  const fetch = async (
    instrument: Instrument,
    days: DaySpan,
    signal: AbortSignal,
  ): Promise<StoredActions | undefined> => {
    const found = await market.getDays(instrument, days, signal);
    const isUsable =
      found.status === 'ok' && !found.value.isSample && found.value.instrument.symbol === instrument.symbol;
    return isUsable ? keep(found.value, days) : undefined;
  };

  const refresh = async (
    instrument: Instrument,
    stored: StoredActions | undefined,
    days: DaySpan,
  ): Promise<StoredActions | undefined> => {
    const { signal, clear } = withDeadline(stopped.signal, FETCH_TIMEOUT_MS, clock, noFacts);
    try {
      const found = await fetch(instrument, days, signal);
      if (found) triedAt.delete(instrument.symbol);
      const isPart = stored !== undefined && isAfter(days.first, stored.first);
      // After a split, sources restate older dividends, so all days are read again.
      const isRescaled =
        isPart && found && splitsOf(found.actions, days.first) !== splitsOf(stored.actions, days.first);
      return isRescaled
        ? ((await fetch(instrument, { ...days, first: stored.first }, signal)) ?? found)
        : found;
    } catch (error) {
      if (!stopped.signal.aborted) warn('reading corporate actions failed', instrument, error);
      return undefined;
    } finally {
      clear();
    }
  };

  const answer = async (
    instrument: Instrument,
    first: Temporal.PlainDate,
    isJump: boolean,
    signal: AbortSignal,
  ): Promise<CorporateActionsResult> => {
    signal.throwIfAborted();
    if (!isShare(instrument.assetClass)) return { status: 'ok', actions: [], source: '' };
    const { symbol } = instrument;
    const start = (stored: StoredActions | undefined, days: DaySpan) => {
      const task = refresh(instrument, stored, days).finally(() => running.delete(symbol));
      running.set(symbol, task);
      return task;
    };
    let stored = await store.read(symbol);
    // A joined fetch may cover fewer days than this caller needs.
    for (let turn = 0; turn < 2; turn += 1) {
      const days = daysToFetch(instrument, stored, first, isJump);
      const task =
        days && (running.get(symbol) ?? (mayFetch(symbol, isJump) ? start(stored, days) : undefined));
      if (!task) break;
      stored = (await raceAbort(task, signal)) ?? stored;
    }
    if (!covers(stored, first)) return { status: 'unavailable' };
    const { lookedAt } = stored;
    const hasFailed = triedAt.has(symbol) && !isFresh(instrument, stored);
    const isOld = hasFailed && hoursBetween(lookedAt, clock.now()) >= OLD_HOURS;
    const readUntil = lookedAt.toZonedDateTimeISO(timeZoneOf(instrument)).toPlainDate();
    return { ...from(stored, first), ...(isOld && { readUntil }) };
  };

  return {
    since: (instrument, first, signal) => answer(instrument, first, false, signal),
    during: async (instrument, { first, last }, signal) => {
      const stored = isShare(instrument.assetClass) ? await store.read(instrument.symbol) : undefined;
      return covers(stored, first) && isAfter(stored.last, last)
        ? from(stored, first)
        : answer(instrument, first, false, signal);
    },
    lookAgain: (instrument, first, signal) => answer(instrument, first, true, signal),
    known: async (instrument, first) => {
      if (!isShare(instrument.assetClass)) return { status: 'ok', actions: [], source: '' };
      const stored = await store.read(instrument.symbol);
      return covers(stored, first) && isFresh(instrument, stored) ? from(stored, first) : undefined;
    },
    learn: async (history, days) => {
      if (history.isSample || !isShare(history.instrument.assetClass)) return;
      try {
        const stored = await store.read(history.instrument.symbol);
        // A gap before these days would count as read.
        if (!stored || !isAfter(days.first, stored.last)) await keep(history, days);
      } catch (error) {
        warn('storing corporate actions failed', history.instrument, error);
      }
    },
    stop: () => stopped.abort(new Error('the service has stopped')),
  };
};

/** How long stored actions stay fresh, and which days are to be fetched. */
const createFreshness = ({ clock }: Uses<'clock'>) => {
  const todayOf = (instrument: Instrument): Temporal.PlainDate =>
    clock.now().toZonedDateTimeISO(timeZoneOf(instrument)).toPlainDate();

  const isFresh = (instrument: Instrument, { lookedAt }: StoredActions): boolean => {
    const now = clock.now();
    const hours = hoursBetween(lookedAt, now);
    const close = lastCloseBefore(instrument, now);
    const isSinceClose = close !== null && Temporal.Instant.compare(lookedAt, close) >= 0;
    const isOpen = sessionOf(instrument, now) === 'open';
    if (closureOn(instrument, todayOf(instrument)) && isSinceClose) return hours < FRESH_HOURS_WHEN_CLOSED;
    const lookedOn = lookedAt.toZonedDateTimeISO(timeZoneOf(instrument)).toPlainDate();
    const hasTraded = isOpen || (close !== null && !isSinceClose);
    // An action that takes effect at the opening is often not known before.
    const isBeforeOpening = hasTraded && sessionOf(instrument, lookedAt) !== 'open';
    return hours < FRESH_HOURS && !isBeforeOpening && (!isOpen || lookedOn.equals(todayOf(instrument)));
  };

  /** The days to fetch. Undefined if nothing has to be fetched. */
  const daysToFetch = (
    instrument: Instrument,
    stored: StoredActions | undefined,
    first: Temporal.PlainDate,
    isJump: boolean,
  ): DaySpan | undefined => {
    const last = todayOf(instrument);
    // Starts at the beginning of the year, so that trades of one year need one fetch.
    if (!stored || isAfter(stored.first, first))
      return { first: earlier(first.with({ month: 1, day: 1 }), stored?.first ?? first), last };
    const now = clock.now();
    const isJustRead = stored.lookedAt.until(now).total('seconds') < JUMP_SECONDS;
    if (isJump ? isJustRead : isFresh(instrument, stored)) return undefined;
    const isWhole = hoursBetween(stored.wholeLookedAt, now) > WHOLE_DAYS * 24;
    const recent = earlier(last.subtract({ days: RECENT_DAYS }), stored.last.subtract({ days: 1 }));
    return { first: !isWhole && isAfter(recent, stored.first) ? recent : stored.first, last };
  };

  return { isFresh, daysToFetch };
};
